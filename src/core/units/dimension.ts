// Dimensions of quantities: vectors of exponents over ten base units. Exponents are fractions (a volatility is
// yr^-1/2).

import { type Rational, rational } from './rational.ts';

/** The seven SI base units, currency, information, and an unspecified signal for estimation and optimisation. */
export const BASE_UNITS = ['kg', 'm', 's', 'A', 'K', 'mol', 'cd', 'USD', 'bit', 'arb'] as const;
export type BaseUnit = (typeof BASE_UNITS)[number];

export interface Dimension {
  /** Numerators of the exponents, in the order of BASE_UNITS. */
  readonly numerators: readonly number[];
  /** The least common denominator of the exponents, positive. */
  readonly denominator: number;
}

export const DIMENSIONLESS: Dimension = { numerators: BASE_UNITS.map(() => 0), denominator: 1 };

export function baseDimension(unit: BaseUnit): Dimension {
  return { numerators: BASE_UNITS.map((base) => (base === unit ? 1 : 0)), denominator: 1 };
}

export function multiply(a: Dimension, b: Dimension): Dimension {
  return reduce(
    a.numerators.map((n, i) => n * b.denominator + (b.numerators[i] ?? 0) * a.denominator),
    a.denominator * b.denominator,
  );
}

export function divide(a: Dimension, b: Dimension): Dimension {
  return multiply(a, { numerators: b.numerators.map((n) => -n), denominator: b.denominator });
}

/** @throws RangeError if an exponent is not a fraction of integers up to MAX_EXPONENT */
export function power(base: Dimension, exponent: Rational): Dimension {
  const [n, d] = [Number(exponent.numerator), Number(exponent.denominator)];
  if (isDimensionless(base)) return base;
  if (!isSmall(n) || !isSmall(d)) throw exponentTooLarge();
  return reduce(
    base.numerators.map((numerator) => numerator * n),
    base.denominator * d,
  );
}

export function sameDimension(a: Dimension, b: Dimension): boolean {
  return a.denominator === b.denominator && a.numerators.every((n, i) => n === b.numerators[i]);
}

export function isDimensionless(dimension: Dimension): boolean {
  return dimension.numerators.every((n) => n === 0);
}

/** The exponent of one base unit. */
export function exponentOf(dimension: Dimension, unit: BaseUnit): Rational {
  const numerator = dimension.numerators[BASE_UNITS.indexOf(unit)] ?? 0;
  return rational(BigInt(numerator), BigInt(dimension.denominator));
}

/** `kg*m^2/s^2`, `1/s`, `m^1/2`, `1`: the unique text that parses back to the same dimension. */
export function printDimension(dimension: Dimension): string {
  const factors = BASE_UNITS.map((unit) => ({ unit, exponent: exponentOf(dimension, unit) }));
  const above = factors.filter(({ exponent }) => exponent.numerator > 0n).map(printFactor);
  const below = factors.filter(({ exponent }) => exponent.numerator < 0n).map(printFactor);
  const dividend = above.length === 0 ? '1' : above.join('*');
  if (below.length === 0) return dividend;
  return `${dividend}/${below.length === 1 ? below[0] : `(${below.join('*')})`}`;
}

function printFactor({ unit, exponent }: { unit: BaseUnit; exponent: Rational }): string {
  const { numerator, denominator } = exponent;
  const magnitude = numerator < 0n ? -numerator : numerator;
  if (magnitude === 1n && denominator === 1n) return unit;
  return denominator === 1n ? `${unit}^${magnitude}` : `${unit}^${magnitude}/${denominator}`;
}

/** Maximum exponent: no law has larger ones, and sums and products up to it are exact. */
const MAX_EXPONENT = 1e6;

function reduce(numerators: readonly number[], denominator: number): Dimension {
  const divisor = numerators.reduce(greatestCommonDivisor, denominator);
  const dimension = { numerators: numerators.map((n) => n / divisor + 0), denominator: denominator / divisor };
  if (dimension.numerators.every(isSmall) && isSmall(dimension.denominator)) return dimension;
  throw exponentTooLarge();
}

const isSmall = (n: number) => Math.abs(n) <= MAX_EXPONENT;

function exponentTooLarge(): RangeError {
  return new RangeError(`An exponent of a dimension must be a fraction of integers up to ${MAX_EXPONENT}.`);
}

function greatestCommonDivisor(a: number, b: number): number {
  let [left, right] = [Math.abs(a), Math.abs(b)];
  while (right !== 0) [left, right] = [right, left % right];
  return left;
}
