// The functions of the expression language over intervals, with their derivatives.
//
// The value of a monotone function lies between those at both ends, which are taken from double-double arithmetic and
// rounded outward. A derivative that has no entry is unknown, which only makes proofs impossible, never wrong.

import * as dd from '../precise/double-double.ts';
import { FUNCTIONS_IN_DOUBLE_DOUBLE, STEP_FUNCTIONS } from '../precise/functions.ts';
import {
  add,
  contains,
  divide,
  EMPTY,
  hull,
  type Interval,
  intersection,
  isEmpty,
  magnitude,
  multiply,
  negative,
  ONE,
  outward,
  point,
  positivePart,
  reciprocal,
  square,
  subtract,
  WHOLE,
} from './interval.ts';

/** A function of one argument. */
export interface IntervalFunction {
  /** Where it has a value; the ends may be outside. */
  readonly domain: Interval;
  readonly apply: (x: Interval) => Interval;
  /** @param value  of the function over x */
  readonly derivative: (x: Interval, value: Interval) => Interval;
}

const INFINITE = Number.POSITIVE_INFINITY;
const NON_NEGATIVE: Interval = { lo: 0, hi: INFINITE };
const NON_POSITIVE: Interval = { lo: -INFINITE, hi: 0 };
const MINUS_ONE_TO_ONE: Interval = { lo: -1, hi: 1 };
const unknown = () => WHOLE;

/** A function of whole numbers, at such numbers. */
export function atWholeNumbers(name: string, x: Interval, y?: Interval): Interval | undefined {
  const isWhole = (one: Interval) => one.lo === one.hi && Number.isInteger(one.lo);
  if (!isWhole(x) || (y !== undefined && !isWhole(y))) return undefined;
  const value = valueAt(name, x.lo, y?.lo);
  return Number.isFinite(value) ? outward(value, value) : undefined;
}

/** The value at one number; NaN where there is none. */
function valueAt(name: string, x: number, y = 0): number {
  const known = FUNCTIONS_IN_DOUBLE_DOUBLE.get(name);
  return known === undefined ? Number.NaN : known.apply(dd.exactly(x), dd.exactly(y)).high;
}

/** Between the values at both ends; an end without a value is a limit, which is unbounded. */
function between(lower: number, upper: number): Interval {
  const { lo, hi } = outward(Number.isNaN(lower) ? 0 : lower, Number.isNaN(upper) ? 0 : upper);
  return { lo: Number.isNaN(lower) ? -INFINITE : lo, hi: Number.isNaN(upper) ? INFINITE : hi };
}

const increasing = (
  name: string,
  derivative: IntervalFunction['derivative'] = () => NON_NEGATIVE,
  domain: Interval = WHOLE,
  range: Interval = WHOLE,
): [string, IntervalFunction] => [
  name,
  {
    domain,
    derivative,
    apply: ({ lo, hi }) => intersection(range, between(valueAt(name, lo), valueAt(name, hi))),
  },
];

const decreasing = (
  name: string,
  derivative: IntervalFunction['derivative'] = () => NON_POSITIVE,
  domain: Interval = WHOLE,
  range: Interval = WHOLE,
): [string, IntervalFunction] => [
  name,
  {
    domain,
    derivative,
    apply: ({ lo, hi }) => intersection(range, between(valueAt(name, hi), valueAt(name, lo))),
  },
];

const applied = (name: string, x: Interval): Interval => {
  const known = INTERVAL_FUNCTIONS.get(name);
  if (known === undefined) return WHOLE;
  const inside = intersection(x, known.domain);
  return isEmpty(inside) ? EMPTY : known.apply(inside);
};

/** √((1 − x)(1 + x)) */
const circleRoot = (x: Interval) => applied('sqrt', positivePart(multiply(subtract(ONE, x), add(ONE, x))));
const squareRoot = (x: Interval) => applied('sqrt', positivePart(x));
/** A factor that is known to 15 digits. */
const about = (value: number) => outward(value, value);

/** Half a turn, enclosed. */
const HALF_TURN = about(Math.PI);

/** cos over an interval: the values at both ends, and each extreme at a whole multiple of π inside. */
function cosine(x: Interval): Interval {
  if (!(x.hi - x.lo < 6)) return MINUS_ONE_TO_ONE;
  const first = Math.floor(divide(point(x.lo), HALF_TURN).lo);
  const last = Math.ceil(divide(point(x.hi), HALF_TURN).hi);
  if (!Number.isSafeInteger(first) || !Number.isSafeInteger(last)) return MINUS_ONE_TO_ONE;
  let value = hull(
    between(valueAt('cos', x.lo), valueAt('cos', x.lo)),
    between(valueAt('cos', x.hi), valueAt('cos', x.hi)),
  );
  for (let turn = first; turn <= last; turn++) {
    const extreme = multiply(point(turn), HALF_TURN);
    if (!isEmpty(intersection(extreme, x))) value = hull(value, point(turn % 2 === 0 ? 1 : -1));
  }
  return intersection(value, MINUS_ONE_TO_ONE);
}

