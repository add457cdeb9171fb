// Words of the form: what its fields are called beside their names, and which ones steer the computation only, and problems
// to start from.

import type { SolverForm } from '../solver-form.ts';
import type { inputs } from './inputs.ts';

const OF_LORENZ = [
  { system: ['lorenz'] },
  { system: [null], preset: ['lorenz', 'wolf', 'window', 'steady'], equations: [null] },
] as const;
const OF_ROSSLER = [{ system: ['rossler'] }, { system: [null], preset: ['rossler'], equations: [null] }] as const;
const OWN = [
  { system: [null, 'custom'], equations: 'given' },
  { system: ['custom'] },
  { system: [null], preset: ['hyperchaos', 'chua', 'thomas', 'galaxy', 'oscillator'] },
] as const;

export const form: SolverForm<typeof inputs> = {
  answer: { name: 'Largest Lyapunov exponent' },
  quantities: {
    'lambda_#': 'Lyapunov exponent #',
    kaplan_yorke_dimension: 'Kaplan–Yorke dimension',
    entropy: 'Entropy a time',
    lyapunov_time: 'Lyapunov time',
    predictability_horizon: 'Time that can be predicted',
    divergence: 'Divergence of the flow',
    hopf_rho: 'ρ of the Hopf bifurcation',
    'growth_at_equilibrium_#': 'Growth rate # at the equilibrium',
    equilibria: 'Equilibria',
    maxima: 'Maxima of z',
    time: 'Time of the average',
    path_interval: 'Time between recorded points',
  },
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
  arrays: {
    x_path: 'x',
    y_path: 'y',
    z_path: 'z',
    w_path: 'w',
    u_path: 'u',
    v_path: 'v',
    t_path: 't',
    t_pair: 't',
    next_maximum: 'next maximum',
    log10_distance: 'log₁₀ of the distance',
    first_start: 'first start',
    second_start: 'second start',
    lambda_1_so_far: 'λ₁ so far',
    x_at_rest: 'x',
    y_at_rest: 'y',
    z_at_rest: 'z',
    w_at_rest: 'w',
    u_at_rest: 'u',
    v_at_rest: 'v',
    growth_at_rest: 'growth',
  },
  numerics: ['dt', 'steps', 'transient', 'pair_time'],
  usedWhen: {
    sigma: OF_LORENZ,
    rho: OF_LORENZ,
    beta: OF_LORENZ,
    a: OF_ROSSLER,
    b: OF_ROSSLER,
    c: OF_ROSSLER,
    equations: { system: [null, 'custom'] },
    constants: OWN,
  },
  shown: ['sigma', 'rho', 'beta', 'start'],
  examples: [
    {
      title: 'The butterfly of Lorenz',
      look: 'The path circles one wing, then the other, in an order that nobody can predict for long.',
      input: { preset: 'lorenz' },
    },
    {
      title: 'A window of order',
      look: 'Between chaotic settings lies one where the path closes.',
      input: { preset: 'window' },
    },
    {
      title: 'Steady convection',
      look: 'The path spirals into a point: the air turns evenly.',
      input: { preset: 'steady' },
    },
    {
      title: "Rössler's band",
      look: 'One band that is stretched and folded, the simplest chaos.',
      input: { preset: 'rossler' },
    },
    {
      title: 'Hyperchaos',
      look: 'Two directions in which neighbours run apart, in four dimensions.',
      input: { preset: 'hyperchaos' },
    },
    {
      title: "Chua's circuit",
      look: 'A circuit of a few parts that never repeats: two scrolls.',
      input: { preset: 'chua' },
    },
    {
      title: 'Stars in a galaxy',
      look: 'A star in a model of a galaxy: its path fills a region.',
      input: { preset: 'galaxy' },
    },
  ],
};
