// Two close starts: how their distance grows, and until when a forecast holds.

import { log } from '../../core/elementary.ts';
import { INFO, type KernelOutput } from '../../kernels/abi.ts';
import { at } from '../parts/arrays.ts';
import type { LorenzFace } from './face.ts';
import type { Problem } from './problem.ts';

const COLUMNS = 3;

export interface Pair {
  readonly times: Float64Array;
  readonly distances: Float64Array;
  /** The watched state of either. */
  readonly first: Float64Array;
  readonly second: Float64Array;
  /** When the distance reaches the tolerance; undefined if it does not. */
  readonly horizon?: { readonly value: number; readonly uncertainty: number } | undefined;
  /** The distance at the horizon, or at the end, and when. */
  readonly last: { readonly time: number; readonly distance: number };
}

/** Undefined if either run left every bound or needs too many steps. */
export function pairOf(
  output: KernelOutput<LorenzFace>,
  witness: KernelOutput<LorenzFace>,
  { pairTime, tolerance }: Problem,
): Pair | undefined {
  if (output.info !== INFO.ok || witness.info !== INFO.ok) return undefined;
  const rows = output.views.pair ?? new Float64Array();
  const count = rows.length / COLUMNS;
  const column = (data: Float64Array, index: number) =>
    Float64Array.from({ length: count }, (_, row) => at(data, row * COLUMNS + index));
  const distances = column(rows, 0);
  const times = distances.map((_, row) => (pairTime * row) / (count - 1));
  const crossing = crossingOf(distances, times, tolerance);
  const other = crossingOf(column(witness.views.pair ?? new Float64Array(), 0), times, tolerance);
  const horizon =
    crossing === undefined
      ? undefined
      : { value: crossing.time, uncertainty: crossing.error + 2 * Math.abs(crossing.time - (other?.time ?? pairTime)) };
  const lastRow = crossing?.row ?? lastPositive(distances);
  return {
    times,
    distances,
    first: column(rows, 1),
    second: column(rows, 2),
    horizon,
    last: { time: at(times, lastRow), distance: at(distances, lastRow) },
  };
}

/** By straight lines between logarithms; they may err by twice what the bend of the curve says. */
function crossingOf(distances: Float64Array, times: Float64Array, tolerance: number) {
  const row = distances.findIndex((one) => one >= tolerance);
  if (row < 1) return undefined;
  const [before, after] = [at(distances, row - 1), at(distances, row)];
  const step = at(times, row) - at(times, row - 1);
  const rise = log(after / before);
  const part = before > 0 ? log(tolerance / before) / rise : 1;
  const bend = Math.max(bendAt(distances, row - 1), bendAt(distances, row));
  return { row, time: at(times, row - 1) + part * step, error: step * Math.min(0.5, bend / (4 * rise)) };
}

/** How much the slope of the logarithm changes in a step, of which a straight line errs by an eighth. */
function bendAt(distances: Float64Array, row: number): number {
  const [before, here, after] = [row - 1, row, row + 1].map((k) => distances[k] ?? 0);
  return before && here && after ? Math.abs(log(after / here) - log(here / before)) : Number.POSITIVE_INFINITY;
}

function lastPositive(distances: Float64Array): number {
  for (let row = distances.length - 1; row > 0; row--) if (at(distances, row) > 0) return row;
  return 0;
}