const sine = (x: Interval): Interval => cosine(subtract(x, multiply(point(0.5), HALF_TURN)));

/** Increasing where no pole, at an odd multiple of π/2, is inside. */
function tangent(x: Interval): Interval {
  if (!(x.hi - x.lo < 3)) return WHOLE;
  return contains(cosine(x), 0) ? WHOLE : between(valueAt('tan', x.lo), valueAt('tan', x.hi));
}

/** Falls from 0 to the first minimum, near 4.49. */
function sincOver(x: Interval): Interval {
  const size = magnitude(x);
  if (size.hi <= 4.4) return between(valueAt('sinc', size.hi), valueAt('sinc', size.lo));
  return intersection({ lo: -0.2173, hi: 1 }, size.lo === 0 ? WHOLE : divide(sine(size), size));
}

/** (cos x − sinc x)/x */
function sincSlope(x: Interval): Interval {
  const crude: Interval = x.lo >= 0 && x.hi <= 4.4 ? { lo: -0.4362, hi: 0 } : { lo: -0.4362, hi: 0.4362 };
  return contains(x, 0) ? crude : intersection(crude, divide(subtract(cosine(x), sincOver(x)), x));
}

/** expm1(x)/x, which is 1 at 0: positive and increasing. */
export function expm1Ratio({ lo, hi }: Interval): Interval {
  const at = (x: number) => (x === 0 ? 1 : valueAt('expm1', x) / x);
  const { lo: lower, hi: upper } = between(at(lo), at(hi));
  return { lo: lo === -INFINITE ? 0 : Math.max(0, lower), hi: hi === INFINITE ? INFINITE : upper };
}

/** Place of the minimum of Γ over positive numbers. */
const GAMMA_MINIMUM = 1.4616321449683622;
/** A positive function that falls up to there and rises from there. */
const aroundMinimum = (name: string, minimum: number): [string, IntervalFunction] => [
  name,
  {
    domain: { lo: 0, hi: INFINITE },
    derivative: ({ lo, hi }) => (lo > 1.4617 ? NON_NEGATIVE : hi < 1.4616 ? NON_POSITIVE : WHOLE),
    apply: ({ lo, hi }) => {
      const ends = hull(between(valueAt(name, lo), valueAt(name, lo)), between(valueAt(name, hi), valueAt(name, hi)));
      return lo <= GAMMA_MINIMUM && hi >= GAMMA_MINIMUM ? hull(ends, point(minimum)) : ends;
    },
  },
];

const stepped = (name: string): [string, IntervalFunction] => {
  const step = STEP_FUNCTIONS.get(name);
  const at = (x: number) => step?.(dd.exactly(x)).high ?? Number.NaN;
  return [
    name,
    {
      domain: WHOLE,
      apply: ({ lo, hi }) => ({ lo: at(lo), hi: at(hi) }),
      // A step that is not inside leaves the value as it is.
      derivative: (_, value) => (value.lo === value.hi ? { lo: 0, hi: 0 } : WHOLE),
    },
  ];
};

/** Density of the normal distribution; falls on both sides of 0. */
const density = (x: Interval): Interval => {
  const { lo, hi } = magnitude(x);
  return positivePart(between(valueAt('normpdf', hi), valueAt('normpdf', lo)));
};

/** 2/√π·exp(−x²) */
const bell = (x: Interval) => multiply(about(1.1283791670955126), applied('exp', negative(square(x))));

