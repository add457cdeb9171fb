// A value in double-double with a bound of the error of the machine, which computes the same value in doubles.
//
// It is a running error bound (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., §3.3): each operation
// propagates the bounds of its operands and adds its own rounding error. For exact operands that error is the low part.

import type { DoubleDouble } from './double-double.ts';
import * as dd from './double-double.ts';
import { MAX_OSCILLATING_ERROR, type PreciseFunction, ROUNDOFF } from './functions.ts';
import { round } from './rounding.ts';

export interface BoundedValue {
  readonly value: DoubleDouble;
  /** 0 for an exact double; ∞ if unknown. */
  readonly errorBound: number;
  /** The largest magnitude among the summands of the value: far above |value| where digits cancelled. */
  readonly scale: number;
}

/** A double that stands for a number at most `errorBound` away. */
export const uncertainValue = (value: number, errorBound: number): BoundedValue => ({
  value: dd.exactly(value),
  errorBound,
  scale: Math.abs(value),
});

export const exactValue = (value: number): BoundedValue => uncertainValue(value, 0);

/** A constant that the machine rounds to a double. */
export const roundedValue = (value: DoubleDouble): BoundedValue => ({
  value,
  errorBound: Math.abs(value.low),
  scale: Math.abs(value.high),
});

const INFINITE = Number.POSITIVE_INFINITY;

/** A bound, or ∞ for NaN. */
const known = (bound: number) => (bound >= 0 ? bound : INFINITE);

/** Below this, rounding errors of products and quotients may underflow. */
const SMALL = 2 ** -960;
/** Absolute error where results are subnormal and rounded more than once. */
const TINY = 8 * Number.MIN_VALUE;

/** Margin for the rounding errors of the bounds themselves. */
export const SUM_MARGIN = 1 + 2 ** -30;

/** Error of one rounding of a value with the error `propagated`. */
function roundingOf({ high, low }: DoubleDouble, propagated: number): number {
  if (propagated === 0) return Math.abs(low) + (high !== 0 && Math.abs(high) < SMALL ? TINY : 0);
  return ROUNDOFF * (Math.abs(high) + propagated) + TINY;
}

const withRounding = (value: DoubleDouble, propagated: number, scale: number): BoundedValue => ({
  value,
  errorBound: known(propagated + roundingOf(value, propagated)),
  scale,
});

const sizeOf = ({ value }: BoundedValue) => Math.abs(value.high);

export const negatedValue = ({ value, errorBound, scale }: BoundedValue): BoundedValue => ({
  value: dd.negative(value),
  errorBound,
  scale,
});

export const sumOf = (a: BoundedValue, b: BoundedValue): BoundedValue =>
  withRounding(dd.add(a.value, b.value), a.errorBound + b.errorBound, Math.max(a.scale, b.scale));

/** Error by underflow of a result that is 0 and whose exact value is not. */
const underflowOf = ({ high }: DoubleDouble, isNeverZero: boolean) => (high === 0 && isNeverZero ? TINY : 0);

export function productOf(a: BoundedValue, b: BoundedValue): BoundedValue {
  const value = dd.multiply(a.value, b.value);
  const underflow = underflowOf(value, a.value.high !== 0 && b.value.high !== 0);
  const propagated = sizeOf(a) * b.errorBound + sizeOf(b) * a.errorBound + a.errorBound * b.errorBound + underflow;
  return withRounding(value, propagated, a.scale * b.scale);
}

export function quotientOf(a: BoundedValue, b: BoundedValue): BoundedValue {
  const value = dd.divide(a.value, b.value);
  const divisor = sizeOf(b) - b.errorBound;
  const mayDivideByZero = b.errorBound > 0 && !(divisor > 0);
  const byDividend = a.errorBound && a.errorBound / divisor;
  const byDivisor = b.errorBound && Math.abs(value.high) * (b.errorBound / divisor);
  const underflow = underflowOf(value, a.value.high !== 0);
  const propagated = mayDivideByZero ? INFINITE : byDividend + byDivisor + underflow;
  return withRounding(value, propagated, a.scale / sizeOf(b));
}

export const magnitudeOf = (a: BoundedValue): BoundedValue => (dd.isNegative(a.value) ? negatedValue(a) : a);

/** The minimum for side -1, the maximum for side 1; NaN if either is. */
export function extremeOf(a: BoundedValue, b: BoundedValue, side: -1 | 1): BoundedValue {
  const order = dd.compare(a.value, b.value);
  const high = side < 0 ? Math.min(a.value.high, b.value.high) : Math.max(a.value.high, b.value.high);
  // Equal values are decided by the sign of zero, others possibly by the low part.
  const value = order === side ? a.value : order === -side ? b.value : { high, low: a.value.low };
  const distance = Math.abs(dd.subtract(a.value, b.value).high);
  const ownBound = order === side ? a.errorBound : b.errorBound;
  const bound = order !== 0 && distance > a.errorBound + b.errorBound ? ownBound : Math.max(a.errorBound, b.errorBound);
  return { value, errorBound: known(bound), scale: Math.abs(high) };
}

