// Heat conduction in a rod or plate, from a known initial profile, compared with the exact solution.

import { z } from 'zod';
import type { Plan } from '../definition.ts';
import { defineSolver } from '../solver.ts';
import { initialProfile, probeNode } from './axis.ts';
import { HEAT_FACE, type HeatFace } from './face.ts';
import { heatLive } from './live.ts';
import { solutionOf } from './solution.ts';
import { MAX_STEPS, recordedSteps, timeGridOf } from './time-grid.ts';

const length = z.number().min(1e-6).max(1e6).default(1);
const cells = z.int().min(8).max(128).default(64);
const halfWaves = z.int().min(1).max(64).default(1);

const inputs = z.strictObject({
  method: z
    .enum(['implicit', 'explicit'])
    .default('implicit')
    .describe('implicit: Crank–Nicolson on a rod, ADI on a plate; explicit: FTCS')
    .meta({ unit: '1' }),
  nx: cells.describe('Cells along x; the nodes are one more').meta({ unit: '1', symbol: 'N_x' }),
  ny: cells.describe('Cells along y; not used on a rod').meta({ unit: '1', symbol: 'N_y' }),
  kx: halfWaves.describe('Whole half-waves of the first mode along x').meta({ unit: '1', symbol: 'k_x' }),
  ky: halfWaves.describe('Whole half-waves of the first mode along y').meta({ unit: '1', symbol: 'k_y' }),
  alpha: z.number().min(1e-12).max(1e6).default(1).describe('Thermal diffusivity').meta({ unit: 'm^2/s', symbol: 'α' }),
  dt: z
    .number()
    .min(1e-30)
    .max(1e30)
    .optional()
    .describe('Time step; by default one at which the leading errors of the mode in time and space cancel')
    .meta({ unit: 's', symbol: 'Δt' }),
  steps: z
    .int()
    .min(1)
    .max(MAX_STEPS)
    .optional()
    .describe('Number of time steps; by default as many as bring the first mode down to about 5 %')
    .meta({ unit: '1' }),
  dim: z.int().min(1).max(2).default(2).describe('1 for a rod, 2 for a plate').meta({ unit: '1' }),
  mode: z
    .enum(['sine', 'step', 'gaussian'])
    .default('sine')
    .describe('Initial profile: the first mode, 1 where it is positive and 0 elsewhere, or a hot spot in the middle')
    .meta({ unit: '1' }),
  boundary: z
    .enum(['dirichlet', 'neumann'])
    .default('dirichlet')
    .describe('dirichlet: ends held at 0; neumann: insulated ends')
    .meta({ unit: '1' }),
  lx: length.describe('Length along x').meta({ unit: 'm', symbol: 'L_x' }),
  ly: length.describe('Length along y').meta({ unit: 'm', symbol: 'L_y' }),
});

type Input = z.output<typeof inputs>;

export const heat = defineSolver({
  id: 'heat',
  revision: 1,
  title: 'Heat conduction in a rod or plate',
  summary:
    'Thermal diffusion of a sine, step or Gaussian profile by Crank–Nicolson, ADI or FTCS, with the exact decay.',
  domain: 'Thermal Diffusion',
  method: {
    name: 'Crank–Nicolson, Peaceman–Rachford ADI, FTCS',
    order: { time: 2, space: 2 },
    stability: 'implicit: unconditional; explicit: α Δt (1/Δx² + 1/Δy²) <= 1/2, first order in time',
  },
  operatorChain: ['KO42', 'CHE17'],
  unit: 'T',
  inputs,
  kernel: HEAT_FACE,
  plan,
  collect: solutionOf,
  live: heatLive,
  references: [
    { cite: 'Crank & Nicolson, Proc. Camb. Phil. Soc. 43 (1947)', at: 'pp. 50–67', doi: '10.1017/S0305004100023197' },
    { cite: 'Peaceman & Rachford, J. SIAM 3 (1955)', at: 'pp. 28–41', doi: '10.1137/0103003' },
    { cite: 'Rannacher, Numer. Math. 43 (1984)', at: 'pp. 309–327', doi: '10.1007/BF01390130' },
    { cite: 'Carslaw & Jaeger, Conduction of Heat in Solids (2nd ed., 1959)', at: 'chapter III' },
    { cite: 'LeVeque, Finite Difference Methods (2007)', at: 'chapter 9', doi: '10.1137/1.9780898717839' },
  ],
});

function plan(input: Input): Plan<HeatFace> {
  const timeGrid = timeGridOf(input);
  const { axes, ratios, steps, historyEvery, frameEvery } = timeGrid;
  const [x, y] = [timeGrid.axes[0], timeGrid.axes[1]];
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
          startSteps: timeGrid.startSteps,
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
    estimateBytes: 131_072 + 8 * (nodes * (frameRows + 2) + historyRows * HEAT_FACE.columns.history.length),
  };
}
