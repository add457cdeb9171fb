// Coupled chain: the record that routes, documents and tests are read from.

import { defineSolver } from '../solver.ts';
import { LATTICE_FACE } from './face.ts';
import { form } from './form.ts';
import { inputs } from './inputs.ts';
import { laws } from './laws.ts';
import { planOf } from './plan.ts';
import { solutionOf } from './solution.ts';
import { words } from './words.ts';

export const lattice = defineSolver({
  id: 'lattice',
  revision: 2,
  title: 'Coupled chain of 2 to 5 nodes',
  summary:
    'Coherence of Kuramoto oscillators about the pulse: locking, critical coupling, R(t) and the law of each node.',
  domain: 'Kernel Modulation',
  subject: 'Clock and service',
  equations: [
    String.raw`\frac{\mathrm d \theta_i}{\mathrm d t} = \omega_i + K \sum_{j \sim i} \sin(\theta_j - \theta_i), \quad r = \left| \frac1n \sum_j e^{i \theta_j} \right|`,
  ],
  method: {
    name: 'Runge–Kutta of order 4; the locked state in closed form, or DOP853, as the witness',
    order: { time: 4 },
    stability: 'h · 4K < 2.785',
  },
  operatorChain: ['KO42'],
  unit: '1',
  inputs,
  clock: 't',
  laws,
  tokens: ({ nodes }) => nodes.length,
  form,
  words,
  kernel: LATTICE_FACE,
  plan: planOf,
  collect: solutionOf,
  references: [
    { cite: 'Strogatz, Physica D 143 (2000)', at: 'pp. 1–20' },
    { cite: 'Acebrón et al., Rev. Mod. Phys. 77 (2005)', at: 'pp. 137–185' },
    {
      cite: 'Borwein, Straub, Wan & Zudilin, Canad. J. Math. 64 (2012)',
      at: 'pp. 961–990, mean distances of short walks',
    },
  ],
});
