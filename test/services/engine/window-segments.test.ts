// Segments of windows: a machine that is loaded from them has the windows that it had, reads few rows, and reads all of
// them if a segment is damaged.

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SYSTEM_ACTOR } from '../../../src/chain/row.ts';
import { Definition } from '../../../src/contracts/definition.ts';
import type { Runtime } from '../../../src/services/engine/live-contract.ts';
import { segmentRemovals } from '../../../src/storage/contracts/window-segments.ts';
import { rows } from '../../../src/storage/database/sql.ts';
import { into } from '../../../src/storage/database/writer.ts';
import type { Machine } from '../../../src/storage/machines/machines.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { createEngineFixture, type EngineFixture, OWNER } from '../../contracts/lifecycle/engine-fixture.ts';
import { testDatabases } from '../../storage/databases.ts';
import { insertMachine } from '../machines/stored-machine-fixture.ts';

const START = 1_000;
const FNS = ['count', 'sum', 'avg', 'min', 'max', 'last', 'range', 'distinct'] as const;

const transition = { operator: 'KO42', proof: false, manual: 'admin' } as const;

/** Windows of every function, one that begins with the state, and one whose filter reads the context. */
const WATCH = Definition.parse({
  name: 'watch',
  version: '1.0',
  edition: 2,
  operators: ['KO42'],
  initial: 'low',
  context: { limit: { type: 'number', initial: 3 } },
  events: { sample: { payload: { ms: 'number' } }, limit: { payload: { to: 'number' } } },
  windows: {
    ...Object.fromEntries(
      FNS.slice(1).map((fn, i) => [`of_${fn}`, { event: 'sample', fn, field: 'ms', within: 9 + 4 * i }]),
    ),
    high: { event: 'sample', fn: 'count', within: 40, filter: 'event.ms > limit' },
  },
  states: { low: { role: 'initial' }, high: { role: 'intermediate' } },
  transitions: [
    {
      ...transition,
      id: 'rise',
      from: 'low',
      to: 'high',
      trigger: { kind: 'windows' },
      fires_when:
        'of_range.value > 9 and of_sum.value + of_avg.value > of_min.value and of_last.count + of_max.count + of_distinct.value > 0',
    },
    {
      ...transition,
      id: 'fall',
      from: 'high',
      to: 'low',
      trigger: { kind: 'on_aggregate', event: 'sample', fn: 'count', within: 60, since: 'entry' },
      fires_when: 'agg.value > 5',
    },
    {
      ...transition,
      id: 'limit',
      from: 'low',
      to: 'low',
      trigger: { kind: 'event', event: 'limit' },
      fires_when: 'event.to < 100',
      post: [{ set: { limit: 'event.to' } }],
    },
    {
      ...transition,
      id: 'crowd',
      from: 'low',
      to: 'low',
      trigger: { kind: 'windows' },
      fires_when: 'high.count > 90',
    },
  ],
});

/** The same with a longer window, and one that counts others. */
const ALTERED = Definition.parse({
  ...WATCH,
  windows: {
    ...WATCH.windows,
    of_sum: { event: 'sample', fn: 'sum', field: 'ms', within: 25 },
    high: { event: 'sample', fn: 'count', within: 40, filter: 'event.ms > limit + 1' },
  },
});

const SUM_OF_HOUR = {
  name: 'sum',
  version: '1.0',
  operators: ['KO42'],
  initial: 'on',
  context: { total: { type: 'number', initial: 0 } },
  events: { sample: { payload: { ms: 'number' } }, end: {} },
  states: { on: { role: 'initial' }, off: { role: 'terminal' } },
  transitions: [
    {
      ...transition,
      id: 'add',
      from: 'on',
      to: 'on',
      trigger: { kind: 'on_aggregate', event: 'sample', fn: 'sum', field: 'ms', within: 4_000 },
      fires_when: 'agg.value > 0',
      post: [{ set: { total: 'agg.value' } }],
    },
    { ...transition, id: 'end', from: 'on', to: 'off', trigger: { kind: 'event', event: 'end' } },
  ],
};

