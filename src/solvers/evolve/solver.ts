// Molecular dynamics of Lennard-Jones atoms and bead-spring chains, with every pair summed again beside it.

import { z } from 'zod';
import type { KernelRun } from '../../kernels/abi.ts';
import { defineSolver, type Plan } from '../solver.ts';
import { COLUMNS } from './observables.ts';
import { isRefined, solutionOf, VIEW } from './solution.ts';
import { BINS, CHAIN_LENGTH, type System, systemOf } from './system.ts';

const inputs = z.strictObject({
  preset: z
    .enum(['lj-liquid', 'lj-gas', 'crystal', 'polymer'])
    .default('lj-liquid')
    .describe(`State to start from; polymer: bead-spring chains of ${CHAIN_LENGTH} beads`)
    .meta({ unit: '1' }),
  N: z.int().min(2).max(2000).default(256).describe('Number of atoms or beads').meta({ unit: '1', symbol: 'N' }),
  rho: z
    .number()
    .min(1e-6)
    .max(1e4)
    .optional()
    .describe('Number density; by default that of the preset: 0.8442, 0.05, 1.0915, 0.85 over sig³')
    .meta({ unit: 'sigma^-3', symbol: 'ρ' }),
  T0: z
    .number()
    .min(0)
    .max(1e3)
    .optional()
    .describe('Start temperature, and the thermostat’s; by default that of the preset: 1.44, 2, 0.4, 1 times eps')
    .meta({ unit: 'epsilon/k_B', symbol: 'T' }),
  steps: z.int().min(10).max(200_000).default(2000).describe('Number of time steps').meta({ unit: '1' }),
  dtSim: z
    .number()
    .min(1e-7)
    .max(1)
    .default(0.003)
    .describe('Time step, in units of sigma sqrt(m / epsilon)')
    .meta({ unit: 'tau', symbol: 'Δt' }),
  eps: z
    .number()
    .min(0.01)
    .max(100)
    .default(1)
    .describe('Depth of the pair well')
    .meta({ unit: 'epsilon', symbol: 'ε' }),
  sig: z
    .number()
    .min(0.1)
    .max(10)
    .default(1)
    .describe('Distance at which the pair energy is zero')
    .meta({ unit: 'sigma', symbol: 'σ' }),
  rc: z.number().min(0.1).max(60).default(2.5).describe('Cut-off distance').meta({ unit: 'sigma', symbol: 'r_c' }),
  kBond: z
    .number()
    .min(0)
    .max(1e5)
    .default(30)
    .describe('Stiffness k of the bonds of a polymer, energy k (r − r0)² / 2 on top of the pair’s')
    .meta({ unit: 'epsilon/sigma^2', symbol: 'k' }),
  r0Bond: z
    .number()
    .min(0.1)
    .max(10)
    .default(1)
    .describe('Rest length of the bonds of a polymer')
    .meta({ unit: 'sigma', symbol: 'r_0' }),
  seed: z
    .int()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .default(42)
    .describe('Seed of the start velocities and the thermostat')
    .meta({ unit: '1' }),
  sample: z
    .int()
    .min(2)
    .max(500)
    .default(40)
    .describe('Rows of the series and frames of the trajectory')
    .meta({ unit: '1' }),
  cutoff: z
    .enum(['truncated', 'shifted', 'force-shifted'])
    .default('truncated')
    .describe('How the pair ends at rc: cut, energy moved to zero there, or energy and force')
    .meta({ unit: '1' }),
  thermostat: z
    .enum(['none', 'bussi'])
    .default('none')
    .describe('none: constant energy; bussi: canonical velocity rescaling to T0')
    .meta({ unit: '1' }),
  tau: z
    .number()
    .min(0.01)
    .max(1e3)
    .default(0.5)
    .describe('Relaxation time of the thermostat')
    .meta({ unit: 'tau', symbol: 'τ' }),
});

type Input = z.output<typeof inputs>;

