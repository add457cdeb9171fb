// Bodies that attract each other: the record that routes, documents and tests are read from.

import { defineSolver } from '../solver.ts';
import { MULTIBODY_FACE } from './face.ts';
import { form } from './form.ts';
import { inputs } from './inputs.ts';
import { multibodyLive } from './live.ts';
import { planOf } from './plan.ts';
import { solutionOf } from './solution.ts';
import { words } from './words.ts';

export const multibody = defineSolver({
  id: 'multibody',
  revision: 3,
  title: 'Bodies that attract each other',
  summary:
    'Two to sixteen bodies under gravity in a plane or in space, or as a master field on a line; ± of every place, and until when it can be predicted.',
  domain: 'Kernel Modulation',
  subject: 'Mechanics and structures',
  equations: [
    String.raw`\frac{\mathrm d^2 \mathbf x_i}{\mathrm d t^2} = G \sum_{j \ne i} m_j\, \frac{\mathbf x_j - \mathbf x_i}{\left( |\mathbf x_j - \mathbf x_i|^2 + \varepsilon^2 \right)^{3/2}}`,
  ],
  method: {
    name: 'DOP853 beside extrapolation; Runge–Kutta of order 4, and symplectic compositions of orders 2 to 8, with equal steps',
    order: { time: 8 },
    stability: 'explicit: steps follow the distance of the nearest two bodies',
  },
  operatorChain: ['KO42'],
  unit: 'J',
  inputs,
  form,
  words,
  kernel: MULTIBODY_FACE,
  plan: planOf,
  collect: solutionOf,
  live: multibodyLive,
  references: [
    {
      cite: 'Hairer, Nørsett & Wanner, Solving Ordinary Differential Equations I (2nd ed., 1993)',
      at: '§II.4 – II.10',
    },
    { cite: 'Hairer, Lubich & Wanner, Geometric Numerical Integration (2nd ed., 2006)', at: '§V.3' },
    {
      cite: 'Dehnen & Read, Eur. Phys. J. Plus 126 (2011) 55',
      at: 'softened gravity',
      doi: '10.1140/epjp/i2011-11055-3',
    },
    { cite: 'Kahan & Li, Math. Comp. 66 (1997) 1089', at: 'order 8', doi: '10.1090/S0025-5718-97-00873-9' },
  ],
});
