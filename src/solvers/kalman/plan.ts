// The kernel runs of a problem, and their estimated cost: the filter in Joseph's form, the square root as its witness,
// and the standard form to compare.

import { INSTANCE_BYTES, type KernelRun } from '../../kernels/abi.ts';
import type { Plan } from '../definition.ts';
import { KALMAN_FACE, type KalmanFace } from './face.ts';
import type { KalmanInput } from './inputs.ts';
import { type Problem, problemOf } from './problem.ts';

const FORMS = { joseph: 0, standard: 1, squareRoot: 2 } as const;
/** Differences of logarithms in the tuning, and in that of the witness. */
const DIFFERENCE = 1 / 256;
const WITNESS_DIFFERENCE = 1 / 128;
const TUNED_R = { none: 0, q: 0, r: 1, both: 1, each: 2 } as const;
const TUNED_Q = { none: 0, q: 1, r: 0, both: 1, each: 1 } as const;

const MODEL = [
  'whitened',
  'filtered',
  'filteredVariance',
  'smoothed',
  'smoothedVariance',
  'scores',
  'estimates',
  'information',
] as const;
const MAIN = [
  ...MODEL,
  'measured',
  'predicted',
  'predictedVariance',
  'gains',
  'innovations',
  'innovationVariance',
  'truth',
  'errors',
  'expectedErrors',
  'lastPredicted',
  'lastFiltered',
  'sensitivity',
] as const;

export function planOf(input: KalmanInput): Plan<KalmanFace> {
  const problem = problemOf(input);
  const run = (form: keyof typeof FORMS) => runOf(problem, input, form);
  return { runs: [run('joseph'), run('squareRoot'), run('standard')], ...costOf(problem) };
}

function runOf(problem: Problem, input: KalmanInput, form: keyof typeof FORMS): KernelRun<KalmanFace> {
  const { model, rows, P0, runs, tune } = problem;
  const isMain = form === 'joseph';
  const isStandard = form === 'standard';
  const count = rows.times.length;
  const tuneQ = isStandard ? 0 : TUNED_Q[tune];
  const tuneR = isStandard ? 0 : TUNED_R[tune];
  return {
    parameters: {
      form: FORMS[form],
      states: model.states.length,
      channels: model.channels.length,
      rows: count,
      transitions: rows.steps.length,
      hasInputs: Number(rows.inputs.length > 0),
      runs: isMain ? runs : Math.min(1, runs),
      seed: input.seed,
      trueQ: input.true_q,
      trueR: input.true_r,
      tuneQ,
      tuneR,
      difference: isMain ? DIFFERENCE : WITNESS_DIFFERENCE,
    },
    inputs: {
      transitions: Float64Array.from(rows.steps.flatMap(({ F, Q }) => [...F.flat(), ...Q.flat()])),
      stepOf: rows.stepOf,
      observation: Float64Array.from([...model.H.flat(), ...model.R.flat()]),
      initial: Float64Array.from([...model.x0, ...P0.flat()]),
      present: rows.present,
      ...(rows.isSimulated ? {} : { measured: rows.measured }),
      ...(rows.inputs.length > 0 ? { inputs: rows.inputs } : {}),
    },
    steps: count * (2 + (isStandard ? 0 : passesOf(problem))),
    outputs: isMain ? MAIN : isStandard ? [] : MODEL,
    statistics: KALMAN_FACE.statistics,
  };
}

/** Of the scan, and of Newton's steps and trials at most; see assembly/solvers/kalman/tuning.ts. */
function passesOf({ tuned, tune }: Problem): number {
  if (tuned === 0) return 0;
  const scan = tune === 'both' || tune === 'each' ? 169 : 13;
  return scan + 60 * (tuned * (tuned + 1) + 1) + 600;
}

/** Measured by bench/kalman.ts. */
function costOf(problem: Problem): Pick<Plan, 'estimateNs' | 'estimateBytes'> {
  const { model, rows, runs, tuned, tune } = problem;
  const n = model.states.length;
  const m = model.channels.length;
  const count = rows.times.length;
  const rowNs = 300 + 5 * n * n * n + 8 * n * n * m;
  const usualPasses =
    tuned === 0 ? 0 : (tune === 'both' || tune === 'each' ? 169 : 13) + 10 * (tuned * (tuned + 1) + 1);
  const numbers =
    count * (3 * n * n + 12 * n + n * m + 6 * m + 9) + 3 * rows.steps.length * n * n + 2 * runs * n + 2_000;
  return {
    estimateNs: 300_000 + count * rowNs * (6 + 2.5 * usualPasses) + count * runs * (60 + 40 * (n + m)),
    estimateBytes: INSTANCE_BYTES + 8 * numbers,
  };
}
