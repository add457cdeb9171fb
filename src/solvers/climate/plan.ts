// The kernel runs of a problem, and their estimated cost.

import { INSTANCE_BYTES, type KernelRun } from '../../kernels/abi.ts';
import type { Plan } from '../definition.ts';
import { CLIMATE_FACE, type ClimateFace, LIMITER_NUMBER, SCHEME_NUMBER, SIDE_NUMBER } from './face.ts';
import type { ClimateInput } from './inputs.ts';
import { nsOf, type Problem, problemOf, type Run, SAMPLES } from './problem.ts';
import { assertResolved } from './resolved.ts';

/** Ticks of progress over the time. */
const TICKS = 1000;
/** Steps beyond the expected ones at which a run is given up. */
const PATIENCE = 3;

export function planOf(input: ClimateInput): Plan<ClimateFace> {
  const problem = problemOf(input);
  assertResolved(input, problem);
  return {
    runs: problem.runs.map((run, i) => runOf(input, problem, run, i === 0)),
    estimateNs: 200_000 + problem.runs.reduce((sum, run) => sum + nsOf(input, run), 0),
    estimateBytes: INSTANCE_BYTES + 8 * Math.max(...problem.runs.map((run, i) => numbersOf(problem, run, i === 0))),
  };
}

function numbersOf({ isLine, frames, stride, places }: Problem, { level, order }: Run, isMain: boolean): number {
  const { columns, rows } = level;
  const ofFrame = Math.ceil(columns / stride) * Math.ceil(rows / stride);
  const halo = (columns + 5) * (rows + 2) * ((isLine ? 7 : 8) + (order === 2 ? 8 : 0));
  return halo + 7 * columns * rows + 34 * columns + (isMain ? frames * ofFrame + SAMPLES * (8 + places.length) : 0);
}

function runOf(input: ClimateInput, problem: Problem, run: Run, isMain: boolean): KernelRun<ClimateFace> {
  const { sides, places, isLine } = problem;
  const { columns, rows, dx, dy } = run.level;
  const [, probeY] = places[0] ?? [0, 0];
  const maxSteps = PATIENCE * run.steps;
  return {
    parameters: {
      columns,
      rows,
      hasCross: Number(problem.hasCross),
      spacingX: dx,
      spacingY: dy,
      gravity: input.g,
      scheme: SCHEME_NUMBER[run.scheme],
      courant: input.courant,
      end: input.t_end,
      maxSteps,
      ticks: TICKS * maxSteps,
      manning: input.manning,
      // At y = 0; the inputs give it in the middle.
      coriolis: input.f - (isLine ? 0 : 0.5 * input.beta * input.ly),
      beta: input.beta,
      west: SIDE_NUMBER[sides.left],
      east: SIDE_NUMBER[sides.right],
      south: SIDE_NUMBER[isLine ? 'wall' : sides.bottom],
      north: SIDE_NUMBER[isLine ? 'wall' : sides.top],
      dryDepth: problem.dryDepth,
      samples: isMain ? SAMPLES : 1,
      frames: isMain ? problem.frames : 1,
      stride: isMain ? problem.stride : 1,
      gauges: places.length,
      frontRow: isLine ? 0 : Math.min(rows - 1, Math.floor(probeY / dy)),
      frontDepth: problem.frontDepth,
      order: run.order,
      limiter: LIMITER_NUMBER[run.limiter],
    },
    inputs: {
      initialDepth: run.state.depth,
      initialX: run.state.flowX,
      initialY: run.state.flowY,
      bed: run.state.bed,
      gaugePlaces: Float64Array.from(places.flatMap(([x, y]) => [x / dx - 0.5, y / dy - 0.5])),
    },
    steps: maxSteps + TICKS * maxSteps,
    outputs: isMain
      ? ['history', 'gaugeDepths', 'frames', 'depth', 'flowX', 'flowY']
      : ['history', 'gaugeDepths', 'depth'],
    statistics: CLIMATE_FACE.statistics,
  };
}
