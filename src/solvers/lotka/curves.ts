// The way of a run: populations over time from the logarithms that the kernel records.

import { exp, expm1 } from '../../core/elementary.ts';
import { DomainError } from '../../core/errors.ts';
import { INFO, type KernelOutput } from '../../kernels/abi.ts';
import { rowsOf } from '../../kernels/rows.ts';
import { at, last, maxMagnitude } from '../parts/arrays.ts';
import type { LotkaFace } from './face.ts';
import type { Problem } from './problem.ts';

export interface Curves {
  readonly t: Float64Array;
  /** Logarithms, over the equilibrium if there is one. */
  readonly p: Float64Array;
  readonly q: Float64Array;
  readonly prey: Float64Array;
  readonly predators: Float64Array;
  readonly steps: number;
}

/** @throws DomainError NUMERIC_OVERFLOW, BUDGET_EXCEEDED */
export function curvesOf(output: KernelOutput<LotkaFace>, problem: Problem): Curves {
  const { info, views, statistics, columns } = output;
  const { tEnd, equilibrium, regime } = problem;
  const { accepted = 0, rejected = 0 } = statistics;
  if (info === INFO.nonFinite) {
    const message = `A population exceeds every double before t = ${tEnd} (${regime}). Take a smaller t_end.`;
    throw new DomainError('NUMERIC_OVERFLOW', message, { facts: { t_end: tEnd } });
  }
  if (info !== INFO.ok) {
    const message = `The curves need more steps than they were given: ${accepted} were made in a part of ${tEnd}. Take a smaller t_end.`;
    throw new DomainError('BUDGET_EXCEEDED', message, { facts: { t_end: tEnd } });
  }
  const { column } = rowsOf(views.samples ?? new Float64Array(), columns.sample);
  const [t, p, q] = [column('t'), column('p'), column('q')];
  const hasPrey = regime !== 'no prey' && regime !== 'nobody';
  const hasPredators = regime !== 'no predators' && regime !== 'nobody';
  const [x, y] = [equilibrium?.prey ?? 1, equilibrium?.predators ?? 1];
  return {
    t,
    p,
    q,
    prey: p.map((one) => (hasPrey ? x * exp(one) : 0)),
    predators: q.map((one) => (hasPredators ? y * exp(one) : 0)),
    steps: accepted + rejected,
  };
}

/**
 * Largest difference of two runs, in parts of the largest population; or as a shift in time, in parts of the length, if
 * that is less: an outbreak that is shorter than the digits of the time is found a little earlier or later.
 */
export function differenceOf(one: Curves, other: Curves, problem: Problem): number {
  const scales = { prey: maxMagnitude(one.prey), predators: maxMagnitude(one.predators) };
  let largest = 0;
  for (const row of one.t.keys()) {
    const rates = ratesOf(problem, at(one.p, row), at(one.q, row));
    const of = (name: 'prey' | 'predators', change: number, rate: number) => {
      const difference = Math.abs(at(one[name], row) - at(other[name], row));
      if (difference === 0) return 0;
      return Math.min(difference / scales[name], Math.abs(change) / (rate * problem.tEnd));
    };
    largest = Math.max(
      largest,
      of('prey', at(one.p, row) - at(other.p, row), rates[0]),
      of('predators', at(one.q, row) - at(other.q, row), rates[1]),
    );
  }
  return largest;
}

export interface End {
  readonly prey: number;
  readonly preyUncertainty: number;
  readonly predators: number;
  readonly predatorsUncertainty: number;
}

/** Two runs at the same tolerance differ by about the error of either; what a few steps tolerate comes on top. */
const RESERVE = 3;
const TOLERATED = 4e-12;

/** The populations at the end; each ± from the second run, and from what rounding of rates does to the time. */
export function endOf(curves: Curves, second: Curves, problem: Problem): End {
  const [p, q] = [last(curves.p), last(curves.q)];
  const [preyRate, predatorRate] = ratesOf(problem, p, q);
  const turns = Math.sqrt(curves.steps);
  const width = (value: number, other: number, rate: number) =>
    expm1(
      RESERVE * Math.abs(value - other) +
        TOLERATED * (1 + Math.abs(value)) +
        Number.EPSILON * (32 + 8 * Math.abs(value) + 2 * turns + 16 * Math.abs(rate) * problem.tEnd),
    );
  const [prey, predators] = [last(curves.prey), last(curves.predators)];
  return {
    prey,
    preyUncertainty: prey * width(p, last(second.p), preyRate),
    predators,
    predatorsUncertainty: predators * width(q, last(second.q), predatorRate),
  };
}

/** Slopes of the logarithms, by their largest terms. */
function ratesOf({ coefficients: k, equilibrium }: Problem, p: number, q: number): readonly [number, number] {
  const [x, y] = [exp(p), exp(q)];
  if (equilibrium === undefined)
    return [Math.abs(k.growth) + k.crowding * x + k.attack * y, k.loss + (k.gain * x) / (1 + k.saturation * x)];
  const s = 1 + k.saturation * x;
  const [P, Q] = [Math.abs(expm1(p)), Math.abs(expm1(q))];
  return [(P * (Math.abs(k.growth) + k.crowding * (1 + x)) + k.attack * Q) / s, (k.loss * P) / s];
}
