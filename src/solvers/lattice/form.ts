// Words of the form: what its fields are called beside their names, and chains to start from.

import type { SolverForm } from '../solver-form.ts';
import type { inputs } from './inputs.ts';

const chain = (...omega: readonly number[]) => omega.map((one) => ({ inputs: { omega: one } }));

export const form: SolverForm<typeof inputs> = {
  answer: { name: 'Mean coherence of the second half' },
  quantities: {
    coherence: 'Mean coherence of the second half',
    r_end: 'Coherence at the end',
    random_phases: 'Mean coherence of random phases',
    locked: 'Locked (1) or not (0)',
    K_c: 'Critical coupling',
    r_locked: 'Coherence of the locked state',
    slowest_rate: 'Slowest rate of decay',
    mean_frequency: 'Mean frequency',
    first_to_last: 'Phase of the last node behind the first',
    K: 'Coupling',
    t_end: 'End time',
  },
  labels: {
    nodes: 'Nodes',
    K: 'Coupling',
    topology: 'Arrangement',
    t: 'Time at the start',
    tMax: 'Length of the run',
    steps: 'Steps',
  },
  arrays: {
    circle_x: 'cos θ',
    circle_y: 'sin θ',
    phases: 'node',
    node_omega: 'ω',
    node_theta: 'θ',
    node_R_t: 'R(t)',
    phase_locking: 'locking',
  },
  numerics: ['tMax', 'steps'],
  examples: [
    {
      title: 'Two that lock',
      look: 'Two clocks of different rate pull each other into one rhythm.',
      input: { nodes: chain(1, 1.5), K: 1 },
    },
    {
      title: 'A pair that drifts',
      look: 'Too weak a pull: the two clocks run past each other again and again.',
      input: { nodes: chain(1, 1.5), K: 0.2, tMax: 251.32741228718345 },
    },
    {
      title: 'Five near the critical coupling',
      look: 'Five clocks at the edge between running apart and locking.',
      input: { nodes: chain(0.9, 1, 1.1, 1.2, 1.3), K: 0.31 },
    },
    {
      title: 'A ring of four',
      look: 'Each of four clocks hears its two neighbours only.',
      input: { nodes: chain(0.8, 1.1, 0.95, 1.25), K: 0.6, topology: 'ring' },
    },
    {
      title: 'All to all',
      look: 'Five clocks that all hear each other.',
      input: { nodes: chain(0.5, 1, 1.5, 2, 2.5), K: 0.4, topology: 'all' },
    },
    {
      title: 'Two domains on the pulse',
      look: 'Rates that come from two laws, coupled on the clock of the service.',
      input: {
        t: 1_790_000_000,
        nodes: [
          { domain: 'CM9', inputs: { m: 2, v: 3, theta0: 0 } },
          { domain: 'QM5', inputs: { n: 1, m: 9.1093837139e-31, L: 1e-9, theta0: 2 } },
        ],
      },
    },
  ],
};
