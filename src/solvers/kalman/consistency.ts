// Tests of the innovations against the model: their size (NIS), the errors of simulated runs (NEES), whiteness.
//
// With the right model the normalised squares of the innovations are independent and have a chi-square distribution with as
// many degrees of freedom as channels were measured. Bar-Shalom, Li & Kirubarajan (2001); Ljung & Box, Biometrika
// 65 (1978) 297.

import { powerOfTwo } from '../../core/elementary.ts';
import type { Rows } from '../../kernels/rows.ts';
import { at } from '../parts/arrays.ts';
import { chiSquareQuantile, chiSquareTail } from './chi-square.ts';
import type { KalmanFace } from './face.ts';

export type Scores = Rows<KalmanFace['columns']['score'][number]>;

/** Two-sided 95 %. */
const TAIL = 0.025;
const MAX_LAGS = 20;
/** Rows for each lag, at least. */
const ROWS_PER_LAG = 4;

export interface NisTest {
  readonly mean: number;
  /** Degrees of freedom of all rows, and the mean of a row that was measured. */
  readonly freedom: number;
  readonly expected: number;
  /** Between which the mean lies in 95 of 100 series, if the model is right. */
  readonly low: number;
  readonly high: number;
  /** Chance of a mean as far off. */
  readonly p: number;
  /** Share of the rows inside their own 95 %. */
  readonly inside: number;
}

/** @returns undefined if nothing was measured */
export function nisTest(scores: Scores): NisTest | undefined {
  const [nis, freedoms] = [scores.column('nis'), scores.column('nisFreedom')];
  let sum = 0;
  let freedom = 0;
  let rows = 0;
  let inside = 0;
  const limits = Array.from({ length: 5 }, (_, k) =>
    k === 0 ? ([0, 0] as const) : ([chiSquareQuantile(1 - TAIL, k), chiSquareQuantile(TAIL, k)] as const),
  );
  nis.forEach((one, i) => {
    const own = at(freedoms, i);
    if (own === 0) return;
    rows++;
    sum += one;
    freedom += own;
    const [low, high] = limits[own] ?? [0, 0];
    if (one >= low && one <= high) inside++;
  });
  if (rows === 0) return undefined;
  const tail = chiSquareTail(sum, freedom);
  return {
    mean: sum / rows,
    freedom,
    expected: freedom / rows,
    low: chiSquareQuantile(1 - TAIL, freedom) / rows,
    high: chiSquareQuantile(TAIL, freedom) / rows,
    p: 2 * Math.min(tail, 1 - tail),
    inside: inside / rows,
  };
}

export interface Whiteness {
  /** Of lags 1, 2, …; the mean over the channels. */
  readonly autocorrelation: Float64Array;
  /** What 95 of 100 of them stay below in magnitude. */
  readonly limit: number;
  readonly p: number;
}

/** @param whitened  f64[rows, m]. @param present  bits of the channels. @param tuned  factors that were tuned */
export function whitenessOf(
  whitened: Float64Array,
  present: Float64Array,
  m: number,
  tuned: number,
): Whiteness | undefined {
  const rows = present.length;
  const lags = Math.min(MAX_LAGS, Math.floor(rows / ROWS_PER_LAG));
  if (lags < 1) return undefined;
  const autocorrelation = new Float64Array(lags);
  let statistic = 0;
  let channels = 0;
  let shortest = rows;
  for (let c = 0; c < m; c++) {
    const values = Float64Array.from({ length: rows }, (_, i) => at(whitened, i * m + c));
    const measured = present.reduce((count, bits) => count + (Math.floor(bits / powerOfTwo(c)) % 2), 0);
    const square = values.reduce((sum, one) => sum + one * one, 0);
    if (!(square > 0) || measured <= lags) continue;
    channels++;
    shortest = Math.min(shortest, measured);
    for (let lag = 1; lag <= lags; lag++) {
      let sum = 0;
      for (let i = lag; i < rows; i++) sum += at(values, i) * at(values, i - lag);
      const correlation = sum / square;
      autocorrelation[lag - 1] = at(autocorrelation, lag - 1) + correlation;
      statistic += (measured * (measured + 2) * correlation * correlation) / (measured - lag);
    }
  }
  const freedom = channels * lags - tuned;
  if (channels === 0 || freedom < 1) return undefined;
  return {
    autocorrelation: autocorrelation.map((one) => one / channels),
    limit: 1.959963984540054 / Math.sqrt(shortest * channels),
    p: chiSquareTail(statistic, freedom),
  };
}

export interface NeesTest {
  /** Mean over runs and rows, over the degrees of freedom. */
  readonly mean: number;
  /** Limits of the mean over the runs at a row, and the share of rows inside. */
  readonly low: Float64Array;
  readonly high: Float64Array;
  readonly inside: number;
}

export function neesTest(scores: Scores, runs: number): NeesTest {
  const [nees, freedoms] = [scores.column('nees'), scores.column('neesFreedom')];
  const limits = new Map<number, readonly [number, number]>();
  const limitsOf = (freedom: number) => {
    const known = limits.get(freedom);
    if (known !== undefined) return known;
    const all = freedom * runs;
    const found =
      all === 0
        ? ([0, 0] as const)
        : ([chiSquareQuantile(1 - TAIL, all) / runs, chiSquareQuantile(TAIL, all) / runs] as const);
    limits.set(freedom, found);
    return found;
  };
  const low = freedoms.map((one) => limitsOf(one)[0]);
  const high = freedoms.map((one) => limitsOf(one)[1]);
  let [sum, freedom, inside] = [0, 0, 0];
  nees.forEach((one, i) => {
    sum += one;
    freedom += at(freedoms, i);
    if (one >= at(low, i) && one <= at(high, i)) inside++;
  });
  return { mean: freedom > 0 ? sum / freedom : 0, low, high, inside: inside / nees.length };
}
