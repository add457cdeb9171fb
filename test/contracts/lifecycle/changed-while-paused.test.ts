// A definition changed during a pause applies as if it had been in force when the pause began.

import { afterAll, describe, expect, test } from 'vitest';
import { Definition } from '../../../src/contracts/definition.ts';
import { openStorage } from '../../../src/storage/storage.ts';
import { insertMachine } from '../../services/machines/stored-machine-fixture.ts';
import { inMemory } from '../../storage/migrated-database.ts';
import { createEngineFixture, OWNER } from './engine-fixture.ts';

const OFFER = Definition.parse({
  name: 'offer',
  version: '1.0',
  operators: ['KO42'],
  initial: 'open',
  parameters: { limit: { type: 'ticks', default: 20 } },
  states: { open: { role: 'initial' }, lapsed: { role: 'terminal', outcome: 'expired' } },
  transitions: [
    {
      id: 'lapse',
      from: 'open',
      to: 'lapsed',
      trigger: { kind: 'one_shot', after: 'limit' },
      operator: 'KO42',
      proof: false,
    },
  ],
});

const storage = await openStorage(await inMemory());
afterAll(() => storage.close());

describe('deployed at 1000 with 20 ticks to run, paused at 1005, changed at 1010, resumed at 1110', async () => {
  const { contracts, setTick } = await createEngineFixture(storage);

  test.each([
    ['a longer limit continues with its remaining ticks', { limit: 30 }, false, 'remaining', 1_110 + 25],
    ['a limit that had passed before the pause is due in the next tick', { limit: 3 }, false, 'remaining', 1_110 + 1],
    [
      'a limit that would have passed during the pause keeps its remaining ticks',
      { limit: 7 },
      false,
      'remaining',
      1_110 + 2,
    ],
    ['after a reset the whole limit remains', { limit: 20 }, true, 'remaining', 1_110 + 20],
    ['a deadline counts from the entry', { limit: 150 }, false, 'deadline', 1_150],
    ['after a reset the deadline counts from the reset', { limit: 150 }, true, 'deadline', 1_160],
    ['a restart counts from the resumption', { limit: 30 }, false, 'restart', 1_140],
  ] as const)('%s', async (_, parameters, reset, mode, due) => {
    const machine = await insertMachine(storage);
    setTick(1_000);
    const { id } = await contracts.deploy(machine, OWNER, { definition: OFFER });
    setTick(1_005);
    await contracts.pause(machine, OWNER, id);
    setTick(1_010);
    await contracts.patch(machine, OWNER, id, { parameters }, { reset });
    setTick(1_110);
    const { next_fire } = await contracts.resume(machine, OWNER, id, mode);
    expect(next_fire).toBe(due);
  });
});