describe.each(testDatabases())('segments of windows, on $name', (database) => {
  let storage: Storage;
  beforeAll(async () => {
    storage = await database.open();
  });
  afterAll(() => database.dispose(storage));

  const send = ({ engine }: EngineFixture, { id }: Machine, name: string, payload: Record<string, unknown> = {}) =>
    engine.ingest(id, SYSTEM_ACTOR, { name, payload });

  const runtimeOf = async ({ engine }: EngineFixture, { id }: Machine) =>
    (await engine.change(id, SYSTEM_ACTOR, (_, runtime) => runtime, 'management')).answer;

  const countOf = async (machine: Machine) =>
    (await storage.windowSegments.page(machine.id, { after: -1, limit: 1_000 })).length;

  test('windows are those that were in memory, whatever came before', async () => {
    const step = fc.oneof(
      { weight: 12, arbitrary: fc.record({ sample: fc.integer({ min: -4, max: 12 }) }) },
      { weight: 3, arbitrary: fc.record({ wait: fc.integer({ min: 1, max: 15 }) }) },
      { weight: 1, arbitrary: fc.record({ limit: fc.integer({ min: 0, max: 9 }) }) },
      { weight: 1, arbitrary: fc.constant('deploy' as const) },
      { weight: 1, arbitrary: fc.constant('rename' as const) },
      { weight: 1, arbitrary: fc.constant('alter' as const) },
      { weight: 2, arbitrary: fc.constant('restart' as const) },
    );
    let filledFromSegments = 0;
    const fromRows = await createEngineFixture(storage, undefined, {}, false);
    const run = async (steps: readonly (typeof step extends fc.Arbitrary<infer One> ? One : never)[]) => {
      const fixture = await createEngineFixture(storage, undefined, {}, { samplesEach: 4 });
      let tick = START;
      fixture.setTick(tick);
      const machine = await insertMachine(storage);
      const ids: string[] = [];
      let isAltered = false;
      const deploy = async () => {
        if (ids.length < 3) ids.push((await fixture.contracts.deploy(machine, OWNER, { definition: WATCH })).id);
      };
      await deploy();
      for (const one of steps) {
        if (one === 'deploy') await deploy();
        else if (one === 'rename')
          await fixture.contracts.patch(machine, OWNER, ids[0] as string, { name: `watch ${tick}` }, {});
        else if (one === 'alter') {
          isAltered = !isAltered;
          const definition = isAltered ? ALTERED : WATCH;
          await fixture.contracts.patch(machine, OWNER, ids[0] as string, { definition }, {});
        } else if (one === 'restart') {
          const before = windowsOf(await runtimeOf(fixture, machine));
          fixture.engine.runtimes.evict(machine.id);
          const after = await runtimeOf(fixture, machine);
          expect(windowsOf(after)).toEqual(before);
          fromRows.setTick(tick);
          fromRows.engine.runtimes.evict(machine.id);
          expect(windowsOf(await runtimeOf(fromRows, machine))).toEqual(before);
          if (after.segments !== undefined) filledFromSegments++;
        } else if ('wait' in one) {
          tick += one.wait;
          fixture.setTick(tick);
        } else if ('limit' in one) await send(fixture, machine, 'limit', { to: one.limit });
        else await send(fixture, machine, 'sample', { ms: one.sample });
      }
    };
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 80 }), run), { numRuns: 12 });
    expect(filledFromSegments).toBeGreaterThan(30);
  }, 120_000);

  /** A machine whose window of 4,000 ticks has had `samples` samples, one each tick. */
  async function summing(samples: number, samplesEach = 20) {
    const options = { samplesEach };
    const fixture = await createEngineFixture(storage, undefined, {}, options);
    fixture.setTick(START);
    const machine = await insertMachine(storage);
    const { id } = await fixture.contracts.deploy(machine, OWNER, { definition: SUM_OF_HOUR as never });
    for (let i = 1; i <= samples; i++) {
      fixture.setTick(START + i);
      await send(fixture, machine, 'sample', { ms: i });
    }
    return { fixture, machine, id };
  }

  const sumTo = (n: number) => (n * (n + 1)) / 2;

  /** What a node that has nothing in memory makes of the next sample, and the faults that it found. */
  async function next(machine: Machine, id: string, tick: number) {
    const faults: string[] = [];
    let rowsRead = 0;
    const { audit } = storage;
    const counting = Object.create(audit) as typeof audit;
    counting.newestPayloads = async (...asked) => {
      const page = await audit.newestPayloads(...asked);
      rowsRead += page.length;
      return page;
    };
    const onDamage = (_: string, fault: string) => faults.push(fault);
    const fixture = await createEngineFixture({ ...storage, audit: counting }, undefined, {}, { onDamage });
    fixture.setTick(tick);
    await send(fixture, machine, 'sample', { ms: 1_000_000 });
    const { context } = (await fixture.contracts.get(machine, id)).contract;
    return { total: context.total, faults, rowsRead };
  }

  test('a load reads the rows after the last segment', async () => {
    const { machine, id } = await summing(313);
    expect(await countOf(machine)).toBe(15);
    const { total, faults, rowsRead } = await next(machine, id, START + 314);
    expect([total, faults]).toEqual([sumTo(313) + 1_000_000, []]);
    expect(rowsRead).toBeLessThan(60);
  });

  test('segments go when their samples have left every window', async () => {
    const { fixture, machine, id } = await summing(100);
    expect(await countOf(machine)).toBe(5);
    // By then all but the samples of the last 20 ticks have left.
    fixture.setTick(START + 4_080);
    for (let i = 0; i < 20; i++) await send(fixture, machine, 'sample', { ms: 1 });
    expect(await countOf(machine)).toBe(2);
    const { total, faults } = await next(machine, id, START + 4_081);
    expect([total, faults]).toEqual([sumTo(100) - sumTo(81) + 20 + 1_000_000, []]);
  });

  const DAMAGES: readonly (readonly [string, string, RegExp])[] = [
    [
      'a bit of a segment',
      'update window_segment set sealed = set_byte(sealed, 40, 255 - get_byte(sealed, 40))',
      /does not open/,
    ],
    ['the end of a range', 'update window_segment set until_svcond = until_svcond - 1', /does not open/],
    ['the beginning of a range', 'update window_segment set from_seq = from_seq - 1', /does not open/],
    ['a missing segment', 'delete from window_segment', /follows row \d+, but the one before ends at/],
  ];
  test.each(DAMAGES)('%s is noticed, and the rows are read', async (_, statement, fault) => {
    const { machine, id } = await summing(120);
    const [third] = (await storage.windowSegments.page(machine.id, { after: -1, limit: 10 })).slice(2);
    await rows(storage.database.knex, `${statement} where machine_id = ? and to_seq = ?`, [
      machine.id,
      third?.toSeq ?? 0,
    ]);
    const { total, faults } = await next(machine, id, START + 121);
    expect(total).toBe(sumTo(120) + 1_000_000);
    expect(faults).toEqual([expect.stringMatching(fault)]);
  });

  test('the first segment cannot go unnoticed before its time', async () => {
    const { machine, id } = await summing(120);
    const [first] = await storage.windowSegments.page(machine.id, { after: -1, limit: 1 });
    await rows(storage.database.knex, 'delete from window_segment where machine_id = ? and to_seq = ?', [
      machine.id,
      first?.toSeq ?? 0,
    ]);
    const { total, faults } = await next(machine, id, START + 121);
    expect(total).toBe(sumTo(120) + 1_000_000);
    expect(faults).toEqual([expect.stringMatching(/the one before is missing/)]);
  });

  test('a segment of another machine does not open', async () => {
    const [{ machine, id }, other] = [await summing(40), await summing(40)];
    await rows(
      storage.database.knex,
      `update window_segment set sealed = (select sealed from window_segment as of
         where of.machine_id = ? and of.to_seq = window_segment.to_seq) where machine_id = ?`,
      [other.machine.id, machine.id],
    );
    const { total, faults } = await next(machine, id, START + 41);
    expect(total).toBe(sumTo(40) + 1_000_000);
    expect(faults).toEqual([expect.stringMatching(/does not open/)]);
  });

  test('without segments the rows are read, and the next segment holds everything', async () => {
    const { fixture, machine, id } = await summing(120);
    await fixture.ledger.commit(machine.id, () => ({
      rows: [],
      writes: [into(segmentRemovals, { machineId: machine.id })],
      answer: undefined,
    }));
    expect(await countOf(machine)).toBe(0);
    fixture.engine.runtimes.evict(machine.id);
    fixture.setTick(START + 121);
    await send(fixture, machine, 'sample', { ms: 121 });
    expect(await countOf(machine)).toBe(1);
    const { total, faults, rowsRead } = await next(machine, id, START + 122);
    expect([total, faults]).toEqual([sumTo(121) + 1_000_000, []]);
    expect(rowsRead).toBeLessThan(10);
  });
});

/** Everything that decisions read of the windows of a machine, by contract and window. */
function windowsOf({ contracts }: Runtime) {
  return [...contracts].map(([id, { running }]) => {
    const sorted = [...running.windows].toSorted(([a], [b]) => (a < b ? -1 : 1));
    const windows = sorted.map(([key, window]) => {
      window.expire(running.state.entered);
      const { value, count, isOverfull, nextExpiry } = window;
      return { key, value, count, isOverfull, nextExpiry, held: window.heldFrom(0) };
    });
    return { id, windows };
  });
}
