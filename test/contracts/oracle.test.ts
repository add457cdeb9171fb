// Oracles in memory: definitions, valid readings, the values that conditions read, and simulation.

import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { checkDefinition } from '../../src/contracts/check.ts';
import { compileContract } from '../../src/contracts/compiled.ts';
import { Definition } from '../../src/contracts/definition.ts';
import { type CompiledOracle, readingAsEvent, readingOf } from '../../src/contracts/oracle.ts';
import { MAX_READINGS, OracleReadings } from '../../src/contracts/oracle-readings.ts';
import { simulate } from '../../src/contracts/simulate.ts';
import type { Evaluate } from '../../src/contracts/typed-expressions.ts';
import { DomainError } from '../../src/core/errors.ts';
import { EXPRESSION_KERNEL, evaluateProgram } from '../../src/expressions/evaluate.ts';
import { compileKernel, instantiate } from '../../src/kernels/instance.ts';
import { loadKernel } from '../../src/kernels/load-node.ts';

/** A valve that opens when the oracle reads above 300 K, and shuts when the reading is older than 10 ticks. */
const VALVE = {
  name: 'valve',
  version: '1.0',
  operators: ['KO42'],
  initial: 'shut',
  parameters: { max_age: { type: 'ticks', default: 20 } },
  events: { temperature: { payload: { kelvin: 'number' } }, check: {} },
  emits: ['opened'],
  states: { shut: { role: 'initial' }, open: { role: 'intermediate' } },
  transitions: [
    {
      id: 'open',
      from: 'shut',
      to: 'open',
      operator: 'KO42',
      proof: false,
      trigger: { kind: 'event', event: 'check' },
      fires_when: 'oracle.value > 300',
      post: [{ emit: 'opened' }],
    },
    {
      id: 'shut',
      from: 'open',
      to: 'shut',
      operator: 'KO42',
      proof: false,
      trigger: { kind: 'recurring', every: 5 },
      fires_when: 'oracle.age > 10',
    },
  ],
  oracle: { kind: 'event', event: 'temperature', field: 'kelvin', fn: 'last', unit: 'K', max_age: 'max_age' },
};
type Oracle = Record<string, unknown>;
const withOracle = (oracle: Oracle) => Definition.parse({ ...VALVE, oracle });

let evaluate: Evaluate;
beforeAll(async () => {
  const instance = instantiate(await compileKernel(await loadKernel(EXPRESSION_KERNEL)));
  evaluate = (program, values) => evaluateProgram(instance, program, values);
});

function faultsOf(oracle: Oracle): string[] {
  try {
    compileContract(withOracle(oracle));
    return [];
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return error.details.map(({ path, code }) => `${path} ${code}`);
  }
}

describe('a definition', () => {
  const event = { event: 'temperature', field: 'kelvin', fn: 'last' };

  test.each<[string, Oracle]>([
    ['an event, the default kind', event],
    ['a push', { kind: 'push', field: 'kelvin', fn: 'last' }],
    ['a push delivered as an event', { kind: 'push', ...event }],
    [
      'a web server',
      { kind: 'http', url: 'https://a.example/x', pointer: '/a/0', field: 'kelvin', fn: 'last', every: 77 },
    ],
    ['an operator', { kind: 'operator', operator: 'KO42', field: 'kelvin', fn: 'last' }],
    ['another machine', { kind: 'machine', machine: 'weather', ...event }],
    ['the median of sources', { kind: 'push', field: 'kelvin', fn: 'median', within: 100, min_sources: 3, unit: 'K' }],
  ])('may read %s', (_, oracle) => {
    expect(faultsOf(oracle)).toEqual([]);
  });

  test.each<[Oracle, string]>([
    [{ ...event, event: undefined }, 'oracle.event MISSING'],
    [{ ...event, event: 'heat' }, 'oracle.event UNKNOWN_NAME'],
    [{ ...event, field: 'celsius' }, 'oracle.field TYPE'],
    [{ ...event, url: 'https://a.example' }, 'oracle.url NOT_ALLOWED'],
    [{ ...event, machine: 'weather' }, 'oracle.machine NOT_ALLOWED'],
    [{ ...event, fn: 'avg' }, 'oracle.within MISSING'],
    [{ ...event, min_sources: 2 }, 'oracle.within MISSING'],
    [{ ...event, within: 'nothing' }, 'oracle.within UNKNOWN_NAME'],
    [{ ...event, unit: 'furlong/x' }, 'oracle.unit UNIT_INVALID'],
    [{ ...event, min: 5, max: 4 }, 'oracle.min OUT_OF_RANGE'],
    [{ kind: 'push', field: 'other', event: 'temperature', fn: 'last' }, 'oracle.field TYPE'],
    [{ kind: 'http', field: 'kelvin', fn: 'last' }, 'oracle.url MISSING'],
    [{ kind: 'http', url: 'ftp://a.example', field: 'kelvin', fn: 'last' }, 'oracle.url URL'],
    [
      { kind: 'http', url: 'https://a.example', pointer: 'rate', field: 'kelvin', fn: 'last' },
      'oracle.pointer POINTER',
    ],
    [{ kind: 'http', url: 'https://a.example', field: 'kelvin', fn: 'last', every: 5 }, 'oracle.every OUT_OF_RANGE'],
    [{ kind: 'operator', field: 'kelvin', fn: 'last' }, 'oracle.operator MISSING'],
    [{ kind: 'operator', operator: 'CK11', field: 'kelvin', fn: 'last' }, 'oracle.operator UNKNOWN_NAME'],
    [{ kind: 'machine', machine: 'No Slug', ...event }, 'oracle.machine SLUG'],
    [{ kind: 'machine', ...event }, 'oracle.machine MISSING'],
  ])('%j is rejected: %s', (oracle, fault) => {
    expect(faultsOf(oracle)).toContain(fault);
  });

  test('the event that readings are delivered as declares no field that readings lack', () => {
    const definition = Definition.parse({
      ...VALVE,
      events: { temperature: { payload: { kelvin: 'number', place: 'string' } }, check: {} },
      oracle: { kind: 'push', ...event },
    });
    expect(() => compileContract(definition)).toThrow(/declares place/);
  });

  test('parameters and events that only the oracle uses count as used', () => {
    expect(checkDefinition(Definition.parse(VALVE))).toEqual([]);
  });
});

