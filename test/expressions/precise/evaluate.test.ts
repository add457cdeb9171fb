// Meaning of an expression in double-double arithmetic: digits, branches, bounds, budget.

import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { LIMITS } from '../../../src/core/limits.ts';
import { assemble } from '../../../src/expressions/bytecode.ts';
import { EXPRESSION_KERNEL, evaluateProgram } from '../../../src/expressions/evaluate.ts';
import { parseExpression } from '../../../src/expressions/parse.ts';
import { deviationFrom } from '../../../src/expressions/precise/deviation.ts';
import { evaluatePrecisely } from '../../../src/expressions/precise/evaluate.ts';
import { printExpression } from '../../../src/expressions/print.ts';
import { compileKernel, instantiate, type KernelInstance } from '../../../src/kernels/instance.ts';
import { loadKernel } from '../../../src/kernels/load-node.ts';
import * as exact from '../trees.ts';
import { expressions, SYMBOLS, symbolValues } from './trees.ts';

let machine: KernelInstance;
beforeAll(async () => {
  machine = instantiate(await compileKernel(await loadKernel(EXPRESSION_KERNEL)));
});

const evaluate = (text: string, values: Record<string, number> = {}, where: Record<string, string> = {}) =>
  evaluatePrecisely(
    {
      expression: parseExpression(text),
      where: Object.entries(where).map(([name, one]) => ({ name, expression: parseExpression(one) })),
    },
    new Map(Object.entries(values)),
  );

describe('digits', () => {
  test('pi is π, numbers are the decimals that stand there, and symbols are the doubles that they are', () => {
    expect(evaluate('pi')).toMatchObject({ value: Math.PI, low: 1.2246467991473532e-16 });
    // The doubles of 0.1 and 0.2 are larger than these by 5.55e-18 and 1.11e-17; 0.3 is 1.11e-17 below its decimal.
    expect(evaluate('0.1 + x', { x: 0.2 })).toMatchObject({ value: 0.3 });
    expect(evaluate('0.1 + 0.2')).toMatchObject({ value: 0.3, low: 1.1102230246251564e-17 });
    expect(evaluate('0.1*3 - x', { x: 0.3 }).value / 1.1102230246251564e-17).toBeCloseTo(1, 14);
    expect(evaluate('x - 0.1000000000000000055511151231257827', { x: 0.1 }).value).toBeCloseTo(0, 32);
  });

  test('the bound has the rounding of a number, however it is amplified', () => {
    // mpmath, 60 digits; the machine computes with a base that is off by 2e-17.
    const { value, bound } = evaluate('0.999999999999^1e12');
    expect(value).toBe(0.36787944117125837);
    expect(bound).toBeGreaterThan(8e-6);
  });

  test('what cancels in doubles keeps its digits here', () => {
    expect(evaluate('(1e16 + 1.5 - 1e16)/3').value).toBe(0.5);
    // mpmath, 60 digits
    const values = { x: 2 ** -30, c: 0.5772156649015329 };
    expect(evaluate('lgamma(1 + x) + c*x', values).value).toBe(7.133764398286824e-19);
  });

  test('sine and cosine of huge numbers are right, where the kernel keeps 11 digits', () => {
    // The double nearest to a multiple of π/2 relative to its size (Muller, Elementary Functions, 3rd ed., §11.1).
    const x = 6381956970095103 * 2 ** 797;
    const { value, low } = evaluate('cos(x)', { x });
    expect([value, low]).toEqual([-4.687165924254628e-19, 4.372055742938272e-36]);
    const there = evaluateProgram(machine, assemble(parseExpression('cos(x)'), ['x']), { x });
    expect(Math.abs(there / value - 1)).toBeLessThan(1e-11);
  });

  test('intermediate values keep their digits too, and an index hides a name', () => {
    expect(evaluate('a - 1/3', { b: 1 }, { a: 'b/3' })).toMatchObject({ value: 0, low: 0 });
    expect(evaluate('sum(k, 1, 3, k*a) + k', { a: 2, k: 100 }).value).toBe(112);
    expect(evaluate('sum(k, 1, 2, sum(k, 1, 3, k) + k)').value).toBe(15);
    expect(evaluate('sum(k, 3, 1, k)').value).toBe(0);
  });

  test('a name without a value is NaN, and so is what it is part of', () => {
    expect(evaluate('2*x')).toMatchObject({ value: Number.NaN, bound: Number.POSITIVE_INFINITY });
  });
});

