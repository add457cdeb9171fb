// Sweeps over inputs of laws: the rows are those of single calls, bit for bit.

import { describe, expect, test } from 'vitest';
import { DomainError } from '../../../src/core/errors.ts';
import { definitionOf } from '../../../src/operators/definition.ts';
import { OPERATORS } from '../../../src/operators/load.ts';
import { PULSE_OPERATOR } from '../../../src/operators/operator.ts';
import { canFeed } from '../../../src/operators/order.ts';
import type { ComputeRequest } from '../../../src/protocol/compute-request.ts';
import { replayEnvelope } from '../../../src/protocol/replay.ts';
import { type AxisSpec, axesOf, gridOf } from '../../../src/protocol/sweep/axes.ts';
import type { TableResult } from '../../../src/protocol/sweep/table-result.ts';
import { assertBudget } from '../../../src/solvers/run.ts';
import { compute, envelopeOf, forge, replayTools } from '../sealed-case.ts';

const CM9 = { domain: 'CM', operators: ['CM9'], inputs: { m: 2 } } as const;

/** The rows that single calls give, with whether they converged; null and the code where they refuse. */
async function singleRows({ sweep = {}, ...request }: ComputeRequest) {
  const points = gridOf(axesOf(sweep));
  const rows: unknown[] = [];
  for (let index = 0; index < points.count; index++) {
    const point = points.at(index);
    const own = Object.fromEntries(points.names.map((name, at) => [name, point[at] ?? Number.NaN]));
    const single = { ...request, inputs: { ...request.inputs, ...own } };
    try {
      const { pure } = await compute(single);
      if (pure.solve_for !== undefined) expect(pure.quantities).toHaveLength(1);
      rows.push([...point, pure.value, pure.uncertainty, pure.converged]);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      rows.push([...point, null, null, error.code]);
    }
  }
  return rows;
}

function rowsWithCodes({ rows, refused, unconverged }: TableResult): unknown[] {
  return (rows ?? []).map((row, at) => {
    const isIn = ({ from, to }: { from: number; to: number }) => at >= from && at <= to;
    const { code } = refused.find(isIn) ?? {};
    return [...row, code ?? !unconverged.some(isIn)];
  });
}

const isRefused = (row: unknown) => typeof (row as unknown[]).at(-1) === 'string';

async function expectSingles(request: ComputeRequest): Promise<TableResult> {
  const { pure } = await compute(request);
  if (pure.table === undefined) throw new Error('A sweep has a table.');
  expect(rowsWithCodes(pure.table)).toEqual(await singleRows(request));
  return pure.table;
}

