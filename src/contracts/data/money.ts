// Exact arithmetic of money. An amount is a whole number of minor units, at most 2^53 - 1 in magnitude.
//
// A factor is the shortest decimal that denotes its double, so 0.15 is 15/100 and half a cent is half a cent. Products and
// quotients are formed exactly and rounded once, by a named rule; half to even is the default. IEEE 754-2019, §4.3;
// ISO/IEC 10967-1.

import { dataFault } from './faults.ts';

/** Ties: to even, away from zero, toward zero. Without ties: away from zero, toward zero, up, down. */
export const ROUNDINGS = ['half_even', 'half_up', 'half_down', 'up', 'down', 'ceiling', 'floor'] as const;
export type Rounding = (typeof ROUNDINGS)[number];

interface Ratio {
  readonly numerator: bigint;
  /** Positive. */
  readonly denominator: bigint;
}

const LARGEST = BigInt(Number.MAX_SAFE_INTEGER);

/** @throws DomainError MONEY_OVERFLOW */
export function addMoney(a: number, b: number): number {
  return moneyOfUnits(BigInt(whole(a)) + BigInt(whole(b)), () => `${a} + ${b}`);
}

/** @throws DomainError MONEY_OVERFLOW */
export function subtractMoney(a: number, b: number): number {
  return moneyOfUnits(BigInt(whole(a)) - BigInt(whole(b)), () => `${a} - ${b}`);
}

/** @throws DomainError MONEY_OVERFLOW */
export function sumMoney(amounts: readonly number[]): number {
  const units = amounts.reduce((sum, amount) => sum + BigInt(whole(amount)), 0n);
  return moneyOfUnits(units, () => `the sum of ${amounts.length} amounts`);
}

/** amount · part / total, rounded once. @throws DomainError MONEY_OVERFLOW, DIVISION_BY_ZERO, NOT_WHOLE */
export function portionOf(amount: number, part: number, total: number, rounding: Rounding = 'half_even'): number {
  const [a, b] = [ratioOf(part), ratioOf(total)];
  if (b.numerator === 0n) throw dataFault('DIVISION_BY_ZERO', `${amount} minor units cannot be divided by 0.`);
  const numerator = BigInt(whole(amount)) * a.numerator * b.denominator;
  const units = divideRounded(numerator, a.denominator * b.numerator, rounding);
  return moneyOfUnits(units, () => `${amount} · ${part} / ${total}`);
}

/**
 * Splits an amount by weights without losing a unit: every share is rounded toward zero, and the units that are left go
 * to the largest remainders, of equal ones to the first. (The method of Hamilton, or Hare-Niemeyer.)
 *
 * @throws DomainError BAD_WEIGHT
 */
export function allocate(amount: number, weights: readonly number[]): number[] {
  const scaled = integersOf(weights);
  const total = scaled.reduce((sum, weight) => sum + weight, 0n);
  if (total === 0n) throw dataFault('BAD_WEIGHT', `${weights.length} weights sum to 0; at least one must be above 0.`);
  const units = BigInt(whole(amount));
  const magnitude = units < 0n ? -units : units;
  const shares = scaled.map((weight) => (magnitude * weight) / total);
  const remainders = scaled.map((weight, i) => ({ i, rest: (magnitude * weight) % total }));
  const left = Number(magnitude - shares.reduce((sum, share) => sum + share, 0n));
  remainders.sort((a, b) => (a.rest === b.rest ? a.i - b.i : a.rest > b.rest ? -1 : 1));
  for (const { i } of remainders.slice(0, left)) shares[i] = (shares[i] ?? 0n) + 1n;
  return shares.map((share) => Number(units < 0n ? -share : share));
}

/** @throws DomainError NOT_WHOLE, MONEY_OVERFLOW */
export function whole(units: number): number {
  if (Number.isSafeInteger(units)) return units + 0;
  if (Number.isInteger(units)) throw overflow(String(units));
  throw dataFault('NOT_WHOLE', `${units} is no whole number of minor units; times, divide and portion round.`);
}

/** n / d, rounded to a whole number. */
export function divideRounded(n: bigint, d: bigint, rounding: Rounding): bigint {
  const [numerator, denominator] = d < 0n ? [-n, -d] : [n, d];
  const quotient = numerator / denominator; // toward zero
  const rest = numerator % denominator;
  if (rest === 0n) return quotient;
  const away = numerator < 0n ? -1n : 1n;
  const twice = 2n * (rest < 0n ? -rest : rest);
  const isAway = {
    half_even: twice > denominator || (twice === denominator && quotient % 2n !== 0n),
    half_up: twice >= denominator,
    half_down: twice > denominator,
    up: true,
    down: false,
    ceiling: away > 0n,
    floor: away < 0n,
  }[rounding];
  return isAway ? quotient + away : quotient;
}

function moneyOfUnits(units: bigint, what: () => string): number {
  if (units > LARGEST || units < -LARGEST) throw overflow(what());
  return Number(units);
}

const overflow = (what: string) =>
  dataFault('MONEY_OVERFLOW', `${what} exceeds the largest amount, ${LARGEST} minor units.`);

/** The shortest decimal of a double, as ECMAScript writes it. */
function ratioOf(x: number): Ratio {
  if (!Number.isFinite(x)) throw dataFault('NOT_WHOLE', `${x} is no factor of an amount; a finite number is expected.`);
  const [mantissa = '', exponent = '0'] = String(x).split('e');
  const [digits = '', fraction = ''] = mantissa.split('.');
  const numerator = BigInt(digits + fraction);
  const power = Number(exponent) - fraction.length;
  return power >= 0
    ? { numerator: numerator * 10n ** BigInt(power), denominator: 1n }
    : { numerator, denominator: 10n ** BigInt(-power) };
}

/** Whole numbers in the ratios of the weights. */
function integersOf(weights: readonly number[]): bigint[] {
  const ratios = weights.map((weight) => {
    if (!(weight >= 0)) throw dataFault('BAD_WEIGHT', `The weight ${weight} is not allowed; 0 or more is expected.`);
    return ratioOf(weight);
  });
  // All denominators are powers of ten, so the largest is a multiple of the others.
  let common = 1n;
  for (const { denominator } of ratios) if (denominator > common) common = denominator;
  return ratios.map(({ numerator, denominator }) => (numerator * common) / denominator);
}
