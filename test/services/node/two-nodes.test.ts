// Two nodes on one database: stale caches never affect a response.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SYSTEM_ACTOR } from '../../../src/chain/row.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { createEngineFixture, type EngineFixture, OWNER } from '../../contracts/lifecycle/engine-fixture.ts';
import { testDatabases } from '../../storage/databases.ts';
import { insertMachine } from '../machines/stored-machine-fixture.ts';

const START = 1_000;

/** A one-shot timer with one retry on a time condition, and an event transition. */
const RETRYING = {
  name: 'retrying',
  version: '1.0',
  operators: ['KO42'],
  initial: 'waiting',
  events: { step: {} },
  states: { waiting: { role: 'initial' }, over: { role: 'terminal' } },
  transitions: [
    {
      id: 'end',
      from: 'waiting',
      to: 'over',
      operator: 'KO42',
      proof: false,
      trigger: { kind: 'one_shot', after: 10, retry_every: 10, max_retries: 1 },
      fires_when: `now > ${START + 30}`,
    },
    {
      id: 'count',
      from: 'waiting',
      to: 'waiting',
      operator: 'KO42',
      proof: false,
      trigger: { kind: 'event', event: 'step' },
    },
  ],
};

describe.each(testDatabases())('two nodes on $name', (database) => {
  let storage: Storage;
  let here: EngineFixture;
  let there: EngineFixture;
  const setTick = (tick: number) => [here, there].forEach((node) => void node.setTick(tick));
  beforeAll(async () => {
    storage = await database.open();
    here = await createEngineFixture(storage);
    there = await createEngineFixture(storage);
  });
  afterAll(() => database.dispose(storage));

  const step = ({ engine }: EngineFixture, { id }: { readonly id: string }) =>
    engine.ingest(id, SYSTEM_ACTOR, { name: 'step' });
  const deploy = ({ contracts }: EngineFixture, machine: Parameters<typeof contracts.deploy>[0]) =>
    contracts.deploy(machine, OWNER, { definition: RETRYING as never });

  test('a contract deployed by the other node is found', async () => {
    setTick(START);
    const machine = await insertMachine(storage);
    await step(here, machine);
    const { id } = await deploy(there, machine);
    const answer = await here.contracts.fire(machine, OWNER, id, { transition: 'count' });
    expect(answer).toMatchObject({ fired: true, fire: { transition: 'count' } });
  });

  test('no change is rejected because of a stale state', async () => {
    setTick(START);
    const machine = await insertMachine(storage);
    const { id } = await deploy(here, machine);
    await step(there, machine);
    await here.contracts.pause(machine, OWNER, id);
    expect(await there.contracts.resume(machine, OWNER, id, 'deadline')).toMatchObject({ status: 'active' });
    await expect(here.contracts.resume(machine, OWNER, id, 'deadline')).rejects.toThrow('The contract is active');
  });

  test('timer attempts that left no row are not repeated', async () => {
    setTick(START);
    const machine = await insertMachine(storage);
    const { id } = await deploy(here, machine);
    await step(there, machine);
    await here.engine.wake(machine.id);
    for (const tick of [START + 10, START + 20]) {
      setTick(tick);
      await here.engine.wake(machine.id);
    }
    setTick(START + 35);
    expect(await step(there, machine)).toMatchObject({ fired: [{ contract: id, transition: 'count' }] });
    const { contract } = await here.contracts.get(machine, id);
    expect(contract).toMatchObject({ currentState: 'waiting', fire_count: 2, next_fire: null });
  });

  test('a change that cannot be written leaves no trace in the cache', async () => {
    setTick(START);
    const machine = await insertMachine(storage);
    const { id } = await deploy(here, machine);
    const broken = here.engine.change(machine.id, SYSTEM_ACTOR, (session) => {
      const seq = session.addRow('event', 'api', { name: 'step' });
      session.deliver({ name: 'step', payload: {}, number: seq });
      session.addRow('state', 'api', { text: '\ud800' });
    });
    const [first] = await Promise.allSettled([broken, step(here, machine), step(here, machine)]);
    expect(first.status).toBe('rejected');
    await step(here, machine);
    const { contract } = await here.contracts.get(machine, id);
    expect(contract.fire_count).toBe(3);
    expect((await storage.fires.list(machine.id, id, 10)).length).toBe(3);
  });

  test('concurrent changes of different parts are merged or rejected', async () => {
    setTick(START);
    const machine = await insertMachine(storage);
    const { id } = await deploy(here, machine);
    await step(there, machine);
    const changed = { ...RETRYING, title: 'changed' } as never;
    const [whole, part] = await Promise.allSettled([
      here.contracts.patch(machine, OWNER, id, { definition: changed, parameters: {} }),
      there.contracts.patch(machine, OWNER, id, { name: 'renamed' }),
    ]);
    expect(whole.status).toBe('fulfilled');
    const { stored } = await here.contracts.get(machine, id);
    expect(stored.definition.title).toBe('changed');
    if (part.status === 'rejected') {
      expect(String(part.reason)).toContain('The contract is at version 2, not 1; read it again and retry.');
    }
    expect(await there.contracts.patch(machine, OWNER, id, { name: 'renamed' })).toMatchObject({
      contract: { name: 'renamed' },
    });
    expect((await here.contracts.get(machine, id)).stored.definition.title).toBe('changed');
  });
});
