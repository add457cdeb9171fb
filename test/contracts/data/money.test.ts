// Exact arithmetic of money: roundings against rationals, allocation without loss, and everything that is refused.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { faultNameOf } from '../../../src/contracts/data/faults.ts';
import {
  addMoney,
  allocate,
  divideRounded,
  portionOf,
  ROUNDINGS,
  type Rounding,
  subtractMoney,
  sumMoney,
} from '../../../src/contracts/data/money.ts';

const MAX = Number.MAX_SAFE_INTEGER;
const amount = fc.maxSafeInteger();
const faultOf = (run: () => unknown) => {
  try {
    run();
    return undefined;
  } catch (error) {
    return faultNameOf(error);
  }
};

describe('roundings', () => {
  // Halves and others of both signs: -2.5, -1.5, -1.2, -0.5, 0.5, 1.2, 1.5, 2.5, in tenths.
  const tenths = [-25n, -15n, -12n, -5n, 5n, 12n, 15n, 25n];
  test.each<[Rounding, number[]]>([
    ['half_even', [-2, -2, -1, 0, 0, 1, 2, 2]],
    ['half_up', [-3, -2, -1, -1, 1, 1, 2, 3]],
    ['half_down', [-2, -1, -1, 0, 0, 1, 1, 2]],
    ['up', [-3, -2, -2, -1, 1, 2, 2, 3]],
    ['down', [-2, -1, -1, 0, 0, 1, 1, 2]],
    ['ceiling', [-2, -1, -1, 0, 1, 2, 2, 3]],
    ['floor', [-3, -2, -2, -1, 0, 1, 1, 2]],
  ])('%s', (rounding, expected) => {
    expect(tenths.map((one) => Number(divideRounded(one, 10n, rounding)))).toEqual(expected);
    expect(tenths.map((one) => Number(divideRounded(-one, -10n, rounding)))).toEqual(expected);
  });

  test('each is one of the two neighbours, the exact one if there is one', () =>
    fc.assert(
      fc.property(fc.bigInt(), fc.bigInt({ min: 1n }), fc.constantFrom(...ROUNDINGS), (n, d, rounding) => {
        const rest = n - divideRounded(n, d, rounding) * d;
        expect(rest < d && rest > -d).toBe(true);
        if (n % d === 0n) expect(rest).toBe(0n);
        if (rounding.startsWith('half')) expect(2n * (rest < 0n ? -rest : rest) <= d).toBe(true);
      }),
    ));
});

describe('sums', () => {
  test('are exact or refused', () =>
    fc.assert(
      fc.property(amount, amount, (a, b) => {
        const exact = BigInt(a) + BigInt(b);
        const fits = exact <= BigInt(MAX) && exact >= -BigInt(MAX);
        if (fits) expect(BigInt(addMoney(a, b))).toBe(exact);
        else expect(faultOf(() => addMoney(a, b))).toBe('MONEY_OVERFLOW');
        expect(faultOf(() => subtractMoney(a, -b))).toBe(fits ? undefined : 'MONEY_OVERFLOW');
      }),
    ));

  test('a sum whose parts overflow on the way, but not at its end, has its value', () => {
    expect(sumMoney([MAX, MAX, -MAX, -MAX, 7])).toBe(7);
    expect(faultOf(() => sumMoney([MAX, 1]))).toBe('MONEY_OVERFLOW');
  });

  test.each([[0.5], [Number.NaN], [Number.POSITIVE_INFINITY]])('%s is no amount', (value) =>
    expect(faultOf(() => addMoney(value, 1))).toBe('NOT_WHOLE'),
  );
  test('nor is a whole number beyond 2^53', () => expect(faultOf(() => addMoney(2 ** 53, 0))).toBe('MONEY_OVERFLOW'));
});

