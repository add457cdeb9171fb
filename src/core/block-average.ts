// Block averaging: the mean of a correlated history and its standard error.

/** A mean with its standard error. */
export interface BlockAverage {
  readonly mean: number;
  readonly error: number;
}

/** Minimum number of blocks of a level; fewer give no reliable variance. */
const MIN_BLOCKS = 16;

/**
 * Flyvbjerg & Petersen, J. Chem. Phys. 91 (1989) 461, doi:10.1063/1.457480: neighbouring values are
 * averaged in pairs repeatedly, and the naive error of the mean grows with the block size until the blocks are
 * independent. The result is the largest error of the levels with at least 16 blocks: on a plateau it errs on the safe
 * side by the scatter; without a plateau it is a lower bound, like any estimate from so short a history.
 */
export function blockAverage(history: ArrayLike<number>): BlockAverage {
  const values = Float64Array.from(history);
  let sum = 0;
  for (const value of values) sum += value;
  const mean = sum / values.length;

  let error = naiveError(values, values.length);
  for (let count = values.length >> 1; count >= MIN_BLOCKS; count >>= 1) {
    for (let i = 0; i < count; i++) values[i] = 0.5 * ((values[2 * i] ?? 0) + (values[2 * i + 1] ?? 0));
    error = Math.max(error, naiveError(values, count));
  }
  return { mean, error };
}

/** The standard error of the mean of the first `count` values, assuming independence. */
function naiveError(values: Float64Array, count: number): number {
  if (count < 2) return 0;
  let sum = 0;
  for (let i = 0; i < count; i++) sum += values[i] ?? 0;
  const mean = sum / count;
  let squares = 0;
  for (let i = 0; i < count; i++) squares += ((values[i] ?? 0) - mean) * ((values[i] ?? 0) - mean);
  return Math.sqrt(squares / (count * (count - 1)));
}
