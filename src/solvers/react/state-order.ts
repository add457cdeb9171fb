// The order at which whole states converge: it stands in for that of a single number whose changes cross zero.

import { log } from '../../core/elementary.ts';
import { at } from '../parts/arrays.ts';
import type { Level } from './problem.ts';

/** Variation of a state that counts as uniform, relative to its size. */
const UNIFORM = 1e-3;

/** A state on a grid: u, then v, row-major. */
export interface GridState {
  readonly level: Level;
  readonly values: Float64Array;
}

/** How states on three grids approach each other, in the root mean square over the coarsest. */
export interface Comparison {
  /** Undefined if a state does not change. */
  readonly order: number | undefined;
  /** The change between the two finest, relative to the variation of the state over the domain. */
  readonly change: number;
}

/**
 * @param logRatio  natural logarithm of the ratio of the spacings
 * @returns undefined if a state is missing
 */
export function compareStates(
  states: readonly GridState[],
  isPeriodic: boolean,
  logRatio: number,
): Comparison | undefined {
  const [fine, middle, coarse] = states;
  if (fine === undefined || middle === undefined || coarse === undefined) return undefined;
  const [a, b] = [valuesOn(coarse.level, fine, isPeriodic), valuesOn(coarse.level, middle, isPeriodic)];
  const [near, far] = [distance(a, b), distance(b, coarse.values)];
  const variation = distance(a, meanOf(a));
  return {
    order: near > 0 && far > 0 ? log(far / near) / logRatio : undefined,
    // Changes of a uniform state are roundings.
    change: variation > UNIFORM * distance(a, new Float64Array(a.length)) ? near / variation : 0,
  };
}

/** The state that is uniform with the means of u and v. */
function meanOf(values: Float64Array): Float64Array {
  const half = values.length / 2;
  const means = [values.subarray(0, half), values.subarray(half)].map((part) => part.reduce((s, v) => s + v, 0) / half);
  return values.map((_, i) => means[i < half ? 0 : 1] ?? Number.NaN);
}

function distance(a: Float64Array, b: Float64Array): number {
  return Math.sqrt(a.reduce((sum, value, i) => sum + (value - at(b, i)) * (value - at(b, i)), 0));
}

/** A state at the cell centers of another grid of the same domain: cubic interpolation. */
function valuesOn({ columns, rows }: Level, { level, values }: GridState, isPeriodic: boolean): Float64Array {
  const along = weights(level.columns, columns, isPeriodic);
  const across = weights(level.rows, rows, isPeriodic);
  const result = new Float64Array(2 * columns * rows);
  const cells = level.columns * level.rows;
  for (let species = 0; species < 2; species++)
    for (let j = 0; j < rows; j++)
      for (let i = 0; i < columns; i++) {
        let sum = 0;
        for (const { cell: q, weight: y } of across[j] ?? [])
          for (const { cell: p, weight: x } of along[i] ?? [])
            sum += x * y * at(values, species * cells + q * level.columns + p);
        result[(species * rows + j) * columns + i] = sum;
      }
  return result;
}

/** For each center of a new axis, the cells about it and their weights. */
function weights(cells: number, newCells: number, isPeriodic: boolean) {
  const inside = (cell: number) => {
    if (isPeriodic) return (cell + cells) % cells;
    return cell < 0 ? -1 - cell : cell >= cells ? 2 * cells - 1 - cell : cell;
  };
  return Array.from({ length: newCells }, (_, i) => {
    if (cells === 1) return [{ cell: 0, weight: 1 }];
    const s = ((i + 0.5) * cells) / newCells - 0.5;
    const first = Math.floor(s) - 1;
    return [0, 1, 2, 3].map((n) => {
      const others = [0, 1, 2, 3].filter((k) => k !== n);
      const weight = others.reduce((w, k) => (w * (s - first - k)) / (n - k), 1);
      return { cell: inside(first + n), weight };
    });
  });
}
