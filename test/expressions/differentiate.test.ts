import { expect, test } from 'vitest';
import { differentiate, NoDerivativeRule } from '../../src/expressions/differentiate.ts';
import { FUNCTIONS } from '../../src/expressions/functions.ts';
import { parseExpression } from '../../src/expressions/parse.ts';
import { evaluatePrecisely } from '../../src/expressions/precise/evaluate.ts';
import type { Expression } from '../../src/expressions/tree.ts';

const POINT = { x: 0.3125, y: 0.6875 };

const numberOf = (expression: Expression, point: Readonly<Record<string, number>>) =>
  evaluatePrecisely({ expression, where: [] }, new Map(Object.entries(point)));

/** Central differences with a step of 2^-20 in double-double: an error below 1e-11. */
function difference(tree: Expression, symbol: 'x' | 'y'): number {
  const step = 2 ** -20;
  const [high, low] = [step, -step].map((side) => numberOf(tree, { ...POINT, [symbol]: POINT[symbol] + side }));
  if (high === undefined || low === undefined) throw new Error('Two sides.');
  return (high.value - low.value + (high.low - low.low)) / (2 * step);
}

const RULES = [
  'sqrt',
  'cbrt',
  'abs',
  'exp',
  'expm1',
  'log',
  'log1p',
  'log10',
  'log2',
  'sin',
  'cos',
  'tan',
  'asin',
  'acos',
  'atan',
  'sinh',
  'cosh',
  'tanh',
  'asinh',
  'atanh',
  'erf',
  'erfc',
];

const FORMULAS = [
  ...RULES.map((name) => `${name}(x*y + 0.5*x)`),
  'acosh(1 + x + y)',
  'hypot(x, y)',
  'atan2(x, y*x + 1)',
  'min(x*x, y)',
  'max(x, y*x)',
  'x^2',
  'x^3*y',
  'x^y',
  '(x + 2)^-1.5',
  '2^x',
  '-x/y',
  '(x - y)/(x + y^2)',
  'x*3 - 4*y + 7',
  'pi*x - -y',
];

test.each(FORMULAS)('%s', (text) => {
  const tree = parseExpression(text);
  for (const symbol of ['x', 'y'] as const) {
    const slope = differentiate(tree, symbol);
    const expected = difference(tree, symbol);
    const found = slope === undefined ? 0 : numberOf(slope, POINT).value;
    expect(Math.abs(found - expected), `${symbol}: ${found} and ${expected}`).toBeLessThan(
      1e-9 * (1 + Math.abs(expected)),
    );
  }
});

test.each([
  'x > y ? x : y',
  'floor(x)',
  'x*round(y)',
  'sign(x)',
  'gamma(x)',
  'zeta(x)',
  'sum(k, 1, 3, x^k)',
  'min(x, y, 1)',
])('%s has no rule', (text) => {
  const run = () => ['x', 'y'].map((symbol) => differentiate(parseExpression(text), symbol));
  expect(run).toThrow(NoDerivativeRule);
});

test('what does not depend on the symbol is 0, and every function has a rule or none on purpose', () => {
  expect(differentiate(parseExpression('3*y + exp(y)'), 'x')).toBeUndefined();
  const without = [...FUNCTIONS].filter(([name, { arity }]) => {
    const text = arity === 1 ? `${name}(x)` : `${name}(x, y)`;
    try {
      differentiate(parseExpression(text), 'x');
      return false;
    } catch (error) {
      return error instanceof NoDerivativeRule;
    }
  });
  expect(without.map(([name]) => name).sort()).toEqual(
    [
      'besseli',
      'besselj',
      'besselk',
      'ceil',
      'choose',
      'ellipe',
      'ellipk',
      'expint1',
      'factorial',
      'floor',
      'gamma',
      'lambertw',
      'langevin',
      'lgamma',
      'normcdf',
      'norminv',
      'normpdf',
      'round',
      'sign',
      'sinc',
      'zeta',
    ].sort(),
  );
});
