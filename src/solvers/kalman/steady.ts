// The steady state of the filter: the Riccati equation P = F P Fᵀ − F P Hᵀ (H P Hᵀ + R)⁻¹ H P Fᵀ + Q of the covariance
// before a measurement, by structured doubling.
//
// Doubling gives P after 2^k steps from 0, so its error falls with ρ^(2^k), not with ρ^k as that of the filter does. What
// it is worth is told by a step of Newton (Kleinman): the covariance that its own gain has, from a linear equation. Poloni,
// Iterative and doubling algorithms for Riccati-type matrix equations, arXiv:2005.08903.

import {
  cholesky,
  congruence,
  identity,
  type Matrix,
  matrixOf,
  maxDifference,
  minus,
  normOf,
  plus,
  scaled,
  solved,
  symmetric,
  times,
  transpose,
} from './matrix.ts';
import { spectralRadius } from './observability.ts';

export interface Steady {
  /** Covariance before and after a measurement, and the gain between. */
  readonly predicted: Matrix;
  readonly filtered: Matrix;
  readonly gain: Matrix;
  /** Magnitude of the slowest error of the filter, per step. */
  readonly radius: number;
  /** ± of elements of the covariances (relative to their variances), and of the gain. */
  readonly error: Matrix;
  readonly gainError: Matrix;
  readonly doublings: number;
}

const MAX_DOUBLINGS = 60;
const SETTLED = 1e-15;
/** Slower than this, errors of the filter last for ever within what doubles tell. */
const MAX_RADIUS = 1 - 1e-7;
const ROUNDINGS = 16;

/** @param more  roundings of F and Q. @returns undefined where there is none that the filter settles in, or R is singular. */
export function steadyOf(F: Matrix, H: Matrix, Q: Matrix, R: Matrix, more = 0): Steady | undefined {
  const found = doubled(F, H, Q, R);
  if (found === undefined) return undefined;
  const { P, doublings } = found;
  const gain = gainOf(P, H, R);
  if (gain === undefined) return undefined;
  const closed = times(F, minus(identity(F.length), times(gain, H)));
  const radius = spectralRadius(closed);
  if (!(radius < MAX_RADIUS)) return undefined;
  const noise = plus(Q, congruence(times(F, gain), R));
  const better = stein(closed, noise);
  if (better === undefined) return undefined;
  // Roundings of a step, summed over all steps.
  const size = plus(plus(congruence(absolute(F), absolute(P)), absolute(Q)), absolute(P));
  const scale = matrixOf(F.length, F.length, (i, j) =>
    i === j ? (ROUNDINGS + more) * Number.EPSILON * (size[i]?.[i] ?? 0) : 0,
  );
  const rounding = stein(closed, scale) ?? scale;
  const distance = minus(better, P);
  const error = matrixOf(F.length, F.length, (i, j) => {
    const own = Math.sqrt(Math.abs((rounding[i]?.[i] ?? 0) * (rounding[j]?.[j] ?? 0)));
    return 2 * Math.abs(distance[i]?.[j] ?? 0) + own;
  });
  const filtered = josephOf(P, gain, H, R);
  return {
    predicted: P,
    filtered,
    gain,
    radius,
    error,
    gainError: gainErrorOf(P, gain, H, R, error),
    doublings,
  };
}

const absolute = (a: Matrix): Matrix => a.map((row) => row.map(Math.abs));

function doubled(
  F: Matrix,
  H: Matrix,
  Q: Matrix,
  R: Matrix,
): { readonly P: Matrix; readonly doublings: number } | undefined {
  const n = F.length;
  if (!cholesky(R, 1e-15).isDefinite) return undefined;
  const weighted = solved(R, H);
  if (weighted === undefined) return undefined;
  let A: Matrix = transpose(F);
  let G = symmetric(times(transpose(H), weighted));
  let P: Matrix = Q;
  for (let k = 0; k < MAX_DOUBLINGS; k++) {
    const W = plus(identity(n), times(G, P));
    const [WA, WG] = [solved(W, A), solved(W, G)];
    if (WA === undefined || WG === undefined) return undefined;
    const next = symmetric(plus(P, times(times(transpose(A), P), WA)));
    G = symmetric(plus(G, times(times(A, WG), transpose(A))));
    A = times(A, WA);
    const change = maxDifference(next, P);
    P = next;
    const size = normOf(P);
    if (!(size < 1e300)) return undefined;
    if (change <= SETTLED * size) return { P, doublings: k + 1 };
  }
  return undefined;
}

/** P Hᵀ (H P Hᵀ + R)⁻¹ */
export function gainOf(P: Matrix, H: Matrix, R: Matrix): Matrix | undefined {
  const HP = times(H, P);
  const transposed = solved(symmetric(plus(times(HP, transpose(H)), R)), HP);
  return transposed === undefined ? undefined : transpose(transposed);
}

/** (I − K H) P (I − K H)ᵀ + K R Kᵀ, for any gain. */
export const josephOf = (P: Matrix, gain: Matrix, H: Matrix, R: Matrix): Matrix =>
  plus(congruence(minus(identity(P.length), times(gain, H)), P), congruence(gain, R));

/** X = A X Aᵀ + C with all |eigenvalues| of A below 1, as one linear system of the elements. */
function stein(A: Matrix, C: Matrix): Matrix | undefined {
  const n = A.length;
  const at = (i: number, j: number) => A[i]?.[j] ?? 0;
  const system = matrixOf(n * n, n * n, (row, column) => {
    const [i, j] = [Math.floor(row / n), row % n];
    const [k, l] = [Math.floor(column / n), column % n];
    return Number(row === column) - at(i, k) * at(j, l);
  });
  const flat = solved(
    system,
    matrixOf(n * n, 1, (row) => C[Math.floor(row / n)]?.[row % n] ?? 0),
  );
  return flat === undefined ? undefined : symmetric(matrixOf(n, n, (i, j) => flat[i * n + j]?.[0] ?? 0));
}

/** dK = (I − K H) dP Hᵀ S⁻¹, element by element in magnitude, and the rounding of the products. */
function gainErrorOf(P: Matrix, gain: Matrix, H: Matrix, R: Matrix, error: Matrix): Matrix {
  const S = symmetric(plus(times(times(H, P), transpose(H)), R));
  const weights = solved(S, H);
  const right = absolute(transpose(weights ?? H));
  const left = absolute(minus(identity(P.length), times(gain, H)));
  const spread = plus(error, scaled(absolute(P), ROUNDINGS * Number.EPSILON));
  return times(times(left, spread), right);
}
