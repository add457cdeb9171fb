// Columns of double-double values: the same bits as those of one evaluation after another.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseExpression } from '../../../src/expressions/parse.ts';
import { COLUMN_LENGTH, FormulaColumns, hasColumns } from '../../../src/expressions/precise/columns.ts';
import { evaluatePrecisely, type Formula } from '../../../src/expressions/precise/evaluate.ts';
import { expressions, SYMBOLS } from './trees.ts';

const formula = (text: string, where: Record<string, string> = {}): Formula => ({
  expression: parseExpression(text),
  where: Object.entries(where).map(([name, one]) => ({ name, expression: parseExpression(one) })),
});

type Row = Readonly<Record<string, number>>;

/** What columns give for each row; symbols that have the same value in every row are no columns if `isShared`. */
function byColumns(one: Formula, rows: readonly Row[], shared: readonly string[] = []) {
  const [first = {}] = rows;
  const fixed = new Map(Object.entries(first).filter(([name]) => shared.includes(name)));
  const varying = Object.keys(first).filter((name) => !shared.includes(name));
  const columns = new FormulaColumns(one, fixed, varying);
  for (const name of varying) {
    const column = columns.symbol(name);
    for (const [at, row] of rows.entries()) column[at] = row[name] ?? Number.NaN;
  }
  columns.evaluate(rows.length);
  return rows.map((_, at) => ({
    value: columns.reference(at),
    bound: columns.bound(at),
    scale: columns.scale(at),
    hasFiniteParts: columns.hasFiniteParts(at),
  }));
}

function oneByOne(one: Formula, rows: readonly Row[]) {
  return rows.map((row) => {
    const { value, bound, scale, hasFiniteParts } = evaluatePrecisely(one, new Map(Object.entries(row)));
    return { value, bound, scale, hasFiniteParts };
  });
}

const numbers = fc.oneof(
  fc.double({ min: -20, max: 20, noNaN: true }),
  fc.constantFrom(0, -0, 1, 0.1, 1e-310, 1e300, -1e300, 5e-324),
);
const rowsOf = fc.array(fc.record({ x: numbers, y: numbers, n: fc.integer({ min: 0, max: 12 }) }), {
  minLength: 1,
  maxLength: 6,
});

