// Words of the form: what its fields are called beside their names, which ones steer the computation only, and problems
// to start from.

import type { SolverForm } from '../solver-form.ts';
import type { inputs } from './inputs.ts';

const OF_SYSTEM = { potential: [null], kinetic: [null] } as const;
const OWN = [{ potential: 'given' }, { kinetic: 'given' }] as const;

export const form: SolverForm<typeof inputs> = {
  answer: { name: 'Energy after the last step' },
  quantities: {
    energy_at_start: 'Energy at the start',
    max_energy_error: 'Largest relative error of the energy',
    energy_trend: 'Relative trend of the energy',
    reversal_error: 'Difference from the start after going there and back',
    reference_time: 'Time of the comparison',
    'q#': 'Position #',
    'p#': 'Momentum #',
    position_error: 'Distance from the exact motion',
    angular_momentum: 'Angular momentum',
    max_momentum_error: 'Largest error of the angular momentum',
    period: 'Period',
    steps_per_period: 'Steps in a period',
  },
  units: [
    {
      unit: 'E',
      words: 'in the unit of H',
      meaning: 'Positions and momenta are plain numbers; H, as it is given, sets the unit of energy.',
    },
  ],
  labels: {
    system: 'System',
    order: 'Order',
    steps: 'Steps',
    dt: 'Step',
    eccentricity: 'Eccentricity',
    mu: 'Gravity of the centre',
    omega: 'Frequency',
    lambda: 'Strength of the pendulum',
    q0: 'Place at the start',
    p0: 'Momentum at the start',
    compare: 'Compare with others',
    sample: 'Times of the curves',
    potential: 'Potential of your own',
    kinetic: 'Kinetic energy of your own',
    start: 'Start of several degrees',
  },
  arrays: {
    energy_error: 'relative error of the energy',
    reference_t: 't',
    position_errors: 'distance',
    section_q: 'q2',
    section_p: 'p2',
    log10_work: 'log₁₀ of the evaluations',
    log10_energy_error: 'log₁₀ of the error of the energy',
    table_steps: 'steps',
    table_evaluations: 'evaluations',
    table_energy_error: 'error of the energy',
    table_position_error: 'error of the place',
  },
  numerics: ['compare', 'sample'],
  usedWhen: {
    system: OF_SYSTEM,
    eccentricity: { ...OF_SYSTEM, system: ['kepler'], start: [null] },
    mu: [{ system: ['kepler'] }, ...OWN],
    omega: [{ system: ['oscillator'] }, ...OWN],
    lambda: [{ system: ['pendulum'] }, ...OWN],
    q0: { start: [null] },
    p0: { start: [null] },
  },
  examples: [
    {
      title: 'An eccentric orbit',
      look: 'A planet on a long ellipse: points crowd far from the star, where it is slow.',
      input: { eccentricity: 0.9, order: 8, dt: 0.005 },
    },
    {
      title: 'Ten thousand orbits',
      look: 'After ten thousand turns the orbit has not drifted: the method keeps the energy.',
      input: { eccentricity: 0.2, order: 6, dt: 0.1, steps: 634_000 },
    },
    {
      title: 'A pendulum near the top',
      look: 'Started almost upside down, the pendulum hangs long near the top and then swings through.',
      input: { system: 'pendulum', q0: 3, steps: 4_000 },
    },
    {
      title: 'An oscillator in leapfrog',
      look: 'The simplest method that keeps area draws a closed curve for thousands of steps.',
      input: { system: 'oscillator', order: 2, dt: 0.02, steps: 5_000 },
    },
    {
      title: 'Hénon and Heiles, a chaotic orbit',
      look: 'A star in a three-sided valley: its path never repeats and fills the valley.',
      input: {
        potential: '(q1^2 + q2^2)/2 + q1^2*q2 - q2^3/3',
        start: [0, -0.15, 0.5, 0],
        order: 6,
        dt: 0.05,
        steps: 100_000,
      },
    },
    {
      title: 'Double well',
      look: 'Too little energy for the hill in the middle: the path stays in one well.',
      input: { potential: 'q^4/4 - q^2/2', q0: 1.2, steps: 4_000 },
    },
    {
      title: 'Toda lattice of three',
      look: 'Three masses with stiff springs: the motion looks wild and yet is regular.',
      input: {
        potential: 'exp(q1 - q2) + exp(q2 - q3) + exp(q3 - q1) - 3',
        start: [0.4, 0, -0.4, 0, 0.3, -0.3],
        dt: 0.02,
        steps: 10_000,
      },
    },
    {
      title: 'Relativistic oscillator',
      look: 'Near the speed of light the curve is no ellipse any more.',
      input: { kinetic: 'sqrt(1 + p^2)', potential: 'q^2/2', q0: 2, steps: 4_000 },
    },
  ],
};
