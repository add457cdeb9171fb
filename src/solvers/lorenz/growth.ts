// Exponents from the blocks of a run: means, standard errors by means of batches, and whether they drift.
//
// Batches are so long that they forget each other; those of two lengths are compared and the larger error counts. Flyvbjerg
// & Petersen, J. Chem. Phys. 91 (1989) 461.

import { at } from '../parts/arrays.ts';

/** Numbers of batches of all blocks, and of each half. */
const BATCHES = [32, 16] as const;
const HALF_BATCHES = 16;

/** An average along the way. */
export interface Mean {
  readonly value: number;
  /** Standard error. */
  readonly error: number;
  /** The mean of the second half less that of the first. */
  readonly drift: number;
  /** Of the drift. */
  readonly driftError: number;
}

export interface Growth {
  /** Ends of the blocks, from the end of the transient. */
  readonly times: Float64Array;
  /** The largest first. */
  readonly exponents: readonly Mean[];
  /** Of each exponent: its mean up to the end of each block. */
  readonly running: readonly Float64Array[];
  /** Mean trace of the Jacobian matrix: how fast volumes grow. */
  readonly divergence: Mean;
  /** The largest slope of a state in each block. */
  readonly speeds: Float64Array;
}

/** @param blocks  f64[count, n + 3], as the kernel writes them */
export function growthOf(blocks: Float64Array, n: number): Growth {
  const width = n + 3;
  const column = (index: number) =>
    Float64Array.from({ length: blocks.length / width }, (_, row) => at(blocks, row * width + index));
  const times = column(0);
  const sums = Array.from({ length: n }, (_, i) => column(1 + i));
  const exponents = sums
    .map((sum) => ({ mean: meanOf(sum, times), running: sum.map((one, row) => one / at(times, row)) }))
    .sort((a, b) => b.mean.value - a.mean.value);
  return {
    times,
    exponents: exponents.map(({ mean }) => mean),
    running: exponents.map(({ running }) => running),
    divergence: meanOf(column(1 + n), times),
    speeds: column(2 + n),
  };
}

function meanOf(sums: Float64Array, times: Float64Array): Mean {
  const rows = times.length;
  const rate = (from: number, to: number) => {
    const [low, start] = from === 0 ? [0, 0] : [at(sums, from - 1), at(times, from - 1)];
    return (at(sums, to - 1) - low) / (at(times, to - 1) - start);
  };
  const errorOf = (from: number, to: number, batches: number) => {
    const size = (to - from) / batches;
    const rates = Array.from({ length: batches }, (_, b) => rate(from + b * size, from + (b + 1) * size));
    const mean = rates.reduce((sum, one) => sum + one, 0) / batches;
    const squares = rates.reduce((sum, one) => sum + (one - mean) * (one - mean), 0);
    return Math.sqrt(squares / (batches * (batches - 1))) * studentFactor(batches);
  };
  const half = rows / 2;
  const drift = rate(half, rows) - rate(0, half);
  const [first, second] = [errorOf(0, half, HALF_BATCHES), errorOf(half, rows, HALF_BATCHES)];
  const time = at(times, rows - 1);
  const value = rate(0, rows);
  const scatter = BATCHES.reduce((largest, batches) => Math.max(largest, errorOf(0, rows, batches)), 0);
  return {
    value,
    error: Math.min(scatter, rangeOf(sums, times, value) / time),
    drift,
    driftError: Math.sqrt(first * first + second * second),
  };
}

/**
 * How far a sum strays from its mean growth, in both directions together.
 *
 * A sum that stays within a band, as along a limit cycle, has an error of the band over the time. One that strays as
 * chance does has a band of about its error times the time, so the band is hardly a smaller bound for it.
 */
function rangeOf(sums: Float64Array, times: Float64Array, value: number): number {
  let [low, high] = [0, 0];
  for (let row = 0; row < sums.length; row++) {
    const rest = at(sums, row) - value * at(times, row);
    low = Math.min(low, rest);
    high = Math.max(high, rest);
  }
  return high - low;
}

/** Few batches tell little about their own scatter: the square of a quantile of Student over that of the normal law. */
const studentFactor = (n: number): number => Math.sqrt((n - 1) / (n - 3));
