// The mean of a correlated history and its standard error, from the autocorrelation time.

/** A mean with its standard error. */
export interface CorrelatedMean {
  readonly mean: number;
  readonly error: number;
  /** Number of independent values that would have this error. */
  readonly independent: number;
}

/** Window of the sum of autocorrelations, in autocorrelation times (Sokal). */
const WINDOW = 5;
/** The search for a slow remainder goes to so many windows, and to so large a share of the history. */
const MAX_WINDOWS = 2;
const MAX_SHARE = 1 / 3;

/**
 * Var(mean) = 2 S / n, where S sums the autocovariances up to a window of 5 autocorrelation times (A. Sokal, Monte Carlo
 * Methods in Statistical Mechanics, 1996, §3). Three corrections for short histories:
 *
 * - The sum is the largest up to twice that window. A fast oscillation cancels most of it and so closes the window
 *   before a slow remainder is seen.
 * - Deviations are from the mean of the same history, which takes S times (2 m + 1) / n from the sum of m lags.
 * - The sum itself scatters: its relative variance is 2 (2 m + 1) / n, half of which is added to the variance.
 */
export function correlatedMean(history: ArrayLike<number>): CorrelatedMean {
  const { mean, covariance } = deviationsOf(history);
  const n = history.length;
  const variance = covariance(0);
  if (!(variance > 0)) return { mean, error: 0, independent: n };

  const maxLag = Math.max(1, Math.floor(MAX_SHARE * n));
  let sum = 0.5 * variance;
  let squares = variance / n;
  let window = maxLag;
  let lag = 0;
  while (lag < Math.min(maxLag, MAX_WINDOWS * window)) {
    lag++;
    sum += covariance(lag);
    squares = Math.max(squares, (2 * sum) / Math.max(1, n - 2 * lag - 1));
    if (window === maxLag && lag >= WINDOW * Math.max(0.5, sum / variance)) window = lag;
  }
  squares *= 1 + (2 * lag + 1) / n;
  return { mean, error: Math.sqrt(squares), independent: variance / squares };
}

/**
 * The mean of a history whose slowest part is a multiple of another history, as every average of a thermostatted system
 * follows its total energy. The part along `slow` and the rest have an error each: in their sum, the fast part would
 * close the window too early.
 * @param slowError  the standard error of the mean of `slow`, if more is known than its history says
 */
export function correlatedMeanAlong(
  history: ArrayLike<number>,
  slow: ArrayLike<number>,
  slowError = correlatedMean(slow).error,
): CorrelatedMean {
  const { mean, covariance, deviation } = deviationsOf(history);
  const along = deviationsOf(slow).deviation;
  const slope = slopeAlong(history, slow);
  const restError = correlatedMean(deviation.map((value, i) => value - slope * (along[i] ?? 0))).error;
  const squares = slope * slope * slowError * slowError + restError * restError;
  return { mean, error: Math.sqrt(squares), independent: squares > 0 ? covariance(0) / squares : history.length };
}

/** The slope of the regression of a history on another one. */
export function slopeAlong(history: ArrayLike<number>, other: ArrayLike<number>): number {
  const along = deviationsOf(other);
  const variance = along.covariance(0);
  return variance > 0 ? covarianceOf(deviationsOf(history).deviation, along.deviation) / variance : 0;
}

function deviationsOf(history: ArrayLike<number>) {
  const n = history.length;
  let total = 0;
  for (let i = 0; i < n; i++) total += history[i] ?? 0;
  const mean = total / n;
  const deviation = Float64Array.from(history, (value) => value - mean);
  const covariance = (lag: number) => covarianceOf(deviation, deviation, lag);
  return { mean, deviation, covariance };
}

/** Σ a_i b_{i + lag} / n */
function covarianceOf(a: Float64Array, b: Float64Array, lag = 0): number {
  let sum = 0;
  for (let i = 0; i + lag < a.length; i++) sum += (a[i] ?? 0) * (b[i + lag] ?? 0);
  return sum / a.length;
}
