// Words of the form: what its fields are called beside their names, which ones steer the computation only, and problems
// to start from.

import type { SolverForm } from '../solver-form.ts';
import type { inputs } from './inputs.ts';

export const form: SolverForm<typeof inputs> = {
  answer: { name: 'Mean plaquette', unit: '1' },
  quantities: {
    tau_int: 'Integrated autocorrelation time',
    polyakov: 'Polyakov loop',
    plaquette_time: 'Plaquettes with time',
    plaquette_space: 'Plaquettes in space',
    'creutz_#_#': 'Creutz ratio # × #',
    acceptance: 'Accepted proposals',
    independent_sweeps: 'Independent sweeps',
    links: 'Links',
    loop_records: 'Records of loops',
  },
  labels: {
    group: 'Gauge group',
    dim: 'Dimensions',
    L: 'Sites in space',
    Lt: 'Sites in time',
    beta: 'Coupling',
    algorithm: 'Update',
    overrelaxation: 'Over-relaxation sweeps',
    start: 'Start',
    thermalisation: 'Sweeps left out',
    sweeps: 'Measured sweeps',
    loops: 'Largest Wilson loop',
    seed: 'Seed',
  },
  arrays: {
    plaquette_edges: 'plaquette',
    plaquette_counts: 'share of the sweeps',
    reference: 'exact',
    block_size: 'size of a block',
    block_error: 'error',
    error_in_use: 'error in use',
    loop_r: 'R',
    loop_t: 'T',
    wilson: 'W(R, T)',
    wilson_uncertainty: '±',
  },
  numerics: ['algorithm', 'overrelaxation', 'start', 'thermalisation', 'sweeps', 'seed'],
  examples: [
    {
      title: 'SU(2) on a small lattice',
      look: 'A gauge field on a lattice, sampled by chance moves: its average settles about a value.',
      input: {},
    },
    {
      title: 'Z2 in three dimensions',
      look: 'The simplest gauge field: links that are plus or minus one.',
      input: { group: 'z2', dim: 3, L: 8, beta: 0.7 },
    },
    {
      title: 'SU(2) in a plane, where it is known',
      look: 'In two dimensions a formula is known, and the average agrees with it.',
      input: { group: 'su2', dim: 2, L: 12, beta: 4, loops: 3 },
    },
    {
      title: 'SU(2) at a high temperature',
      look: 'A lattice that is short in time is a hot one.',
      input: { group: 'su2', L: 6, Lt: 2, beta: 2.3, sweeps: 500 },
    },
    {
      title: 'U(1) in three dimensions',
      look: 'Links that are angles: electromagnetism on a lattice.',
      input: { group: 'u1', dim: 3, L: 6, beta: 2 },
    },
    {
      title: 'U(1) in a plane by Metropolis',
      look: 'Another way to draw links, and the same average within its ±.',
      input: { group: 'u1', dim: 2, L: 12, beta: 2, algorithm: 'metropolis', loops: 3 },
    },
  ],
};
