// The library: sweeps of solvers and laws in this thread, as a program that imports the package makes them.

import { describe, expect, test } from 'vitest';
import { findSolver, solveHere, sweepHere, tableCsv } from '../../../src/browser.ts';
import { computeHere, DomainError, definitionOf, findOperator } from '../../../src/index.ts';

const solverOf = (id: string) => {
  const solver = findSolver(id);
  if (solver === undefined) throw new Error(`There is no solver ${id}.`);
  return solver;
};
const refusal = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof DomainError) return error;
  throw new Error(`not refused: ${String(error)}`);
};
const ROD = { dim: 1, t_end: 0.05 };

describe('a sweep of a solver in this thread', () => {
  test('has the rows of single solutions, and those as lines of text', async () => {
    const { table, value } = await sweepHere(solverOf('heat'), { ...ROD, sweep: { nx: [8, 16, 9.5] } });
    const singles = [await solveHere(solverOf('heat'), { ...ROD, nx: 8 })];
    singles.push(await solveHere(solverOf('heat'), { ...ROD, nx: 16 }));
    expect([...table.data]).toEqual([
      ...[8, singles[0]?.value, singles[0]?.uncertainty],
      ...[16, singles[1]?.value, singles[1]?.uncertainty],
      ...[9.5, Number.NaN, Number.NaN],
    ]);
    expect(value).toBe(singles[1]?.value);
    const lines = tableCsv(table, table.data).split('\n');
    expect(lines[0]).toBe('nx,value [T],uncertainty [T],status');
    expect(lines[3]).toBe('9.5,,,VALIDATION_FAILED');
  });

  test('takes laws for equations of the caller', async () => {
    const laws = [definitionOf(findOperator('CM9'))];
    const body = { equations: 'y = 2*K', operators: ['CM9'], inputs: { m: 2 }, sweep: { v: [1, 3] } };
    const { table } = await sweepHere(solverOf('unified'), body, { laws });
    expect([table.data[1], table.data[4]]).toEqual([2, 18]);
  });

  test('draws samples, reports progress and stops', async () => {
    const fractions: number[] = [];
    const body = { ...ROD, uncertainties: { alpha: 0.01 }, samples: { count: 60, seed: 3 } };
    const { samples, table } = await sweepHere(solverOf('heat'), body, { onProgress: (one) => fractions.push(one) });
    expect(samples).toMatchObject({ count: 60, within: 60 });
    expect(table.data).toHaveLength(3 * 61);
    expect(fractions.at(-1)).toBe(1);
    const signal = AbortSignal.abort();
    expect((await refusal(sweepHere(solverOf('heat'), body, { signal }))).code).toBe('CANCELLED');
  });

  test.each([
    [{ ...ROD }, 'sweep', /sweep is missing/],
    [{ inputs: { foo: 1 }, sweep: { nx: [8] } }, 'inputs.foo', /heat takes no foo; it takes .*alpha/],
    [{ sweep: { nz: [8] } }, 'sweep.nz', /no numeric input of heat/],
  ])('refuses %j', async (body, path, message) => {
    const { details, message: text } = await refusal(sweepHere(solverOf('heat'), body));
    expect(details[0]?.path).toBe(path);
    expect(text).toMatch(message);
  });
});

