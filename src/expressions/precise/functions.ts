// The functions of an expression in double-double, with what is known of the kernel's own in doubles.

import { exp as expOfDouble, log as logOfDouble } from '../../core/elementary.ts';
import { type DoubleDouble, exactly, squareRoot } from './double-double.ts';
import { exp, expm1 } from './exponential.ts';
import { acosh, asinh, atanh, cosh, sinh, tanh } from './hyperbolic.ts';
import { acos, asin, atan, atan2 } from './inverse-trigonometric.ts';
import { log, log1p, log2, log10 } from './logarithm.ts';
import { cubeRoot, hypotenuse, power } from './power.ts';
import { ceiling, floor, round } from './rounding.ts';
import { besselI } from './special/bessel-i.ts';
import { besselJ } from './special/bessel-j.ts';
import { besselK } from './special/bessel-k.ts';
import { choose } from './special/binomial.ts';
import { ellipticE, ellipticK } from './special/elliptic.ts';
import { erf, erfc } from './special/error-function.ts';
import { exponentialIntegral } from './special/exponential-integral.ts';
import { factorial, gamma, logGamma } from './special/gamma.ts';
import { lambertW } from './special/lambert-w.ts';
import { langevin } from './special/langevin.ts';
import { normalDensity, normalDistribution, normalQuantile } from './special/normal.ts';
import { zeta } from './special/zeta.ts';
import { cos, sin, sinc, tan } from './trigonometric.ts';

export interface PreciseFunction {
  readonly apply: (x: DoubleDouble, y: DoubleDouble) => DoubleDouble;
  /** The error of the kernel's function for exact arguments, relative to `size` or else to the value. */
  readonly error: number;
  readonly size?: (x: number, y: number, value: number) => number;
  /** The kernel returns a value that is a double as it is. */
  readonly isExactOnDoubles?: true;
  /** 0 of numbers that are not is too small for a double, never exact. */
  readonly isNeverZero?: true;
  /** What small errors of x and y do to the value where the function is smooth. */
  readonly carry?: Carry;
  /** What errors of any size do, where a look at both ends would not tell. */
  readonly reach?: Carry;
  /** It may take any value again between two points that are a turn apart. */
  readonly isOscillating?: true;
  /** So many of the arguments, from the first on, must be whole numbers. */
  readonly wholeArguments?: 1 | 2;
  /** Has a second algorithm here, not only more digits. */
  readonly isSpecial?: true;
  /** What a call costs: a step is a microsecond or less. */
  readonly steps: number;
}

type Carry = (x: number, y: number, value: number, dx: number, dy: number) => number;
/** A bound of the derivative of a function of one number. */
type Slope = (x: number, value: number) => number;

/** What an argument may be off by, in radians or the like, where values do not repeat. */
export const TURN = 0.25;

/** Unit roundoff of a double. */
export const ROUNDOFF = 2 ** -53;

/** An elementary function of one number, whose error in the kernel is less than so many halves of a last place. */
const elementary = (
  apply: PreciseFunction['apply'],
  halves: number,
  slope: Slope,
  rest: Partial<PreciseFunction> = {},
): PreciseFunction => ({
  apply,
  error: halves * ROUNDOFF,
  carry: (x, _, value, dx) => Math.abs(slope(x, value)) * dx,
  steps: 2,
  ...rest,
});

/** @param error  what assembly/numerics/special promises */
const special = (
  apply: PreciseFunction['apply'],
  error: number,
  slope?: Slope,
  rest: Partial<PreciseFunction> = {},
): PreciseFunction => ({
  apply,
  error,
  ...(slope && { carry: (x, _, value, dx) => Math.abs(slope(x, value)) * dx }),
  isSpecial: true,
  steps: 10,
  ...rest,
});

/** A Bessel function of order x at y; higher orders are less accurate in the kernel. It promises 3e-15, and meets 3.03e-15. */
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
const carryBessel: Carry = (n, x, value, _, dx) => Math.abs(value) * (1 + Math.abs(n / x)) * dx;

const TIGHT = { isExactOnDoubles: true } as const;
const OSCILLATING = { isOscillating: true } as const;
/** The kernel reduces an argument above 2^20 by 128 bits of a turn, some 93 of which it keeps. */
const TURNING = {
  ...OSCILLATING,
  size: (x: number, _: number, value: number) =>
    Math.abs(x) < 2 ** 20 ? Math.abs(value) : 3 * Math.abs(value) + (1 + value * value) * 2 ** -41,
} as const;
const one = () => 1;
const inverseRoot: Slope = (x) => 1 / Math.sqrt((1 - x) * (1 + x));

/** tan(x + d) - tan x = t (1 + v²) / (1 - v t) with v = tan x and t = tan d. */
const reachTangent: Carry = (_, __, value, dx) =>
  dx < TURN && dx * Math.abs(value) < TURN ? 2 * (1 + value * value) * dx : Number.POSITIVE_INFINITY;

/** The angle of a point that moves by dx and dy: it jumps by a turn across the negative axis. */
const reachAngle: Carry = (y, x, _, dy, dx) => {
  const moved = (dx + dy) / Math.max(Math.abs(x), Math.abs(y));
  const isAcross = x < dx && Math.abs(y) <= dy;
  return isAcross || !(moved < 0.5) ? 2 * Math.PI : 2 * moved;
};

