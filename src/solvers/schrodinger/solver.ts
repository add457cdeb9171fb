// The stationary Schrödinger equation in one dimension: the lowest states of ten kinds of potential.

import { z } from 'zod';
import { LIMITS } from '../../core/limits.ts';
import { multiLine } from '../../core/text-schema.ts';
import type { KernelRun } from '../../kernels/abi.ts';
import type { Plan } from '../definition.ts';
import { defineSolver } from '../solver.ts';
import { SCHRODINGER_FACE, type SchrodingerFace } from './face.ts';
import { gridsOf } from './grids.ts';
import { POTENTIALS, type Problem, problemOf, type SchrodingerInput } from './problem.ts';
import { solutionOf } from './solution.ts';

const positive = (max: number) => z.number().min(1e-6).max(max);
const coordinate = z.number().min(-1e6).max(1e6).optional();

const inputs = z.strictObject({
  potential: z.enum(POTENTIALS).default('harmonic').describe('Shape of V(x)').meta({ unit: '1' }),
  omega: z
    .number()
    .min(0)
    .max(1e6)
    .default(1)
    .describe('harmonic, quartic: angular frequency, V = m ω² x²/2 (eV-nm: rad/fs)')
    .meta({ unit: '1/time', symbol: 'ω' }),
  L: positive(1e6).default(1).describe('infinite_well: width').meta({ unit: 'length', symbol: 'L' }),
  V0: positive(1e9)
    .default(10)
    .describe('finite_well: depth; double_well: height of the barrier')
    .meta({ unit: 'E', symbol: 'V₀' }),
  a: positive(1e6)
    .default(1)
    .describe('finite_well: half-width; double_well: position of the minima, V = V₀ ((x/a)² − 1)²')
    .meta({ unit: 'length', symbol: 'a' }),
  D: positive(1e9).default(10).describe('morse: depth, V = D (1 − exp(−α x))²').meta({ unit: 'E', symbol: 'D' }),
  alpha: positive(1e6)
    .default(1)
    .describe('morse, poschl_teller: inverse range')
    .meta({ unit: '1/length', symbol: 'α' }),
  l: z.int().min(0).max(20).default(0).describe('hydrogen: angular momentum').meta({ unit: '1', symbol: 'l' }),
  Z: positive(200)
    .default(1)
    .describe('hydrogen: charge of the nucleus, V = −Z e²/(4πε₀ r)')
    .meta({ unit: '1', symbol: 'Z' }),
  g: z
    .number()
    .min(0)
    .max(1e9)
    .default(0.1)
    .describe('quartic: coefficient of x⁴, V = m ω² x²/2 + g x⁴')
    .meta({ unit: 'E/length^4', symbol: 'g' }),
  F: positive(1e9)
    .default(1)
    .describe('linear: force, V = F x right of a wall at 0')
    .meta({ unit: 'E/length', symbol: 'F' }),
  lambda: positive(1e3)
    .default(3)
    .describe('poschl_teller: V = −(ħ²α²/2m) λ(λ + 1) / cosh²(α x)')
    .meta({ unit: '1', symbol: 'λ' }),
  expression: multiLine(LIMITS.expression.characters, 1)
    .optional()
    .describe('custom: V as an expression in x; it may use mass, hbar and the parameters above')
    .meta({ unit: '1' }),
  mass: positive(1e6).default(1).describe('Mass in electron masses').meta({ unit: 'm_e', symbol: 'm' }),
  hbar: positive(1e6)
    .optional()
    .describe('atomic: ħ, 1 by default; eV-nm: not allowed')
    .meta({ unit: 'E*time', symbol: 'ħ' }),
  units: z
    .enum(['atomic', 'eV-nm'])
    .default('atomic')
    .describe('atomic: hartree and bohr (or pure numbers with ħ = m = 1); eV-nm: electronvolt, nanometre, femtosecond')
    .meta({ unit: '1' }),
  xmin: coordinate.describe('Left wall; by default beyond the tails').meta({ unit: 'length', symbol: 'x_min' }),
  xmax: coordinate.describe('Right wall; by default beyond the tails').meta({ unit: 'length', symbol: 'x_max' }),
  N: z.int().min(50).max(20_000).default(2000).describe('Nodes between the walls').meta({ unit: '1', symbol: 'N' }),
  states: z.int().min(1).max(20).default(5).describe('Number of states, from the lowest').meta({ unit: '1' }),
  richardson: z
    .boolean()
    .default(true)
    .describe('Extrapolate from N and 2N + 1 nodes: (4 E_fine − E) / 3')
    .meta({ unit: '1' }),
  tol: z
    .number()
    .min(1e-15)
    .max(1e-6)
    .default(1e-12)
    .describe('Relative width at which sectioning of an energy stops')
    .meta({ unit: '1' }),
});

export const schrodinger = defineSolver({
  id: 'schrodinger',
  revision: 1,
  title: 'Stationary Schrödinger equation',
  summary:
    'Bound states of a particle in one dimension by finite differences and Sturm counts: energies, wave functions, expectation values.',
  domain: 'Quantum Mechanics',
  method: {
    name: 'Three-point differences, Sturm sectioning, twisted inverse iteration, Richardson extrapolation',
    order: { space: 4 },
    stability: 'order 2 without richardson; a jump of V leaves order 2 before and 3 after extrapolation',
  },
  operatorChain: ['KO42', 'QM5'],
  unit: 'E',
  inputs,
  kernel: SCHRODINGER_FACE,
  plan,
  collect: solutionOf,
  references: [
    { cite: 'Barth, Martin & Wilkinson, Numerische Mathematik 9 (1967)', at: 'pp. 386–393', doi: '10.1007/BF02162154' },
    { cite: 'Parlett & Dhillon, Linear Algebra and its Applications 267 (1997)', at: 'pp. 247–279' },
    { cite: 'Landau & Lifshitz, Quantum Mechanics (3rd ed.)', at: '§§22–24 and 36' },
    { cite: 'Morse, Physical Review 34 (1929)', at: 'pp. 57–64', doi: '10.1103/PhysRev.34.57' },
    { cite: 'NIST Digital Library of Mathematical Functions', at: '§9.9, https://dlmf.nist.gov/9.9' },
  ],
});

/** Number of nodes that the kernel samples per step. */
const NODES_PER_STEP = 64;

/** Maximum sweeps for eight intervals, far more than bisection from 1 to the minimum tol; maximum passes per vector. */
const MAX_SWEEPS = 80;
const MAX_PASSES = 4;

function plan(input: SchrodingerInput): Plan<SchrodingerFace> {
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
    estimateBytes: 131_072 + 8 * finest * (7 + input.states),
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
