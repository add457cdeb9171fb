// The kernel runs of a problem on three grids, and their estimated cost.

import { INSTANCE_BYTES, type KernelRun } from '../../kernels/abi.ts';
import type { Plan } from '../definition.ts';
import { recordInterval } from '../parts/sampling.ts';
import { FLOW_FACE, type FlowFace, SCHEME_NUMBER, SIDE_NUMBER } from './face.ts';
import type { FlowInput } from './inputs.ts';
import { initialOf, type Level, type Problem, problemOf } from './problem.ts';

const MAX_RECORDS = 200;
const MAX_FRAMES = 16;
const MAX_FRAME_ROWS = 32;
/** Of h ∇·u over the speed, where a projection iterates. */
const TOLERANCE = 1e-8;

export function planOf(input: FlowInput): Plan<FlowFace> {
  const problem = problemOf(input);
  return {
    runs: problem.levels.map((level, i) => runOf(input, problem, level, i === 0)),
    estimateNs: problem.estimateNs,
    estimateBytes: INSTANCE_BYTES + 8 * numbersOf(problem.levels[0]),
  };
}

/** How often the own grid is recorded. */
export function samplingOf({ steps, rows }: Level) {
  return {
    recordEvery: recordInterval(steps, MAX_RECORDS),
    frameEvery: recordInterval(steps, MAX_FRAMES),
    stride: Math.ceil(rows / MAX_FRAME_ROWS),
  };
}

function runOf(input: FlowInput, problem: Problem, level: Level, isMain: boolean): KernelRun<FlowFace> {
  const { columns, rows, h, dt, steps, solid } = level;
  const [x, y] = problem.probe;
  const once = { recordEvery: steps, frameEvery: steps, stride: rows };
  return {
    parameters: {
      columns,
      rows,
      alongX: SIDE_NUMBER[problem.sides[0]],
      alongY: SIDE_NUMBER[problem.sides[1]],
      spacing: h,
      dt,
      viscosity: input.visc,
      steps,
      scheme: SCHEME_NUMBER[input.scheme],
      lid: input.case === 'cavity' || input.case === 'plates' ? input.speed : 0,
      force: input.force,
      hasSolid: Number(solid !== undefined),
      maxIterations: input.iters,
      tolerance: TOLERANCE * problem.scale,
      ...(isMain ? samplingOf(level) : once),
      probeX: Math.min(input.case === 'plates' ? 0 : x / h, columns),
      probeY: Math.min(y / h, rows),
    },
    inputs: { ...initialOf(input, level), ...(solid === undefined ? {} : { solid }) },
    steps,
    outputs: isMain ? ['history', 'frames', 'u', 'v', 'pressure'] : ['history', 'u', 'v'],
    statistics: FLOW_FACE.statistics,
  };
}

/** Faces and cells of all fields, the basis of the transform, and what is recorded. */
function numbersOf(level: Level): number {
  const { columns, rows, steps, solid } = level;
  const { recordEvery, frameEvery, stride } = samplingOf(level);
  const faces = (columns + 5) * (rows + 5);
  const frame = Math.ceil(columns / stride) * Math.ceil(rows / stride);
  const recorded = 8 * (1 + Math.ceil(steps / recordEvery)) + frame * (1 + Math.ceil(steps / frameEvery));
  return faces * 32 + columns * rows * (solid === undefined ? 16 : 19) + 2 * rows * rows + recorded;
}
