// A part of an expression: its value in double-double, and how far from it the same part may lie when it is computed in
// doubles by the machine.
//
// The spread is a running error bound (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., §3.3): each operation
// carries the spreads of its operands on and adds its own rounding. An operation on exact doubles rounds by just what its
// low part tells.

import {
  add,
  addNumber,
  compare,
  type DoubleDouble,
  divide,
  exactly,
  isNegative,
  multiply,
  negative,
  subtract,
} from './double-double.ts';
import { type PreciseFunction, ROUNDOFF, TURN } from './functions.ts';
import { round } from './rounding.ts';

export interface Part {
  readonly value: DoubleDouble;
  /** 0 for a double that is exact; ∞ where nothing is known. */
  readonly spread: number;
  /** The largest magnitude that the value was summed up from: far above |value| where digits cancelled. */
  readonly scale: number;
}

export const exactPart = (value: number): Part => ({ value: exactly(value), spread: 0, scale: Math.abs(value) });

/** A constant that the machine knows as a double. */
export const roundedPart = (value: DoubleDouble): Part => ({
  value,
  spread: Math.abs(value.low),
  scale: Math.abs(value.high),
});

const INFINITE = Number.POSITIVE_INFINITY;

/** Nothing is known of an infinity or NaN, nor of what has one as its spread. */
const known = (spread: number) => (spread >= 0 ? spread : INFINITE);

/** Below it products and quotients of doubles have errors that no double holds. */
const SMALL = 2 ** -960;
/** What is lost where results leave the normal range and are rounded more than once. */
const TINY = 8 * Number.MIN_VALUE;

/** Spreads are sums in doubles themselves. */
export const ROUNDED_UP = 1 + 2 ** -30;

/** What one rounding does to a value that is off by `carried` already. */
function roundingOf({ high, low }: DoubleDouble, carried: number): number {
  if (carried === 0) return Math.abs(low) + (high !== 0 && Math.abs(high) < SMALL ? TINY : 0);
  return ROUNDOFF * (Math.abs(high) + carried) + TINY;
}

const operated = (value: DoubleDouble, carried: number, scale: number): Part => ({
  value,
  spread: known(carried + roundingOf(value, carried)),
  scale,
});

const sizeOf = ({ value }: Part) => Math.abs(value.high);

export const negativePart = ({ value, spread, scale }: Part): Part => ({ value: negative(value), spread, scale });

export const sumOf = (a: Part, b: Part): Part =>
  operated(add(a.value, b.value), a.spread + b.spread, Math.max(a.scale, b.scale));

/** What vanished where a value is 0 of what is not. */
const vanished = ({ high }: DoubleDouble, isNeverZero: boolean) => (high === 0 && isNeverZero ? TINY : 0);

export function productOf(a: Part, b: Part): Part {
  const value = multiply(a.value, b.value);
  const lost = vanished(value, a.value.high !== 0 && b.value.high !== 0);
  const carried = sizeOf(a) * b.spread + sizeOf(b) * a.spread + a.spread * b.spread + lost;
  return operated(value, carried, a.scale * b.scale);
}

export function quotientOf(a: Part, b: Part): Part {
  const value = divide(a.value, b.value);
  const divisor = sizeOf(b) - b.spread;
  const isZeroNear = b.spread > 0 && !(divisor > 0);
  const byDividend = a.spread && a.spread / divisor;
  const byDivisor = b.spread && Math.abs(value.high) * (b.spread / divisor);
  const lost = vanished(value, a.value.high !== 0);
  const carried = isZeroNear ? INFINITE : byDividend + byDivisor + lost;
  return operated(value, carried, a.scale / sizeOf(b));
}

export const magnitudeOf = (a: Part): Part => (isNegative(a.value) ? negativePart(a) : a);

/** The lesser of both for side -1, the greater for side 1; NaN if one is. */
export function extremeOf(a: Part, b: Part, side: -1 | 1): Part {
  const order = compare(a.value, b.value);
  const high = side < 0 ? Math.min(a.value.high, b.value.high) : Math.max(a.value.high, b.value.high);
  // Of equal values the sign of zero decides, of different ones perhaps the low part.
  const value = order === side ? a.value : order === -side ? b.value : { high, low: a.value.low };
  const distance = Math.abs(subtract(a.value, b.value).high);
  const winner = order === side ? a.spread : b.spread;
  const spread = order !== 0 && distance > a.spread + b.spread ? winner : Math.max(a.spread, b.spread);
  return { value, spread: known(spread), scale: Math.abs(high) };
}

