// Events tell what they did not do, and what a sender is to blame for does not make a contract fail.

import { afterAll, expect, test } from 'vitest';
import { Definition } from '../../src/contracts/definition.ts';
import { openStorage } from '../../src/storage/storage.ts';
import { insertMachine } from '../services/machines/stored-machine-fixture.ts';
import { inMemory } from '../storage/migrated-database.ts';
import { createEngineFixture, OWNER } from './lifecycle/engine-fixture.ts';

const storage = await openStorage(await inMemory());
afterAll(() => storage.close());
const fixture = await createEngineFixture(storage);
const { contracts, engine } = fixture;

const common = { operator: 'KO42', proof: false, from: 'open', to: 'open' } as const;
const definition = Definition.parse({
  name: 'meter',
  version: '1.0',
  operators: ['KO42'],
  initial: 'open',
  context: { total: { type: 'integer', initial: 0 }, half: { type: 'number', initial: 0 } },
  events: {
    add: { payload: { amount: 'number' } },
    halve: { payload: { amount: 'number' } },
    count: { payload: { n: 'integer' } },
    spoil: {},
    close: {},
  },
  states: { open: { role: 'initial' }, shut: { role: 'intermediate' }, closed: { role: 'terminal' } },
  transitions: [
    { ...common, id: 'adding', trigger: { kind: 'event', event: 'add' }, post: [{ set: { total: 'event.amount' } }] },
    {
      ...common,
      id: 'halving',
      trigger: { kind: 'event', event: 'halve' },
      pre: [{ set: { scratch: 'event.amount / 2' } }],
      post: [{ set: { total: 'scratch', half: 'scratch' } }],
    },
    { ...common, id: 'counting', trigger: { kind: 'event', event: 'count' }, fires_when: 'event.n > 0' },
    { ...common, id: 'spoiling', trigger: { kind: 'event', event: 'spoil' }, post: [{ set: { total: '1 / 2' } }] },
    { ...common, id: 'shutting', to: 'shut', trigger: { kind: 'one_shot', after: 50 } },
    { ...common, id: 'closing', from: 'shut', to: 'closed', trigger: { kind: 'event', event: 'close' } },
  ],
});

async function deploy() {
  const machine = await insertMachine(storage);
  fixture.setTick(1_000);
  const { id } = await contracts.deploy(machine, OWNER, { definition });
  const send = (name: string, payload: Readonly<Record<string, unknown>> = {}) =>
    engine.ingest(machine.id, OWNER.zid ?? '', { name, payload });
  const status = async () => (await contracts.get(machine, id)).contract.status;
  return { machine, id, send, status };
}

test.each([
  ['add', 'adding', { amount: 0.5 }],
  ['halve', 'halving', { amount: 1 }],
])('values that an action cannot use, sent as %s, do not make a contract fail', async (name, transition, payload) => {
  const { id, send, status } = await deploy();
  for (let i = 0; i < 6; i++) {
    const { fired, refused } = await send(name, payload);
    expect(fired).toEqual([]);
    expect(refused).toMatchObject([{ contract: id, transition, code: 'ACTION_FAILED' }]);
  }
  expect(await status()).toBe('active');
});

test('five faults of its own make a contract fail', async () => {
  const { send, status } = await deploy();
  for (let i = 0; i < 4; i++) await send('spoil');
  await send('add', { amount: 0.5 });
  expect(await status()).toBe('active');
  await send('spoil', { amount: 0.5 });
  expect(await status()).toBe('failed');
});

test.each([
  [{ amount: 'ten' }, { path: 'payload.amount', got: 'ten', expected: 'a number', code: 'PAYLOAD' }],
  [{}, { path: 'payload.amount', got: null, expected: 'a number', code: 'PAYLOAD' }],
  [{ amount: 0.5 }, { path: 'payload.amount', got: 0.5, expected: 'a whole number', code: 'ACTION_FAILED' }],
])('a payload of the wrong form is refused by its field: %j', async (payload, refusal) => {
  const { id, send } = await deploy();
  expect((await send('add', payload)).refused).toMatchObject([{ contract: id, transition: 'adding', ...refusal }]);
});

test('a misspelt field is ignored by its name, and the missing one refused', async () => {
  const { send } = await deploy();
  const { refused, ignored } = await send('add', { amuont: 5 });
  expect(refused).toMatchObject([{ path: 'payload.amount', got: null }]);
  expect(ignored).toMatchObject([
    { code: 'UNKNOWN_FIELD', path: 'payload.amuont', reason: expect.stringContaining('amount') },
  ]);
});

test('a false condition, a state that does not listen, a pause and an unknown name are told', async () => {
  const { machine, id, send } = await deploy();
  expect(await send('count', { n: 0 })).toMatchObject({
    fired: [],
    refused: [{ transition: 'counting', code: 'CONDITION' }],
  });
  expect(await send('count', { n: 1 })).toMatchObject({
    fired: [{ transition: 'counting' }],
    refused: [],
    ignored: [],
  });
  expect((await send('close')).ignored).toMatchObject([{ contract: id, code: 'NO_TRANSITION' }]);
  expect((await send('clsoe')).ignored).toMatchObject([
    { contract: null, code: 'NO_LISTENER', reason: expect.stringContaining('close') },
  ]);
  await contracts.pause(machine, OWNER, id);
  expect((await send('close')).ignored).toMatchObject([{ contract: id, code: 'NOT_ACTIVE' }]);
});
