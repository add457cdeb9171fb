// The filter as textbooks write it, in the plainest TypeScript: gain, Joseph's form, likelihood. For tests and the bench.

import { log } from '../../core/elementary.ts';
import { congruence, type Matrix, matrixOf, minus, plus, times, transpose } from './matrix.ts';
import { gainOf, josephOf } from './steady.ts';

export interface LinearModel {
  readonly F: Matrix;
  readonly H: Matrix;
  readonly Q: Matrix;
  readonly R: Matrix;
  readonly x0: readonly number[];
  readonly P0: Matrix;
}

export interface FilterState {
  readonly x: Matrix;
  readonly P: Matrix;
  readonly logLikelihood: number;
}

const LOG_2_PI = 1.8378770664093453;

/** After all rows, each of which has one number a channel. The likelihood is of one channel, else NaN. */
export function plainFilter({ F, H, Q, R, x0, P0 }: LinearModel, rows: readonly (readonly number[])[]): FilterState {
  let x: Matrix = x0.map((one) => [one]);
  let P = P0;
  let logLikelihood = 0;
  rows.forEach((row, k) => {
    if (k > 0) {
      x = times(F, x);
      P = plus(congruence(F, P), Q);
    }
    const innovation = minus(
      row.map((one) => [one]),
      times(H, x),
    );
    const K = gainOf(P, H, R) ?? matrixOf(x0.length, row.length, () => 0);
    const S = plus(times(times(H, P), transpose(H)), R);
    x = plus(x, times(K, innovation));
    P = josephOf(P, K, H, R);
    const [[s = Number.NaN] = [], [e = Number.NaN] = []] = [S[0], innovation[0]];
    logLikelihood += row.length === 1 ? -0.5 * (LOG_2_PI + log(s) + (e * e) / s) : Number.NaN;
  });
  return { x, P, logLikelihood };
}