const ORACLE = compileContract(withOracle({ kind: 'push', field: 'kelvin', fn: 'last' })).oracle as CompiledOracle;
const oracleWith = (fields: Partial<CompiledOracle>): CompiledOracle => ({ ...ORACLE, ...fields });
const filled = (
  oracle: CompiledOracle,
  samples: readonly (readonly [tick: number, value: number, source?: string])[],
) => {
  const readings = new OracleReadings(oracle);
  for (const [tick, value, source = 'a'] of samples) readings.add(readingOf(oracle, { value, source, tick }));
  return readings;
};

describe('the value that conditions read', () => {
  test('is the newest reading and its age', () => {
    expect(
      filled(ORACLE, [
        [3, 7],
        [5, 8],
      ]).viewAt(9),
    ).toMatchObject({ value: 8, age: 4 });
    expect(filled(ORACLE, []).viewAt(9)).toBeUndefined();
  });

  test('ignores later readings and those out of range', () => {
    expect(
      filled(ORACLE, [
        [3, 7],
        [5, 8],
      ]).viewAt(2),
    ).toBeUndefined();
    const bounded = oracleWith({ min: 0, max: 10 });
    const readings = filled(bounded, [
      [3, 7],
      [5, 11],
      [6, -1],
    ]);
    expect(readings.viewAt(9)).toMatchObject({ value: 7, age: 6 });
    expect(
      filled(bounded, [
        [1, 0],
        [2, 10],
      ]).viewAt(2),
    ).toMatchObject({ value: 10 });
  });

  test.each([
    ['last', 4],
    ['avg', 5.25],
    ['median', 5],
    ['min', 1],
    ['max', 10],
  ] as const)('%s of a window is %s; expired readings are ignored', (fn, expected) => {
    const readings = filled(oracleWith({ fn, within: 10 }), [
      [1, 1_000],
      [11, 10],
      [12, 1],
      [13, 6],
      [14, 4],
    ]);
    const value = readings.viewAt(20)?.value;
    expect(value).toBe(expected);
    expect(() => readings.viewAt(24)?.value).toThrow('no reading lies within the last 10 ticks');
    expect(readings.viewAt(24)?.age).toBe(10);
  });

  test('is undefined once the newest reading is too old, but its age is known', () => {
    const view = filled(oracleWith({ maxAge: 5 }), [[10, 1]]);
    expect(view.viewAt(15)?.value).toBe(1);
    expect(view.viewAt(16)?.age).toBe(6);
    expect(() => view.viewAt(16)?.value).toThrow('its newest reading is 6 ticks old; 5 are allowed');
  });

  test('is undefined until there are enough sources; each counts with its newest reading', () => {
    const oracle = oracleWith({ fn: 'median', within: 100, minSources: 3 });
    const samples: [number, number, string][] = [
      [1, 5, 'a'],
      [2, 50, 'a'],
      [3, 60, 'b'],
    ];
    expect(() => filled(oracle, samples).viewAt(3)?.value).toThrow('2 of 3 sources');
    expect(filled(oracle, [...samples, [4, 7, 'c'], [5, 51, 'a']]).viewAt(5)?.value).toBe(51);
    const last = { ...oracle, fn: 'last' } as const;
    expect(filled(last, [...samples, [4, 7, 'c'], [5, 51, 'a']]).viewAt(5)?.value).toBe(51);
  });

  test('a mean is independent of expired readings', () => {
    const exact = oracleWith({ fn: 'avg', within: 2 });
    expect(
      filled(exact, [
        [1, 1e300],
        [10, 0.1],
        [11, 0.2],
      ]).viewAt(11)?.value,
    ).toBe((0.1 + 0.2) / 2);
    expect(
      () =>
        filled(exact, [
          [10, 1.7e308],
          [11, 1.7e308],
        ]).viewAt(11)?.value,
    ).toThrow('too large');
  });

  test('a window holds a bounded number of readings', () => {
    const readings = new OracleReadings(oracleWith({ fn: 'max', within: 1_000_000 }));
    for (let tick = 0; tick < MAX_READINGS + 5_000; tick++)
      readings.add(readingOf(ORACLE, { value: -tick, source: 'a', tick }));
    expect(readings.count).toBe(MAX_READINGS);
    expect(readings.viewAt(MAX_READINGS + 5_000)?.value).toBe(-5_000);
  });

  const samples = fc.array(
    fc.record({ gap: fc.nat(6), value: fc.integer({ min: -9, max: 9 }), source: fc.constantFrom('a', 'b', 'c') }),
    { maxLength: 40 },
  );
  const functions = fc.constantFrom('last', 'avg', 'median', 'min', 'max' as const);
  test('is the same for a series that starts with the window, and for a copy', () => {
    fc.assert(
      fc.property(samples, functions, fc.integer({ min: 1, max: 3 }), (all, fn, minSources) => {
        const oracle = oracleWith({ fn, within: 12, minSources, min: -8 });
        const whole = new OracleReadings(oracle);
        let now = 0;
        const readings = all.map(({ gap, value, source }) => {
          now += gap;
          return readingOf(oracle, { value, source, tick: now });
        });
        for (const reading of readings) whole.add(reading);
        const late = new OracleReadings(oracle);
        const newest = readings.findLast(({ status }) => status === 'ok');
        for (const reading of readings) if (reading.tick > now - 12 || reading === newest) late.add(reading);
        for (const at of [now, now + 5, now + 20]) {
          expect(viewOf(late, at)).toEqual(viewOf(whole, at));
          expect(viewOf(whole.copy(), at)).toEqual(viewOf(whole, at));
        }
      }),
    );
  });
});

