// A table of a sweep: a row for each point, with the swept inputs, the value and its ±.

import type { ErrorCode } from '../core/errors.ts';

/** Rows `from` to `to`, both included, counted from 0. */
export interface RowRange {
  readonly from: number;
  readonly to: number;
}

export interface Table {
  /** The swept inputs, the first outermost, then `value` and `uncertainty`. */
  readonly columns: readonly string[];
  /** Of each column. */
  readonly units: readonly string[];
  /** Row-major; NaN is the value and ± of a row that was refused. */
  readonly data: Float64Array;
  /** Rows without a value, and why. */
  readonly refused: readonly (RowRange & { readonly code: ErrorCode })[];
  /** Rows whose result did not converge. */
  readonly unconverged: readonly RowRange[];
}

/** Appends a row to ranges; rows come in order. */
export function appendRow<Range extends RowRange>(
  ranges: Range[],
  row: number,
  other: Omit<Range, 'from' | 'to'>,
): void {
  const last = ranges.at(-1);
  const isNext =
    last?.to === row - 1 && Object.entries(other).every(([name, value]) => last[name as keyof Range] === value);
  if (last !== undefined && isNext) ranges[ranges.length - 1] = { ...last, to: row };
  else ranges.push({ from: row, to: row, ...other } as Range);
}
