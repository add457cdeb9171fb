// Concurrent changes of one machine in the same flush: a refused change does not affect the others.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SYSTEM_ACTOR } from '../../../src/chain/row.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { createEngineFixture, type EngineFixture, OWNER } from '../../contracts/lifecycle/engine-fixture.ts';
import { transition } from '../../contracts/transition.ts';
import { testDatabases } from '../../storage/databases.ts';
import { insertMachine } from '../machines/stored-machine-fixture.ts';

const COUNTER = {
  name: 'counter',
  version: '1.0',
  operators: ['KO42'],
  initial: 'counting',
  context: { n: { type: 'integer', initial: 0 } },
  events: { step: {}, end: {} },
  states: { counting: { role: 'initial' }, over: { role: 'terminal' } },
  transitions: [
    {
      id: 'count',
      from: 'counting',
      to: 'counting',
      operator: 'KO42',
      proof: false,
      trigger: { kind: 'event', event: 'step' },
      post: [{ set: { n: 'n + 1' } }],
    },
    {
      id: 'end',
      from: 'counting',
      to: 'over',
      operator: 'KO42',
      proof: false,
      trigger: { kind: 'event', event: 'end' },
    },
  ],
};

/** Ends at the second sample after a delay. */
const DELAYED = {
  name: 'delayed',
  version: '1.0',
  operators: ['KO42'],
  initial: 'waiting',
  events: { sample: {} },
  states: { waiting: { role: 'initial' }, counting: { role: 'intermediate' }, over: { role: 'terminal' } },
  transitions: [
    transition('begin', 'waiting', 'counting', { kind: 'one_shot', after: 10 }),
    transition(
      'end',
      'counting',
      'over',
      { kind: 'on_aggregate', event: 'sample', fn: 'count', within: 100, since: 'entry' },
      { fires_when: 'agg.value >= 2' },
    ),
  ],
};

/** Mints a token for the holder named by an event, ten ticks later. */
const PAYER = {
  name: 'payer',
  version: '1.0',
  operators: ['KO42'],
  initial: 'waiting',
  context: { who: { type: 'string', initial: '' } },
  events: { order: { payload: { who: 'string' } } },
  states: { waiting: { role: 'initial' }, pending: { role: 'intermediate' }, over: { role: 'terminal' } },
  transitions: [
    transition(
      'order',
      'waiting',
      'pending',
      { kind: 'event', event: 'order' },
      { post: [{ set: { who: 'event.who' } }] },
    ),
    transition(
      'pay',
      'pending',
      'over',
      { kind: 'one_shot', after: 10 },
      { post: [{ token: { op: 'mint', amount: '1', to: 'who' } }] },
    ),
  ],
};

/** A transition id that is also a property of every object. */
const INHERITED_NAME = {
  name: 'inherited',
  version: '1.0',
  operators: ['KO42'],
  initial: 'waiting',
  events: { end: {} },
  states: { waiting: { role: 'initial' }, over: { role: 'terminal' } },
  transitions: [
    transition('constructor', 'waiting', 'waiting', { kind: 'recurring', every: 10, max_fires: 2 }),
    transition('end', 'waiting', 'over', { kind: 'event', event: 'end' }),
  ],
};

