// One state of the spectrum as a person wants to see it.

import { type Level, MOMENT, type State, stateOf } from './grids.ts';
import { KIND } from './potential.ts';
import type { Problem } from './problem.ts';

/** One state as a person wants to see it. */
export interface Report extends State {
  readonly n: number;
  readonly kinetic: number;
  readonly deltaX: number;
  readonly nodes: number;
  /** E < V at every wall that only cuts a tail. */
  readonly isBound: boolean;
  /** What those walls add to the energy, at least. */
  readonly wallShift: number;
  /** (2<T> − <x V'> − wall forces) / 2<T> */
  readonly virial: number;
}

/** The N grid in full. */
export interface Drawn {
  readonly x: Float64Array;
  readonly V: Float64Array;
  readonly psi: Float64Array;
}

/** After a jump of V an h³ term of either sign follows the h² term. What an expression does nobody knows. */
const isSmooth = ({ kind }: Problem): boolean => kind !== KIND.finiteWell && kind !== KIND.expression;

export function reportOf(problem: Problem, { V }: Drawn, levels: readonly Level[], n: number): Report {
  const state = stateOf(levels, n, isSmooth(problem) ? 2 : 8);
  const { energy, moment } = state;
  const { kinetic: scale, isWall } = problem;
  const kinetic = moment(MOMENT.kinetic);
  const slopes = [moment(MOMENT.slopeLeft), moment(MOMENT.slopeRight)] as const;
  const heights = [V[0] ?? 0, V[V.length - 1] ?? 0] as const;
  let isBound = true;
  let wallShift = 0;
  for (const side of [0, 1] as const) {
    if (isWall[side]) continue;
    const above = heights[side] - energy;
    if (above > 0) wallShift += (scale * Math.max(0, slopes[side])) / (2 * Math.sqrt(above / scale));
    else isBound = false;
  }
  const forces = scale * (problem.xmax * slopes[1] - problem.xmin * slopes[0]);
  return {
    ...state,
    n,
    kinetic,
    deltaX: Math.sqrt(Math.max(0, moment(MOMENT.xx) - moment(MOMENT.x) * moment(MOMENT.x))),
    nodes: Math.round(levels[1]?.moments[n * MOMENT.count + MOMENT.nodes] ?? Number.NaN),
    isBound,
    wallShift,
    virial: (2 * kinetic - moment(MOMENT.virial) - forces) / (2 * kinetic),
  };
}