/** Age and value at a tick, or age and error message. */
function viewOf(readings: OracleReadings, tick: number): unknown {
  const view = readings.viewAt(tick);
  if (view === undefined) return undefined;
  try {
    return [view.age, view.value];
  } catch (error) {
    return [view.age, (error as Error).message];
  }
}

describe('a reading', () => {
  test('is out of range beyond min and max, and stale if it arrived too late', () => {
    const oracle = oracleWith({ min: 0, max: 10, maxAge: 5 });
    const status = (value: number, tick: number) => readingOf(oracle, { value, source: 'a', tick }, 100).status;
    expect([status(10, 95), status(10.1, 95), status(-0.1, 100), status(3, 94)]).toEqual([
      'ok',
      'out_of_range',
      'out_of_range',
      'stale',
    ]);
  });

  test('is delivered as the event that the oracle names, unless it is invalid', () => {
    const oracle = oracleWith({ event: 'temperature', max: 10 });
    const eventFor = (value: number) => readingAsEvent(oracle, readingOf(oracle, { value, source: 'a', tick: 1 }));
    expect(eventFor(3)).toEqual({ name: 'temperature', payload: { kelvin: 3, source: 'a' } });
    expect(eventFor(11)).toBeUndefined();
  });
});

describe('a simulation', () => {
  const compute = () => {
    throw new Error('No operator is expected.');
  };
  const simulated = (definition: object, steps: Parameters<typeof simulate>[1]['steps']) =>
    simulate(compileContract(Definition.parse(definition)), { name: 'valve', steps }, { evaluate, compute });

  test('records a reading before it evaluates transitions on the same event, as the live engine does', () => {
    const reports = simulated(VALVE, [
      { at: 1, send: 'check', expect: { state: 'shut' } },
      { at: 2, send: 'temperature', payload: { kelvin: 290 } },
      { at: 3, send: 'check', expect: { state: 'shut' } },
      { at: 4, send: 'temperature', payload: { kelvin: 310 } },
      { at: 5, send: 'check', expect: { state: 'open', emitted: ['opened'] } },
      { at: 14, expect: { state: 'open' } },
      { at: 15, expect: { state: 'shut' } },
      { at: 25, send: 'check', expect: { state: 'shut' } },
    ]);
    expect(reports.flatMap(({ mismatches }) => mismatches)).toEqual([]);
    expect(reports[0]?.refused).toEqual(['open: The oracle has no reading.']);
    expect(reports[7]?.refused).toEqual([
      'open: The oracle has no value: its newest reading is 21 ticks old; 20 are allowed.',
    ]);
  });

  test('an event that does not match its declaration gives no reading', () => {
    const [, , report] = simulated(VALVE, [
      { at: 1, send: 'temperature', payload: { kelvin: 'hot' } },
      { at: 2, send: 'temperature', payload: {} },
      { at: 3, send: 'check' },
    ]);
    expect(report?.refused).toEqual(['open: The oracle has no reading.']);
  });
});