describe('the rows of a sweep', () => {
  test.each<[string, ComputeRequest]>([
    ['a law in other units', { ...CM9, units: { v: 'km/h' }, sweep: { v: { from: 10, to: 40, count: 31 } } }],
    ['a list that is not sorted', { ...CM9, sweep: { v: [3, -1, 0.1, 0] } }],
    ['even ratios', { ...CM9, sweep: { v: { from: 1e-3, to: 1e3, count: 13, scale: 'log' } } }],
    ['two inputs', { ...CM9, inputs: {}, sweep: { v: { from: 1, to: 2, count: 4 }, m: [1, 0.3, 7] } }],
    ['given uncertainties', { ...CM9, uncertainties: { v: 0.1, m: 0.01 }, sweep: { v: { from: 1, to: 9, count: 9 } } }],
    [
      'values that the law refuses',
      { domain: 'QM', operators: ['QM5'], inputs: { m: 9.1e-31, L: 1e-9 }, sweep: { n: [1, 1.5, -2, 2, 3] } },
    ],
    [
      'a requirement that fails',
      { domain: 'CM', inputs: { m: 2 }, operators: ['CM9'], as: 'kJ', sweep: { v: [1, 2, 1e200, 4] } },
    ],
  ])('%s', async (_, request) => {
    await expectSingles(request);
  });

  test.each(['W', 'kW', undefined])('in %s are converged where their digits do not cancel', async (as) => {
    const inputs = { k: 0.0385, A: 12.6, T1: 293.7, L: 145 };
    const T2 = [200, 293.69, 293.7 - 1e-8, 293.7 - 1e-10, 293.7 - 2e-12, 293.7 - 1e-13, 293.7];
    const request = { domain: 'HT', operators: ['HT1'], inputs, sweep: { T2 }, ...(as === undefined ? {} : { as }) };
    const { unconverged } = await expectSingles(request);
    expect(unconverged).toEqual([{ from: 4, to: 5 }]);
  });

  test('with given uncertainties are as many as without', async () => {
    const sweep = { v: { from: 1, to: 9, count: 10_000 } };
    const { pure, computation } = await compute({ ...CM9, uncertainties: { m: 0.01 }, sweep });
    assertBudget(computation.plan());
    expect(pure.table?.shape).toEqual([10_000, 3]);
    expect(pure.uncertainty).toBeCloseTo(81 * 0.01, 6);
  });

  test('samples are drawn only where the first order is not enough', async () => {
    const request = { ...CM9, uncertainties: { v: 1 }, sweep: { v: [0, 1, 50] } };
    const { pure } = await compute(request);
    expect(pure.runs.length).toBeGreaterThan(1);
    expect(pure.runs.length).toBeLessThan(4);
    await expectSingles(request);
  });

  test('of every law of the registry are those of single calls', { timeout: 120_000 }, async () => {
    let compared = 0;
    for (const operator of OPERATORS.values()) {
      const { id, prefix, examples, inputs } = operator;
      const [example] = examples;
      const names = Object.keys(example?.inputs ?? {});
      const name = names[compared % Math.max(1, names.length)];
      if (id === PULSE_OPERATOR || example === undefined || name === undefined) continue;
      const value = example.inputs[name] ?? 0;
      const { [name]: _, ...others } = example.inputs;
      const isWhole = inputs[name]?.integer === true || inputs[name]?.enum !== undefined;
      const values = isWhole ? [value, value + 1, value - 1e6] : [value, value * 1.25, value * 0.875 + 0.1, -value];
      const request = { domain: prefix, operators: [id], inputs: others, sweep: { [name]: values } };
      const singles = await singleRows(request);
      if (singles.every(isRefused)) continue;
      const { pure } = await compute(request);
      expect(rowsWithCodes(pure.table as TableResult), id).toEqual(singles);
      expect(pure.definitions.at(-1)).toEqual(definitionOf(operator));
      compared++;
    }
    expect(compared).toBeGreaterThan(300);
  });
});

describe('the rows of a sweep of a law with joint requirements', () => {
  test('are those of single calls on both sides of their limits', {
    timeout: 120_000,
  }, async () => {
    let [refused, compared] = [0, 0];
    for (const { id, prefix, requires = [], examples, inputs } of OPERATORS.values()) {
      const given = examples[0]?.inputs ?? {};
      for (const [name, value] of requires.length === 0 ? [] : Object.entries(given)) {
        const { [name]: _, ...others } = given;
        const isWhole = inputs[name]?.integer === true;
        const values = [1e-3, 0.1, 0.5, 0.999, 1, 1.001, 2, 10, 1e3].map((factor) => factor * value);
        const sweep = { [name]: isWhole ? [value, value + 1, 2 * value + 1, 0, value - 1] : values };
        const request = { domain: prefix, operators: [id], inputs: others, sweep };
        const singles = await singleRows(request);
        if (singles.every(isRefused)) continue;
        const { pure } = await compute(request);
        expect(rowsWithCodes(pure.table as TableResult), `${id} ${name}`).toEqual(singles);
        refused += singles.filter(isRefused).length;
        compared += singles.length;
      }
    }
    expect(refused).toBeGreaterThan(200);
    expect(compared - refused).toBeGreaterThan(200);
  });
});

