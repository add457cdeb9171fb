// Intervals of doubles with outward rounding: the result of an operation contains every result for members of its
// operands. After Moore, Kearfott & Cloud, Introduction to Interval Analysis, chapters 2 and 5.

export interface Interval {
  readonly lo: number;
  readonly hi: number;
}

const INFINITE = Number.POSITIVE_INFINITY;

export const WHOLE: Interval = { lo: -INFINITE, hi: INFINITE };
/** No number: a function has no value anywhere. */
export const EMPTY: Interval = { lo: INFINITE, hi: -INFINITE };
export const ZERO: Interval = { lo: 0, hi: 0 };
export const ONE: Interval = { lo: 1, hi: 1 };

export const point = (value: number): Interval => ({ lo: value, hi: value });
export const isEmpty = ({ lo, hi }: Interval) => !(lo <= hi);
export const isZero = ({ lo, hi }: Interval) => lo === 0 && hi === 0;
export const contains = ({ lo, hi }: Interval, value: number) => lo <= value && value <= hi;
export const isPoint = ({ lo, hi }: Interval) => lo === hi;

/** One whole number, whose sums and products are exact. */
const isWhole = ({ lo, hi }: Interval) => lo === hi && Number.isSafeInteger(lo);

/** Spacing of doubles relative to their size, at most. */
const SPACING = 2 ** -52;
const TINY = Number.MIN_VALUE;
const LARGEST = Number.MAX_VALUE;

/** A lower bound of a number that was rounded to `x`. A rounded 0 is exact, or has underflowed from above. */
function down(x: number): number {
  if (x === INFINITE) return LARGEST;
  if (x === 0) return 0;
  const lower = x - (Math.abs(x) * SPACING + TINY);
  return x > 0 && lower < 0 ? 0 : lower;
}

const up = (x: number): number => -down(-x);

/** Lower and upper bounds of rounded numbers. */
export const outward = (lo: number, hi: number): Interval =>
  Number.isNaN(lo) || Number.isNaN(hi) ? WHOLE : { lo: down(lo), hi: up(hi) };

export const hull = (a: Interval, b: Interval): Interval => {
  if (isEmpty(a)) return b;
  if (isEmpty(b)) return a;
  return { lo: Math.min(a.lo, b.lo), hi: Math.max(a.hi, b.hi) };
};

export const intersection = (a: Interval, b: Interval): Interval => ({
  lo: Math.max(a.lo, b.lo),
  hi: Math.min(a.hi, b.hi),
});

export const negative = ({ lo, hi }: Interval): Interval => ({ lo: 0 - hi, hi: 0 - lo });

export function add(a: Interval, b: Interval): Interval {
  if (isZero(a)) return b;
  if (isZero(b)) return a;
  if (isEmpty(a) || isEmpty(b)) return EMPTY;
  const sum = a.lo + b.lo;
  if (isWhole(a) && isWhole(b) && Number.isSafeInteger(sum)) return point(sum);
  return outward(sum, a.hi + b.hi);
}

export const subtract = (a: Interval, b: Interval) => add(a, negative(b));

/** 0·∞ is 0: an infinite end is a limit that no member reaches. */
function endProduct(a: number, b: number, round: (x: number) => number): number {
  if (a === 0 || b === 0) return 0;
  const product = a * b;
  // What underflows is not 0 on the side away from it.
  if (product === 0) return a < 0 === b < 0 ? (round === up ? TINY : 0) : round === down ? -TINY : 0;
  return round(product);
}

export function multiply(a: Interval, b: Interval): Interval {
  if (isEmpty(a) || isEmpty(b)) return EMPTY;
  if (isZero(a) || isZero(b)) return ZERO;
  if (isWhole(a) && isWhole(b) && Number.isSafeInteger(a.lo * b.lo)) return point(a.lo * b.lo);
  const ends = [
    [a.lo, b.lo],
    [a.lo, b.hi],
    [a.hi, b.lo],
    [a.hi, b.hi],
  ] as const;
  return {
    lo: Math.min(...ends.map(([x, y]) => endProduct(x, y, down))),
    hi: Math.max(...ends.map(([x, y]) => endProduct(x, y, up))),
  };
}

/** The square: never negative, which a product of two independent intervals may be. */
export function square(a: Interval): Interval {
  const size = magnitude(a);
  return multiply(size, size);
}

/** 1/a. A divisor that may be 0 leaves one side unbounded, or both. */
export function reciprocal({ lo, hi }: Interval): Interval {
  if (!(lo <= hi) || (lo === 0 && hi === 0)) return EMPTY;
  if (lo < 0 && hi > 0) return WHOLE;
  return {
    lo: hi === 0 ? -INFINITE : hi === INFINITE ? 0 : down(1 / hi),
    hi: lo === 0 ? INFINITE : lo === -INFINITE ? 0 : up(1 / lo),
  };
}

export const divide = (a: Interval, b: Interval): Interval =>
  isEmpty(a) || isEmpty(b) ? EMPTY : isZero(a) && !contains(b, 0) ? ZERO : multiply(a, reciprocal(b));

export function magnitude({ lo, hi }: Interval): Interval {
  if (lo >= 0) return { lo, hi };
  if (hi <= 0) return { lo: 0 - hi, hi: 0 - lo };
  return { lo: 0, hi: Math.max(-lo, hi) };
}

/** The part that is not negative. */
export const positivePart = (a: Interval): Interval => ({ lo: Math.max(0, a.lo), hi: Math.max(0, a.hi) });

/** The one whole number that an interval of rounding errors contains. */
export function wholeIn({ lo, hi }: Interval): number | undefined {
  const nearest = Math.round((lo + hi) / 2);
  return hi - lo < 1e-6 && lo <= nearest && nearest <= hi ? nearest : undefined;
}