const carryPower: Carry = (x, y, value, dx, dy) =>
  Math.abs(value) * (Math.abs(y * (dx / x)) + (dy && Math.abs(logOfDouble(Math.abs(x))) * dy));

/** Below 0 the zeros of ln |Γ| are not taken with relative accuracy. */
function logGammaSize(x: number, _: number, value: number): number {
  const size = Math.abs(x);
  return x < 0 ? Math.max(1, size * logOfDouble(2 + size), Math.abs(value)) : Math.abs(value);
}

/** The amplitude where J oscillates. */
function besselJSize(n: number, x: number, value: number): number {
  const size = Math.abs(x);
  const amplitude = size > Math.max(Math.abs(n), 2) ? Math.sqrt(2 / (Math.PI * size)) : 0;
  // Where n and x are nearly equal the kernel's recurrence loses more the longer it is: 3.2e-13 at n = 1000.
  return Math.max(orderFactor(n), 0.15 * Math.abs(n)) * Math.max(Math.abs(value), amplitude);
}

const carryBesselJ: Carry = (n, x, value, dn, dx) =>
  Math.abs(n) >= Math.abs(x) && n !== 0 ? carryBessel(n, x, value, dn, dx) : dx;

const carryLambert: Carry = (_, __, value, ___, dx) => dx / (expOfDouble(value) * Math.abs(1 + value));

export const FUNCTIONS_IN_DOUBLE_DOUBLE: ReadonlyMap<string, PreciseFunction> = new Map<string, PreciseFunction>([
  ['sqrt', elementary(squareRoot, 1, (_, value) => 0.5 / value, TIGHT)],
  ['cbrt', elementary(cubeRoot, 2, (_, value) => 1 / (3 * value * value), TIGHT)],
  ['exp', elementary(exp, 2, (_, value) => value, { ...TIGHT, isNeverZero: true })],
  ['expm1', elementary(expm1, 3, (_, value) => value + 1)],
  ['log', elementary(log, 2, (x) => 1 / x, TIGHT)],
  ['log1p', elementary(log1p, 2, (x) => 1 / (1 + x))],
  ['log10', elementary(log10, 4, (x) => 0.44 / x)],
  ['log2', elementary(log2, 2, (x) => 1.45 / x, TIGHT)],
  ['sin', elementary(sin, 2, one, TURNING)],
  ['cos', elementary(cos, 2, one, TURNING)],
  ['tan', elementary(tan, 2, (_, value) => 1 + value * value, { ...TURNING, reach: reachTangent })],
  ['asin', elementary(asin, 2, inverseRoot)],
  ['acos', elementary(acos, 2, inverseRoot)],
  ['atan', elementary(atan, 2, (x) => 1 / (1 + x * x))],
  ['sinh', elementary(sinh, 4, (_, value) => Math.abs(value) + 1)],
  ['cosh', elementary(cosh, 4, (_, value) => value)],
  ['tanh', elementary(tanh, 4, (_, value) => (1 - value) * (1 + value))],
  ['asinh', elementary(asinh, 6, (x) => Math.min(1, 1 / Math.abs(x)))],
  ['acosh', elementary(acosh, 6, (x) => 1 / Math.sqrt(x - 1) / Math.sqrt(x + 1))],
  ['atanh', elementary(atanh, 6, (x) => 1 / ((1 - x) * (1 + x)))],
  ['sinc', elementary(sinc, 4, (x) => Math.min(0.5, 2 / Math.abs(x)), TURNING)],
  ['hypot', elementary(hypotenuse, 2, one, { ...TIGHT, carry: (_, __, ___, dx, dy) => dx + dy })],
  ['atan2', { apply: atan2, error: 3 * ROUNDOFF, reach: reachAngle, steps: 2 }],
  ['^', elementary(power, 2, one, { ...TIGHT, isNeverZero: true, carry: carryPower })],
  ['erf', special(erf, 1e-15, (x) => 1.13 * expOfDouble(-x * x))],
  ['erfc', special(erfc, 1e-15, (x) => 1.13 * expOfDouble(-x * x))],
  ['normcdf', special(normalDistribution, 1e-15, (x) => 0.4 * expOfDouble(-x * x * 0.5))],
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
  ['besselj', bessel(besselJ, { ...OSCILLATING, size: besselJSize, carry: carryBesselJ })],
  ['besseli', bessel(besselI, { size: (n, _, value) => orderFactor(n) * Math.abs(value), carry: carryBessel })],
  ['besselk', bessel(besselK, { size: (n, _, value) => orderFactor(n) * Math.abs(value), carry: carryBessel })],
  ['lambertw', special(lambertW, 2e-15, undefined, { carry: carryLambert, wholeArguments: 1 })],
]);

/** Functions that jump: the two engines may stand on either side. */
export const STEP_FUNCTIONS: ReadonlyMap<string, (x: DoubleDouble) => DoubleDouble> = new Map([
  ['floor', floor],
  ['ceil', ceiling],
  ['round', round],
  ['sign', ({ high }: DoubleDouble) => exactly(Math.sign(high))],
]);