describe.each(testDatabases())('changes on $name', (database) => {
  let storage: Storage;
  let fixture: EngineFixture;
  beforeAll(async () => {
    storage = await database.open();
    fixture = await createEngineFixture(storage);
    fixture.setTick(1_000);
  });
  afterAll(() => database.dispose(storage));

  const counter = async () => {
    const machine = await insertMachine(storage);
    const { id } = await fixture.contracts.deploy(machine, OWNER, { definition: COUNTER as never });
    const step = () => fixture.engine.ingest(machine.id, SYSTEM_ACTOR, { name: 'step' });
    const counted = async () => {
      const { contract } = await fixture.contracts.get(machine, id);
      return { fires: contract.fire_count, n: contract.context.n };
    };
    return { machine, id, step, counted };
  };

  test('a refused change between events does not undo the earlier events', async () => {
    const { machine, step, counted } = await counter();
    const refused = () =>
      fixture.engine.change(machine.id, SYSTEM_ACTOR, (_, runtime) => fixture.engine.find(runtime, 'missing'));
    const outcomes = await Promise.allSettled([step(), step(), refused(), step(), refused(), step(), step()]);
    expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual([true, true, false, true, false, true, true]);
    expect(await counted()).toEqual({ fires: 5, n: 5 });
  });

  test('an event of a party is refused if its sender is bound no longer when it is written', async () => {
    const { machine, id, counted } = await counter();
    const sent = { name: 'step', to: id, sender: { zid: '0'.repeat(32), keyId: undefined } };
    const byParty = fixture.engine.ingest(machine.id, SYSTEM_ACTOR, { ...sent, isByParty: true });
    await expect(byParty).rejects.toMatchObject({ code: 'FORBIDDEN_PARTY' });
    expect(await counted()).toEqual({ fires: 0, n: 0 });
    await fixture.engine.ingest(machine.id, SYSTEM_ACTOR, sent);
    expect(await counted()).toEqual({ fires: 1, n: 1 });
  });

  test('a runtime evicted during a flush is rebuilt after the flush', async () => {
    const { machine, step, counted } = await counter();
    const evicting = fixture.engine.change(machine.id, SYSTEM_ACTOR, () => fixture.engine.runtimes.evict(machine.id));
    await Promise.all([step(), evicting, step(), step()]);
    expect(await counted()).toEqual({ fires: 3, n: 3 });
  });

  test('a change that is retried in the next flush keeps its position', async () => {
    const { machine, step } = await counter();
    const order: string[] = [];
    const recordOrder = (name: string, work: Promise<unknown>) =>
      work.then(() => order.push(name)).catch(() => order.push(name));
    const refused = fixture.engine.change(machine.id, SYSTEM_ACTOR, (_, runtime) =>
      fixture.engine.find(runtime, 'missing'),
    );
    await Promise.all([
      recordOrder('a', step()),
      recordOrder('refused', refused),
      recordOrder('b', step()),
      recordOrder('c', step()),
    ]);
    expect(order.filter((name) => name !== 'refused')).toEqual(['a', 'b', 'c']);
  });

  const deploy = async (definition: object) => {
    fixture.setTick(1_000);
    const machine = await insertMachine(storage);
    const { id } = await fixture.contracts.deploy(machine, OWNER, { definition: definition as never });
    return { machine, id, now: async () => (await fixture.contracts.get(machine, id)).contract };
  };

  test.each([
    ['in memory', false],
    ['rebuilt', true],
  ])('an event counts in the state that a late timer entered before it, %s', async (_, isEvicted) => {
    const { machine, now } = await deploy(DELAYED);
    const sendSample = () => fixture.engine.ingest(machine.id, SYSTEM_ACTOR, { name: 'sample' });
    fixture.setTick(1_015);
    expect((await sendSample()).fired).toMatchObject([{ transition: 'begin' }]);
    if (isEvicted) fixture.engine.runtimes.evict(machine.id);
    fixture.setTick(1_016);
    expect((await sendSample()).fired).toMatchObject([{ transition: 'end' }]);
    expect(await now()).toMatchObject({ currentState: 'over', status: 'completed' });
  });

  test.each([
    ['an empty name', ''],
    ['a name with NUL', 'a\0b'],
    [
      'a name that is too long for a key',
      Array.from({ length: 9_000 }, (_, i) => String.fromCodePoint(0x4e00 + i)).join(''),
    ],
  ])('%s is not a valid token holder: the fire is refused, and the wake continues', async (_, who) => {
    const { machine, now } = await deploy(PAYER);
    await fixture.engine.ingest(machine.id, SYSTEM_ACTOR, { name: 'order', payload: { who } });
    fixture.setTick(1_010);
    expect(await fixture.engine.wake(machine.id)).toBe(0);
    expect(await now()).toMatchObject({ currentState: 'pending', next_fire: null });
    const rows = await storage.audit.select(machine.id, machine.head.slug, {
      type: 'refused',
      order: 'oldest first',
      limit: 10,
    });
    expect(rows).toHaveLength(1);
    expect(rows[0]?.payload_text).toContain('1 to 200 are expected');
  });

  test('a timer named like an inherited property counts its fires', async () => {
    const { machine, now } = await deploy(INHERITED_NAME);
    for (const tick of [1_010, 1_020, 1_030]) {
      fixture.setTick(tick);
      await fixture.engine.wake(machine.id);
    }
    expect(await now()).toMatchObject({ fire_count: 2, next_fire: null });
  });
});
