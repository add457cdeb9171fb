// Results of the runs: the map at its recorded times, its distance from the exact motion, and the table.

import { log } from '../../core/elementary.ts';
import type { KernelOutput } from '../../kernels/abi.ts';
import { at } from '../parts/arrays.ts';
import { outputOf } from '../parts/outputs.ts';
import type { ActionFace } from './face.ts';
import { LEVELS, METHODS } from './plan.ts';
import type { Problem } from './problem.ts';

/** States at the recorded times: column c of q1, …, p1, … */
export interface Path {
  readonly t: Float64Array;
  readonly columns: readonly Float64Array[];
  readonly energy: Float64Array;
}

/** Of the exact motion at the times that the map recorded, up to `count`. */
export interface Reference {
  readonly count: number;
  readonly columns: readonly Float64Array[];
  /** Half widths of the exact motion. */
  readonly errors: readonly Float64Array[];
}

export interface TableRow {
  /** 2, 4, 6, 8; 0 is Runge and Kutta's method. */
  readonly order: number;
  readonly steps: number;
  readonly evaluations: number;
  /** Largest |E − E₀|, and the distance of q from the exact one at the end. */
  readonly energyError: number;
  readonly placeError: number;
}

const RESERVE = 3;
const ROUNDINGS = 8 * Number.EPSILON;

function pathOf({ views, statistics }: KernelOutput<ActionFace>, degrees: number): Path {
  const width = 2 + 2 * degrees;
  const data = views.history ?? new Float64Array();
  const count = statistics.recorded ?? 0;
  const column = (c: number) => Float64Array.from({ length: count }, (_, i) => at(data, i * width + c));
  return {
    t: column(0),
    columns: Array.from({ length: 2 * degrees }, (_, c) => column(1 + c)),
    energy: column(1 + 2 * degrees),
  };
}

export function pathsOf(outputs: readonly KernelOutput<ActionFace>[], { degrees, times }: Problem) {
  const [map, first, second] = [0, 1, 2].map((i) => pathOf(outputOf(outputs, i), degrees));
  if (map === undefined || first === undefined || second === undefined) throw new Error('The plan has three runs.');
  const reached = Math.min(first.t.length, second.t.length);
  // Times of the reference that the map recorded too.
  const rows: number[] = [];
  for (let i = 0, k = 0; i < map.t.length && k < reached; k++)
    if (at(times, k) === at(map.t, i)) {
      rows.push(k);
      i++;
    }
  const all = first.columns.map((column, c) => runningError(column, second.columns[c] ?? column));
  const known = rows.filter((k) => isPredictable(first.columns, all, k));
  const columns = first.columns.map((column) => Float64Array.from(known, (k) => at(column, k)));
  return {
    map,
    reference: {
      count: known.length,
      columns,
      errors: all.map((error) => Float64Array.from(known, (k) => at(error, k))),
    } satisfies Reference,
    first,
  };
}

/** Part of the largest number beyond which two exact motions that differ by half a rounding predict nothing. */
const MAX_DOUBT = 1e-3;

function isPredictable(columns: readonly Float64Array[], errors: readonly Float64Array[], k: number): boolean {
  const size = columns.reduce((most, column) => Math.max(most, Math.abs(at(column, k))), 0);
  return errors.every((error) => at(error, k) <= MAX_DOUBT * size);
}

function runningError(one: Float64Array, other: Float64Array): Float64Array {
  let [largest, size] = [0, 0];
  return one.map((value, i) => {
    largest = Math.max(largest, Math.abs(value - at(other, i)));
    size = Math.max(size, Math.abs(value));
    return RESERVE * largest + ROUNDINGS * size;
  });
}

export function tableOf(
  outputs: readonly KernelOutput<ActionFace>[],
  { degrees, compared, dt }: Problem,
  first: Path,
): readonly TableRow[] {
  const table = outputs[3]?.views.table;
  const exact = first.t.indexOf(compared * dt);
  if (table === undefined || exact < 0) return [];
  const width = 4 + 2 * degrees;
  return Array.from({ length: METHODS * LEVELS }, (_, i) => {
    const cell = (c: number) => at(table, i * width + c);
    let placeError = 0;
    for (let c = 0; c < degrees; c++) {
      const off = cell(4 + c) - at(first.columns[c] ?? [], exact);
      placeError += off * off;
    }
    return {
      order: cell(0),
      steps: cell(1),
      evaluations: cell(2),
      energyError: cell(3),
      placeError: Math.sqrt(placeError),
    };
  }).filter(({ energyError, placeError }) => Number.isFinite(energyError) && Number.isFinite(placeError));
}

/** log₁₀, from below by what doubles resolve. */
export const logarithm = (value: number): number => log(Math.max(value, 1e-18)) / Math.LN10;
