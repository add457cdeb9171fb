// Words of the form: what its fields are called beside their names, and which ones steer the computation only, and problems
// to start from.

import type { SolverForm } from '../solver-form.ts';
import type { inputs } from './inputs.ts';

export const form: SolverForm<typeof inputs> = {
  answer: { name: 'Largest Lyapunov exponent' },
  labels: {
    preset: 'Preset',
    system: 'System',
    sigma: 'Prandtl number',
    rho: 'Relative Rayleigh number',
    beta: 'Shape of the rolls',
    a: 'Constant a',
    b: 'Constant b',
    c: 'Constant c',
    equations: 'Equations',
    constants: 'Constants',
    start: 'Start',
    dt: 'Time step',
    steps: 'Averaged steps',
    transient: 'Steps before',
    delta: 'Distance of two starts',
    tolerance: 'Distance of a lost forecast',
    pair_time: 'Time of the pair',
    watch: 'Watched state',
  },
  numerics: ['dt', 'steps', 'transient', 'pair_time'],
  examples: [
    { title: 'The butterfly of Lorenz', input: { preset: 'lorenz' } },
    { title: 'A window of order', input: { preset: 'window' } },
    { title: 'Steady convection', input: { preset: 'steady' } },
    { title: "Rössler's band", input: { preset: 'rossler' } },
    { title: 'Hyperchaos', input: { preset: 'hyperchaos' } },
    { title: "Chua's circuit", input: { preset: 'chua' } },
    { title: 'Stars in a galaxy', input: { preset: 'galaxy' } },
  ],
};
