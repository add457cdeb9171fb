// Reports the properties of one state.

import { type GridResult, type State, stateOf } from './grids.ts';
import { KIND } from './potential.ts';
import type { Problem } from './problem.ts';

/** Properties of one state, extrapolated over the grids. */
export interface StateReport extends State {
  readonly n: number;
  readonly kinetic: number;
  readonly deltaX: number;
  readonly nodes: number;
  /** Whether E < V at every wall that only cuts off a tail. */
  readonly isBound: boolean;
  /** Lower bound of the energy that those walls add. */
  readonly wallShift: number;
  /** (2<T> − <x V'> − wall forces) / 2<T> */
  readonly virial: number;
}

/** Nodes, potential and wave functions on the N grid. */
export interface MainGrid {
  readonly x: Float64Array;
  readonly V: Float64Array;
  readonly psi: Float64Array;
}

/** After a jump of V an h³ term of either sign follows the h² term; an expression may jump too. */
const isSmooth = ({ kind }: Problem): boolean => kind !== KIND.finiteWell && kind !== KIND.expression;

export function reportOf(
  problem: Problem,
  { V }: MainGrid,
  gridResults: readonly GridResult[],
  n: number,
): StateReport {
  const state = stateOf(gridResults, n, isSmooth(problem) ? 2 : 8);
  const { energy, moment } = state;
  const { kinetic: scale, isPhysicalWall } = problem;
  const kinetic = moment('kinetic');
  const slopes = [moment('slopeLeft'), moment('slopeRight')] as const;
  const heights = [V[0] ?? 0, V[V.length - 1] ?? 0] as const;
  let isBound = true;
  let wallShift = 0;
  for (const side of [0, 1] as const) {
    if (isPhysicalWall[side]) continue;
    const barrier = heights[side] - energy;
    if (barrier > 0) wallShift += (scale * Math.max(0, slopes[side])) / (2 * Math.sqrt(barrier / scale));
    else isBound = false;
  }
  const forces = scale * (problem.xmax * slopes[1] - problem.xmin * slopes[0]);
  return {
    ...state,
    n,
    kinetic,
    deltaX: Math.sqrt(Math.max(0, moment('xx') - moment('x') * moment('x'))),
    nodes: Math.round(gridResults[1]?.moments.at(n, 'nodes') ?? Number.NaN),
    isBound,
    wallShift,
    virial: (2 * kinetic - moment('virial') - forces) / (2 * kinetic),
  };
}
