// Double-double arithmetic beside whole numbers of any length.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as constants from '../../../src/expressions/precise/constants.ts';
import {
  add,
  addNumber,
  compare,
  type DoubleDouble,
  divide,
  exactly,
  multiply,
  multiplyByNumber,
  negative,
  scale,
  squareRoot,
  subtract,
} from '../../../src/expressions/precise/double-double.ts';
import { ceiling, floor, round } from '../../../src/expressions/precise/rounding.ts';
import { absolute, goodBits, units, unitsOf } from './exact.ts';

/** Doubles of either sign over many orders of magnitude, with short and long significands. */
const doubles = fc
  .tuple(fc.double({ min: -1, max: 1, noNaN: true }), fc.integer({ min: -90, max: 90 }), fc.boolean())
  .map(([fraction, exponent, isShort]) => (isShort ? Math.fround(fraction) : fraction) * 2 ** exponent)
  .filter((x) => Math.abs(x) > 1e-60);

const doubleDoubles = fc
  .tuple(doubles, fc.double({ min: -1, max: 1, noNaN: true }))
  .map(([high, fraction]) => add(exactly(high), exactly(high * fraction * 2 ** -53)))
  .filter(({ low }) => low === 0 || Math.abs(low) > 1e-200);

const ONE = 1n << 1074n;
const MOST = 104;