describe('columns', () => {
  test('of random expressions have the bits of single evaluations', { timeout: 60_000 }, () => {
    let compared = 0;
    fc.assert(
      fc.property(expressions, rowsOf, (expression, rows) => {
        const one = { expression, where: [] };
        if (!hasColumns(one)) return;
        compared++;
        expect(byColumns(one, rows)).toEqual(oneByOne(one, rows));
        const shared = rows.map((row) => ({ ...row, y: rows[0]?.y ?? 0, n: rows[0]?.n ?? 0 }));
        expect(byColumns(one, shared, ['y', 'n'])).toEqual(oneByOne(one, shared));
      }),
      { numRuns: 1_500, seed: 13 },
    );
    expect(compared).toBeGreaterThan(500);
  });

  test('of intermediate values, of constants alone, and of a part that has no finite value', () => {
    const rows = [{ x: 3 }, { x: 0 }, { x: 1e200 }];
    for (const one of [
      formula('2*d + d^2', { d: 'x - 0.1', unused: '1/x' }),
      formula('pi*0.1 + 2^0.5'),
      formula('1 + 1/(1/0)'),
      formula('x/(x*x)'),
      formula('min(x, 2, 0.1) + hypot(x, 3, 4) + floor(x/0.1) + lambertw(x)'),
    ])
      expect(byColumns(one, rows)).toEqual(oneByOne(one, rows));
  });

  test('are as long as they say, and used again', () => {
    const rows = Array.from({ length: COLUMN_LENGTH }, (_, at) => ({ x: at - 7 }));
    const one = formula('exp(x/10)/x');
    expect(byColumns(one, rows)).toEqual(oneByOne(one, rows));
    const columns = new FormulaColumns(one, new Map(), SYMBOLS);
    columns.symbol('x')[0] = 0;
    columns.evaluate(1);
    expect(columns.hasFiniteParts(0)).toBe(false);
    columns.symbol('x')[0] = 10;
    columns.evaluate(1);
    expect([columns.hasFiniteParts(0), columns.reference(0)]).toEqual([true, expect.closeTo(Math.E / 10, 15)]);
    expect(() => columns.symbol('z')).toThrow('z has no column.');
  });

  test.each([
    'x > 1 ? 2 : 3',
    'not x',
    'x < 2',
    'x > 0 and 1/x < 1',
    'x < 0 or 1/x < 1',
    'sqrt(x > 1 ? x : 1)',
    'x > 0 ? log(x) : x < 0 ? 1/(1/0) : 7',
    '3*x > 0.3 ? x : x > 0 ? 1/(0*x) : x',
    '3*x < 0.3 ? 1/x : x/(x - 0.1)',
    '3*x == 0.3 ? 1 : log(x - 0.1)',
    '(3*x <= 0.3 and log(x) < 0) ? x : x^2',
    'y > 0.1 ? (x > 1 ? log(x) : 1/x) : (x > 1 ? x/0 : -x)',
    'max(x, 1) == x ? sinc(x) : erf(x)',
    'x >= -0.1 ? 1 : 2',
    // All rows are in the first branch, or none.
    'y >= 0 ? exp(x) + erf(x) + (x + 3)^1.7 + log(x + 3) + x^2 : 1/x',
    'y < 0 ? exp(x) + (x + 3)^1.7 : erfc(x)*normcdf(x) + (x < 1 ? 2^x : log(x))',
  ])('%s: each row takes its own branch', (text) => {
    const rows = [0.1, 0, -0.1, 3, -2, 0.3, 0.1 + 2 ** -56, Number.NaN, 1e-310, 1, 0.1].map((x, at) => ({
      x,
      y: at / 30,
    }));
    const one = formula(text);
    expect(hasColumns(one)).toBe(true);
    expect(byColumns(one, rows)).toEqual(oneByOne(one, rows));
    for (const row of rows) expect(byColumns(one, [row])).toEqual(oneByOne(one, [row]));
    const shared = rows.map((row) => ({ ...row, x: 0.1 }));
    expect(byColumns(one, shared, ['x'])).toEqual(oneByOne(one, shared));
    const sharedOther = rows.map((row) => ({ ...row, y: 0.2 }));
    expect(byColumns(one, sharedOther, ['y'])).toEqual(oneByOne(one, sharedOther));
  });

  test('columns that are used again keep nothing of a branch that no row takes now', () => {
    const one = formula('x > 0 ? log(x) : x < -1 ? 1/(x + 2) : x');
    const columns = new FormulaColumns(one, new Map(), ['x']);
    const run = (xs: readonly number[]) => {
      for (const [at, x] of xs.entries()) columns.symbol('x')[at] = x;
      columns.evaluate(xs.length);
      return xs.map((_, at) => [columns.reference(at), columns.hasFiniteParts(at)]);
    };
    run([-2, -3, 5]);
    for (const xs of [
      [1, 2, 3],
      [-0.5, -0.25],
      [-2, 4],
      [-0.5, 7],
    ])
      expect(run(xs)).toEqual(
        oneByOne(
          one,
          xs.map((x) => ({ x })),
        ).map((at) => [at.value, at.hasFiniteParts]),
      );
  });

  test('an expression that sums has none', () => {
    expect(hasColumns(formula('sum(k, 0, 3, x^k)'))).toBe(false);
  });

  test('an expression with more steps than an evaluation may take has none', () => {
    const doubled = (times: number): Formula => {
      let { expression } = formula('besselj(1, x)');
      for (let i = 0; i < times; i++)
        expression = { kind: 'binary', operator: '+', left: expression, right: expression, start: 0, end: 0 };
      return { expression, where: [] };
    };
    // A Bessel function takes 303 steps, and LIMITS.expression.precise allows 400,000.
    expect(hasColumns(doubled(10))).toBe(true);
    expect(hasColumns(doubled(11))).toBe(false);
    expect(evaluatePrecisely(doubled(11), new Map([['x', 1]])).value).toBe(Number.NaN);
  });
});