/** Largest relative error of arguments and values for which propagation by the derivative is used. */
const MAX_LINEAR_ERROR = 2 ** -10;
/** Margin for the curvature. */
const CURVATURE_MARGIN = 1 + 2 ** -6;

/** The value of a function. @param b  exactly 0 where there is no second argument; @param value  if it is known */
export function applyFunction(
  f: PreciseFunction,
  a: BoundedValue,
  b: BoundedValue,
  value: DoubleDouble = f.apply(a.value, b.value),
): BoundedValue {
  const scale = Math.abs(value.high);
  const isExact = a.errorBound === 0 && b.errorBound === 0;
  // The machine has a pole at an exact argument exactly, and some functions give exact doubles exactly.
  const underflow = underflowOf(value, f.isNeverZero === true && a.value.high !== 0);
  if (isExact && (scale === INFINITE || (value.low === 0 && f.isExactOnDoubles)))
    return { value, errorBound: underflow, scale };
  const propagated = isExact ? 0 : propagatedError(f, a, b, value);
  const size = f.size?.(a.value.high, b.value.high, value.high) ?? scale;
  return { value, errorBound: known(propagated + f.error * (size + propagated) + TINY), scale };
}

function propagatedError(f: PreciseFunction, a: BoundedValue, b: BoundedValue, value: DoubleDouble): number {
  const largest = Math.max(a.errorBound, b.errorBound);
  if (largest === INFINITE || (f.isOscillating && largest > MAX_OSCILLATING_ERROR)) return INFINITE;
  const x = a.value.high;
  const y = b.value.high;
  if (f.propagate && a.errorBound <= MAX_LINEAR_ERROR * Math.abs(x) && b.errorBound <= MAX_LINEAR_ERROR * Math.abs(y)) {
    const propagated = f.propagate(x, y, value.high, a.errorBound, b.errorBound);
    if (value.high !== 0 && propagated <= MAX_LINEAR_ERROR * Math.abs(value.high)) return CURVATURE_MARGIN * propagated;
  }
  if (f.propagateLarge) return f.propagateLarge(x, y, value.high, a.errorBound, b.errorBound);
  const alongX = maxDeviation(
    endsOf(a).map((end) => f.apply(end, b.value)),
    value,
  );
  const alongY = maxDeviation(
    endsOf(b).map((end) => f.apply(a.value, end)),
    value,
  );
  return CURVATURE_MARGIN * (alongX + alongY);
}

const maxDeviation = (ends: readonly DoubleDouble[], value: DoubleDouble) =>
  ends.reduce((max, end) => Math.max(max, known(Math.abs(dd.subtract(end, value).high))), 0);

/**
 * The ends of the interval that contains the machine's value, and a whole number inside it: poles are at whole numbers.
 */
function endsOf({ value, errorBound }: BoundedValue): readonly DoubleDouble[] {
  if (errorBound === 0) return [];
  const radius = errorBound * SUM_MARGIN;
  const ends = [dd.addNumber(value, -radius), dd.addNumber(value, radius)];
  const whole = dd.exactly(Math.round(value.high));
  return Math.abs(dd.subtract(value, whole).high) <= radius ? [...ends, whole] : ends;
}

/** The nearest whole number, if the value differs from it by rounding errors only; else the value. */
export function snapped(a: BoundedValue): DoubleDouble {
  if (a.errorBound === 0 || a.errorBound === INFINITE) return a.value;
  const nearest = round(a.value);
  return Math.abs(dd.subtract(a.value, nearest).high) <= a.errorBound * SNAP_TOLERANCE ? nearest : a.value;
}

/** Upper estimate of the error of double-double relative to that of doubles. */
const SNAP_TOLERANCE = 2 ** -16;

/** The value of a step function, and whether the machine's may be on another step. */
export function applyStep(
  step: (x: DoubleDouble) => DoubleDouble,
  a: BoundedValue,
): { readonly part: BoundedValue; readonly isAmbiguous: boolean } {
  const value = step(snapped(a));
  const bound = maxDeviation(endsOf(a).map(step), value);
  return { part: { value, errorBound: known(bound), scale: Math.abs(value.high) }, isAmbiguous: bound > 0 };
}

/**
 * -1, 0 or 1 as a is less than, equal to or greater than b, NaN if either is, and whether the machine may find another
 * order.
 */
export function orderOf(a: BoundedValue, b: BoundedValue): { readonly order: number; readonly isAmbiguous: boolean } {
  const bound = a.errorBound + b.errorBound;
  if (bound === 0) return { order: dd.compare(a.value, b.value), isAmbiguous: false };
  const distance = Math.abs(dd.subtract(a.value, b.value).high);
  const isSame = bound < INFINITE && distance <= bound * SNAP_TOLERANCE;
  const order = isSame ? 0 : dd.compare(a.value, b.value);
  return { order, isAmbiguous: !(distance > bound) };
}