describe('branches', () => {
  const isAmbiguous = (text: string, values: Record<string, number> = {}) =>
    evaluate(text, values).method.includes('ambiguous');

  test.each([
    ['x < 0.3 ? 1 : 2', { x: 0.3 }],
    ['3*x == 9 ? 1 : 2', { x: 3 }],
    ['sqrt(x) == 3 ? 1 : 2', { x: 9 }],
    ['10^x >= 1000 ? 1 : 2', { x: 3 }],
    ['log2(x) > 3 ? 1 : 2', { x: 8 }],
    ['floor(x/4) == 3 ? 1 : 2', { x: 12 }],
    ['hypot(3, x) != 5 ? 1 : 2', { x: 4 }],
    ['x > 0 and 1/x < 1 ? 1 : 2', { x: 0 }],
    ['sin(x) < 0.5 ? 1 : 2', { x: 0.5 }],
  ])('%s is sure, for operations on these numbers are exact or far from the border', (text, values) => {
    expect(isAmbiguous(text, values)).toBe(false);
  });

  test.each([
    ['0.1 + 0.2 > x ? 1 : 2', { x: 0.30000000000000004 }],
    ['floor(x*10)', { x: 0.7 }],
    ['ceil(log10(x))', { x: 1000 }],
    ['round(x*5)', { x: 0.1 }],
    ['sign(tan(pi))', {}],
    ['sin(pi*x) == 0 ? 1 : 2', { x: 1 }],
    ['not (x*10 - 3)', { x: 0.3 }],
    ['x*3 - 0.3 and 1', { x: 0.1 }],
    ['x*3 - 0.3 or 0', { x: 0.1 }],
    ['x*3 - 0.3 ? 1 : 2', { x: 0.1 }],
  ])('%s is ambiguous', (text, values) => {
    expect(isAmbiguous(text, values as Record<string, number>)).toBe(true);
  });

  test('the first ambiguous one is named, and the bound holds both', () => {
    const { value, bound, method } = evaluate('0.1 + 0.2 > x ? 1 : 2 + y', { x: 0.30000000000000004, y: 0.5 });
    expect(method).toBe(
      'syntax tree in double-double arithmetic; ambiguous branch: 0.1 + 0.2 > x is decided by rounding',
    );
    expect(value).toBe(2.5);
    expect(bound).toBeCloseTo(1.5, 8);
  });

  test('a law that is continuous at its border has a small bound there', () => {
    const { bound, value } = evaluate('3*x < 0.3 ? 3*x : 0.3', { x: 0.1 });
    expect(bound / value).toBeLessThan(1e-15);
  });

  test('a sure branch is not left: the other one may have no value', () => {
    expect(evaluate('x > 0 ? x : 1/0', { x: 2 })).toMatchObject({ value: 2, bound: 0 });
    expect(evaluate('x == 0 or 1/x > 1', { x: 0 })).toMatchObject({ value: 1, bound: 0 });
  });

  test('a value that rounding has moved off a whole number stands on it', () => {
    expect(evaluate('floor(cbrt(x)^3)', { x: 5 }).value).toBe(5);
    expect(evaluate('(-8)^(x/3*3)', { x: 1 }).value).toBe(-8);
    expect(evaluate('factorial(x/7*7)', { x: 5 }).value).toBe(120);
    expect(evaluate('besselj(x/49*49, 2)', { x: 1 }).value).toBeCloseTo(0.5767248077568734, 14);
    expect(evaluate('sum(k, x/49*49, 3, k)', { x: 1 }).value).toBe(6);
  });
});

