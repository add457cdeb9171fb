// The kernel run of a problem, and its estimated cost.

import { INSTANCE_BYTES } from '../../kernels/abi.ts';
import type { Plan } from '../definition.ts';
import { recordedSteps } from '../parts/sampling.ts';
import { initialProfile, probeNode } from './axis.ts';
import { HEAT_FACE, type HeatFace } from './face.ts';
import { type HeatInput, problemOf } from './problem.ts';

export function planOf(input: HeatInput): Plan<HeatFace> {
  const problem = problemOf(input);
  const { axes, ratios, steps, historyEvery, frameEvery } = problem;
  const [x, y] = axes;
  const nodes = axes.reduce((product, axis) => product * (axis.cells + 1), 1);
  const historyRows = recordedSteps(steps, historyEvery).length;
  const frameRows = recordedSteps(steps, frameEvery).length;
  // Measured (bench/heat.ts): cost of a step by scheme, of a history row by nodes, and the fixed cost of a run.
  const nodeStepNs = input.method === 'explicit' ? 0.7 : y ? 1.4 : 4;
  return {
    runs: [
      {
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
          probeX: x ? probeNode(x) : 0,
          probeY: y ? probeNode(y) : 0,
        },
        inputs: { ...(x ? { profileX: initialProfile(x) } : {}), ...(y ? { profileY: initialProfile(y) } : {}) },
        steps,
        outputs: ['history', 'frames'],
      },
    ],
    estimateNs: 60_000 + nodes * (nodeStepNs * steps + 5 * historyRows) + 50 * steps,
    estimateBytes: INSTANCE_BYTES + 8 * (nodes * (frameRows + 2) + historyRows * HEAT_FACE.columns.history.length),
  };
}
