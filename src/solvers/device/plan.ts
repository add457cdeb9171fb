// The kernel runs of a problem, and their estimated cost: three grids, and the biases of the C-V curve.

import { INSTANCE_BYTES, type KernelRun } from '../../kernels/abi.ts';
import type { Plan } from '../definition.ts';
import { DEVICE_FACE, type DeviceFace } from './face.ts';
import type { DeviceInput } from './inputs.ts';
import { type Junction, neutral, neutralSlope } from './junction.ts';
import { gatePotential, type Mos, mosArrays } from './mos.ts';
import { assertPlaneSeen, assertSourceSeen, type Plane, planeArrays } from './plane.ts';
import { problemOf } from './problem.ts';
import { SHARES } from './shares.ts';

const NEWTON_STEPS = 2000;
const CG_STEPS = 400;
/** Numbers a node of a grid: six of vectors, six of its own, a third of those of coarse levels, ten views. */
const NUMBERS = 32;

export function planOf(input: DeviceInput): Plan<DeviceFace> {
  const problem = problemOf(input);
  if (problem.kind === 'plane') {
    assertSourceSeen(problem);
    assertPlaneSeen(problem);
    const nodes = (problem.nx + 1) * (problem.ny + 1);
    return {
      runs: SHARES.map((share) => planeRun(problem, share, input)),
      estimateNs: 300_000 + 2_500 * nodes,
      // Media are sampled by many ways through each face.
      collectNs: 300_000 + (problem.permittivity === undefined ? 1_500 : 6_000) * nodes,
      estimateBytes: INSTANCE_BYTES + 8 * NUMBERS * (nodes + 4 * (problem.nx + problem.ny)),
    };
  }
  const run = (share: number, bias: number) =>
    problem.kind === 'mos' ? mosRun(problem, input, share, bias) : lineRun(problem, input, share, bias);
  return {
    runs: [...SHARES.map((share) => run(share, input.bias)), ...problem.biases.map((bias) => run(1, bias))],
    estimateNs: 300_000 + 4_000 * input.cells * (2 + problem.biases.length),
    collectNs: 300_000 + 3_000 * input.cells,
    estimateBytes: INSTANCE_BYTES + 8 * (24 * (input.cells + 9) + NEWTON_STEPS),
  };
}

function lineRun(problem: Junction, input: DeviceInput, share: number, bias: number): KernelRun<DeviceFace> {
  const { nodes, before, behind } = problem.line(share);
  const cells = nodes.length - 1;
  const { kappa, thermal } = problem;
  const logDensity = problem.logIntrinsic + bias / (2 * thermal);
  const right = nodes.map((x, i) => (i === cells ? 0 : input.eps / ((nodes[i + 1] ?? 0) - x)));
  const half = (i: number) => 0.5 * Math.max(0, (nodes[i + 1] ?? 0) - (nodes[i] ?? 0));
  const width = (i: number) => [i === 0 ? 0 : half(i - 1), i === cells ? 0 : half(i)] as const;
  const source = nodes.map((_, i) => {
    const [a, b] = width(i);
    return kappa * (a * (before[i] ?? 0) + b * (behind[i] ?? 0));
  });
  const weights = nodes.map((_, i) => {
    const [a, b] = width(i);
    return kappa * (a + b);
  });
  // Ends are neutral by the doping there; a node between two materials starts with the mean of both.
  const own = (i: number) =>
    i === 0 || i === cells ? problem.doping(nodes[i] ?? 0) : 0.5 * ((before[i] ?? 0) + (behind[i] ?? 0));
  const start = nodes.map((_, i) => neutral(own(i), logDensity));
  // Rounding of the changes grows with the potential.
  const tolerance = input.tolerance * Math.max(1, Math.abs((start[cells] ?? 0) - (start[0] ?? 0)));
  return newtonRun(
    {
      right,
      source,
      weights,
      start,
      slopeEnds: Float64Array.of(neutralSlope(own(0), logDensity), neutralSlope(own(cells), logDensity)),
    },
    { logDensity, tolerance },
    ['potential', 'slope', 'residuals'],
  );
}

/** The gate is the first node, and the oxide the first cell: without charge its potential is straight. */
function mosRun(problem: Mos, input: DeviceInput, share: number, bias: number): KernelRun<DeviceFace> {
  const { logIntrinsic, neutralPotential, minority } = problem;
  const { right, source, weights } = mosArrays(problem, share);
  const gate = gatePotential(problem, bias);
  const start = right.map((_, i) => (i === 0 ? gate : neutralPotential(i - 1, share)));
  const swing = Math.abs(gate - (start[start.length - 1] ?? 0));
  return newtonRun(
    { right, source, weights, start, slopeEnds: Float64Array.of(1, 0) },
    { logDensity: logIntrinsic, minority, tolerance: input.tolerance * Math.max(1, swing) },
    ['potential', 'slope', 'shift', 'residuals'],
  );
}

function newtonRun(
  inputs: KernelRun<DeviceFace>['inputs'] & { readonly start: Float64Array },
  { tolerance, ...parameters }: { readonly logDensity: number; readonly minority?: number; readonly tolerance: number },
  outputs: KernelRun<DeviceFace>['outputs'],
): KernelRun<DeviceFace> {
  return {
    parameters: {
      columns: inputs.start.length,
      rows: 1,
      maxSteps: NEWTON_STEPS,
      tolerance: Math.min(0.1, tolerance),
      ...parameters,
    },
    inputs,
    steps: NEWTON_STEPS,
    outputs,
    statistics: DEVICE_FACE.statistics,
  };
}

function planeRun(problem: Plane, share: number, input: DeviceInput): KernelRun<DeviceFace> {
  const [nx, ny] = [problem.nx * share, problem.ny * share];
  const { right, up, source, held, start } = planeArrays(problem, nx, ny);
  return {
    parameters: { columns: nx + 1, rows: ny + 1, logDensity: 0, maxSteps: CG_STEPS, tolerance: input.tolerance },
    inputs: { right, up, source, held, start },
    steps: CG_STEPS,
    outputs: ['potential', 'residuals'],
    statistics: DEVICE_FACE.statistics,
  };
}
