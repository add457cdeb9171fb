// The functions of the expression language in double-double, with error bounds of the kernel's versions in doubles.

import { exp as expOfDouble, log as logOfDouble } from '../../core/elementary.ts';
import type { DoubleDouble } from './double-double.ts';
import * as dd from './double-double.ts';
import { exp, expm1, exps } from './exponential.ts';
import { acosh, asinh, atanh, cosh, sinh, tanh } from './hyperbolic.ts';
import { acos, asin, atan, atan2 } from './inverse-trigonometric.ts';
import { log, log1p, log2, log10, logs } from './logarithm.ts';
import type { DoubleDoubles } from './many.ts';
import { cubeRoot, hypotenuse, power, powers } from './power.ts';
import { ceiling, floor, round } from './rounding.ts';
import { besselI } from './special/bessel-i.ts';
import { besselJ } from './special/bessel-j.ts';
import { besselK } from './special/bessel-k.ts';
import { choose } from './special/binomial.ts';
import { ellipticE, ellipticK } from './special/elliptic.ts';
import { erf, erfc, erfcs, erfs } from './special/error-function.ts';
import { exponentialIntegral } from './special/exponential-integral.ts';
import { factorial, gamma, logGamma } from './special/gamma.ts';
import { lambertW } from './special/lambert-w.ts';
import { langevin } from './special/langevin.ts';
import { normalDensity, normalDistribution, normalDistributions, normalQuantile } from './special/normal.ts';
import { zeta } from './special/zeta.ts';
import { cos, sin, sinc, tan } from './trigonometric.ts';

export interface PreciseFunction {
  readonly apply: (x: DoubleDouble, y: DoubleDouble) => DoubleDouble;
  /** `apply` for many first arguments at once, with the same bits; of functions of one argument that take long. */
  readonly applyToMany?: (x: DoubleDoubles, out: DoubleDoubles, count: number) => void;
  /** The same of both arguments. */
  readonly applyToPairs?: (x: DoubleDoubles, y: DoubleDoubles, out: DoubleDoubles, count: number) => void;
  /** The error of the kernel's function for exact arguments, relative to `size` or else to the value. */
  readonly error: number;
  readonly size?: (x: number, y: number, value: number) => number;
  /** The kernel returns the exact value where it is a double. */
  readonly isExactOnDoubles?: true;
  /** A value of 0 for non-zero arguments is an underflow, never exact. */
  readonly isNeverZero?: true;
  /** Effect of small errors of x and y on the value, by derivatives. */
  readonly propagate?: Propagation;
  /** Effect of errors of any size, for functions whose values at both ends are not a bound. */
  readonly propagateLarge?: Propagation;
  /** Values at both ends are no bound over an interval longer than MAX_OSCILLATING_ERROR. */
  readonly isOscillating?: true;
  /** Number of leading arguments that must be whole. */
  readonly wholeArguments?: 1 | 2;
  /** Uses another algorithm than the kernel, not only more digits. */
  readonly isSpecial?: true;
  /** Cost of a call; a step is at most a microsecond. */
  readonly steps: number;
}

type Propagation = (x: number, y: number, value: number, dx: number, dy: number) => number;
/** A bound of the derivative of a function of one argument. */
type Derivative = (x: number, value: number) => number;

/**
 * Largest error of an argument, in radians, for which an oscillating function is bounded by its values at both ends.
 */
export const MAX_OSCILLATING_ERROR = 0.25;

/** Unit roundoff of a double. */
export const ROUNDOFF = 2 ** -53;

/** @param halves  error in the kernel, in half units of the last place */
const elementary = (
  apply: PreciseFunction['apply'],
  halves: number,
  derivative: Derivative,
  rest: Partial<PreciseFunction> = {},
): PreciseFunction => ({
  apply,
  error: halves * ROUNDOFF,
  propagate: (x, _, value, dx) => Math.abs(derivative(x, value)) * dx,
  steps: 2,
  ...rest,
});

/** @param error  relative, as documented in assembly/numerics/special */
const special = (
  apply: PreciseFunction['apply'],
  error: number,
  derivative?: Derivative,
  rest: Partial<PreciseFunction> = {},
): PreciseFunction => ({
  apply,
  error,
  ...(derivative && { propagate: (x, _, value, dx) => Math.abs(derivative(x, value)) * dx }),
  isSpecial: true,
  steps: 10,
  ...rest,
});