describe('laws in this thread', () => {
  test('are computed at one point and at many', async () => {
    const one = await computeHere({ domain: 'CM9', inputs: { m: 2, v: 3 } });
    const many = await computeHere({ domain: 'CM9', inputs: { m: 2 }, sweep: { v: [1, 3] } });
    expect(one.value).toBe(9);
    expect([...(many.table?.data ?? [])]).toEqual([1, 1, expect.any(Number), 3, 9, one.uncertainty]);
  });

  test('are inverted at one point and at many', async () => {
    const one = await computeHere({ domain: 'CM9', inputs: { m: 2, K: 9 }, uncertainties: { K: 0.1 }, solve_for: 'v' });
    expect(one.quantities.map(({ value, uncertainty }) => [value, uncertainty])).toEqual([[3, one.uncertainty]]);
    const request = { domain: 'CM9', inputs: { m: 2 }, uncertainties: { K: 0.1 }, solve_for: 'v' };
    const { table } = await computeHere({ ...request, sweep: { K: [-1, 4, 9] } });
    const none = [-1, Number.NaN, Number.NaN];
    expect([...(table?.data ?? [])]).toEqual([
      ...none,
      4,
      2,
      expect.closeTo(2 - Math.sqrt(3.8), 4),
      9,
      3,
      one.uncertainty,
    ]);
    expect(table?.refused).toEqual([{ from: 0, to: 0, code: 'ROOT_NOT_FOUND' }]);
  });

  test('refuse an unknown input', async () => {
    const { details, message } = await refusal(computeHere({ domain: 'CM9', inputs: { m: 2, v: 3, foo: 1 } }));
    expect(details[0]?.path).toBe('inputs.foo');
    expect(message).toMatch(/no foo; it takes m, v/);
  });
});

describe('a law in this thread, as a program asks for it', () => {
  const CM9 = { domain: 'CM9', inputs: { m: 2 } };
  test.each<[sweep: unknown, path: string]>([
    [{ v: [] }, 'sweep.v'],
    [{ v: [1, Number.NaN] }, 'sweep.v.1'],
    [{ v: ['1'] }, 'sweep.v.0'],
    [{ v: { from: 1, to: 2, count: 0 } }, 'sweep.v.count'],
    [{ v: { from: 3, to: 3, count: 1 } }, 'sweep.v.count'],
    [{ v: { from: 1, to: 2, count: 2.5 } }, 'sweep.v.count'],
    [{ v: { from: 1, to: 2, count: 1e15 } }, 'sweep.v.count'],
    [{ v: { from: 1, to: 2, count: 3, scale: 'sqrt' } }, 'sweep.v.scale'],
    [{ v: { from: Number.NaN, to: 2, count: 3 } }, 'sweep.v.from'],
    [{ v: { from: 1, to: Number.POSITIVE_INFINITY, count: 3 } }, 'sweep.v.to'],
  ])('names what is wrong with %j', async (sweep, path) => {
    const error = await refusal(computeHere({ ...CM9, sweep: sweep as never }));
    expect([error.code, error.details[0]?.path]).toEqual(['VALIDATION_FAILED', path]);
  });

  test.each([
    [{ count: 2.5 }, 'samples.count'],
    [{ count: 100, seed: -1 }, 'samples.seed'],
  ])('and with samples %j', async (samples, path) => {
    const request = { domain: 'CM9', inputs: { m: 2, v: 3 }, uncertainties: { v: 0.1 }, samples };
    expect((await refusal(computeHere(request))).details[0]?.path).toBe(path);
  });

  test.each([
    [{ inputs: { m: 2, v: 3 }, as: 'kg' }, 'UNIT_MISMATCH'],
    [{ inputs: { m: 2, v: 3 }, as: 'blub' }, 'UNIT_INVALID'],
    [{ inputs: { m: 2, K: 3 }, solve_for: 'v', as: 'kg' }, 'UNIT_MISMATCH'],
    [{ inputs: { m: 2, K: 3 }, solve_for: 'v', as: 'blub' }, 'UNIT_INVALID'],
  ])('and with the unit of %j', async (request, code) => {
    const error = await refusal(computeHere({ domain: 'CM9', ...request }));
    expect([error.code, error.details[0]?.path]).toEqual([code, 'as']);
  });

  test('± of a number too small for full precision is not zero', async () => {
    // m v²/2 lies between two multiples of the smallest double.
    const { value, uncertainty } = await computeHere({ domain: 'CM9', inputs: { m: 2, v: 2.5e-162 } });
    expect(value).toBe(5e-324);
    expect(uncertainty).toBeGreaterThanOrEqual(5e-324);
  });
});
