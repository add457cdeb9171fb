// Words of the form: what its fields are called beside their names, which ones steer the computation only, and problems
// to start from.

import type { SolverForm } from '../solver-form.ts';
import type { inputs } from './problem.ts';

const POLYMER = { preset: ['polymer'] } as const;

export const form: SolverForm<typeof inputs> = {
  answer: { name: 'Energy per atom' },
  quantities: {
    temperature_mean: 'Mean temperature',
    potential_energy_mean: 'Mean potential energy',
    pressure_mean: 'Mean pressure',
    diffusion_coefficient: 'Diffusion coefficient',
    tail_energy: 'Correction of the energy beyond the cutoff',
    tail_pressure: 'Correction of the pressure beyond the cutoff',
    energy_drift: 'Drift of the energy',
    energy_swing: 'Swing of the energy',
    momentum: 'Total momentum',
    density: 'Density',
    shortest_edge: 'Shortest edge of the box',
    list_builds: 'Neighbour lists built',
    listed_partners: 'Listed partners an atom',
    ghost_atoms: 'Ghost atoms',
  },
  units: [
    { unit: 'epsilon', words: 'ε, the well depth', meaning: 'ε is the depth of the well between two atoms.' },
    { unit: 'sigma', words: 'σ, the diameter', meaning: 'σ is the diameter of an atom.' },
    { unit: 'tau', meaning: 'τ = σ √(m/ε) is the time that they make, about 2 ps for argon.' },
    { unit: 'epsilon/k_B', meaning: 'A temperature of 1 ε/k_B is 120 K for argon.' },
  ],
  labels: {
    preset: 'Preset',
    N: 'Atoms',
    rho: 'Number density',
    T0: 'Temperature',
    steps: 'Time steps',
    dtSim: 'Time step',
    eps: 'Depth of the pair well',
    sig: 'Diameter of an atom',
    rc: 'Cut-off distance',
    kBond: 'Stiffness of bonds',
    r0Bond: 'Length of bonds',
    seed: 'Seed',
    sample: 'Recorded frames',
    cutoff: 'Cut-off',
    thermostat: 'Thermostat',
    tau: 'Relaxation time of the thermostat',
    positions: 'Atoms of your own',
    velocities: 'Velocities of your own',
    box: 'Periodic box',
  },
  arrays: {
    T: 'temperature',
    U: 'potential energy',
    K: 'kinetic energy',
    E: 'energy',
    H: 'conserved quantity',
    P: 'pressure',
    MSD: 'mean squared displacement',
    VACF_t: 't',
    VACF: 'autocorrelation',
  },
  numerics: ['dtSim', 'rc', 'cutoff', 'seed', 'sample'],
  usedWhen: {
    rho: { positions: [null] },
    kBond: POLYMER,
    r0Bond: POLYMER,
    tau: { thermostat: ['bussi'] },
    velocities: { positions: 'given' },
    box: { positions: 'given' },
  },
  shown: ['N', 'rho', 'T0'],
  examples: [
    {
      title: 'Liquid argon',
      look: 'Atoms of a liquid jostle close together without any order.',
      input: { preset: 'lj-liquid', steps: 1000 },
    },
    {
      title: 'A melting crystal',
      look: 'A crystal is warmed until its atoms leave their places.',
      input: { preset: 'crystal', T0: 1.6, thermostat: 'bussi', steps: 4000 },
    },
    {
      title: 'A thin gas',
      look: 'Far apart, atoms fly straight and seldom meet.',
      input: { preset: 'lj-gas', steps: 1000 },
    },
    {
      title: 'Chains of beads',
      look: 'Beads on strings move as long molecules do.',
      input: { preset: 'polymer', steps: 1000 },
    },
    {
      title: 'A cold crystal that keeps its shape',
      look: 'Cold atoms shake about their places and stay there.',
      input: { preset: 'crystal', T0: 0.3, steps: 1000 },
    },
    {
      title: 'A dense liquid under tension',
      look: 'A liquid that would like to be denser: its pressure is below zero.',
      input: { preset: 'lj-liquid', rho: 0.9, T0: 1, steps: 1000 },
    },
  ],
};
