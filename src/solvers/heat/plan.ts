// The kernel runs of a problem, and their estimated cost.

import { INSTANCE_BYTES, type KernelRun } from '../../kernels/abi.ts';
import type { Plan } from '../definition.ts';
import { recordedSteps, recordInterval } from '../parts/sampling.ts';
import { initialProfile } from './axis.ts';
import { HEAT_FACE, type HeatFace } from './face.ts';
import { coefficientsOn, type General, initialOn, sideParameters } from './general.ts';
import type { HeatInput } from './inputs.ts';
import { stencilsOf } from './probes.ts';
import { type Level, MAX_HISTORY, type Problem, problemOf } from './problem.ts';

export function planOf(input: HeatInput): Plan<HeatFace> {
  const problem = problemOf(input);
  const { axes, steps, general, historyEvery, frameEvery, levels } = problem;
  const nodes = axes.reduce((product, axis) => product * (axis.cells + 1), 1);
  const historyRows = recordedSteps(steps, historyEvery).length;
  const frameRows = recordedSteps(steps, frameEvery).length;
  const records = nodes * (frameRows + 2) + historyRows * (HEAT_FACE.columns.history.length + problem.probes.length);
  if (general === undefined) {
    // Measured (bench/heat.ts): cost of a step by scheme, of a history row by nodes, and the fixed cost of a run.
    const nodeStepNs = input.method === 'explicit' ? 0.7 : axes.length === 2 ? 1.4 : 4;
    return {
      runs: [standardRun(input, problem)],
      estimateNs: 60_000 + nodes * (nodeStepNs * steps + 5 * historyRows) + 50 * steps,
      estimateBytes: INSTANCE_BYTES + 8 * records,
    };
  }
  const band = Math.min(...axes.map(({ cells }) => cells + 1), axes.length === 1 ? 1 : Number.POSITIVE_INFINITY);
  // Of the finest grid; the coarser ones are at most a half and a quarter of that.
  const stepNs = general.isSteady ? band * band : nodes * (40 + 3 * general.operationsPerStep);
  return {
    runs: levels.map((level, i) => generalRun(input, problem, general, level, i === 0)),
    estimateNs: 200_000 + 1.75 * (steps * stepNs + nodes * (3 * general.operations + 5 * historyRows)),
    estimateBytes: INSTANCE_BYTES + 8 * (records + nodes * (general.isSteady ? band + 12 : 18)),
  };
}

function standardRun(input: HeatInput, problem: Problem): KernelRun<HeatFace> {
  const { axes, ratios, steps, historyEvery, frameEvery, probes } = problem;
  const [x, y] = axes;
  return {
    parameters: {
      cellsX: input.nx,
      cellsY: input.ny,
      isImplicit: Number(input.method === 'implicit'),
      isInsulated: Number(input.boundary === 'neumann'),
      dim: input.dim,
      rx: ratios[0] ?? 0,
      ry: ratios[1] ?? 0,
      startSteps: problem.startSteps,
      steps,
      historyEvery,
      frameEvery,
      probes: probes.length,
    },
    inputs: {
      ...(x ? { profileX: initialProfile(x) } : {}),
      ...(y ? { profileY: initialProfile(y) } : {}),
      ...stencilsOf(
        probes,
        axes.map(({ cells }) => cells),
        false,
      ),
    },
    steps,
    outputs: ['history', 'probeHistory', 'frames'],
  };
}

function generalRun(
  { dim }: HeatInput,
  { probes, startSteps, historyEvery, frameEvery }: Problem,
  general: General,
  { axes, dt, steps }: Level,
  isMain: boolean,
): KernelRun<HeatFace> {
  const [x, y] = axes;
  const cells = axes.map((axis) => axis.cells);
  const { programs, code, pool } = general;
  return {
    parameters: {
      cellsX: x?.cells ?? 0,
      cellsY: y?.cells ?? 0,
      isImplicit: 1,
      isInsulated: 0,
      dim,
      startSteps,
      steps,
      historyEvery: isMain ? historyEvery : general.isSteady ? steps : recordInterval(steps, MAX_HISTORY),
      frameEvery: isMain ? frameEvery : steps,
      probes: probes.length,
      data: general.isSteady ? 2 : 1,
      dt,
      lengthX: x?.length ?? 0,
      lengthY: y?.length ?? 0,
      ...sideParameters(general.sides),
      codeWords: code.length,
      poolValues: pool.length,
    },
    inputs: {
      ...stencilsOf(probes, cells, general.isLayered),
      programs,
      ...(code.length > 0 ? { code, pool } : {}),
      ...coefficientsOn(general, x?.cells ?? 0, x?.length ?? 1),
      initial: initialOn(general, axes),
    },
    steps,
    outputs: isMain ? ['history', 'probeHistory', 'frames'] : ['history', 'probeHistory'],
    statistics: HEAT_FACE.statistics,
  };
}