/** ⌊√n⌋ by Newton's iteration. */
function wholeRoot(n: bigint): bigint {
  let root = 1n << BigInt(Math.ceil(n.toString(2).length / 2));
  for (;;) {
    const next = (root + n / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

describe('operations on two doubles are exact', () => {
  test('sums', () => {
    fc.assert(
      fc.property(doubles, doubles, (a, b) => {
        const exact = units(a) + units(b);
        // What two doubles cannot hold is rounded.
        if (exact.toString(2).replace(/0+$/, '').length <= 106) {
          expect(unitsOf(add(exactly(a), exactly(b)))).toBe(exact);
          expect(unitsOf(addNumber(exactly(a), b))).toBe(exact);
        }
      }),
    );
  });

  test('products', () => {
    fc.assert(
      fc.property(doubles, doubles, (a, b) => {
        expect(unitsOf(multiply(exactly(a), exactly(b))) * ONE).toBe(units(a) * units(b));
        expect(unitsOf(multiplyByNumber(exactly(a), b)) * ONE).toBe(units(a) * units(b));
      }),
    );
  });
});

describe('operations on double-doubles keep 104 bits', () => {
  const pairs = (check: (a: DoubleDouble, b: DoubleDouble) => void) =>
    fc.assert(
      fc.property(doubleDoubles, doubleDoubles, (a, b) => void check(a, b)),
      { numRuns: 400 },
    );

  test('sums, however much cancels', () => {
    pairs((a, b) => expect(goodBits(unitsOf(add(a, b)), unitsOf(a) + unitsOf(b))).toBeGreaterThanOrEqual(MOST));
    pairs((a, b) => {
      const near = add(a, scale(b, -80));
      const exact = unitsOf(a) - unitsOf(near);
      expect(goodBits(unitsOf(subtract(a, near)), exact)).toBeGreaterThanOrEqual(MOST);
    });
    fc.assert(
      fc.property(doubleDoubles, doubles, (a, b) => {
        // With fewer steps the error is relative to the larger operand.
        const error = absolute(unitsOf(addNumber(a, b)) - unitsOf(a) - units(b)) << BigInt(MOST);
        expect(error <= absolute(unitsOf(a)) || error <= absolute(units(b))).toBe(true);
      }),
    );
  });

  test('products', () => {
    pairs((a, b) =>
      expect(goodBits(unitsOf(multiply(a, b)) * ONE, unitsOf(a) * unitsOf(b))).toBeGreaterThanOrEqual(MOST - 2),
    );
  });

  test('quotients', () => {
    pairs((a, b) => {
      const exact = (unitsOf(a) << 1500n) / unitsOf(b);
      expect(goodBits((unitsOf(divide(a, b)) << 1500n) / ONE, exact)).toBeGreaterThanOrEqual(MOST - 2);
    });
  });

  test('square roots', () => {
    fc.assert(
      fc.property(doubleDoubles, (a) => {
        const size = a.high < 0 ? negative(a) : a;
        expect(goodBits(unitsOf(squareRoot(size)), wholeRoot(unitsOf(size) * ONE))).toBeGreaterThanOrEqual(MOST - 2);
      }),
    );
  });

  test('the parts of a result do not overlap', () => {
    pairs((a, b) => {
      for (const { high, low } of [add(a, b), multiply(a, b), divide(a, b)]) expect(high + low).toBe(high);
    });
  });
});

test('what is neither finite nor different from zero is as for doubles', () => {
  const infinite = exactly(Number.POSITIVE_INFINITY);
  const [zero, minusZero, one, most] = [0, -0, 1, Number.MAX_VALUE].map(exactly) as [
    DoubleDouble,
    DoubleDouble,
    DoubleDouble,
    DoubleDouble,
  ];
  const cases: readonly (readonly [DoubleDouble, number])[] = [
    [add(infinite, one), Number.POSITIVE_INFINITY],
    [subtract(infinite, infinite), Number.NaN],
    [add(minusZero, minusZero), -0],
    [add(minusZero, zero), 0],
    [add(most, most), Number.POSITIVE_INFINITY],
    [multiply(minusZero, one), -0],
    [multiply(infinite, zero), Number.NaN],
    [multiply(most, exactly(-2)), Number.NEGATIVE_INFINITY],
    [multiply(exactly(2 ** 1000), exactly(2 ** -1000)), 1],
    [divide(one, minusZero), Number.NEGATIVE_INFINITY],
    [divide(zero, zero), Number.NaN],
    [divide(one, infinite), 0],
    [squareRoot(minusZero), -0],
    [squareRoot(negative(one)), Number.NaN],
    [squareRoot(infinite), Number.POSITIVE_INFINITY],
    [scale(one, 2000), Number.POSITIVE_INFINITY],
    [scale({ high: 1, low: -(2 ** -54) }, 1025), Number.POSITIVE_INFINITY],
    [scale(one, -1074), Number.MIN_VALUE],
  ];
  for (const [{ high, low }, expected] of cases) {
    expect(high).toBe(expected);
    expect(low + 0).toBe(0);
  }
});

test('order looks at both parts', () => {
  const above = { high: 1, low: 1e-20 };
  expect([compare(exactly(1), above), compare(above, exactly(1)), compare(above, above)]).toEqual([-1, 1, 0]);
  expect(compare(exactly(Number.NaN), above)).toBeNaN();
});

test('whole numbers next to a value look at both parts', () => {
  const below = { high: 3, low: -1e-20 };
  expect([floor(below), ceiling(below), round(below)].map(({ high }) => high)).toEqual([2, 3, 3]);
  const halfAndLess = { high: 2.5, low: -1e-20 };
  expect([round(halfAndLess), round(exactly(2.5)), round(exactly(-2.5))].map(({ high }) => high)).toEqual([2, 3, -2]);
  expect(round(exactly(-0.25)).high).toBe(-0);
  const large = { high: 2 ** 60, low: 0.75 };
  expect([floor(large), ceiling(large)].map(({ low }) => low)).toEqual([0, 1]);
});

const VALUES = new Map<string, unknown>(Object.entries(constants));

// mpmath, 60 digits
test.each(
  Object.entries({
    PI: '3.14159265358979323846264338327950288419717',
    HALF_PI: '1.57079632679489661923132169163975144209858',
    LN2: '0.693147180559945309417232121458176568075500',
    LN10: '2.30258509299404568401799145468436420760110',
    INVERSE_E: '0.367879441171442321595523770161460867445811',
    EULER: '0.577215664901532860606512090082402431042159',
    SQRT_2_PI: '2.50662827463100050241576528481104525300699',
    LN_SQRT_2_PI: '0.918938533204672741780329736405617639861397',
    TWO_OVER_SQRT_PI: '1.12837916709551257389615890312154517168810',
    SQRT_HALF: '0.707106781186547524400844362104849039284836',
  }),
)('the constant %s is right to 105 bits', (name, text) => {
  const [whole = '', fraction = ''] = text.split('.');
  const exact = (BigInt(whole + fraction) * ONE) / 10n ** BigInt(fraction.length);
  const value = VALUES.get(name) as DoubleDouble;
  expect(goodBits(unitsOf(value), exact)).toBeGreaterThanOrEqual(105);
});
