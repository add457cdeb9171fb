// Interval arithmetic of formulas: what it says holds for every number of the interval.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decide, enclose } from '../../../src/expressions/interval/evaluate.ts';
import { parseExpression } from '../../../src/expressions/parse.ts';
import { evaluatePrecisely } from '../../../src/expressions/precise/evaluate.ts';
import { compileOperator } from '../../../src/operators/evaluate.ts';
import { OPERATORS } from '../../../src/operators/load.ts';
import { toCoherent } from '../../../src/operators/unit-table.ts';

/** One of every function with an enclosure, and every form of the language. */
const TEXTS = [
  'x^2 - 3*x + 1',
  'x/(1 + x^2)',
  '(x - 1)^3/x',
  'sqrt(x) + cbrt(x)',
  'exp(-x)*sin(3*x)',
  'cos(x)*tan(x/7)',
  'log(x) + log10(x) - log2(x) + log1p(x)',
  'asin(x/20) - acos(x/20) + atan(x)',
  'sinh(x) - cosh(x) + tanh(x)',
  'asinh(x) + acosh(x) + atanh(x/20)',
  'sinc(x)',
  'erf(x) - erfc(x/3) + normcdf(x) - normpdf(x) + norminv(x/20)',
  'gamma(x) + lgamma(x)',
  'ellipk(x/20) - ellipe(x/20)',
  'expint1(x) + zeta(1 + x) + langevin(x)',
  'besseli(1, x)/besselk(0, x)',
  'lambertw(x) + lambertw(0, x)',
  'min(x, 4) + max(x, 2)*abs(x - 3)',
  'hypot(x, 2)',
  'x^0.5 + 2^x + x^x',
  'x < 3 ? x^2 : 9 + 1/x',
  'x == 0 ? 1 : expm1(x)/x',
  'sum(k, 1, 5, x^k/k)',
  'floor(x) + ceil(x/2) - round(x/3) + sign(x - 5)',
  'choose(5, 2)*x - factorial(4)',
];

const at = (text: string, x: number) =>
  evaluatePrecisely({ expression: parseExpression(text), where: [] }, new Map([['x', x]]));

const place = fc.double({ min: 1e-6, max: 15, noNaN: true });

test.each(TEXTS)('the value of %s is inside, and its slope has the sign that is said', (text) => {
  const formula = { expression: parseExpression(text), where: [] };
  fc.assert(
    fc.property(
      place,
      place,
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2, maxLength: 4 }),
      (a, b, parts) => {
        const [lo, hi] = [Math.min(a, b), Math.max(a, b)];
        const { value, slope, isRegular } = enclose(formula, new Map(), 'x', { lo, hi });
        const inside = parts.map((part) => Math.min(hi, lo + part * (hi - lo))).sort((p, q) => p - q);
        const values = inside
          .map((x) => at(text, x))
          .map(({ value: one, hasFiniteParts }) => (hasFiniteParts ? one : Number.NaN));
        for (const one of values) {
          if (Number.isNaN(one)) continue;
          expect(one).toBeGreaterThanOrEqual(value.lo);
          expect(one).toBeLessThanOrEqual(value.hi);
        }
        const [first = 0, last = 0] = [values[0], values.at(-1)];
        if (!isRegular || Number.isNaN(first) || Number.isNaN(last)) return;
        if (slope.lo >= 0) expect(last).toBeGreaterThanOrEqual(first);
        if (slope.hi <= 0) expect(last).toBeLessThanOrEqual(first);
      },
    ),
    { numRuns: 150 },
  );
});

test('a law of the registry lies inside its enclosure, wherever its input is', () => {
  let count = 0;
  for (const law of OPERATORS.values()) {
    const [example] = law.examples;
    if (example === undefined) continue;
    const { equation, where, constants } = compileOperator(law);
    const formula = { expression: equation.expression, where };
    for (const [symbol, { unit, default: standard }] of Object.entries(law.inputs)) {
      const values = new Map(Object.entries(constants));
      for (const [name, input] of Object.entries(law.inputs))
        values.set(name, toCoherent(example.inputs[name] ?? input.default ?? 1, input.unit));
      const x = toCoherent(example.inputs[symbol] ?? standard ?? 1, unit);
      const value = evaluatePrecisely(formula, values).value;
      values.delete(symbol);
      for (const reach of [0, 1e-9, 0.3]) {
        const over = { lo: x - reach * Math.abs(x), hi: x + reach * Math.abs(x) };
        const found = enclose(formula, values, symbol, over).value;
        expect.soft(found.lo <= value && value <= found.hi, `${law.id}.${symbol} ±${reach}`).toBe(true);
        count++;
      }
    }
  }
  expect(count).toBeGreaterThan(3_000);
});

test('x^2 is monotone on one side of 0 and not around it', () => {
  const formula = { expression: parseExpression('x^2'), where: [] };
  const slope = (lo: number, hi: number) => enclose(formula, new Map(), 'x', { lo, hi }).slope;
  expect(slope(0, 5).lo).toBe(0);
  expect(slope(-5, 0).hi).toBe(0);
  expect(slope(-1, 5).lo).toBeLessThan(0);
});

test('a quotient by an interval around 0, and a jump, prove nothing', () => {
  const regular = (text: string, lo: number, hi: number) =>
    enclose({ expression: parseExpression(text), where: [] }, new Map(), 'x', { lo, hi }).isRegular;
  expect(regular('1/x', -1, 1)).toBe(false);
  expect(regular('1/x', 0.5, 1)).toBe(true);
  expect(regular('x < 0 ? 0 : 1', -1, 1)).toBe(false);
  expect(regular('log(x)', -1, 1)).toBe(false);
  expect(regular('besselj(0, x)', 0, 1)).toBe(true);
});

test('a condition is decided only where it holds everywhere, or nowhere', () => {
  const says = (lo: number, hi: number) => decide(parseExpression('x < 2'), [], new Map(), 'x', { lo, hi });
  expect(says(0, 1)).toBe(true);
  expect(says(2, 3)).toBe(false);
  expect(says(1, 3)).toBeUndefined();
});
