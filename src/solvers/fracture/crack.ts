// A crack in the records of a motion: its speed, and how many branches it has.

import { at } from '../parts/arrays.ts';

/** Damage of a point that a crack has passed, as in the kernel. */
const CRACKED = 0.35;
const MIN_SAMPLES = 4;
/** Cells that a crack grows before its speed is read, and cells of growth that a speed needs. */
const START_CELLS = 2;
const MIN_CELLS = 5;

/**
 * The slope of the line of least squares through the way of the tip, from its start to the far side or its last step.
 *
 * @param end  where the far side begins to matter
 * @returns    NaN if the crack did not grow enough
 */
export function crackSpeed(times: Float64Array, tip: Float64Array, spacing: number, end: number): number {
  const from = at(tip, 0) + START_CELLS * spacing;
  const to = Math.min(end, Math.max(...tip));
  const first = tip.findIndex((x) => x >= from);
  const stop = tip.findIndex((x) => x >= to);
  if (first < 0 || stop - first + 1 < MIN_SAMPLES || to - from < MIN_CELLS * spacing) return Number.NaN;
  const n = stop - first + 1;
  let [t, x] = [0, 0];
  for (let i = first; i <= stop; i++) {
    t += at(times, i) / n;
    x += at(tip, i) / n;
  }
  let [above, below] = [0, 0];
  for (let i = first; i <= stop; i++) {
    const dt = at(times, i) - t;
    above += dt * (at(tip, i) - x);
    below += dt * dt;
  }
  return above / below;
}

/**
 * The largest number of cracks side by side in some columns on end: 1 is a crack that did not branch, 0 none.
 *
 * @param damage  f64[rows, columns]
 * @param first   the column behind the notch
 * @param margin  rows at both ends that do not count, and columns on end that do
 */
export function branchCount(
  damage: Float64Array,
  rows: number,
  columns: number,
  first: number,
  margin: number,
): number {
  const counts = Array.from({ length: Math.max(0, columns - first) }, (_, i) =>
    cracksIn(damage, rows, columns, first + i, margin),
  );
  let most = 0;
  for (let i = 0; i + margin <= counts.length; i++) most = Math.max(most, Math.min(...counts.slice(i, i + margin)));
  return most;
}

/** Runs of damaged points in a column, with two whole points between. */
function cracksIn(damage: Float64Array, rows: number, columns: number, column: number, margin: number): number {
  let count = 0;
  let gap = 2;
  for (let row = margin; row < rows - margin; row++) {
    const isCracked = at(damage, row * columns + column) > CRACKED;
    if (isCracked && gap >= 2) count++;
    gap = isCracked ? 0 : gap + 1;
  }
  return count;
}
