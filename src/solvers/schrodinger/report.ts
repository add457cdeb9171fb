// Reports the properties of one state.

import { bound, standard, type Uncertain, uncertain } from '../../core/uncertainty.ts';
import { type Constants, constantsOf } from './constants.ts';
import { type Estimate, type GridResult, type Moment, stateOf } from './grids.ts';
import { KIND } from './potential.ts';
import type { Problem } from './problem.ts';
import { stencilErrorOf } from './stencil.ts';

/** Properties of one state, extrapolated over the grids; its energy has a ± with a budget. */
export interface StateReport extends Uncertain {
  readonly n: number;
  readonly energy: number;
  /** The energy, one order beyond. */
  readonly refined: number;
  readonly order: number | undefined;
  /** Distance to the level below of an even potential; undefined where that is no better than the difference. */
  readonly gap: { readonly value: number; readonly uncertainty: number } | undefined;
  readonly moment: (name: Moment) => number;
  readonly kinetic: number;
  readonly deltaX: number;
  readonly nodes: number;
  /** Whether E < V at every wall that only cuts off a tail. */
  readonly isBound: boolean;
  /** Lower bound of the energy that those walls add. */
  readonly wallShift: number;
  /** Whether those walls are far enough to count as an error, not as a part of the problem. */
  readonly isUnperturbed: boolean;
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

/** Maximum energy that distant walls add, relative to <T>; beyond it they belong to the problem. */
const MAX_WALL_SHIFT = 1e-3;
/** Maximum of (k h)² on the coarsest grid, whose error series converges from about that on. */
const MAX_PHASE = 4;
/** The first-order shift of a wall leaves out higher powers. */
const WALL_SAFETY = 2;
/** Extrapolation from two grids, (4 E_fine − E)/3, enlarges the errors of both. */
const AMPLIFICATION = 5 / 3;
/** Levels closer than this fraction of <T> are a pair, whose distance the flux between the halves gives better. */
const PAIR = 1e-3;
/** Relative rounding of that distance. */
const GAP_ROUNDING = 1e-12;

export function reportOf(
  problem: Problem,
  mainGrid: MainGrid,
  gridResults: readonly GridResult[],
  n: number,
): StateReport {
  const { V } = mainGrid;
  const isResolved = resolutionOf(problem, V, gridResults);
  const stencil = stencilErrorOf(problem, mainGrid, gridResults, n);
  const state = stateOf(gridResults, n, isSmooth(problem) ? 2 : 8, isResolved, stencil);
  const { moment } = state;
  const { value: energy, refined, order } = state.energy;
  const { kind, kinetic: scale, isPhysicalWall, exact } = problem;
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
  const isUnperturbed = isBound && wallShift <= MAX_WALL_SHIFT * kinetic;
  const tails = isUnperturbed ? WALL_SAFETY * wallShift : 0;
  const exactEnergy = isUnperturbed ? exact?.[n] : undefined;
  // Where a step of V lies between the nodes, grids may agree by chance.
  const distance =
    exactEnergy === undefined
      ? Number(kind === KIND.finiteWell) * 2 * state.energy.change
      : Math.abs(energy - exactEnergy);
  const forces = scale * (problem.xmax * slopes[1] - problem.xmin * slopes[0]);
  const budget = uncertain([
    bound('rounding', state.rounding, 'Sturm counts and factorisation, measured against exact discrete levels'),
    bound(
      'discretisation',
      Math.max(state.energy.error + tails, distance),
      tails > 0 ? 'refinement of the grid, and tails that the walls cut' : 'refinement of the grid',
    ),
    bound(
      'iteration',
      AMPLIFICATION * state.iteration,
      'residual of the eigenvector, or the interval of its Sturm count',
    ),
    ...constantContributions(constantsOf(problem, { energy, kinetic, moment })),
  ]);
  return {
    ...budget,
    n,
    energy,
    refined,
    order,
    gap: gapOf(state.gap, kinetic),
    moment,
    kinetic,
    deltaX: Math.sqrt(Math.max(0, moment('xx') - moment('x') * moment('x'))),
    nodes: Math.round(gridResults[1]?.moments.at(n, 'nodes') ?? Number.NaN),
    isBound,
    wallShift,
    isUnperturbed,
    virial: (2 * kinetic - moment('virial') - forces) / (2 * kinetic),
  };
}

/** Whether the shortest wave of a level is resolved. The graded grid of the Coulomb potential follows its waves. */
function resolutionOf(
  { kind, kinetic: scale, xmin, xmax }: Problem,
  V: Float64Array,
  [coarsest]: readonly GridResult[],
): (energy: number) => boolean {
  const h = (xmax - xmin) * (coarsest?.step ?? Number.NaN);
  const bottom = V.reduce((minimum, value) => Math.min(minimum, value), Number.POSITIVE_INFINITY);
  return (energy) => kind === KIND.coulomb || ((energy - bottom) / scale) * h * h < MAX_PHASE;
}

function gapOf(gap: Estimate | undefined, kinetic: number): StateReport['gap'] {
  if (gap === undefined || gap.value > PAIR * kinetic) return undefined;
  return { value: gap.value, uncertainty: gap.error + GAP_ROUNDING * gap.value };
}

function constantContributions({ deviation, names }: Constants): Parameters<typeof uncertain>[0] {
  return deviation === 0 ? [] : [standard('constants', deviation, `CODATA 2022: ${names.join(', ')}`)];
}
