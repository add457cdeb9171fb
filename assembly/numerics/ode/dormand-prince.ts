// Dormand & Prince's pair of orders 5 and 4: seven stages, of which the last is the first of the next step.
//
// The fifth-order value is propagated; the fourth-order value only estimates the error. Coefficients: Dormand & Prince,
// J. Comput. Appl. Math. 6 (1980) 19, doi:10.1016/0771-050X(80)90013-3; dense output of order 4 and the test for
// stiffness: Hairer, Nørsett & Wanner I, §II.6, and Hairer & Wanner II, §IV.2. Not for stiff problems: the step is
// then bounded by stability, h |λ| < 3.3, whatever the requested accuracy.
import { get, set } from '../vector';
import { combine } from './combination';
import { explicitStep } from './explicit';
import { hermite } from './interpolant';
import { RightSide } from './right-side';

/** Weights in the arguments of stages 2 … 7: k₁, then k₁ and k₂, … The last six give the result. */
export const STAGE_WEIGHTS: usize = memory.data<f64>([
  1.0 / 5.0,
  3.0 / 40.0,
  9.0 / 40.0,
  44.0 / 45.0,
  -56.0 / 15.0,
  32.0 / 9.0,
  19372.0 / 6561.0,
  -25360.0 / 2187.0,
  64448.0 / 6561.0,
  -212.0 / 729.0,
  9017.0 / 3168.0,
  -355.0 / 33.0,
  46732.0 / 5247.0,
  49.0 / 176.0,
  -5103.0 / 18656.0,
  35.0 / 384.0,
  0,
  500.0 / 1113.0,
  125.0 / 192.0,
  -2187.0 / 6784.0,
  11.0 / 84.0,
]);

/** Nodes of stages 2 … 7, as fractions of the step. */
export const STAGE_TIMES: usize = memory.data<f64>([0.2, 0.3, 0.8, 8.0 / 9.0, 1, 1]);

/** b − b̂, the weights of the error. */
const ERROR_WEIGHTS: usize = memory.data<f64>([
  71.0 / 57600.0,
  0,
  -71.0 / 16695.0,
  71.0 / 1920.0,
  -17253.0 / 339200.0,
  22.0 / 525.0,
  -1.0 / 40.0,
]);

/** Weights of c in the interpolant. */
const DENSE_WEIGHTS: usize = memory.data<f64>([
  -12715105075.0 / 11282082432.0,
  0,
  87487479700.0 / 32700410799.0,
  -10690763975.0 / 1880347072.0,
  701980252875.0 / 199316789632.0,
  -1453857185.0 / 822651844.0,
  69997945.0 / 29380423.0,
]);

export const DORMAND_PRINCE_STAGES: i32 = 7;

/** One step by `explicitStep`. @param k  f64[8, n] */
export function dormandPrinceStep(f: RightSide, t: f64, y: usize, k: usize, h: f64, n: i32, out: usize): void {
  explicitStep(f, t, y, DORMAND_PRINCE_STAGES, STAGE_TIMES, STAGE_WEIGHTS, k, h, n, out);
}

/** The difference of the two orders. @param error  f64[n], written */
export function dormandPrinceError(k: usize, h: f64, n: i32, error: usize): void {
  for (let i = 0; i < n; i++) set(error, i, 0);
  combine(error, h, ERROR_WEIGHTS, k, 7, n, error);
}

/** h times an estimate of the largest eigenvalue: above 3.25 the step is at the limit of stability. */
export function dormandPrinceStiffness(k: usize, h: f64, n: i32, out: usize): f64 {
  let slopeSquares: f64 = 0;
  let argumentSquares: f64 = 0;
  for (let i = 0; i < n; i++) {
    const slope = get(k, 6 * n + i) - get(k, 5 * n + i);
    const argument = get(out, i) - get(k, 7 * n + i);
    slopeSquares += slope * slope;
    argumentSquares += argument * argument;
  }
  return argumentSquares > 0 ? h * Math.sqrt(slopeSquares / argumentSquares) : 0;
}

/** The interpolant of interpolant.ts, of order 4. @param coefficients  f64[5, n], written */
export function dormandPrinceInterpolant(y: usize, k: usize, h: f64, n: i32, out: usize, coefficients: usize): void {
  hermite(y, k, out, k + ((<usize>(6 * n)) << 3), h, n, coefficients);
  const c = coefficients + ((<usize>(4 * n)) << 3);
  combine(c, h, DENSE_WEIGHTS, k, 7, n, c);
}
