// Words of the form: what its fields are called beside their names, and series to start from.

import type { SolverForm } from '../solver-form.ts';
import type { inputs } from './inputs.ts';

const T = 1_790_000_000;

export const form: SolverForm<typeof inputs> = {
  answer: { name: 'S at the last step' },
  quantities: {
    S: 'Result S of the law',
    R_first: 'Pulse R(t) at the first step',
    R_last: 'Pulse R(t) at the last step',
    't_#': 'Time of step #',
    steps: 'Steps',
  },
  labels: {
    steps: 'Steps',
    domain: 'Domain',
    inputs: 'Inputs of the law',
    t: 'Time of step 0',
    computed: 'Result of the law',
  },
  arrays: {
    R_t: 'R(t)',
    delta: 'change',
    S_R_t: 'S R(t)',
  },
  numerics: [],
  examples: [
    { title: 'The pulse', look: 'The clock of the service over a few steps.', input: { t: T } },
    { title: 'A minute of it', look: 'The same clock over 64 steps.', input: { t: T, steps: 64 } },
    {
      title: 'From half a pulse',
      look: 'The steps begin in the middle of a pulse.',
      input: { t: 1_790_000_000.388, steps: 32 },
    },
    {
      title: 'Particle in a box',
      look: 'An energy of a quantum box, scaled by the clock.',
      input: { t: T, domain: 'QM5', inputs: { n: 1, m: 9.1093837139e-31, L: 1e-9 } },
    },
    {
      title: 'Kinetic energy',
      look: 'The energy of a moving body, scaled by the clock.',
      input: { t: T, domain: 'CM9', inputs: { m: 2, v: 3 }, steps: 8 },
    },
    { title: 'One step', look: 'A single step of the clock.', input: { t: T, steps: 1 } },
  ],
};
