// Means of histories, with errors that count what a history of few changes cannot show, and ratios of loops.

import { type CorrelatedMean, correlatedMean } from '../../core/correlated-mean.ts';
import { log } from '../../core/elementary.ts';
import { at } from '../parts/arrays.ts';

/** Three events are missed in one of twenty runs: the error that two of them have. */
const UNSEEN = 1.5;

/** @param quantum  smallest change of an element of the history, 0 if it changes evenly */
export function meanOf(history: ArrayLike<number>, quantum = 0): CorrelatedMean {
  const found = correlatedMean(history);
  return { ...found, error: Math.max(found.error, (UNSEEN * quantum) / history.length) };
}

/** Integrated autocorrelation time in elements of the history, with two standard errors of it (Madras & Sokal 1988). */
export function correlationTime({ independent }: CorrelatedMean, count: number) {
  const tau = count / (2 * independent);
  return { tau, uncertainty: 2 * tau * Math.sqrt((2 * (2 * Math.max(1, 5 * tau) + 1)) / count) };
}

/** Standard error of the mean of blocks, as if blocks were independent, for blocks of 1, 2, 4, … elements. */
export function binning(history: ArrayLike<number>): { readonly sizes: number[]; readonly errors: number[] } {
  const sizes: number[] = [];
  const errors: number[] = [];
  let blocks = Float64Array.from(history);
  for (let size = 1; blocks.length >= 16; size *= 2) {
    const mean = blocks.reduce((sum, one) => sum + one, 0) / blocks.length;
    const squares = blocks.reduce((sum, one) => sum + (one - mean) * (one - mean), 0);
    sizes.push(size);
    errors.push(Math.sqrt(squares / (blocks.length - 1) / blocks.length));
    const pairs = blocks;
    blocks = Float64Array.from(
      { length: pairs.length >> 1 },
      (_, i) => 0.5 * (at(pairs, 2 * i) + at(pairs, 2 * i + 1)),
    );
  }
  return { sizes, errors };
}

/** Means of Wilson loops over all records, and the logarithms of their ratios. */
export class Loops {
  readonly side: number;
  readonly means: readonly CorrelatedMean[];
  readonly #data: Float64Array;
  readonly #quantum: number;

  /** @param quantum  smallest change of a record, 0 if it changes evenly */
  constructor(data: Float64Array, side: number, quantum: number) {
    this.side = side;
    this.#data = data;
    this.#quantum = quantum;
    this.means = Array.from({ length: side * side }, (_, i) => meanOf(this.#history(i), quantum));
  }

  #history(index: number): Float64Array {
    const width = this.side * this.side;
    return Float64Array.from({ length: this.#data.length / width }, (_, row) => at(this.#data, row * width + index));
  }

  /**
   * Creutz's ratio −ln [W(r, t) W(r − 1, t − 1) / (W(r, t − 1) W(r − 1, t))], with W = 1 for a side of 0, and its standard
   * error; undefined where a loop is lost in its noise.
   */
  creutz(r: number, t: number): { readonly value: number; readonly error: number } | undefined {
    const corners = [
      { index: this.#index(r, t), sign: -1 },
      { index: this.#index(r - 1, t - 1), sign: -1 },
      { index: this.#index(r, t - 1), sign: 1 },
      { index: this.#index(r - 1, t), sign: 1 },
    ].filter(({ index }) => index >= 0);
    let value = 0;
    const rows = this.#data.length / (this.side * this.side);
    const influence = new Float64Array(rows);
    for (const { index, sign } of corners) {
      const { mean, error, independent } = this.means[index] as CorrelatedMean;
      if (!(mean > SIGNIFICANT * error) || independent < MIN_INDEPENDENT) return undefined;
      value += sign * log(mean);
      const history = this.#history(index);
      for (let row = 0; row < rows; row++) influence[row] = at(influence, row) + (sign * at(history, row)) / mean;
    }
    return { value, error: meanOf(influence, this.#quantum).error };
  }

  /** −1 for a loop with a side of 0. */
  #index(r: number, t: number): number {
    return r === 0 || t === 0 ? -1 : (r - 1) * this.side + t - 1;
  }
}

/** Standard errors that a loop must be above 0 for its logarithm. */
const SIGNIFICANT = 8;
/** Independent records without which an error is not known. */
const MIN_INDEPENDENT = 20;
