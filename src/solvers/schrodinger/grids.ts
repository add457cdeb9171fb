// Grids of a case, their kernel outputs, and Richardson extrapolation over them.
//
// The energies on grid h have an error series in h² (assembly/solvers/schrodinger.ts). Two grids cancel its first
// term, three its first two. The difference of the first two grids gives the observed order.

import { log } from '../../core/elementary.ts';
import type { KernelOutput } from '../../kernels/abi.ts';
import { type Rows, rowsOf } from '../../kernels/rows.ts';
import { at } from '../parts/arrays.ts';
import { errorOf, type StencilError } from './error-bound.ts';
import type { SchrodingerFace } from './face.ts';

/** Number of inner nodes of the grids, coarse to fine. With extrapolation the last has exactly half the step of N. */
export function gridsOf(N: number, isExtrapolated: boolean): readonly number[] {
  const coarse = Math.floor((N - 1) / 2);
  return isExtrapolated ? [coarse, N, 2 * N + 1] : [coarse, N];
}

export type Moment = SchrodingerFace['columns']['moment'][number];

/** Energies and moments on one grid. */
export interface GridResult {
  /** Step relative to the interval (uniform grid) or to the graded coordinate: 1/(nodes + 1). */
  readonly step: number;
  readonly energies: Float64Array;
  /** One row a state. */
  readonly moments: Rows<Moment>;
}

export function gridResultOf({ views, columns }: KernelOutput<SchrodingerFace>, nodes: number): GridResult {
  const { energies = new Float64Array(), moments = new Float64Array() } = views;
  return { step: 1 / (nodes + 1), energies, moments: rowsOf(moments, columns.moment) };
}

/** The value at h = 0 of the polynomial in h² through (h, value): Neville's scheme. */
function extrapolateToZero(points: readonly { readonly step: number; readonly value: number }[]): number {
  const table = points.map(({ value }) => value);
  for (let width = 1; width < points.length; width++) {
    for (let i = 0; i + width < points.length; i++) {
      const coarse = points[i]?.step ?? Number.NaN;
      const fine = points[i + width]?.step ?? Number.NaN;
      const [left, right] = [at(table, i), at(table, i + 1)];
      // Computed as a correction of the finer value, which preserves its digits.
      table[i] = right + (right - left) / ((coarse / fine) * (coarse / fine) - 1);
    }
  }
  return at(table, 0);
}

/** One number, extrapolated over the grids. */
export interface Estimate {
  readonly value: number;
  /** The best value of these grids, one order beyond `value`. */
  readonly refined: number;
  /** Between the two coarsest grids; undefined if their errors are within rounding. */
  readonly order: number | undefined;
  /** Bound of the discretisation error of `value`. */
  readonly error: number;
  /** Largest distance of `value` from that of a grid, the coarsest of three left out. */
  readonly change: number;
}

/** One state, combined from all grids. */
export interface State {
  readonly energy: Estimate;
  /** Distance to the level below by the flux between the halves of an even potential; undefined without one. */
  readonly gap: Estimate | undefined;
  readonly moment: (name: Moment) => number;
  /** Bound of the error of the eigenvalue of the matrix. */
  readonly iteration: number;
  readonly rounding: number;
}

/** Rounding of an energy relative to |E| + <T>, measured against exact discrete values. */
const ROUNDING = 4e-14;
/** Errors below this multiple of the rounding show no order. */
const NOISE = 2_500;

/**
 * @param gridResults  coarse to fine, two or three
 * @param safety  factor of the change by the next order, for the error estimate
 * @param isResolved  whether the coarsest grid resolves the waves of a level; otherwise its error series, which has not
 *   begun to converge, may look regular by chance
 * @param stencil  the predicted errors of the energies, where there is a prediction
 */
export function stateOf(
  gridResults: readonly GridResult[],
  n: number,
  safety: number,
  isResolved: (energy: number) => boolean,
  stencil: StencilError | undefined,
): State {
  const steps = gridResults.map(({ step }) => step);
  const finest = gridResults.at(-1);
  const isTrusted = isResolved(finest === undefined ? Number.NaN : at(finest.energies, n));
  const estimate = (of: (grid: GridResult) => number, noise: number, prediction?: StencilError) =>
    estimateOf(steps, gridResults.map(of), { safety, noise, isTrusted, prediction });
  const kinetic = estimate(({ moments }) => moments.at(n, 'kinetic'), 0);
  const energyNow = finest === undefined ? Number.NaN : at(finest.energies, n);
  const rounding = ROUNDING * (Math.abs(energyNow) + Math.abs(kinetic.value));
  const energy = estimate(({ energies }) => at(energies, n), NOISE * rounding, stencil);
  const gap = gridResults.every(({ moments }) => moments.at(n, 'gap') > 0)
    ? estimate(({ moments }) => moments.at(n, 'gap'), 0)
    : undefined;
  return {
    energy,
    gap,
    moment: (name) => estimate(({ moments }) => moments.at(n, name), 0).value,
    iteration: Math.max(...gridResults.map((grid) => matrixError(grid, n))),
    rounding,
  };
}

/** Of an eigenvalue E that is a Rayleigh quotient with residual ρ: ρ, or ρ² over the distance to the others. */
function matrixError({ energies, moments }: GridResult, n: number): number {
  const residual = moments.at(n, 'residual');
  const others = [n - 1, n + 1].flatMap((i) => (i >= 0 && i < energies.length ? [at(energies, i)] : []));
  const distance = Math.min(...others.map((other) => Math.abs(other - at(energies, n)))) - residual;
  // The level above the last one is not known.
  return n + 1 < energies.length && distance > residual ? (residual * residual) / distance : residual;
}

interface Trust {
  readonly safety: number;
  readonly noise: number;
  readonly isTrusted: boolean;
  readonly prediction: StencilError | undefined;
}

function estimateOf(steps: readonly number[], values: readonly number[], trust: Trust): Estimate {
  const pointsOf = (of: readonly number[]) => of.map((value, i) => ({ step: at(steps, i), value }));
  const points = pointsOf(values);
  const isExtrapolated = points.length === 3;
  const best = (of: ReturnType<typeof pointsOf>) => extrapolateToZero(of.slice(isExtrapolated ? 1 : -1));
  const value = best(points);
  const refined = extrapolateToZero(points);
  const order = isExtrapolated ? observedOrder(points, refined, trust.noise) : undefined;
  const change = Math.max(...values.slice(1).map((other) => Math.abs(other - value)));
  const predicted = trust.prediction && Math.abs(best(pointsOf(trust.prediction.errors)));
  return {
    value,
    refined,
    order,
    change,
    error: errorOf({ value, refined, values, order, change, predicted }, trust),
  };
}

/** Between the two coarsest grids, measured against the extrapolated value; undefined if the errors are within `noise`. */
function observedOrder(
  [coarse, fine]: readonly { readonly step: number; readonly value: number }[],
  limit: number,
  noise: number,
): number | undefined {
  if (coarse === undefined || fine === undefined) return undefined;
  const [errorCoarse, errorFine] = [Math.abs(coarse.value - limit), Math.abs(fine.value - limit)];
  if (!(errorFine > noise && errorCoarse > noise)) return undefined;
  return log(errorCoarse / errorFine) / log(coarse.step / fine.step);
}
