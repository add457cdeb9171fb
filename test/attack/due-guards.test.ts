// Attack: timers that cost more than a change may, of one contract or one instance among many. The others must fire, no
// state is half-written, and what cannot be done is named once, not tried without an end.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { Definition } from '../../src/contracts/definition.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { rows } from '../../src/storage/database/sql.ts';
import type { Machine } from '../../src/storage/machines/machines.ts';
import { openStorage, type Storage } from '../../src/storage/storage.ts';
import { createEngineFixture, type EngineFixture, OWNER } from '../contracts/lifecycle/engine-fixture.ts';
import { transition } from '../contracts/transition.ts';
import { insertMachine } from '../services/machines/stored-machine-fixture.ts';
import { inMemory } from '../storage/migrated-database.ts';

const PER_CHANGE = 20_000;
/** So many that a push fits into a change, and the sixteen actions of a timer do not. */
const NAMES = 200;
let storage: Storage;
let fixture: EngineFixture;
let tick = 100;

beforeAll(async () => {
  storage = await openStorage(await inMemory());
  fixture = await createEngineFixture(storage, { ...LIMITS.contracts.guards, perChange: PER_CHANGE });
  fixture.setTick(tick);
});
afterAll(() => storage.close());

/** A list that callers fill, and a timer that reads all of it in many actions. */
const COSTLY = {
  version: '1.0',
  edition: 2,
  operators: ['KO42'],
  initial: 'open',
  pause: 'operator',
  collections: { names: { kind: 'list', of: 'string', max: 1_000 } },
  states: { open: { role: 'initial' }, over: { role: 'terminal' } },
};
const APPEND = { append: { to: 'names', value: 'event.name' } };
const alarm = transition(
  'alarm',
  'open',
  'over',
  { kind: 'one_shot', after: 10 },
  {
    post: Array.from({ length: 16 }, () => ({ append: { to: 'names', value: '"x"' } })),
  },
);
const keyed = Definition.parse({
  ...COSTLY,
  name: 'keyed',
  key: 'event.id',
  spawn: 'begin',
  events: { begin: { payload: { id: 'string' } }, push: { payload: { id: 'string', name: 'string' } } },
  transitions: [transition('push', 'open', 'open', { kind: 'event', event: 'push' }, { post: [APPEND] }), alarm],
});
const single = Definition.parse({
  ...COSTLY,
  name: 'single',
  events: { push: { payload: { name: 'string' } } },
  transitions: [transition('push', 'open', 'open', { kind: 'event', event: 'push' }, { post: [APPEND] }), alarm],
});
const light = Definition.parse({
  ...COSTLY,
  name: 'light',
  collections: undefined,
  context: { done: { type: 'integer', initial: 0 } },
  events: { push: { payload: { name: 'string' } } },
  transitions: [
    transition('push', 'open', 'open', { kind: 'event', event: 'push' }, { post: [{ set: { done: 'done + 1' } }] }),
    { ...alarm, post: [{ set: { done: 'done + 100' } }] },
  ],
});

const send = (machine: Machine, name: string, payload: Record<string, unknown>, to?: string) =>
  fixture.engine.ingest(machine.id, OWNER.zid ?? '', { name, payload, to });

/** Wakes as the scheduler does, which goes on after a failure. */
async function wake(machine: Machine, times: number): Promise<void> {
  for (let i = 0; i < times; i++) {
    fixture.setTick(++tick);
    await fixture.engine.wake(machine.id).catch(() => undefined);
  }
}

const refusedRows = (machine: Machine) =>
  rows<{ body: string }>(
    storage.database.knex,
    `select body from audit where machine_id = ? and type = 'refused' order by seq`,
    [machine.id],
  );

test('an instance whose timer costs too much does not hold up the others', async () => {
  const machine = await insertMachine(storage);
  const { id } = await fixture.contracts.deploy(machine, OWNER, { definition: keyed });
  const keys = ['0-poison', ...Array.from({ length: 30 }, (_, i) => `k${i}`)];
  for (const key of keys) await send(machine, 'begin', { id: key });
  for (let i = 0; i < NAMES; i++) await send(machine, 'push', { id: '0-poison', name: `n${i}` });
  tick += 10;
  await wake(machine, 40);
  const stored = await storage.contractInstances.byKeys(machine.id, id, keys);
  const states = Object.fromEntries(stored.map(({ key, state }) => [key, state.state]));
  expect(Object.entries(states).filter(([, state]) => state !== 'over')).toEqual([['0-poison', 'open']]);
  // Its list is that of before, in memory and after a restart.
  const poison = stored.find(({ key }) => key === '0-poison');
  expect(poison?.state.collections?.names).toHaveLength(NAMES);
  expect((await refusedRows(machine)).map(({ body }) => JSON.parse(body))).toMatchObject([
    { contract: id, instance: '0-poison', code: 'BUDGET_EXCEEDED' },
  ]);
});

test('nor does a contract hold up the others of its machine', async () => {
  const machine = await insertMachine(storage);
  const { id: costly } = await fixture.contracts.deploy(machine, OWNER, { definition: single });
  const { id: other } = await fixture.contracts.deploy(machine, OWNER, { definition: light });
  for (let i = 0; i < NAMES; i++) await send(machine, 'push', { name: `n${i}` }, costly);
  tick += 10;
  await wake(machine, 40);
  const contract = async (id: string) => (await fixture.contracts.get(machine, id)).contract;
  expect((await contract(other)).currentState).toBe('over');
  expect((await contract(costly)).currentState).toBe('open');
  expect((await refusedRows(machine)).map(({ body }) => JSON.parse(body))).toMatchObject([
    { contract: costly, code: 'BUDGET_EXCEEDED' },
  ]);
});
