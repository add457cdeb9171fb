// The kernel runs of a problem, one a grid, and their estimated cost.

import { INSTANCE_BYTES, type KernelRun } from '../../kernels/abi.ts';
import type { Plan } from '../definition.ts';
import { SCHRODINGER_FACE, type SchrodingerFace } from './face.ts';
import { gridsOf } from './grids.ts';
import type { SchrodingerInput } from './inputs.ts';
import { type Problem, problemOf } from './problem.ts';

/** Number of nodes that the kernel samples per step. */
const NODES_PER_STEP = 64;

/** Maximum sweeps for eight intervals, far more than bisection from 1 to the minimum tol; maximum passes per vector. */
const MAX_SWEEPS = 80;
const MAX_PASSES = 4;

export function planOf(input: SchrodingerInput): Plan<SchrodingerFace> {
  const problem = problemOf(input);
  const grids = gridsOf(input.N, input.richardson);
  const runs = grids.map((nodes) => runOf(input, problem, nodes, nodes === input.N));
  const finest = grids.at(-1) ?? input.N;
  const total = grids.reduce((sum, nodes) => sum + nodes, 0);
  // Measured (bench/schrodinger.ts), in nanoseconds per node: the potential, a sweep, the two passes of a vector.
  const potential = problem.program ? 3 * problem.program.operations : 60;
  const perNode = potential + 6.5 * sweepsOf(input) + 45 * input.states;
  return {
    runs,
    estimateNs: 80_000 + total * perNode,
    estimateBytes: INSTANCE_BYTES + 8 * finest * (7 + input.states),
  };
}

/** Approximate number of sweeps of eight shifts: one bit of one state per shift. */
function sweepsOf({ states, tol }: SchrodingerInput): number {
  let bits = 5;
  for (let width = tol; width < 1; width *= 2) bits++;
  return 10 + (bits * states) / 8;
}

function runOf(
  input: SchrodingerInput,
  problem: Problem,
  nodes: number,
  isMainGrid: boolean,
): KernelRun<SchrodingerFace> {
  const { kind, kinetic, c1, c2, xmin, xmax, program } = problem;
  const { states, tol } = input;
  return {
    parameters: {
      potential: kind,
      nodes,
      states,
      xmin,
      xmax,
      kinetic,
      c1,
      c2,
      tol,
      needsVectors: 1,
      codeWords: program?.code.length ?? 0,
      poolValues: program?.pool.length ?? 0,
      slots: program?.slots.length ?? 0,
    },
    ...(program ? { inputs: { code: program.code, pool: program.pool, slots: program.slots } } : {}),
    steps: Math.ceil(nodes / NODES_PER_STEP) + MAX_SWEEPS * Math.ceil(states / 8) + MAX_PASSES * states,
    outputs: isMainGrid ? ['energies', 'moments', 'x', 'V', 'psi'] : ['energies', 'moments'],
    statistics: SCHRODINGER_FACE.statistics,
  };
}
