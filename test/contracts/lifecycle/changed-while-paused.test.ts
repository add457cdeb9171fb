// A definition that is changed while its contract stands still counts as if it had been there when it began to.

import { afterAll, describe, expect, test } from 'vitest';
import { Definition } from '../../../src/contracts/definition.ts';
import { openStorage } from '../../../src/storage/storage.ts';
import { plantMachine } from '../../services/machines/machines-fixture.ts';
import { engineAtHand, OWNER } from './engine-at-hand.ts';

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

const storage = await openStorage({ inMemory: true });
afterAll(() => storage.close());

describe('deployed at 1000 with 20 ticks to run, paused at 1005, changed at 1010, resumed at 1110', async () => {
  const { contracts, setTick } = await engineAtHand(storage);

  test.each([
    ['a longer time runs on with what was left of it', { limit: 30 }, false, 'remaining', 1_110 + 25],
    ['a time that was over before the pause is over', { limit: 3 }, false, 'remaining', 1_110],
    ['a time that would have ended in the pause is not over', { limit: 7 }, false, 'remaining', 1_110 + 2],
    ['what began anew has all its time left', { limit: 20 }, true, 'remaining', 1_110 + 20],
    ['a deadline stays where the definition puts it', { limit: 150 }, false, 'deadline', 1_150],
    ['a new beginning is a new deadline', { limit: 150 }, true, 'deadline', 1_160],
    ['a restart counts from the resumption', { limit: 30 }, false, 'restart', 1_140],
  ] as const)('%s', async (_, parameters, reset, mode, due) => {
    const machine = await plantMachine(storage);
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