/** A Bessel function of order x at y. Documented error of the kernel 3e-15, measured 3.03e-15; more for high orders. */
const bessel = (apply: PreciseFunction['apply'], rest: Partial<PreciseFunction>): PreciseFunction => ({
  apply,
  error: 3.2e-15,
  wholeArguments: 1,
  isSpecial: true,
  steps: 300,
  ...rest,
});
/** Ten times the error for orders above 20. */
const orderFactor = (n: number) => (Math.abs(n) <= 20 ? 1 : 10);
/** |I_n'| and |K_n'| are at most (1 + n/x) times the function. */
const propagateBessel: Propagation = (n, x, value, _, dx) => Math.abs(value) * (1 + Math.abs(n / x)) * dx;

const EXACT_ON_DOUBLES = { isExactOnDoubles: true } as const;
const OSCILLATING = { isOscillating: true } as const;
/** Above 2^20 the kernel's argument reduction keeps about 93 of 128 bits. */
const TRIGONOMETRIC = {
  ...OSCILLATING,
  size: (x: number, _: number, value: number) =>
    Math.abs(x) < 2 ** 20 ? Math.abs(value) : 3 * Math.abs(value) + (1 + value * value) * 2 ** -41,
} as const;
const one = () => 1;
const inverseRoot: Derivative = (x) => 1 / Math.sqrt((1 - x) * (1 + x));

/** tan(x + d) - tan x = t (1 + v²) / (1 - v t) with v = tan x and t = tan d. */
const propagateTangent: Propagation = (_, __, value, dx) =>
  dx < MAX_OSCILLATING_ERROR && dx * Math.abs(value) < MAX_OSCILLATING_ERROR
    ? 2 * (1 + value * value) * dx
    : Number.POSITIVE_INFINITY;

/** The angle of a point that changes by dx and dy; it is discontinuous at the negative axis. */
const propagateAngle: Propagation = (y, x, _, dy, dx) => {
  const change = (dx + dy) / Math.max(Math.abs(x), Math.abs(y));
  const isAcross = x < dx && Math.abs(y) <= dy;
  return isAcross || !(change < 0.5) ? 2 * Math.PI : 2 * change;
};

const propagatePower: Propagation = (x, y, value, dx, dy) =>
  Math.abs(value) * (Math.abs(y * (dx / x)) + (dy && Math.abs(logOfDouble(Math.abs(x))) * dy));

/** For x < 0 the kernel has no relative accuracy near the zeros of ln |Γ|. */
function logGammaSize(x: number, _: number, value: number): number {
  const size = Math.abs(x);
  return x < 0 ? Math.max(1, size * logOfDouble(2 + size), Math.abs(value)) : Math.abs(value);
}

/** The value, or the amplitude where J oscillates. */
function besselJSize(n: number, x: number, value: number): number {
  const size = Math.abs(x);
  const amplitude = size > Math.max(Math.abs(n), 2) ? Math.sqrt(2 / (Math.PI * size)) : 0;
  // For nearly equal n and x the error of the kernel's recurrence grows with its length: 3.2e-13 at n = 1000.
  return Math.max(orderFactor(n), 0.15 * Math.abs(n)) * Math.max(Math.abs(value), amplitude);
}

const propagateBesselJ: Propagation = (n, x, value, dn, dx) =>
  Math.abs(n) >= Math.abs(x) && n !== 0 ? propagateBessel(n, x, value, dn, dx) : dx;

const propagateLambert: Propagation = (_, __, value, ___, dx) => dx / (expOfDouble(value) * Math.abs(1 + value));

