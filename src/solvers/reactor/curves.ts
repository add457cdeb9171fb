// The curves of a run, from the samples that the kernel records.

import type { KernelOutput } from '../../kernels/abi.ts';
import { rowsOf } from '../../kernels/rows.ts';
import { at } from '../parts/arrays.ts';
import type { ReactorFace } from './face.ts';
import type { Problem } from './problem.ts';

export interface Curves {
  readonly t: Float64Array;
  readonly n: Float64Array;
  /** With feedback, in Δk/k. */
  readonly rho: Float64Array;
  /** n'/n, in 1/s. */
  readonly rate: Float64Array;
  /** All groups, in the power that holds as many in equilibrium. */
  readonly precursors: Float64Array;
  readonly theta: Float64Array;
  readonly integral: Float64Array;
}

const GROUPS = ['c1', 'c2', 'c3', 'c4', 'c5', 'c6'] as const;

/** @param count  rows that both runs have */
export function curvesOf({ views, columns }: KernelOutput<ReactorFace>, problem: Problem, count: number): Curves {
  const { column } = rowsOf(views.samples ?? new Float64Array(), columns.sample);
  const { groups, beta, Lambda, source } = problem;
  const of = (name: Parameters<typeof column>[0]) => column(name).slice(0, count);
  const [t, n, rho, theta, integral] = [of('t'), of('n'), of('rho'), of('theta'), of('integral')];
  const precursors = GROUPS.map(of);
  const steady = groups.beta.reduce((sum, share, i) => sum + share / Lambda / at(groups.lambda, i), 0);
  const rate = n.map((power, row) => {
    const delayed = precursors.reduce((sum, c, i) => sum + at(groups.lambda, i) * at(c, row), source);
    return power > 0 ? (at(rho, row) - beta) / Lambda + delayed / power : 0;
  });
  return {
    t,
    n,
    rho,
    rate,
    precursors: t.map((_, row) => precursors.reduce((sum, c) => sum + at(c, row), 0) / steady),
    theta,
    integral,
  };
}
