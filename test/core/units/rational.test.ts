import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  add,
  fromDecimal,
  negate,
  power,
  product,
  quotient,
  type Rational,
  rational,
  toNumber,
} from '../../../src/core/units/rational.ts';

const fractions = fc
  .tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.bigInt({ min: 1n, max: 10n ** 30n }))
  .map(([numerator, denominator]) => rational(numerator, denominator));
const positive = fractions.filter(({ numerator }) => numerator > 0n);

const isReduced = ({ numerator, denominator }: Rational) => {
  let [a, b] = [numerator < 0n ? -numerator : numerator, denominator];
  while (b !== 0n) [a, b] = [b, a % b];
  return denominator > 0n && a === 1n;
};

describe('fractions', () => {
  test('are in lowest terms, with the sign in the numerator', () => {
    expect(rational(6n, -4n)).toEqual({ numerator: -3n, denominator: 2n });
    expect(rational(0n, -7n)).toEqual({ numerator: 0n, denominator: 1n });
    expect(() => rational(1n, 0n)).toThrow(RangeError);
    fc.assert(
      fc.property(fractions, positive, (a, b) => {
        for (const result of [product(a, b), quotient(a, b), add(a, b), power(b, rational(-3n))]) {
          expect(isReduced(result)).toBe(true);
        }
        expect(add(product(a, b), negate(product(b, a)))).toEqual(rational(0n));
        expect(product(quotient(a, b), b)).toEqual(a);
      }),
    );
  });

  test('round-trip every decimal that JavaScript prints', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(toNumber(fromDecimal(String(value)))).toBe(value === 0 ? 0 : value);
      }),
      { numRuns: 2000 },
    );
    for (const text of ['', '1,5', '0x10', 'Infinity', '1e', '.5', '--1', ' 1']) {
      expect(() => fromDecimal(text), text).toThrow(RangeError);
    }
  });
});

describe('rounding to a double', () => {
  const decimals = fc.tuple(fc.bigInt({ min: 1n, max: 10n ** 20n - 1n }), fc.integer({ min: -360, max: 300 }));

  test('equals the rounding of JavaScript for decimals, also subnormal and overflowing', () => {
    fc.assert(
      fc.property(decimals, ([digits, exponent]) => {
        const text = `${digits}e${exponent}`;
        expect(toNumber(fromDecimal(text))).toBe(Number(text));
        expect(toNumber(negate(fromDecimal(text)))).toBe(-Number(text));
      }),
      { numRuns: 3000 },
    );
  });

  test('rounds ties to even, and values beside a tie to the nearest', () => {
    const tie = rational(2n ** 53n + 1n);
    const tiny = rational(1n, 10n ** 60n);
    expect(toNumber(tie)).toBe(2 ** 53);
    expect(toNumber(add(tie, tiny))).toBe(2 ** 53 + 2);
    expect(toNumber(add(tie, negate(tiny)))).toBe(2 ** 53);
    expect(toNumber(rational(2n ** 53n + 3n))).toBe(2 ** 53 + 4);
    const smallest = rational(1n, 2n ** 1074n);
    const half = quotient(smallest, rational(2n));
    expect(toNumber(smallest)).toBe(5e-324);
    expect(toNumber(half)).toBe(0);
    expect(toNumber(add(half, rational(1n, 2n ** 3000n)))).toBe(5e-324);
    expect(toNumber(product(half, rational(3n)))).toBe(1e-323);
    const largest = rational((2n ** 54n - 1n) * 2n ** 970n);
    expect(toNumber(largest)).toBe(Number.POSITIVE_INFINITY);
    expect(toNumber(add(largest, rational(-1n)))).toBe(Number.MAX_VALUE);
  });
});

describe('powers', () => {
  test('are exact if the root is rational', () => {
    const exponents = fc.tuple(fc.integer({ min: -6, max: 6 }), fc.integer({ min: 1, max: 6 }));
    const bases = fc.tuple(fc.bigInt({ min: 1n, max: 999n }), fc.bigInt({ min: 1n, max: 999n }));
    fc.assert(
      fc.property(bases, exponents, ([p, q], [n, d]) => {
        const exactPower = { numerator: p ** BigInt(d), denominator: q ** BigInt(d) };
        const expected = power(rational(p, q), rational(BigInt(n)));
        expect(power(rational(exactPower.numerator, exactPower.denominator), rational(BigInt(n), BigInt(d)))).toEqual(
          expected,
        );
      }),
    );
  });

  test('of irrational roots are accurate to 40 digits at any magnitude', () => {
    fc.assert(
      fc.property(positive, fc.integer({ min: -99, max: 99 }), fc.integer({ min: 2, max: 60 }), (base, n, d) => {
        const exponent = rational(BigInt(n), BigInt(d));
        const basePower = power(base, rational(BigInt(n)));
        const root = power(base, exponent);
        // (1 + e)^d = 1 + d e: the root of 160 bits gives the power back to 160 bits less those of its degree.
        const rootPower = { numerator: root.numerator ** BigInt(d), denominator: root.denominator ** BigInt(d) };
        const deviation = add(quotient(rational(rootPower.numerator, rootPower.denominator), basePower), rational(-1n));
        expect(Math.abs(toNumber(deviation))).toBeLessThan(1e-40);
      }),
      { numRuns: 60 },
    );
  });

  test('with too many digits are rejected, except powers of 1', () => {
    expect(() => power(rational(10n ** 40n), rational(400n))).toThrow(RangeError);
    expect(power(rational(1n), rational(10n ** 30n, 7n))).toEqual(rational(1n));
  });
});