describe('the bound', () => {
  test('is 0 where doubles are exact, and what one rounding did where it rounded once', () => {
    expect(evaluate('3*x + 4', { x: 5 }).bound).toBe(0);
    const { bound, low } = evaluate('x*y', { x: 0.1, y: 0.7 });
    expect(bound).toBeCloseTo(Math.abs(low), 25);
    expect(low).not.toBe(0);
  });

  test('grows where digits cancel, and is infinite where the value may not exist', () => {
    const { bound, value } = evaluate('x^2*1.1 - 1.1', { x: 1 + 2 ** -40 });
    expect(bound / value).toBeGreaterThan(1e-5);
    for (const text of ['1/(0.1*3 - x)', 'sqrt(0.1*3 - x)', 'log(0.1*3 - x)', 'acos(3*0.1/x)', 'gamma(3*0.1 - x)'])
      expect(evaluate(text, { x: 0.3 }).bound, text).toBe(Number.POSITIVE_INFINITY);
  });

  test('holds for random expressions, and is tight for most of them', () => {
    let [finite, bounded, tight] = [0, 0, 0];
    fc.assert(
      fc.property(expressions, symbolValues, (expression, values) => {
        const there = evaluateProgram(machine, assemble(expression, SYMBOLS), values);
        if (!Number.isFinite(there)) return;
        const witness = evaluatePrecisely({ expression, where: [] }, new Map(Object.entries(values)));
        finite++;
        if (witness.bound < Number.POSITIVE_INFINITY) bounded++;
        if (witness.bound <= 1e-13 * Math.abs(witness.value)) tight++;
        const isWithin = witness.bound === Number.POSITIVE_INFINITY || deviationFrom(witness, there).isWithinBound;
        expect(isWithin, `${printExpression(expression)}: ${there}, ${JSON.stringify(witness)}`).toBe(true);
      }),
      { numRuns: 3_000 },
    );
    expect(bounded / finite).toBeGreaterThan(0.9);
    expect(tight / finite).toBeGreaterThan(0.7);
  });

  test('holds for numbers of any size', () => {
    const values = Object.fromEntries(exact.SYMBOLS.map((name, i) => [name, i * 1.75 - 2]));
    fc.assert(
      fc.property(exact.trees, (expression) => {
        const there = evaluateProgram(machine, assemble(expression, exact.SYMBOLS), values);
        const witness = evaluatePrecisely({ expression, where: [] }, new Map(Object.entries(values)));
        if (Number.isFinite(there) && witness.bound < Number.POSITIVE_INFINITY)
          expect(deviationFrom(witness, there), printExpression(expression)).toMatchObject({ isWithinBound: true });
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('a deviation', () => {
  const witness = { value: 2, low: 1e-17, bound: 5e-16, scale: 4, hasFiniteParts: true, method: '' };

  test('is counted from all digits, relative to the scale, and in doubles', () => {
    expect(deviationFrom(witness, 2)).toEqual({ relative: 2.5e-18, ulp: 0, isWithinBound: true });
    expect(deviationFrom(witness, 2 + 2 ** -51)).toEqual({
      relative: (2 ** -51 - 1e-17) / 4,
      ulp: 1,
      isWithinBound: true,
    });
    expect(deviationFrom(witness, 2 + 2 ** -50).isWithinBound).toBe(false);
  });

  test('of what is not finite is none or infinite', () => {
    const infinite = { ...witness, value: Number.POSITIVE_INFINITY, low: 0 };
    expect(deviationFrom(infinite, Number.POSITIVE_INFINITY)).toEqual({ relative: 0, ulp: 0, isWithinBound: true });
    expect(deviationFrom(infinite, 1)).toMatchObject({ relative: Number.POSITIVE_INFINITY, isWithinBound: false });
    expect(deviationFrom(witness, Number.NaN)).toMatchObject({ ulp: Number.POSITIVE_INFINITY, isWithinBound: false });
  });
});

test('the scale is what a value was summed up from', () => {
  const scale = (text: string, values: Record<string, number>) => evaluate(text, values).scale;
  expect(scale('a - b', { a: 3, b: 2.5 })).toBe(3);
  expect(scale('2*(a - b)/c', { a: 3, b: 2.5, c: -4 })).toBe(1.5);
  expect(scale('-(a - b) + c', { a: -3, b: 2.5, c: 4 })).toBe(4);
  expect(scale('sum(k, 1, 3, a*k - b)', { a: 2, b: 100 })).toBe(100);
  expect(scale('exp(a - b)', { a: 3, b: 3 })).toBe(1);
});

test('the method names functions that have an algorithm of their own here', () => {
  expect(evaluate('exp(x)*erf(x) + besselj(0, x) + erf(2)', { x: 1 }).method).toBe(
    'syntax tree in double-double arithmetic; besselj, erf by another algorithm',
  );
});

test('a sum that the machine can take is not given up, one of many Bessel functions is', () => {
  const { sumTerms } = LIMITS.expression;
  expect(evaluate('sum(k, 1, n, exp(-k)*k)', { n: sumTerms }).value).toBeCloseTo(0.9206735942077924, 14);
  expect(evaluate('sum(k, 1, n, 1)', { n: 1e300 }).value).toBeNaN();
  expect(evaluate('sum(k, 1, n, besselj(k, x))', { n: 1999, x: 1 })).toMatchObject({
    value: Number.NaN,
    bound: Number.POSITIVE_INFINITY,
    method: `none: in double-double arithmetic it needs more than ${LIMITS.expression.precise} steps`,
  });
});
