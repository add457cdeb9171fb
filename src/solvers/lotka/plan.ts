// The kernel runs of a problem and their estimated cost: the way, the cycle, each again by a second method, and the cycle
// with equal steps.

import { exp } from '../../core/elementary.ts';
import { INSTANCE_BYTES, type KernelRun } from '../../kernels/abi.ts';
import type { Plan } from '../definition.ts';
import { LOTKA_FACE, type LotkaFace } from './face.ts';
import type { LotkaInput } from './inputs.ts';
import { type Problem, problemOf } from './problem.ts';

const KINDS = { path: 0, cycle: 1, equalSteps: 2 } as const;
/** Tolerances of the steps and of the second opinion, whose steps are others. */
const TOLERANCE = 1e-12;
const SECOND_TOLERANCE = 1e-12;
/** Where the search for a limit cycle begins, above the equilibrium; and an orbit that stands for the equilibrium. */
const FIRST_GUESS = 0.5;
const SMALL = 1e-6;
/** Tries in two laps, and in a search for a limit cycle. */
const MAX_LAP_STEPS = 100_000;
const MAX_SEARCH_STEPS = 2_000_000;

/** Positions of the runs. */
export const RUNS = { path: 0, secondPath: 1, cycle: 2, secondCycle: 3, equalSteps: 4 } as const;

export const hasCycle = ({ regime }: Problem): boolean =>
  regime === 'closed orbit' || regime === 'equilibrium' || regime === 'limit cycle';

export function planOf(input: LotkaInput): Plan<LotkaFace> {
  const problem = problemOf(input);
  const { steps, samples, orbit } = problem;
  const cycles = hasCycle(problem);
  return {
    runs: [
      pathRun(problem, false),
      pathRun(problem, true),
      ...(cycles ? [cycleRun(problem, false), cycleRun(problem, true)] : []),
      ...(orbit === undefined ? [] : [equalStepsRun(problem, orbit.period / input.steps_per_period)]),
    ],
    // Measured by bench/lotka.ts: a try by DOP853 and ten by the second method, a sample, an equal step.
    estimateNs:
      300_000 + 2_000 * steps + 4_000 * samples + (cycles ? 1_500_000 : 0) + 400 * (orbit ? input.steps_per_period : 0),
    estimateBytes: INSTANCE_BYTES + 8 * 3 * samples,
  };
}

function parametersOf(problem: Problem) {
  const { equilibrium, coefficients, regime, p0, q0, tEnd, samples } = problem;
  return {
    isDeviation: Number(equilibrium !== undefined),
    isClosed: Number(regime !== 'limit cycle'),
    hasPrey: Number(regime !== 'no prey' && regime !== 'nobody'),
    hasPredators: Number(regime !== 'no predators' && regime !== 'nobody'),
    samples,
    ...coefficients,
    p0,
    q0,
    tEnd,
    step: 1,
  };
}

/** Short against every rate at the start. */
function firstStepOf({ coefficients: k, equilibrium }: Problem, p: number, q: number): number {
  const [x, y] = [exp(p), exp(q)];
  const crowd = equilibrium === undefined ? k.crowding * x : k.crowding * (1 + x) * (1 + x);
  return 1e-3 / (Math.abs(k.growth) + crowd + k.attack * (1 + y) + k.loss * (1 + x) + k.gain * x);
}

function pathRun(problem: Problem, isSecond: boolean): KernelRun<LotkaFace> {
  const maxSteps = (isSecond ? 20 : 3) * (10_000 + problem.steps);
  return {
    parameters: {
      kind: KINDS.path,
      ...parametersOf(problem),
      isSecond: Number(isSecond),
      maxSteps,
      rtol: isSecond ? SECOND_TOLERANCE : TOLERANCE,
      firstStep: firstStepOf(problem, problem.p0, problem.q0),
    },
    steps: maxSteps,
    outputs: ['samples'],
    statistics: LOTKA_FACE.statistics,
  };
}

/** Of the predators, such that the prey swing by a ten-thousandth at most, too: √(α/γ) times as much. */
const smallOf = ({ alpha, gamma }: Problem): number => SMALL * Math.min(1, 100 * Math.sqrt(gamma / alpha));

function cycleRun(problem: Problem, isSecond: boolean): KernelRun<LotkaFace> {
  const { regime } = problem;
  const maxSteps = regime === 'limit cycle' ? MAX_SEARCH_STEPS : MAX_LAP_STEPS;
  const [p0, q0] =
    regime === 'limit cycle'
      ? [0, FIRST_GUESS]
      : regime === 'equilibrium'
        ? [0, smallOf(problem)]
        : [problem.p0, problem.q0];
  return {
    parameters: {
      kind: KINDS.cycle,
      ...parametersOf(problem),
      isSecond: Number(isSecond),
      maxSteps,
      rtol: isSecond ? SECOND_TOLERANCE : TOLERANCE,
      p0,
      q0,
      firstStep: firstStepOf(problem, p0, q0),
    },
    steps: maxSteps,
    outputs: [],
    statistics: LOTKA_FACE.statistics,
  };
}

/** Two arrivals at the section are at most two periods away. */
function equalStepsRun(problem: Problem, step: number): KernelRun<LotkaFace> {
  const maxSteps = Math.ceil((2.2 * (problem.orbit?.period ?? 0)) / step);
  return {
    parameters: {
      kind: KINDS.equalSteps,
      ...parametersOf(problem),
      maxSteps,
      rtol: TOLERANCE,
      firstStep: step,
      step,
    },
    steps: maxSteps,
    outputs: [],
    statistics: LOTKA_FACE.statistics,
  };
}
