// Grids of a case, their kernel outputs, and Richardson extrapolation over them.
//
// The energies on grid h have an error series in h² (assembly/solvers/schrodinger.ts). Two grids cancel its first
// term, three its first two. The difference of the first two grids gives the observed order.

import { log } from '../../core/elementary.ts';
import type { KernelOutput } from '../../kernels/abi.ts';
import { type Rows, rowsOf } from '../../kernels/rows.ts';
import { at } from '../parts/arrays.ts';
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

/**
 * The observed order between two grids, measured against the extrapolated value.
 *
 * @returns undefined if the errors are within `noise`
 */
function observedOrder(
  coarse: GridResult,
  fine: GridResult,
  n: number,
  limit: number,
  noise: number,
): number | undefined {
  const errorCoarse = Math.abs(at(coarse.energies, n) - limit);
  const errorFine = Math.abs(at(fine.energies, n) - limit);
  if (!(errorFine > noise && errorCoarse > noise)) return undefined;
  return log(errorCoarse / errorFine) / log(coarse.step / fine.step);
}

/** One state, combined from all grids. */
export interface State {
  readonly energy: number;
  /** The best value of these grids, one order beyond `energy`. */
  readonly refined: number;
  readonly order: number | undefined;
  readonly uncertainty: number;
  readonly moment: (name: Moment) => number;
}

/** Rounding of an energy relative to |E| + <T>, measured against exact discrete values. */
const ROUNDING = 1e-14;

/** Maximum deviation of the order from 2; beyond it the assumed error series does not hold. */
const ORDER_TOLERANCE = 0.5;

/**
 * @param gridResults  coarse to fine, two or three
 * @param safety  factor of the change by the next order, for the error estimate
 */
export function stateOf(gridResults: readonly GridResult[], n: number, safety: number): State {
  const energies = gridResults.map(({ step, energies: all }) => ({ step, value: at(all, n) }));
  const last = gridResults.slice(-2);
  const isExtrapolated = gridResults.length === 3;
  const moment = (name: Moment): number => {
    const points = (isExtrapolated ? last : gridResults.slice(-1)).map(({ step, moments }) => ({
      step,
      value: moments.at(n, name),
    }));
    return extrapolateToZero(points);
  };
  const energy = extrapolateToZero(isExtrapolated ? energies.slice(1) : energies.slice(-1));
  const refined = extrapolateToZero(energies);
  const noise = ROUNDING * (Math.abs(energy) + moment('kinetic'));
  const [coarse, middle] = gridResults;
  const order = isExtrapolated && coarse && middle ? observedOrder(coarse, middle, n, refined, 1e4 * noise) : undefined;
  // If the assumed series does not hold, the error is the difference of the last two grids.
  const isRegular = order === undefined || Math.abs(order - 2) < ORDER_TOLERANCE;
  const error = isRegular
    ? safety * Math.abs(energy - refined)
    : Math.abs(energy - (energies.at(-2)?.value ?? Number.NaN));
  return { energy, refined, order, uncertainty: error + 4 * noise, moment };
}