/** Pairs of laws of one domain of which the first feeds the second, with the numbers of their examples. */
function* linkedPairs() {
  for (const first of OPERATORS.values()) {
    for (const second of OPERATORS.values()) {
      const { symbol } = first.output;
      if (first.prefix !== second.prefix || !canFeed(first, second, symbol)) continue;
      const { [symbol]: _, ...others } = second.examples[0]?.inputs ?? {};
      yield {
        domain: first.prefix,
        operators: [first.id, second.id],
        inputs: { ...others, ...first.examples[0]?.inputs },
      };
    }
  }
}

describe('the rows of a sweep of a chain', () => {
  test('of two laws are those of single calls, with and without given uncertainties', {
    timeout: 120_000,
  }, async () => {
    let [compared, sampled] = [0, 0];
    for (const request of linkedPairs()) {
      const names = Object.keys(request.inputs);
      const name = names[compared % names.length] ?? '';
      const { [name]: value = 1, ...inputs } = request.inputs as Record<string, number>;
      const sweep = { [name]: [value, 1.25 * value, 0.875 * value + 0.1, -value, 1e9 * value] };
      const uncertainties = compared % 2 === 0 ? {} : { [name]: Math.abs(value) * 0.01 };
      const swept = { ...request, inputs, sweep, uncertainties };
      const singles = await singleRows(swept);
      if (singles.every(isRefused)) continue;
      const { pure } = await compute(swept);
      expect(rowsWithCodes(pure.table as TableResult), request.operators.join()).toEqual(singles);
      compared++;
      if (pure.runs.length > 2) sampled++;
      if (compared === 60) break;
    }
    expect(compared).toBe(60);
    expect(sampled).toBeGreaterThan(3);
  });

  const THREE = { domain: 'CM', operators: ['CM3', 'CM4', 'CM5'] };
  test.each<[string, ComputeRequest]>([
    [
      'three laws',
      { ...THREE, inputs: { v0: 2, a: 1.5, theta: 40, g: 9.81 }, sweep: { t: { from: 1, to: 9, count: 7 } } },
    ],
    [
      'an input of a later law, in another unit',
      {
        ...THREE,
        inputs: { v0: 2, a: 1.5, t: 3, g: 9.81 },
        units: { theta: 'rad' },
        uncertainties: { theta: 0.02, t: 0.1, a: 0.01 },
        sweep: { theta: [0.2, 0.5, 0.7853981633974483, 0.9] },
      },
    ],
  ])('%s', async (_, request) => {
    const { rows } = await expectSingles(request);
    expect(rows?.every(([, value]) => value !== null)).toBe(true);
  });

  test('replays, samples included', async () => {
    const request = { ...THREE, inputs: { v0: 2, a: 1.5, t: 3, g: 9.81 }, uncertainties: { theta: 2 } };
    const computed = await compute({ ...request, sweep: { theta: [30, 45] } });
    expect(computed.pure.runs.length).toBeGreaterThan(3);
    const report = await replayEnvelope({ ...envelopeOf(computed) }, replayTools());
    expect(report.claims.filter(({ ok }) => ok !== true)).toEqual([]);
  });
});