export const evolve = defineSolver({
  id: 'evolve',
  title: 'Molecular dynamics of Lennard-Jones atoms and chains',
  summary:
    'Velocity Verlet in a periodic box: energy, temperature, pressure with block errors, g(r), diffusion, trajectory.',
  domain: 'Molecular Dynamics',
  method: {
    name: 'velocity Verlet with a Verlet list',
    order: { time: 2 },
    stability: 'symplectic; Δt <= 0.02 σ / sqrt(max(ε, kT)), and Δt sqrt(2 k) <= 1 for bonds',
  },
  operatorChain: ['KO42'],
  unit: 'epsilon',
  inputs,
  parameters: [
    'N',
    'box_x',
    'box_y',
    'box_z',
    'T0',
    'dtSim',
    'eps',
    'sig',
    'rc',
    'skin',
    'cutoff',
    'seed',
    'velocities_given',
    'chain_length',
    'kBond',
    'r0Bond',
    'steps',
    'sample',
    'record_every',
    'tau',
    'count_from',
    'count_every',
    'bins',
    'count_reach',
    'crowd',
  ],
  plan,
  collect: solutionOf,
  references: [
    { cite: 'Verlet, Phys. Rev. 159 (1967)', at: 'pp. 98–103', doi: '10.1103/PhysRev.159.98' },
    {
      cite: 'Swope, Andersen, Berens & Wilson, J. Chem. Phys. 76 (1982)',
      at: 'pp. 637–649',
      doi: '10.1063/1.442716',
    },
    { cite: 'Frenkel & Smit, Understanding Molecular Simulation (2nd ed., 2002)', at: 'chapters 3 and 4' },
    { cite: 'Allen & Tildesley, Computer Simulation of Liquids (2nd ed., 2017)', at: '§1.6 and §5.3' },
    { cite: 'Kremer & Grest, J. Chem. Phys. 92 (1990)', at: 'pp. 5057–5086', doi: '10.1063/1.458541' },
    { cite: 'Bussi, Donadio & Parrinello, J. Chem. Phys. 126 (2007)', at: '014101', doi: '10.1063/1.2408420' },
    { cite: 'Flyvbjerg & Petersen, J. Chem. Phys. 91 (1989)', at: 'pp. 461–466', doi: '10.1063/1.457480' },
  ],
});

function plan(input: Input): Plan {
  const system = systemOf(input);
  const runs = [runOf(system, input, 1)];
  if (isRefined(input)) runs.push(runOf(system, input, 2));
  const cost = costOf(system, input.steps);
  return { runs, estimateNs: cost.ns * (2 * runs.length - 1), estimateBytes: cost.bytes };
}

/** The run, or the same time in twice the steps. */
function runOf(system: System, input: Input, refinement: 1 | 2): KernelRun {
  const { atoms, box, pair, skin } = system;
  const steps = input.steps * refinement;
  return {
    parameters: [
      atoms,
      box.x,
      box.y,
      box.z,
      system.t0,
      input.dtSim / refinement,
      pair.eps,
      pair.sig,
      pair.rc,
      skin,
      Number(pair.cutoff === 'force-shifted'),
      input.seed,
      0,
      system.chainLength,
      input.kBond,
      input.r0Bond,
      steps,
      system.frames,
      system.recordEvery * refinement,
      input.thermostat === 'bussi' ? input.tau : 0,
      system.countFrom,
      system.countEvery,
      BINS,
      system.countReach,
      crowdOf(system),
    ],
    inputs: [{ view: VIEW.positions, data: system.positions }],
    steps,
    outputs: Object.values(VIEW),
    statistics: 5,
  };
}

/** Half of the sphere that the list reaches, in which each pair is kept by one of its atoms. */
const halfSphere = ({ pair, skin }: System): number => {
  const reach = pair.rc + skin;
  return ((2 * Math.PI) / 3) * reach * reach * reach;
};

/** Partners an atom that the list has room for: condensed drops are denser than the box is on average. */
function crowdOf(system: System): number {
  const { pair, rho, atoms } = system;
  const crowd = halfSphere(system) * Math.max(1.3 * rho, 1.1 / (pair.sig * pair.sig * pair.sig));
  // Fewer atoms than that are a list of every pair, unless a box is so small that its images join in.
  return Math.max(Math.min(crowd, atoms), 1.3 * halfSphere(system) * rho) + 8;
}

/** Measured on one 2.5 GHz core (bench/evolve.ts): atoms, listed pairs, ghosts and counted distances. */
function costOf(system: System, steps: number): { ns: number; bytes: number } {
  const { atoms, box, pair, skin, rho } = system;
  const reach = pair.rc + skin;
  const edges = [box.x, box.y, box.z] as const;
  const around = (edges[0] + 2 * reach) * (edges[1] + 2 * reach) * (edges[2] + reach) * rho - atoms;
  const counted = Math.ceil((system.frames - system.countFrom) / system.countEvery);
  const records = Math.floor(steps / system.recordEvery) + 1;
  // Chains stay together in whatever box; the last term is the witness.
  const dense = system.chainLength > 0 ? Math.max(rho, 0.6 / (pair.sig * pair.sig * pair.sig)) : rho;
  const partners = halfSphere(system) * dense;
  const step = atoms * (30 + 2.7 * partners + (system.chainLength > 0 ? 40 : 0)) + 6 * around;
  const record = atoms * (6 + partners);
  const ns = 20e6 + steps * step + records * record + counted * 3 * atoms * atoms + 20 * atoms * atoms;

  const imagesOf = (edge: number) => 2 * Math.ceil(reach / edge) + 1;
  const mostGhosts = atoms * (imagesOf(edges[0]) * imagesOf(edges[1]) * ((imagesOf(edges[2]) + 1) / 2) - 1);
  const bytes =
    131_072 +
    atoms * (3 * 64 + 2 * 64 + 3 * 24 + 4 * crowdOf(system) + 24 * system.frames) +
    mostGhosts * (64 + 32 + 4 + 28) +
    8 * COLUMNS * (records + system.frames);
  return { ns, bytes };
}
