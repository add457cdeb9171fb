// The kernel runs of a problem, and their estimated cost.

import { INSTANCE_BYTES, type KernelRun } from '../../kernels/abi.ts';
import type { Plan } from '../definition.ts';
import { recordedSteps, recordInterval } from '../parts/sampling.ts';
import { MODEL_NUMBER, REACT_FACE, type ReactFace } from './face.ts';
import type { ReactInput } from './inputs.ts';
import { type Level, MAX_HISTORY, type Problem, problemOf, runNs, samplesOf } from './problem.ts';
import { assertResolved } from './resolved.ts';

export function planOf(input: ReactInput): Plan<ReactFace> {
  const problem = problemOf(input);
  assertResolved(input, problem);
  const { columns, rows, steps, programs, historyEvery, frameEvery, levels } = problem;
  const cells = columns * rows;
  const historyRows = recordedSteps(steps, historyEvery).length;
  const frameRows = recordedSteps(steps, frameEvery).length;
  const records = cells * 2 * (frameRows + 1) + historyRows * REACT_FACE.columns.history.length;
  const fields = input.method === 'rk4' ? 8 : 4;
  const samples = samplesOf(problem);
  return {
    runs: levels.map((level, i) => runOf(input, problem, level, i === 0)),
    estimateNs:
      levels.reduce((ns, level) => ns + costOf(input, problem, level), 300_000) +
      3 * cells * samples * 20 * programs.initialOperations,
    estimateBytes: INSTANCE_BYTES + 8 * (records + (columns + 4) * (rows + 4) * fields + 8 * columns),
  };
}

const costOf = ({ method }: ReactInput, { model, programs }: Problem, level: Level): number =>
  runNs(level, method, model, programs) + MAX_HISTORY * level.columns * level.rows * 12;

function runOf(input: ReactInput, problem: Problem, level: Level, isMain: boolean): KernelRun<ReactFace> {
  const { columns, rows, widthX, widthY, dt, steps } = level;
  const { programs, code, pool } = problem.programs;
  const [initialU, initialV] = problem.initialOn(columns, rows);
  return {
    parameters: {
      columns,
      rows,
      model: MODEL_NUMBER[problem.model],
      isPeriodic: Number(input.boundary === 'periodic'),
      isFourthOrder: Number(input.method === 'rk4'),
      widthX,
      widthY,
      dt,
      steps,
      diffusionU: problem.Du,
      diffusionV: problem.Dv,
      feed: input.F,
      removal: input.k,
      epsilon: input.epsilon,
      a: input.a,
      b: input.b,
      current: input.I,
      level: problem.level,
      samples: samplesOf(problem),
      historyEvery: isMain ? problem.historyEvery : recordInterval(steps, MAX_HISTORY),
      frameEvery: isMain ? problem.frameEvery : steps,
      codeWords: code.length,
      poolValues: pool.length,
    },
    inputs: {
      initialU,
      initialV,
      programs,
      ...(code.length > 0 ? { code, pool } : {}),
      ...stencilOf(problem.probe, level),
    },
    steps,
    outputs: ['history', 'frames'],
    statistics: REACT_FACE.statistics,
  };
}

/** The first of the four cells about a place along x and y, and their weights, f64[2, 4]: cubic interpolation. */
function stencilOf([x, y]: Problem['probe'], { rows, widthX, widthY }: Level) {
  const along = weightsAt(x / widthX - 0.5);
  const across = rows === 1 ? { first: 0, weights: [1, 0, 0, 0] } : weightsAt(y / widthY - 0.5);
  return {
    probeCells: Float64Array.of(along.first, across.first),
    probeWeights: Float64Array.of(...along.weights, ...across.weights),
  };
}

/** @param s  the place, in cells from the center of the first */
function weightsAt(s: number): { readonly first: number; readonly weights: readonly number[] } {
  const first = Math.floor(s) - 1;
  const x = s - first;
  const nodes = [0, 1, 2, 3];
  const weights = nodes.map((i) => nodes.filter((k) => k !== i).reduce((w, k) => (w * (x - k)) / (i - k), 1));
  return { first, weights };
}
