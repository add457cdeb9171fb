// Changes of one machine that share a flush: none costs the others anything, whatever becomes of it.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SYSTEM_ACTOR } from '../../../src/chain/row.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { type EngineAtHand, engineAtHand, OWNER } from '../../contracts/lifecycle/engine-at-hand.ts';
import { testDatabases } from '../../storage/databases.ts';
import { plantMachine } from '../machines/machines-fixture.ts';

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

const by = (id: string, from: string, to: string, trigger: object, more: object = {}) => ({
  id,
  from,
  to,
  operator: 'KO42',
  proof: false,
  trigger,
  ...more,
});

/** Ends at the second sample that it hears after a wait. */
const PATIENT = {
  name: 'patient',
  version: '1.0',
  operators: ['KO42'],
  initial: 'waiting',
  events: { sample: {} },
  states: { waiting: { role: 'initial' }, counting: { role: 'intermediate' }, over: { role: 'terminal' } },
  transitions: [
    by('begin', 'waiting', 'counting', { kind: 'one_shot', after: 10 }),
    by(
      'end',
      'counting',
      'over',
      { kind: 'on_aggregate', event: 'sample', fn: 'count', within: 100, since: 'entry' },
      { fires_when: 'agg.value >= 2' },
    ),
  ],
};

/** Pays, ten ticks later, whom it was told to. */
const PAYER = {
  name: 'payer',
  version: '1.0',
  operators: ['KO42'],
  initial: 'waiting',
  context: { who: { type: 'string', initial: '' } },
  events: { told: { payload: { who: 'string' } } },
  states: { waiting: { role: 'initial' }, owing: { role: 'intermediate' }, over: { role: 'terminal' } },
  transitions: [
    by('hear', 'waiting', 'owing', { kind: 'event', event: 'told' }, { post: [{ set: { who: 'event.who' } }] }),
    by(
      'pay',
      'owing',
      'over',
      { kind: 'one_shot', after: 10 },
      { post: [{ token: { op: 'mint', amount: '1', to: 'who' } }] },
    ),
  ],
};

/** A legal name, which every object has already. */
const TWICE = {
  name: 'twice',
  version: '1.0',
  operators: ['KO42'],
  initial: 'waiting',
  events: { end: {} },
  states: { waiting: { role: 'initial' }, over: { role: 'terminal' } },
  transitions: [
    by('constructor', 'waiting', 'waiting', { kind: 'recurring', every: 10, max_fires: 2 }),
    by('end', 'waiting', 'over', { kind: 'event', event: 'end' }),
  ],
};

describe.each(testDatabases())('changes on $name', (database) => {
  let storage: Storage;
  let at: EngineAtHand;
  beforeAll(async () => {
    storage = await database.open();
    at = await engineAtHand(storage);
    at.setTick(1_000);
  });
  afterAll(() => database.dispose(storage));

  const counter = async () => {
    const machine = await plantMachine(storage);
    const { id } = await at.contracts.deploy(machine, OWNER, { definition: COUNTER as never });
    const step = () => at.engine.ingest(machine.id, SYSTEM_ACTOR, { name: 'step' });
    const counted = async () => {
      const { contract } = await at.contracts.get(machine, id);
      return { fires: contract.fire_count, n: contract.context.n };
    };
    return { machine, id, step, counted };
  };

  test('a refusal between events loses none of what the earlier ones did', async () => {
    const { machine, step, counted } = await counter();
    const refused = () => at.engine.change(machine.id, SYSTEM_ACTOR, (_, runtime) => at.engine.find(runtime, 'nobody'));
    const done = await Promise.allSettled([step(), step(), refused(), step(), refused(), step(), step()]);
    expect(done.map(({ status }) => status === 'fulfilled')).toEqual([true, true, false, true, false, true, true]);
    expect(await counted()).toEqual({ fires: 5, n: 5 });
  });

  test('what is forgotten while a flush is under way is read again when that is written', async () => {
    const { machine, step, counted } = await counter();
    const forgetting = at.engine.change(machine.id, SYSTEM_ACTOR, () => at.engine.runtimes.forget(machine.id));
    await Promise.all([step(), forgetting, step(), step()]);
    expect(await counted()).toEqual({ fires: 3, n: 3 });
  });

  test('what waits for the next flush keeps its place', async () => {
    const { machine, step } = await counter();
    const order: string[] = [];
    const note = (name: string, work: Promise<unknown>) =>
      work.then(() => order.push(name)).catch(() => order.push(name));
    const refused = at.engine.change(machine.id, SYSTEM_ACTOR, (_, runtime) => at.engine.find(runtime, 'nobody'));
    await Promise.all([note('a', step()), note('refused', refused), note('b', step()), note('c', step())]);
    expect(order.filter((name) => name !== 'refused')).toEqual(['a', 'b', 'c']);
  });

  const begin = async (definition: object) => {
    at.setTick(1_000);
    const machine = await plantMachine(storage);
    const { id } = await at.contracts.deploy(machine, OWNER, { definition: definition as never });
    return { machine, id, now: async () => (await at.contracts.get(machine, id)).contract };
  };

  test.each([
    ['in memory', false],
    ['read again', true],
  ])('an event counts in the state that a late timer entered before it, %s', async (_, isForgotten) => {
    const { machine, now } = await begin(PATIENT);
    const say = () => at.engine.ingest(machine.id, SYSTEM_ACTOR, { name: 'sample' });
    at.setTick(1_015);
    expect((await say()).fired).toMatchObject([{ transition: 'begin' }]);
    if (isForgotten) at.engine.runtimes.forget(machine.id);
    at.setTick(1_016);
    expect((await say()).fired).toMatchObject([{ transition: 'end' }]);
    expect(await now()).toMatchObject({ currentState: 'over', status: 'completed' });
  });

  test.each([
    ['nobody', ''],
    ['a name with NUL', 'a\0b'],
    [
      'a name that is too long for a key',
      Array.from({ length: 9_000 }, (_, i) => String.fromCodePoint(0x4e00 + i)).join(''),
    ],
  ])('%s holds no tokens: the fire is refused, and the wake goes on', async (_, who) => {
    const { machine, now } = await begin(PAYER);
    await at.engine.ingest(machine.id, SYSTEM_ACTOR, { name: 'told', payload: { who } });
    at.setTick(1_010);
    expect(await at.engine.wake(machine.id)).toBe(0);
    expect(await now()).toMatchObject({ currentState: 'owing', next_fire: null });
    const rows = await storage.audit.select(machine.id, machine.head.slug, {
      type: 'refused',
      order: 'oldest first',
      limit: 10,
    });
    expect(rows).toHaveLength(1);
    expect(rows[0]?.payload_text).toContain('1 to 200 are expected');
  });

  test('a timer with a name that objects inherit keeps its number of fires', async () => {
    const { machine, now } = await begin(TWICE);
    for (const tick of [1_010, 1_020, 1_030]) {
      at.setTick(tick);
      await at.engine.wake(machine.id);
    }
    expect(await now()).toMatchObject({ fire_count: 2, next_fire: null });
  });
});