export const INTERVAL_FUNCTIONS: ReadonlyMap<string, IntervalFunction> = new Map<string, IntervalFunction>([
  increasing('sqrt', (_, value) => divide(point(0.5), value), NON_NEGATIVE, NON_NEGATIVE),
  increasing('cbrt', (_, value) => reciprocal(multiply(point(3), square(value)))),
  increasing('exp', (_, value) => value, WHOLE, NON_NEGATIVE),
  increasing('expm1', (_, value) => positivePart(add(value, ONE)), WHOLE, { lo: -1, hi: INFINITE }),
  increasing('log', (x) => reciprocal(x), NON_NEGATIVE),
  increasing('log1p', (x) => reciprocal(positivePart(add(ONE, x))), { lo: -1, hi: INFINITE }),
  increasing('log10', (x) => divide(about(Math.LOG10E), x), NON_NEGATIVE),
  increasing('log2', (x) => divide(about(Math.LOG2E), x), NON_NEGATIVE),
  increasing('asin', (x) => reciprocal(circleRoot(x)), MINUS_ONE_TO_ONE),
  decreasing('acos', (x) => negative(reciprocal(circleRoot(x))), MINUS_ONE_TO_ONE),
  increasing('atan', (x) => reciprocal(add(ONE, square(x)))),
  increasing('sinh', (x) => applied('cosh', x)),
  increasing('tanh', (x) => reciprocal(square(applied('cosh', x))), WHOLE, MINUS_ONE_TO_ONE),
  increasing('asinh', (x) => reciprocal(squareRoot(add(ONE, square(x))))),
  increasing('acosh', (x) => reciprocal(squareRoot(multiply(subtract(x, ONE), add(x, ONE)))), { lo: 1, hi: INFINITE }),
  increasing('atanh', (x) => reciprocal(positivePart(multiply(subtract(ONE, x), add(ONE, x)))), MINUS_ONE_TO_ONE),
  increasing('erf', bell, WHOLE, MINUS_ONE_TO_ONE),
  decreasing('erfc', (x) => negative(bell(x)), WHOLE, { lo: 0, hi: 2 }),
  increasing('normcdf', density, WHOLE, { lo: 0, hi: 1 }),
  increasing('norminv', (_, value) => reciprocal(density(value)), { lo: 0, hi: 1 }),
  decreasing('expint1', (x) => negative(divide(applied('exp', negative(x)), x)), NON_NEGATIVE, NON_NEGATIVE),
  increasing('ellipk', undefined, { lo: -INFINITE, hi: 1 }),
  decreasing('ellipe', undefined, { lo: -INFINITE, hi: 1 }),
  decreasing('zeta', undefined, { lo: 1, hi: INFINITE }, ONE_UP()),
  increasing('langevin', undefined, WHOLE, MINUS_ONE_TO_ONE),
  aroundMinimum('gamma', 0.8856),
  aroundMinimum('lgamma', -0.12149),
  [
    'abs',
    {
      domain: WHOLE,
      apply: magnitude,
      derivative: ({ lo, hi }) => (lo >= 0 ? ONE : hi <= 0 ? negative(ONE) : MINUS_ONE_TO_ONE),
    },
  ],
  [
    'cosh',
    {
      domain: WHOLE,
      apply: (x) => {
        const { lo, hi } = magnitude(x);
        return intersection(between(valueAt('cosh', lo), valueAt('cosh', hi)), ONE_UP());
      },
      derivative: (x) => applied('sinh', x),
    },
  ],
  ['normpdf', { domain: WHOLE, apply: density, derivative: (x, value) => negative(multiply(x, value)) }],
  ['sin', { domain: WHOLE, apply: sine, derivative: cosine }],
  ['cos', { domain: WHOLE, apply: cosine, derivative: (x) => negative(sine(x)) }],
  ['tan', { domain: WHOLE, apply: tangent, derivative: (_, value) => add(ONE, square(value)) }],
  ['sinc', { domain: WHOLE, apply: sincOver, derivative: sincSlope }],
  ...['floor', 'ceil', 'round', 'sign'].map(stepped),
]);

function ONE_UP(): Interval {
  return { lo: 1, hi: INFINITE };
}

/** x^y for a base that is not negative: monotone along each argument, so its extremes are at corners. */
export function powerOver(x: Interval, y: Interval): Interval {
  const corners = [x.lo, x.hi].flatMap((a) => [y.lo, y.hi].map((b) => powerAt(a, b)));
  if (corners.some(Number.isNaN)) return NON_NEGATIVE;
  return positivePart(outward(Math.min(...corners), Math.max(...corners)));
}

function powerAt(base: number, exponent: number): number {
  if (base === INFINITE) return exponent > 0 ? INFINITE : exponent === 0 ? 1 : 0;
  if (base === 0) return exponent > 0 ? 0 : exponent === 0 ? 1 : INFINITE;
  return valueAt('^', base, exponent);
}

/** x^n for a whole n and any base. */
export function wholePower(x: Interval, n: number): Interval {
  if (n === 0) return ONE;
  if (n < 0) return reciprocal(wholePower(x, -n));
  if (n % 2 === 0) return powerOver(magnitude(x), point(n));
  const signed = (base: number) => {
    const { lo, hi } = powerOver(point(Math.abs(base)), point(n));
    return base < 0 ? { lo: -hi, hi: -lo } : { lo, hi };
  };
  return { lo: signed(x.lo).lo, hi: signed(x.hi).hi };
}

/** Functions of a fixed whole first argument, over the second; unknown for any other. */
export function orderedFunction(name: string, order: Interval): IntervalFunction | undefined {
  if (order.lo !== order.hi) return undefined;
  const n = order.lo;
  const at = (x: number) => valueAt(name, n, x);
  const rising: IntervalFunction['apply'] = ({ lo, hi }) => between(at(lo), at(hi));
  const falling: IntervalFunction['apply'] = ({ lo, hi }) => between(at(hi), at(lo));
  if (name === 'besseli' && n >= 0) return { domain: NON_NEGATIVE, apply: rising, derivative: () => NON_NEGATIVE };
  if (name === 'besselk') return { domain: NON_NEGATIVE, apply: falling, derivative: () => NON_POSITIVE };
  if (name === 'lambertw' && n === 0)
    return { domain: { lo: -0.3678794411714424, hi: INFINITE }, apply: rising, derivative: () => NON_NEGATIVE };
  if (name === 'lambertw' && n === -1)
    return { domain: { lo: -0.3678794411714424, hi: 0 }, apply: falling, derivative: () => NON_POSITIVE };
  if (name === 'besselj') return { domain: WHOLE, apply: () => MINUS_ONE_TO_ONE, derivative: unknown };
  return undefined;
}