/** Arguments may be off by this part of themselves, and a value by this part of it, where slopes are trusted. */
const SMOOTH = 2 ** -10;
/** A little for the curvature. */
const CURVED = 1 + 2 ** -6;

/** The value of a function. @param b  exactly 0 where there is no second argument */
export function appliedTo(f: PreciseFunction, a: Part, b: Part): Part {
  const value = f.apply(a.value, b.value);
  const scale = Math.abs(value.high);
  const isExact = a.spread === 0 && b.spread === 0;
  // A pole is where it is; and some functions give what is a double as it is.
  const lost = vanished(value, f.isNeverZero === true && a.value.high !== 0);
  if (isExact && (scale === INFINITE || (value.low === 0 && f.isExactOnDoubles))) return { value, spread: lost, scale };
  const carried = isExact ? 0 : carriedBy(f, a, b, value);
  const size = f.size?.(a.value.high, b.value.high, value.high) ?? scale;
  return { value, spread: known(carried + f.error * (size + carried) + TINY), scale };
}

function carriedBy(f: PreciseFunction, a: Part, b: Part, value: DoubleDouble): number {
  const most = Math.max(a.spread, b.spread);
  if (most === INFINITE || (f.isOscillating && most > TURN)) return INFINITE;
  const [x, y] = [a.value.high, b.value.high];
  if (f.carry && a.spread <= SMOOTH * Math.abs(x) && b.spread <= SMOOTH * Math.abs(y)) {
    const carried = f.carry(x, y, value.high, a.spread, b.spread);
    if (value.high !== 0 && carried <= SMOOTH * Math.abs(value.high)) return CURVED * carried;
  }
  if (f.reach) return f.reach(x, y, value.high, a.spread, b.spread);
  const alongX = farthest(
    endsOf(a).map((end) => f.apply(end, b.value)),
    value,
  );
  const alongY = farthest(
    endsOf(b).map((end) => f.apply(a.value, end)),
    value,
  );
  return CURVED * (alongX + alongY);
}

const farthest = (ends: readonly DoubleDouble[], value: DoubleDouble) =>
  ends.reduce((most, end) => Math.max(most, known(Math.abs(subtract(end, value).high))), 0);

/** Both ends of where the machine's value may lie, and a whole number between them: poles are at whole numbers. */
function endsOf({ value, spread }: Part): readonly DoubleDouble[] {
  if (spread === 0) return [];
  const reach = spread * ROUNDED_UP;
  const ends = [addNumber(value, -reach), addNumber(value, reach)];
  const whole = exactly(Math.round(value.high));
  return Math.abs(subtract(value, whole).high) <= reach ? [...ends, whole] : ends;
}

/** A value that rounding may have moved off a whole number stands on it again. */
export function settled(a: Part): DoubleDouble {
  if (a.spread === 0 || a.spread === INFINITE) return a.value;
  const nearest = round(a.value);
  return Math.abs(subtract(a.value, nearest).high) <= a.spread * SETTLING ? nearest : a.value;
}

/** Double-double is closer to the truth than doubles by more than this. */
const SETTLING = 2 ** -16;

/** a step function, and whether the machine's value may lie on another step. */
export function steppedBy(
  step: (x: DoubleDouble) => DoubleDouble,
  a: Part,
): { readonly part: Part; readonly isAmbiguous: boolean } {
  const value = step(settled(a));
  const spread = farthest(endsOf(a).map(step), value);
  return { part: { value, spread: known(spread), scale: Math.abs(value.high) }, isAmbiguous: spread > 0 };
}

/**
 * -1, 0 or 1 as a is less than, equal to or greater than b, NaN where either is, and whether the machine may see another
 * order.
 */
export function orderOf(a: Part, b: Part): { readonly order: number; readonly isAmbiguous: boolean } {
  const spread = a.spread + b.spread;
  if (spread === 0) return { order: compare(a.value, b.value), isAmbiguous: false };
  const distance = Math.abs(subtract(a.value, b.value).high);
  const isSame = spread < INFINITE && distance <= spread * SETTLING;
  const order = isSame ? 0 : compare(a.value, b.value);
  return { order, isAmbiguous: !(distance > spread) };
}