describe('products and quotients', () => {
  test('a factor is its decimal, not its double', () => {
    // As doubles, 0.15 and 1.005 lie below their decimals: 10 · 0.15 would round to 1, and 1000 · 1.005 to 1004 or 1005.
    expect(portionOf(10, 0.15, 1)).toBe(2);
    expect(portionOf(30, 0.15, 1)).toBe(4);
    expect(portionOf(1_000, 1.0005, 1)).toBe(1_000);
    expect(portionOf(1_000, 1.0015, 1)).toBe(1_002);
    expect(portionOf(1e15, 1e-15, 1)).toBe(1);
    expect(portionOf(1, 1e15, 1)).toBe(1e15);
  });

  test('a third, in every rounding', () =>
    expect(ROUNDINGS.map((rounding) => portionOf(100, 1, 3, rounding))).toEqual([33, 33, 33, 34, 33, 34, 33]));

  test('what is divided and multiplied back differs by less than the divisor', () =>
    fc.assert(
      fc.property(amount, fc.integer({ min: 1, max: 1_000_000 }), (a, d) => {
        const back = BigInt(portionOf(a, 1, d)) * BigInt(d) - BigInt(a);
        expect(2n * (back < 0n ? -back : back) <= BigInt(d)).toBe(true);
      }),
    ));

  test.each<[string, () => unknown, string]>([
    ['by zero', () => portionOf(1, 1, 0), 'DIVISION_BY_ZERO'],
    ['by -0', () => portionOf(1, 1, -0), 'DIVISION_BY_ZERO'],
    ['NaN', () => portionOf(1, Number.NaN, 1), 'NOT_WHOLE'],
    ['infinity', () => portionOf(1, 1, Number.POSITIVE_INFINITY), 'NOT_WHOLE'],
    ['too large', () => portionOf(MAX, 1.1, 1), 'MONEY_OVERFLOW'],
    ['far too large', () => portionOf(MAX, Number.MAX_VALUE, Number.MIN_VALUE), 'MONEY_OVERFLOW'],
  ])('%s is refused', (_, run, fault) => expect(faultOf(run)).toBe(fault));
});

describe('allocation', () => {
  test('gives what is left to the largest remainders, of equal ones to the first', () => {
    expect(allocate(100, [1, 1, 1])).toEqual([34, 33, 33]);
    expect(allocate(101, [1, 1, 1])).toEqual([34, 34, 33]);
    expect(allocate(10, [0.35, 0.35, 0.3])).toEqual([4, 3, 3]);
    // Remainders 0.1, 0.2, 0.7: the last one is largest.
    expect(allocate(10, [0.11, 0.22, 0.67])).toEqual([1, 2, 7]);
    expect(allocate(-100, [1, 1, 1])).toEqual([-34, -33, -33]);
    expect(allocate(5, [0, 1, 0])).toEqual([0, 5, 0]);
    expect(allocate(MAX, [1e-300, 1e300])).toEqual([0, MAX]);
  });

  const weights = fc
    .array(fc.integer({ min: 0, max: 1_000_000 }), { minLength: 1, maxLength: 20 })
    .filter((all) => all.some((weight) => weight > 0));

  test('loses nothing, and no share is off by a unit or more', () =>
    fc.assert(
      fc.property(amount, weights, fc.constantFrom(1, 1_000), (total, all, scale) => {
        const shares = allocate(
          total,
          all.map((weight) => weight / scale),
        ).map((one) => BigInt(one));
        const sum = BigInt(all.reduce((one, other) => one + other, 0));
        expect(shares.reduce((one, other) => one + other, 0n)).toBe(BigInt(total));
        for (const [i, one] of shares.entries()) {
          const off = one * sum - BigInt(total) * BigInt(all[i] ?? 0);
          expect(off < sum && off > -sum).toBe(true);
        }
      }),
    ));

  test.each([[[]], [[0, 0]], [[1, -1]], [[1, Number.NaN]]])('weights %j are refused', (all) =>
    expect(faultOf(() => allocate(10, all))).toBe('BAD_WEIGHT'),
  );
});
