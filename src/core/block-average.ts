// The mean of a correlated history and an honest error of it.

/** A mean with the standard error of it. */
export interface BlockAverage {
  readonly mean: number;
  readonly error: number;
}

/** A level with fewer blocks says too little about the scatter of their means. */
const FEWEST_BLOCKS = 16;

/**
 * Flyvbjerg & Petersen, J. Chem. Phys. 91 (1989) 461, doi:10.1063/1.457480: neighbouring values are joined in
 * pairs again and again, and the naive error of the mean grows with the size of the blocks until these are
 * independent. The largest error among the levels with at least 16 blocks is taken: on a plateau that errs by its
 * own scatter to the safe side, and without one it is a lower bound, as any estimate from so short a history is.
 */
export function blockAverage(history: ArrayLike<number>): BlockAverage {
  const values = Float64Array.from(history);
  let sum = 0;
  for (const value of values) sum += value;
  const mean = sum / values.length;

  let error = naiveError(values, values.length);
  for (let count = values.length >> 1; count >= FEWEST_BLOCKS; count >>= 1) {
    for (let i = 0; i < count; i++) values[i] = 0.5 * ((values[2 * i] ?? 0) + (values[2 * i + 1] ?? 0));
    error = Math.max(error, naiveError(values, count));
  }
  return { mean, error };
}

/** The standard error of the mean of the first `count` values, were they independent. */
function naiveError(values: Float64Array, count: number): number {
  if (count < 2) return 0;
  let sum = 0;
  for (let i = 0; i < count; i++) sum += values[i] ?? 0;
  const mean = sum / count;
  let squares = 0;
  for (let i = 0; i < count; i++) squares += ((values[i] ?? 0) - mean) * ((values[i] ?? 0) - mean);
  return Math.sqrt(squares / (count * (count - 1)));
}
