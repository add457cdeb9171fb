// Words of the form: what its fields are called beside their names, which ones steer the computation only, and problems
// to start from.

import type { SolverForm } from '../solver-form.ts';
import type { inputs } from './inputs.ts';

export const form: SolverForm<typeof inputs> = {
  answer: { name: 'Period of the cycle; 0 without one' },
  quantities: {
    cycles: 'Cycles',
    equilibrium_prey: 'Prey in equilibrium',
    equilibrium_predators: 'Predators in equilibrium',
    T0: 'Period of small cycles',
    growth_rate: 'Growth rate about the equilibrium',
    prey_max: 'Most prey',
    prey_min: 'Fewest prey',
    predators_max: 'Most predators',
    predators_min: 'Fewest predators',
    mean_prey: 'Mean prey',
    mean_predators: 'Mean predators',
    lag: 'Delay of the predators',
    'period_rk#': 'Period by Runge–Kutta',
    'rk#_drift': 'Drift of the invariant by Runge–Kutta',
    prey_end: 'Prey at the end',
    predators_end: 'Predators at the end',
    t_end: 'End time',
    steps: 'Steps',
  },
  units: [
    {
      unit: 'T',
      words: 'in your unit of time',
      meaning: 'Rates are per unit of time, whichever it is; times follow from them.',
    },
  ],
  labels: {
    alpha: 'Growth of the prey',
    beta: 'Predation',
    gamma: 'Deaths of the predators',
    delta: 'Gain of the predators',
    x0: 'Prey at the start',
    y0: 'Predators at the start',
    t_end: 'Length of the curves',
    steps_per_period: 'Equal steps in a period',
    carrying_capacity: 'Carrying capacity of the prey',
    half_saturation: 'Half saturation of the predators',
    harvest: 'Harvest of both species',
    units: 'Unit of time',
    samples: 'Times of the curves',
  },
  arrays: {
    plane_prey: 'prey',
    plane_predators: 'predators',
    level_prey: 'prey',
    level_predators: 'predators',
    V_drift: 'relative drift',
  },
  numerics: ['steps_per_period', 'samples'],
  examples: [
    {
      title: 'Snowshoe hares and lynx',
      look: 'Hares rise first, lynx follow, and both fall again, about every ten years.',
      input: { alpha: 0.55, beta: 0.028, gamma: 0.84, delta: 0.026, x0: 30, y0: 4, units: 'year' },
    },
    {
      title: 'A small swing about the equilibrium',
      look: 'Close to balance both numbers swing as a pendulum does.',
      input: { alpha: 1, beta: 1, gamma: 1, delta: 1, x0: 1.1, y0: 1 },
    },
    {
      title: 'Outbreaks',
      look: 'Far from balance, long quiet times end in sudden outbreaks.',
      input: { alpha: 1, beta: 1, gamma: 1, delta: 1, x0: 10, y0: 1 },
    },
    {
      title: 'Fishing of both species: more prey, fewer predators',
      look: 'Fishing both leaves more prey than before, which Volterra found in the Adriatic.',
      input: { alpha: 1, beta: 0.1, gamma: 0.5, delta: 0.02, x0: 30, y0: 8, harvest: 0.2, units: 'year' },
    },
    {
      title: 'A limit on the prey: swings die away',
      look: 'Prey that has little food too calms the swings.',
      input: { alpha: 1, beta: 1, gamma: 1, delta: 1, x0: 2, y0: 0.5, carrying_capacity: 10 },
    },
    {
      title: 'Predators that are satisfied: a limit cycle',
      look: 'Every start ends in the same cycle.',
      input: { alpha: 1, beta: 1, gamma: 0.5, delta: 1, x0: 1, y0: 1, carrying_capacity: 5, half_saturation: 1 },
    },
    {
      title: 'Paradox of enrichment',
      look: 'More food for the prey makes the swings so large that both nearly die out.',
      input: { alpha: 1, beta: 1, gamma: 0.5, delta: 1, x0: 1, y0: 1, carrying_capacity: 20, half_saturation: 1 },
    },
    {
      title: 'Too little prey to live on',
      look: 'Predators starve, and the prey fills its place.',
      input: { alpha: 1, beta: 1, gamma: 1, delta: 1, x0: 2, y0: 0.5, carrying_capacity: 0.8 },
    },
  ],
};
