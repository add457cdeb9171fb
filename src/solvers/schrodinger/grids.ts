// The grids of one case, what their runs left behind, and what they say together.
//
// The energies of grid h have an error series in h² (schrodinger.ts of the kernels). Two grids cancel its first
// term, three its first two; and how the first two differ tells the order that was really seen.

import { log } from '../../core/elementary.ts';
import type { KernelOutput } from '../../kernels/abi.ts';

/** Inner nodes of the grids, coarse to fine. With Richardson the last has exactly half the step of N. */
export function gridsOf(N: number, isExtrapolated: boolean): readonly number[] {
  const coarse = Math.floor((N - 1) / 2);
  return isExtrapolated ? [coarse, N, 2 * N + 1] : [coarse, N];
}

/** Columns of the kernel's moments, and their number. */
export const MOMENT = {
  x: 0,
  xx: 1,
  kinetic: 2,
  potential: 3,
  virial: 4,
  slopeLeft: 5,
  slopeRight: 6,
  nodes: 7,
  count: 8,
} as const;

/** Energies and moments on one grid. */
export interface Level {
  /** Step relative to the interval (even grid) or of the graded coordinate: 1/(nodes + 1). */
  readonly step: number;
  readonly energies: Float64Array;
  readonly moments: Float64Array;
}

/** The views that `levelOf` expects first. */
export const LEVEL_VIEWS = [0, 1];

export function levelOf(output: KernelOutput, nodes: number): Level {
  const [energies = new Float64Array(), moments = new Float64Array()] = output.views;
  return { step: 1 / (nodes + 1), energies, moments };
}

/** The value at h = 0 of the polynomial in h² through (h, value): Neville's scheme. */
function toZero(points: readonly { readonly step: number; readonly value: number }[]): number {
  const table = points.map(({ value }) => value);
  for (let width = 1; width < points.length; width++) {
    for (let i = 0; i + width < points.length; i++) {
      const coarse = points[i]?.step ?? Number.NaN;
      const fine = points[i + width]?.step ?? Number.NaN;
      const [left = Number.NaN, right = Number.NaN] = [table[i], table[i + 1]];
      // Written as a correction of the finer value, so that its digits are kept.
      table[i] = right + (right - left) / ((coarse / fine) * (coarse / fine) - 1);
    }
  }
  return table[0] ?? Number.NaN;
}

/**
 * The order seen between two grids, measured against the extrapolated value.
 *
 * @returns undefined if the errors are within `noise` and say nothing
 */
function observedOrder(coarse: Level, fine: Level, n: number, limit: number, noise: number): number | undefined {
  const errorCoarse = Math.abs((coarse.energies[n] ?? Number.NaN) - limit);
  const errorFine = Math.abs((fine.energies[n] ?? Number.NaN) - limit);
  if (!(errorFine > noise && errorCoarse > noise)) return undefined;
  return log(errorCoarse / errorFine) / log(coarse.step / fine.step);
}

/** One state, put together from all grids. */
export interface State {
  readonly energy: number;
  /** The best value that the grids allow, one order beyond `energy`. */
  readonly refined: number;
  readonly order: number | undefined;
  readonly uncertainty: number;
  readonly moment: (column: number) => number;
}

/** Rounding of an energy in parts of |E| + <T>, as measured against exact discrete values. */
const ROUNDING = 1e-14;

/** An order this far from 2 means that the error series is not the one that was assumed. */
const ORDER_TOLERANCE = 0.5;

/**
 * @param levels  coarse to fine, two or three of them
 * @param safety  how many times what the next order would change is taken as the error
 */
export function stateOf(levels: readonly Level[], n: number, safety: number): State {
  const energies = levels.map(({ step, energies: all }) => ({ step, value: all[n] ?? Number.NaN }));
  const last = levels.slice(-2);
  const isExtrapolated = levels.length === 3;
  const moment = (column: number): number => {
    const points = (isExtrapolated ? last : levels.slice(-1)).map(({ step, moments }) => ({
      step,
      value: moments[n * MOMENT.count + column] ?? Number.NaN,
    }));
    return toZero(points);
  };
  const energy = toZero(isExtrapolated ? energies.slice(1) : energies.slice(-1));
  const refined = toZero(energies);
  const noise = ROUNDING * (Math.abs(energy) + moment(MOMENT.kinetic));
  const [coarse, middle] = levels;
  const order = isExtrapolated && coarse && middle ? observedOrder(coarse, middle, n, refined, 1e4 * noise) : undefined;
  // If the grids do not behave as assumed, all that the last two differ by.
  const isRegular = order === undefined || Math.abs(order - 2) < ORDER_TOLERANCE;
  const doubt = isRegular
    ? safety * Math.abs(energy - refined)
    : Math.abs(energy - (energies.at(-2)?.value ?? Number.NaN));
  return { energy, refined, order, uncertainty: doubt + 4 * noise, moment };
}