describe('a sweep with an unknown', () => {
  const SPEED: ComputeRequest = { domain: 'CM9', inputs: { m: 2 }, solve_for: 'v' };

  test('has the rows of single calls, and null where there is no root', async () => {
    const table = await expectSingles({ ...SPEED, sweep: { K: [100, 1, -1, 25] } });
    expect([table.columns, table.units]).toEqual([
      ['K', 'value', 'uncertainty'],
      ['J', 'm/s', 'm/s'],
    ]);
    expect(table.rows?.map(([, value]) => value)).toEqual([10, 1, null, 5]);
    expect(table.refused).toEqual([{ from: 2, to: 2, code: 'ROOT_NOT_FOUND' }]);
    // At rest the root is double, and no search proves that it is the only one.
    const { pure } = await compute({ ...SPEED, sweep: { K: [0, 1] } });
    expect(pure.table?.refused).toEqual([{ from: 0, to: 0, code: 'ROOT_NOT_UNIQUE' }]);
  });

  test('of another input, with given uncertainties and in other units', async () => {
    const units = { K: 'kJ', m: 'g' };
    const request = { ...SPEED, inputs: { K: 0.1 }, units, uncertainties: { K: 0.001 }, as: 'km/h' };
    const { rows } = await expectSingles({ ...request, sweep: { m: [2000, 500, 8000] } });
    expect(rows?.map(([, value]) => Number(value).toFixed(6))).toEqual(['36.000000', '72.000000', '18.000000']);
  });

  test('refuses the points with several roots, and says so by their code', async () => {
    const { pure } = await compute({
      domain: 'CM5',
      inputs: { v: 10, g: 9.81 },
      solve_for: 'theta',
      sweep: { R: [8, 20, 0] },
    }).catch((error: unknown) => ({ pure: error as DomainError }));
    expect(pure).toMatchObject({ code: 'ROOT_NOT_UNIQUE', message: expect.stringContaining('Several numbers') });
  });

  test('is one run, replays, and is found when it was changed', async () => {
    const computed = await compute({ ...SPEED, sweep: { K: { from: 1, to: 100, count: 40 } } });
    expect(computed.pure.runs).toHaveLength(1);
    expect(computed.pure).toMatchObject({ solve_for: 'v', complete: true, value: 10 });
    const envelope = envelopeOf(computed);
    const { claims } = await replayEnvelope({ ...envelope }, replayTools());
    expect(claims.filter(({ ok }) => ok !== true)).toEqual([]);
    const other = forge({ ...envelope, sweep: [{ name: 'K', from: 1, to: 100, count: 41 }] } as typeof envelope);
    const report = await replayEnvelope({ ...other }, replayTools({ trusted: [other.public_key] }));
    expect(report.equal).toBe(false);
  });

  test('takes fewer points than a sweep of the law', async () => {
    const request = { ...SPEED, sweep: { K: { from: 1, to: 2, count: 513 } } };
    await expect(compute(request)).rejects.toMatchObject({ code: 'BUDGET_EXCEEDED', facts: { points: 513 } });
  });
});

