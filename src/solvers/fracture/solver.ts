// Fracture: the record that routes, documents and tests are read from.

import { defineSolver } from '../solver.ts';
import { FRACTURE_FACE } from './face.ts';
import { form } from './form.ts';
import { inputs } from './inputs.ts';
import { fractureLive } from './live.ts';
import { planOf } from './plan.ts';

import { solutionOf } from './solution.ts';
import { words } from './words.ts';

export const fracture = defineSolver({
  id: 'fracture',
  revision: 3,
  title: 'Fracture',
  summary:
    'A notched plate or a bar is pulled until it breaks, by bond-based peridynamics in equilibrium or in motion.',
  domain: 'Fracture Mechanics',
  subject: 'Mechanics and structures',
  equations: [
    String.raw`\rho\, \frac{\mathrm d^2 \mathbf u_i}{\mathrm d t^2} = \sum_{|\mathbf x_j - \mathbf x_i| \le \delta} c\, s_{ij}\, \mathbf e_{ij}\, V_j`,
    String.raw`s_{ij} = \frac{|\mathbf y_j - \mathbf y_i|}{|\mathbf x_j - \mathbf x_i|} - 1 < s_0, \quad \mathbf y = \mathbf x + \mathbf u`,
  ],
  method: {
    name: 'bond-based peridynamics, quasi-static by conjugate gradients, in motion by velocity Verlet',
    stability: 'equilibrium: unconditional; motion: dt up to 2 / √(2 Σ stiffness), which is refused beyond',
  },
  operatorChain: ['KO42', 'STRESS_ANALYSIS'],
  unit: 'sigma',
  unitOf: ({ load }) => (load === 'wave' ? 'm/s' : 'sigma'),
  inputs,
  form,
  words,
  kernel: FRACTURE_FACE,
  plan: planOf,
  collect: solutionOf,
  live: fractureLive,
  references: [
    { cite: 'Silling, J. Mech. Phys. Solids 48 (2000)', at: 'pp. 175–209', doi: '10.1016/S0022-5096(99)00029-0' },
    {
      cite: 'Silling & Askari, Comput. Struct. 83 (2005)',
      at: 'pp. 1526–1535',
      doi: '10.1016/j.compstruc.2004.11.026',
    },
  ],
});
