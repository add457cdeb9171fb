// Symplectic maps: the record that routes, documents and tests are read from.

import { defineSolver } from '../solver.ts';
import { ACTION_FACE } from './face.ts';
import { form } from './form.ts';
import { inputs } from './inputs.ts';
import { planOf } from './plan.ts';
import { solutionOf } from './solution.ts';
import { words } from './words.ts';

export const action = defineSolver({
  id: 'action',
  revision: 1,
  title: 'Symplectic maps',
  summary:
    'Leapfrog and its compositions of orders 4, 6 and 8 for Kepler, oscillator, pendulum or a Hamiltonian of your own; work and precision beside Runge–Kutta.',
  domain: 'Symplectic Mechanics',
  subject: 'Mechanics and structures',
  equations: [
    'H = T(p) + V(q)',
    String.raw`\frac{\mathrm d q}{\mathrm d t} = \frac{\partial T}{\partial p}, \quad \frac{\mathrm d p}{\mathrm d t} = -\frac{\partial V}{\partial q}`,
  ],
  method: {
    name: 'Leapfrog; compositions of Yoshida (orders 4, 6) and of Kahan and Li (order 8)',
    order: { time: 4 },
    stability: 'dt times the fastest frequency below 2 for order 2, less for the others',
  },
  operatorChain: ['KO42'],
  unit: 'E',
  inputs,
  form,
  words,
  kernel: ACTION_FACE,
  plan: planOf,
  collect: solutionOf,
  references: [
    { cite: 'Yoshida, Phys. Lett. A 150 (1990) 262', at: 'orders 4 and 6', doi: '10.1016/0375-9601(90)90092-3' },
    { cite: 'Kahan & Li, Math. Comp. 66 (1997) 1089', at: 'order 8', doi: '10.1090/S0025-5718-97-00873-9' },
    { cite: 'Hairer, Lubich & Wanner, Geometric Numerical Integration (2nd ed., 2006)', at: '§V.3' },
  ],
});