describe('the envelope of a sweep', () => {
  test('has the value of its last row that has one, and is sealed with the table', async () => {
    const computed = await compute({
      domain: 'QM',
      operators: ['QM5'],
      inputs: { m: 9.1e-31, L: 1e-9 },
      sweep: { n: [1, 2, 2.5] },
    });
    const envelope = envelopeOf(computed);
    expect(envelope.value).toBe(envelope.table?.rows?.[1]?.[1]);
    expect(envelope.inputs).toEqual({ m: 9.1e-31, L: 1e-9 });
    expect(envelope.table?.refused).toEqual([{ from: 2, to: 2, code: 'VALIDATION_FAILED' }]);
    const report = await replayEnvelope({ ...envelope }, replayTools());
    expect(report.claims.filter(({ ok }) => ok !== true)).toEqual([]);
  });

  test('fails its statement when a row, a code or an axis is changed', async () => {
    const envelope = envelopeOf(await compute({ ...CM9, sweep: { v: [1, 2, 3] } }));
    const { table, sweep } = envelope;
    const changed = [
      { ...envelope, table: { ...table, rows: [[1, 1, 0], ...(table?.rows?.slice(1) ?? [])] } },
      { ...envelope, table: { ...table, refused: [{ from: 0, to: 0, code: 'VALUE_UNDEFINED' }] } },
      { ...envelope, sweep: [{ name: 'v', values: [1, 2, 4] }] },
      { ...envelope, sweep: undefined, table: undefined },
      { ...envelope, table: undefined },
    ];
    for (const one of changed) {
      const { claims, equal } = await replayEnvelope(JSON.parse(JSON.stringify(one)), replayTools());
      expect(equal).toBe(false);
      expect(claims.find(({ claim }) => claim === 'statement')?.ok).toBe(false);
    }
    expect(sweep).toEqual([{ name: 'v', values: [1, 2, 3] }]);
  });

  test('cannot be given a table that an older seal does not cover', async () => {
    const { table } = envelopeOf(await compute({ ...CM9, sweep: { v: [1, 2] } }));
    const single = envelopeOf(await compute({ ...CM9, inputs: { m: 2, v: 2 } }));
    const { claims } = await replayEnvelope({ ...single, table }, replayTools());
    expect(claims.find(({ claim }) => claim === 'statement')?.reason).toContain('covers no sweep');
  });

  test('sealed again with other rows has another answer', async () => {
    const envelope = envelopeOf(await compute({ ...CM9, sweep: { v: [1, 2, 3] } }));
    const other = envelopeOf(await compute({ ...CM9, sweep: { v: [1, 2.5, 3] } }));
    const lie = forge({ ...envelope, table: other.table } as typeof envelope);
    const { claims, equal, first_difference } = await replayEnvelope(
      { ...lie },
      replayTools({ trusted: [lie.public_key] }),
    );
    expect(equal).toBe(false);
    expect(claims.find(({ claim }) => claim === 'statement')?.ok).toBe(true);
    expect(first_difference?.field).toBe('table.sha256');
  });

  test('of many points links its rows by their hash', async () => {
    const { pure, linked } = await compute({ ...CM9, sweep: { v: { from: 1, to: 2, count: 10_000 } } });
    expect(pure.table?.rows).toBeUndefined();
    expect(pure.table?.bytes).toBe(240_000);
    expect(linked.map(({ sha256 }) => sha256)).toEqual([pure.table?.sha256]);
    expect(pure.runs).toHaveLength(1);
  });
});

describe('a sweep is refused', () => {
  const axis = (sweep: Record<string, unknown>) => sweep as Record<string, AxisSpec>;
  test.each<[string, Partial<ComputeRequest>, string, RegExp]>([
    ['without an input', { sweep: {} }, 'sweep', /names 0 inputs/],
    ['of three inputs', { sweep: { v: [1], m: [1], x: [1] } }, 'sweep', /names 3 inputs/],
    [
      'beyond the limit of points',
      { inputs: {}, sweep: { v: { from: 1, to: 2, count: 101 }, m: { from: 1, to: 2, count: 100 } } },
      'sweep',
      /101 × 100 = 10100 points; at most 10000/,
    ],
    ['of an input that is given', { sweep: { m: [1, 2] } }, 'sweep.m', /in sweep and in inputs/],
    ['from a number to itself', { sweep: { v: { from: 2, to: 2, count: 3 } } }, 'sweep.v.to', /is 2; another number/],
    [
      'in even ratios from zero',
      { sweep: { v: { from: 0, to: 2, count: 3, scale: 'log' } } },
      'sweep.v.from',
      /is 0; a number above 0/,
    ],
    [
      'of the phase of the pulse',
      { sweep: axis({ 'KO42.phi0': [1, 2] }), inputs: { m: 2, v: 1 } },
      'sweep.KO42.phi0',
      /phase of the pulse/,
    ],
    [
      'if every point is',
      { sweep: { v: [1], m: [-1, -2] }, inputs: {} },
      'inputs.m',
      /All 2 points of the sweep are refused, the first: CM9.m is -1/,
    ],
  ])('%s', async (_, request, path, message) => {
    const error = await compute({ ...CM9, ...request }).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof DomainError)) throw new Error(`not refused: ${String(error)}`);
    expect([error.code, error.details[0]?.path]).toEqual(['VALIDATION_FAILED', path]);
    expect(error.message).toMatch(message);
  });
});
