// Molecular dynamics of Lennard-Jones atoms and bead-spring chains, checked by a direct sum over all pairs.

import { z } from 'zod';
import type { KernelRun } from '../../kernels/abi.ts';
import type { Plan } from '../definition.ts';
import { defineSolver } from '../solver.ts';
import { EVOLVE_FACE, type EvolveFace } from './face.ts';
import { evolveLive } from './live.ts';
import { isRefined, solutionOf } from './solution.ts';
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
  revision: 1,
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
  kernel: EVOLVE_FACE,
  plan,
  collect: solutionOf,
  live: evolveLive,
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

function plan(input: Input): Plan<EvolveFace> {
  const system = systemOf(input);
  const runs = [runOf(system, input, 1)];
  if (isRefined(input)) runs.push(runOf(system, input, 2));
  const cost = costOf(system, input.steps);
  return { runs, estimateNs: cost.ns * (2 * runs.length - 1), estimateBytes: cost.bytes };
}

/** The kernel run, or with refinement 2 the same duration in twice the steps. */
function runOf(system: System, input: Input, refinement: 1 | 2): KernelRun<EvolveFace> {
  const { atoms, box, pair, skin } = system;
  const steps = input.steps * refinement;
  return {
    parameters: {
      atoms,
      boxX: box.x,
      boxY: box.y,
      boxZ: box.z,
      t0: system.t0,
      dt: input.dtSim / refinement,
      eps: pair.eps,
      sig: pair.sig,
      rc: pair.rc,
      skin,
      isForceShifted: Number(pair.cutoff === 'force-shifted'),
      seed: input.seed,
      chainLength: system.chainLength,
      kBond: input.kBond,
      r0Bond: input.r0Bond,
      steps,
      frames: system.frames,
      recordEvery: system.recordEvery * refinement,
      thermostatTime: input.thermostat === 'bussi' ? input.tau : 0,
      histogramFrom: system.histogramFrom,
      histogramEvery: system.histogramEvery,
      bins: BINS,
      histogramRange: system.histogramRange,
      maxNeighbours: maxNeighboursOf(system),
    },
    inputs: { positions: system.positions },
    steps,
    outputs: EVOLVE_FACE.views,
    statistics: EVOLVE_FACE.statistics,
  };
}

/** Half the volume of the sphere within the list cutoff: the list holds each pair once. */
const halfSphereVolume = ({ pair, skin }: System): number => {
  const listCutoff = pair.rc + skin;
  return ((2 * Math.PI) / 3) * listCutoff * listCutoff * listCutoff;
};

/** Capacity of the list in partners per atom: condensed drops are denser than the box average. */
function maxNeighboursOf(system: System): number {
  const { pair, rho, atoms } = system;
  const neighbours = halfSphereVolume(system) * Math.max(1.3 * rho, 1.1 / (pair.sig * pair.sig * pair.sig));
  // Fewer atoms than that list every pair, unless the box is so small that images count too.
  return Math.max(Math.min(neighbours, atoms), 1.3 * halfSphereVolume(system) * rho) + 8;
}

/** Cost measured on one 2.5 GHz core (bench/evolve.ts): atoms, listed pairs, ghosts and distances. */
function costOf(system: System, steps: number): { ns: number; bytes: number } {
  const { atoms, box, pair, skin, rho } = system;
  const listCutoff = pair.rc + skin;
  const edges = [box.x, box.y, box.z] as const;
  const ghosts = (edges[0] + 2 * listCutoff) * (edges[1] + 2 * listCutoff) * (edges[2] + listCutoff) * rho - atoms;
  const histogramFrames = Math.ceil((system.frames - system.histogramFrom) / system.histogramEvery);
  const records = Math.floor(steps / system.recordEvery) + 1;
  // Chains stay dense in any box; the last term is the witness.
  const localDensity = system.chainLength > 0 ? Math.max(rho, 0.6 / (pair.sig * pair.sig * pair.sig)) : rho;
  const partners = halfSphereVolume(system) * localDensity;
  const step = atoms * (30 + 2.7 * partners + (system.chainLength > 0 ? 40 : 0)) + 6 * ghosts;
  const record = atoms * (6 + partners);
  const ns = 20e6 + steps * step + records * record + histogramFrames * 3 * atoms * atoms + 20 * atoms * atoms;

  const imagesOf = (edge: number) => 2 * Math.ceil(listCutoff / edge) + 1;
  const maxGhosts = atoms * (imagesOf(edges[0]) * imagesOf(edges[1]) * ((imagesOf(edges[2]) + 1) / 2) - 1);
  const bytes =
    131_072 +
    atoms * (3 * 64 + 2 * 64 + 3 * 24 + 4 * maxNeighboursOf(system) + 24 * system.frames) +
    maxGhosts * (64 + 32 + 4 + 28) +
    8 * EVOLVE_FACE.columns.record.length * (records + system.frames);
  return { ns, bytes };
}
