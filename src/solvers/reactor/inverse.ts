// Inverse kinetics: the reactivity that makes a given power, with precursors in equilibrium at its start.
//
// Between two readings the power is exponential, so that the precursors have a closed form: with n = n₀ e^{w s},
// c(s) = c₀ e^{−λ s} + (β/Λ) n₀ (e^{w s} − e^{−λ s})/(w + λ), and ρ = β + Λ w − Λ (Σ λ c + S)/n.

import { exp, expm1, log } from '../../core/elementary.ts';
import { at } from '../parts/arrays.ts';
import type { Groups } from './groups.ts';
import type { Piece } from './program.ts';
import type { Point } from './series.ts';

export interface Inverse {
  readonly pieces: readonly Piece[];
  /** Reactivity at each reading, in Δk/k, of the interval before it. */
  readonly rho: readonly number[];
  readonly n0: number;
  readonly length: number;
  /** Longest distance of two readings. */
  readonly largestGap: number;
}

/**
 * Pieces of ρ in an interval, on which it is taken as straight: short ones first, since short-lived precursors follow a new
 * rate at once.
 */
const PARTS = { min: 4, max: 32, all: 20_000 } as const;

export function inverseOf(points: readonly Point[], groups: Groups, Lambda: number, source: number): Inverse {
  const [first] = points;
  if (first === undefined) throw new Error('A power has no readings.');
  const beta = groups.beta.reduce((sum, one) => sum + one, 0);
  const precursors = groups.beta.map((share, i) => ((share / Lambda) * first.value) / at(groups.lambda, i));
  const pieces: Piece[] = [];
  const rho: number[] = [beta - (Lambda * (delayed(precursors, groups) + source)) / first.value];
  let largestGap = 0;
  const parts = Math.max(PARTS.min, Math.min(PARTS.max, Math.floor(PARTS.all / points.length)));
  for (const [i, { t, value }] of points.slice(1).entries()) {
    const from = points[i] ?? first;
    const length = t - from.t;
    largestGap = Math.max(largestGap, length);
    const rate = log(value / from.value) / length;
    const need = (n: number) => beta + Lambda * rate - (Lambda * (delayed(precursors, groups) + source)) / n;
    let before = need(from.value);
    for (let k = 0; k < parts; k++) {
      const [start, stop] = [k, k + 1].map((edge) => (length * edge * edge) / (parts * parts)) as [number, number];
      const step = stop - start;
      const begin = from.value * exp(rate * start);
      for (const [g, share] of groups.beta.entries()) {
        const decay = at(groups.lambda, g);
        const sum = rate + decay;
        const grown = Math.abs(sum * step) < 1e-9 ? step : expm1(sum * step) / sum;
        precursors[g] = exp(-decay * step) * (at(precursors, g) + (share / Lambda) * begin * grown);
      }
      const end = need(from.value * exp(rate * stop));
      const piece = { from: from.t - first.t + start, value: before, slope: (end - before) / step };
      pieces.push({ ...piece, amplitude: 0, omega: 0 });
      before = end;
    }
    rho.push(before);
  }
  return { pieces, rho, n0: first.value, length: (points.at(-1)?.t ?? first.t) - first.t, largestGap };
}

const delayed = (precursors: readonly number[], { lambda }: Groups): number =>
  precursors.reduce((sum, one, g) => sum + one * at(lambda, g), 0);
