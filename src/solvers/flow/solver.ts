// Incompressible flow: the record that routes, documents and tests are read from.

import { defineSolver } from '../solver.ts';
import { FLOW_FACE } from './face.ts';
import { form } from './form.ts';
import { inputs } from './inputs.ts';
import { flowLive } from './live.ts';
import { planOf } from './plan.ts';
import { solutionOf } from './solution.ts';
import { words } from './words.ts';

export const flow = defineSolver({
  id: 'flow',
  revision: 4,
  title: 'Incompressible flow',
  summary: 'Navier–Stokes in a cavity, in Taylor–Green vortices, between plates, and in a channel with obstacles.',
  domain: 'Fluid Dynamics',
  subject: 'Heat, fluids and waves',
  equations: [
    String.raw`\frac{\partial \mathbf u}{\partial t} + (\mathbf u \cdot \nabla)\, \mathbf u = -\nabla p + \nu \nabla^2 \mathbf u + \mathbf f`,
    String.raw`\nabla\cdot \mathbf u = 0`,
  ],
  method: {
    name: 'semi-Lagrangian BDF2 with a projection on staggered cells',
    order: { time: 2, space: 2 },
    stability: 'unconditional; trajectories want few cells a step',
  },
  operatorChain: ['KO42', 'FL3'],
  unit: 'm/s',
  inputs,
  form,
  words,
  kernel: FLOW_FACE,
  plan: planOf,
  // Waves and obstacles of three grids are sampled.
  hasLongPlan: ({ N, case: flow }) => N > 64 && (flow === 'taylor-green' || flow === 'channel'),
  collect: solutionOf,
  live: flowLive,
  references: [
    { cite: 'Xiu & Karniadakis, J. Comput. Phys. 172 (2001)', at: 'p. 658' },
    { cite: 'Guermond, Minev & Shen, Comput. Methods Appl. Mech. Eng. 195 (2006)', at: 'p. 6011' },
    { cite: 'Ghia, Ghia & Shin, J. Comput. Phys. 48 (1982)', at: 'p. 387' },
    { cite: 'Botella & Peyret, Comput. Fluids 27 (1998)', at: 'p. 421' },
    { cite: 'Stam, Stable Fluids, SIGGRAPH (1999)', at: 'the whole' },
  ],
});
