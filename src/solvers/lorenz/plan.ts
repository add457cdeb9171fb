// The kernel runs of a problem, and their estimated cost: the exponents, the exponents again by another method from
// another frame and start, and twice the pair of close starts.

import { INSTANCE_BYTES, type KernelRun } from '../../kernels/abi.ts';
import type { Plan } from '../definition.ts';
import { LORENZ_FACE, type LorenzFace } from './face.ts';
import type { LorenzInput } from './inputs.ts';
import { type Problem, problemOf } from './problem.ts';

const KINDS = { spectrum: 0, second: 1, pair: 2 } as const;
const MODELS = { lorenz: 0, rossler: 1, custom: 2 } as const;

/** Blocks of the averages; batches are made of them. */
const BLOCKS = 256;
/** Steps from frame to frame. */
const INTERVAL = 10;
const PATH_ROWS = 4_000;
const MAXIMA = 2_000;
const PAIR_SAMPLES = 2_001;

/** Of the second method: its tolerance, and its longest step over dt, no whole number. */
export const TOLERANCE = 1e-9;
const MAX_STEP_RATIO = 31.4159;
/** How much longer its transient is. */
const LONGER = 1.3;
/** Where it starts: so far from the start, as a part of the states and absolutely. */
const SHIFT = 1e-6;
/** Of the pair. */
const PAIR_TOLERANCE = { value: 1e-13, witness: 4e-14 } as const;
/** Part of the progress that time shares. */
const TICKS = 1e7;
const MAX_PAIR_TRIES = 2_000_000;

export function planOf(input: LorenzInput): Plan<LorenzFace> {
  const problem = problemOf(input);
  return {
    runs: [spectrumRun(problem), secondRun(problem), pairRun(problem, 'value'), pairRun(problem, 'witness')],
    ...costOf(problem),
  };
}

/** The second of two close starts. */
const shifted = ({ start, delta }: Problem): readonly number[] => start.map((one, i) => (i === 0 ? one + delta : one));

const commonOf = ({ system, names, own, constants, watched }: Problem) => ({
  model: MODELS[system],
  states: names.length,
  programs: (own?.programs.length ?? 0) / 3,
  codeWords: own?.code.length ?? 0,
  poolValues: own?.pool.length ?? 0,
  section: watched,
  first: constants[0],
  second: constants[1],
  third: constants[2],
});

const inputsOf = ({ own }: Problem, initial: readonly number[]) => ({
  initial: Float64Array.from(initial),
  ...(own === undefined ? {} : { programs: own.programs, code: own.code, pool: own.pool }),
});

function spectrumRun(problem: Problem): KernelRun<LorenzFace> {
  const { dt, steps, transient, start } = problem;
  return {
    parameters: {
      ...commonOf(problem),
      kind: KINDS.spectrum,
      dt,
      steps,
      transient,
      interval: INTERVAL,
      blocks: BLOCKS,
      ...pathOf(problem),
      maxima: MAXIMA,
    },
    inputs: inputsOf(problem, start),
    steps: transient + steps,
    outputs: ['blocks', 'path', 'maxima', 'equilibria', 'end'],
    statistics: LORENZ_FACE.statistics,
  };
}

/** Rows of the path that is drawn, from the start on. */
export function pathOf({ steps, transient }: Problem): { readonly pathRows: number; readonly pathEvery: number } {
  const pathEvery = steps + transient >= 2 * PATH_ROWS ? 2 : 1;
  return { pathRows: Math.min(PATH_ROWS, 1 + Math.floor((steps + transient) / pathEvery)), pathEvery };
}

function secondRun(problem: Problem): KernelRun<LorenzFace> {
  const { dt, steps, transient, start } = problem;
  const maxSteps = Math.min(5e8, 50_000 + 10 * (steps + transient));
  return {
    parameters: {
      ...commonOf(problem),
      kind: KINDS.second,
      transientTime: LONGER * transient * dt,
      time: steps * dt,
      blocks: BLOCKS,
      maxSteps,
      ticks: TICKS,
      maxStep: MAX_STEP_RATIO * dt,
      rtol: TOLERANCE,
    },
    inputs: inputsOf(
      problem,
      start.map((one, i) => one + SHIFT * (Math.abs(one) + 1) * (i % 2 === 0 ? 1 : -0.7)),
    ),
    steps: maxSteps + TICKS,
    outputs: ['blocks'],
    statistics: LORENZ_FACE.statistics,
  };
}

function pairRun(problem: Problem, purpose: 'value' | 'witness'): KernelRun<LorenzFace> {
  return {
    parameters: {
      ...commonOf(problem),
      kind: KINDS.pair,
      time: problem.pairTime,
      samples: PAIR_SAMPLES,
      maxSteps: MAX_PAIR_TRIES,
      ticks: TICKS,
      rtol: PAIR_TOLERANCE[purpose],
      extrapolates: Number(purpose === 'witness'),
    },
    inputs: inputsOf(problem, [...problem.start, ...shifted(problem)]),
    steps: MAX_PAIR_TRIES + TICKS,
    outputs: ['pair'],
    statistics: LORENZ_FACE.statistics,
  };
}

/** Measured by bench/lorenz.ts: a right side of the variational system, by its programs and words. */
function costOf(problem: Problem): Pick<Plan, 'estimateNs' | 'estimateBytes'> {
  const { names, own, steps, transient } = problem;
  const n = names.length;
  const sideNs = own === undefined ? 30 : 3 * n * n * n + 15 * (own.programs.length / 3) + 4 * own.code.length;
  const stepNs = 4.5 * sideNs + 12 * (n * n + n) + (n * n * n) / 2;
  const numbers = BLOCKS * (n + 3) + PATH_ROWS * n + MAXIMA + 32 * (2 + n + n * n) + 60 * (n * n + n + 1);
  return {
    estimateNs: 20e6 + 2.5 * (steps + transient) * stepNs + PAIR_SAMPLES * 150 * sideNs,
    estimateBytes: INSTANCE_BYTES + 8 * numbers,
  };
}