export const FUNCTIONS_IN_DOUBLE_DOUBLE: ReadonlyMap<string, PreciseFunction> = new Map<string, PreciseFunction>([
  ['sqrt', elementary(dd.squareRoot, 1, (_, value) => 0.5 / value, EXACT_ON_DOUBLES)],
  ['cbrt', elementary(cubeRoot, 2, (_, value) => 1 / (3 * value * value), EXACT_ON_DOUBLES)],
  ['exp', elementary(exp, 2, (_, value) => value, { ...EXACT_ON_DOUBLES, isNeverZero: true, applyToMany: exps })],
  ['expm1', elementary(expm1, 3, (_, value) => value + 1)],
  ['log', elementary(log, 2, (x) => 1 / x, { ...EXACT_ON_DOUBLES, applyToMany: logs })],
  ['log1p', elementary(log1p, 2, (x) => 1 / (1 + x))],
  ['log10', elementary(log10, 4, (x) => 0.44 / x)],
  ['log2', elementary(log2, 2, (x) => 1.45 / x, EXACT_ON_DOUBLES)],
  ['sin', elementary(sin, 2, one, TRIGONOMETRIC)],
  ['cos', elementary(cos, 2, one, TRIGONOMETRIC)],
  ['tan', elementary(tan, 2, (_, value) => 1 + value * value, { ...TRIGONOMETRIC, propagateLarge: propagateTangent })],
  ['asin', elementary(asin, 2, inverseRoot)],
  ['acos', elementary(acos, 2, inverseRoot)],
  ['atan', elementary(atan, 2, (x) => 1 / (1 + x * x))],
  ['sinh', elementary(sinh, 4, (_, value) => Math.abs(value) + 1)],
  ['cosh', elementary(cosh, 4, (_, value) => value)],
  ['tanh', elementary(tanh, 4, (_, value) => (1 - value) * (1 + value))],
  ['asinh', elementary(asinh, 6, (x) => Math.min(1, 1 / Math.abs(x)))],
  ['acosh', elementary(acosh, 6, (x) => 1 / Math.sqrt(x - 1) / Math.sqrt(x + 1))],
  ['atanh', elementary(atanh, 6, (x) => 1 / ((1 - x) * (1 + x)))],
  ['sinc', elementary(sinc, 4, (x) => Math.min(0.5, 2 / Math.abs(x)), TRIGONOMETRIC)],
  ['hypot', elementary(hypotenuse, 2, one, { ...EXACT_ON_DOUBLES, propagate: (_, __, ___, dx, dy) => dx + dy })],
  ['atan2', { apply: atan2, error: 3 * ROUNDOFF, propagateLarge: propagateAngle, steps: 2 }],
  [
    '^',
    elementary(power, 2, one, {
      ...EXACT_ON_DOUBLES,
      isNeverZero: true,
      propagate: propagatePower,
      applyToPairs: powers,
    }),
  ],
  ['erf', special(erf, 1e-15, (x) => 1.13 * expOfDouble(-x * x), { applyToMany: erfs })],
  ['erfc', special(erfc, 1e-15, (x) => 1.13 * expOfDouble(-x * x), { applyToMany: erfcs })],
  [
    'normcdf',
    special(normalDistribution, 1e-15, (x) => 0.4 * expOfDouble(-x * x * 0.5), { applyToMany: normalDistributions }),
  ],
  ['normpdf', special(normalDensity, 1e-15, (x, value) => x * value)],
  ['norminv', special(normalQuantile, 1e-15, (_, value) => 2.51 * expOfDouble(value * value * 0.5), { steps: 20 })],
  ['gamma', special(gamma, 2e-15, undefined, OSCILLATING)],
  ['lgamma', special(logGamma, 1e-15, undefined, { ...OSCILLATING, size: logGammaSize })],
  ['factorial', special(factorial, 2e-15, undefined, { wholeArguments: 1 })],
  ['choose', special(choose, 1e-14, undefined, { wholeArguments: 2, steps: 40 })],
  ['ellipk', special(ellipticK, 1e-15)],
  ['ellipe', special(ellipticE, 1e-15)],
  ['expint1', special(exponentialIntegral, 2e-15, (x) => expOfDouble(-x) / x)],
  ['zeta', special(zeta, 1e-14, undefined, { ...OSCILLATING, steps: 50 })],
  ['langevin', special(langevin, 1e-15, (x) => Math.min(1 / 3, 1 / (x * x)))],
  ['besselj', bessel(besselJ, { ...OSCILLATING, size: besselJSize, propagate: propagateBesselJ })],
  ['besseli', bessel(besselI, { size: (n, _, value) => orderFactor(n) * Math.abs(value), propagate: propagateBessel })],
  ['besselk', bessel(besselK, { size: (n, _, value) => orderFactor(n) * Math.abs(value), propagate: propagateBessel })],
  ['lambertw', special(lambertW, 2e-15, undefined, { propagate: propagateLambert, wholeArguments: 1 })],
]);

/** Step functions: the two evaluations may be on different sides of a step. */
export const STEP_FUNCTIONS: ReadonlyMap<string, (x: DoubleDouble) => DoubleDouble> = new Map([
  ['floor', floor],
  ['ceil', ceiling],
  ['round', round],
  ['sign', ({ high }: DoubleDouble) => dd.exactly(Math.sign(high))],
]);
