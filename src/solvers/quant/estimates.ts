// Means, controls and standard errors from the sums of the kernel.

import type { Rows } from '../../kernels/rows.ts';
import type { QuantFace } from './face.ts';

/** Groups of samples, whose means scatter. */
export const GROUPS = 32;

type Column = QuantFace['columns']['record'][number];
export type Estimator = 'price' | 'delta' | 'gamma' | 'vega' | 'rho';

export interface Estimate {
  readonly value: number;
  /** Standard error. */
  readonly error: number;
  /** Variance without the control over that with it. */
  readonly gain: number;
}

/** Student's t over 2 with 31 degrees of freedom: what few replicates do not know of their own scatter. */
const STUDENT = 2.0395 / 2;

/** Squares below it lose their digits, so that the scatter is not known. */
const TINY = 1e-290;

/** The sampled sums of a run. */
export class Sums {
  readonly #rows: Rows<Column>;
  readonly #isSobol: boolean;
  readonly #hasControl: boolean;

  constructor(rows: Rows<Column>, isSobol: boolean, hasControl: boolean) {
    this.#rows = rows;
    this.#isSobol = isSobol;
    this.#hasControl = hasControl;
  }

  total(column: Column, groups = GROUPS): number {
    let sum = 0;
    for (let g = 0; g < groups; g++) sum += this.#rows.at(g, column);
    return sum;
  }

  /** @param centre  what the kernel subtracted; from the control it subtracts the mean, which is known */
  estimate(name: Estimator, centre = 0): Estimate {
    const { mean, control, variance, slope, covariance, count } = this.#moments(name);
    const rest = Math.max(0, variance - slope * covariance);
    const own = this.#isSobol ? this.#scatter(name, slope) : Math.sqrt(rest / Math.max(1, count - 2));
    const error = mean * mean < TINY ? Math.max(own, Math.abs(mean)) : own;
    return { value: centre + mean - slope * control, error, gain: rest > 0 ? variance / rest : 1 };
  }

  /** Mean of the control less what is known of it. */
  control(): Estimate {
    const { control, controlVariance, count } = this.#moments('price');
    const error = this.#isSobol ? this.#scatter('control', 0) : Math.sqrt(controlVariance / Math.max(1, count - 1));
    return { value: control, error, gain: 1 };
  }

  /** The price and its error after the first groups. @param all  after all of them */
  after(
    groups: number,
    centre: number,
    all: Estimate,
  ): { readonly count: number; readonly value: number; readonly error: number } {
    const count = this.total('count', groups);
    const { slope, count: final } = this.#moments('price');
    const value = centre + (this.total('price', groups) - slope * this.total('control', groups)) / count;
    return { count, value, error: all.error * Math.sqrt(final / count) };
  }

  #moments(name: Estimator) {
    const count = this.total('count');
    const mean = this.total(name) / count;
    const control = this.total('control') / count;
    const variance = Math.max(0, this.total(`${name}2`) / count - mean * mean);
    const controlVariance = Math.max(0, this.total('control2') / count - control * control);
    const covariance = this.total(`${name}Control`) / count - mean * control;
    const slope = this.#hasControl && controlVariance > 0 ? covariance / controlVariance : 0;
    return { count, mean, control, variance, controlVariance, covariance, slope };
  }

  /** Standard error of the mean of replicates. */
  #scatter(column: Column, slope: number): number {
    const means: number[] = [];
    for (let g = 0; g < GROUPS; g++) {
      const count = this.#rows.at(g, 'count');
      if (count > 0) means.push((this.#rows.at(g, column) - slope * this.#rows.at(g, 'control')) / count);
    }
    const centre = means.reduce((sum, one) => sum + one, 0) / means.length;
    const squares = means.reduce((sum, one) => sum + (one - centre) * (one - centre), 0);
    return STUDENT * Math.sqrt(squares / Math.max(1, means.length - 1) / means.length);
  }
}
