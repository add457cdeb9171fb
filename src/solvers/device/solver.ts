// Electrostatics of semiconductor devices: the record that routes, documents and tests are read from.

import { defineSolver } from '../solver.ts';
import { DEVICE_FACE } from './face.ts';
import { form } from './form.ts';
import { inputs } from './inputs.ts';
import { planOf } from './plan.ts';
import { solutionOf } from './solution.ts';
import { words } from './words.ts';

export const device = defineSolver({
  id: 'device',
  revision: 4,
  title: 'Electrostatics of semiconductor devices',
  summary:
    'Potential, bands and C-V of a pn junction or a MOS stack, and Poisson’s equation among media and electrodes.',
  domain: 'Semiconductor Devices',
  subject: 'Energy and devices',
  equations: [
    String.raw`-\nabla\cdot(\varepsilon \nabla \psi) = q\,(p - n + N)`,
    String.raw`n = n_i\, e^{(\psi - \varphi_n)/V_T}, \quad p = n_i\, e^{(\varphi_p - \psi)/V_T}`,
  ],
  method: {
    name: 'damped Newton for Poisson–Boltzmann; conjugate gradients with multigrid for Poisson',
    order: { space: 2 },
    stability: 'both matrices are positive definite; layers thinner than a Debye length need cells within them',
  },
  operatorChain: ['KO42', 'CMP11'],
  unit: 'V',
  inputs,
  form,
  words,
  kernel: DEVICE_FACE,
  plan: planOf,
  hasLongPlan: () => true,
  collect: solutionOf,
  references: [
    { cite: 'Sze & Ng, Physics of Semiconductor Devices (3rd ed., 2007)', at: 'chapters 2 and 4' },
    { cite: 'Selberherr, Analysis and Simulation of Semiconductor Devices (1984)', at: 'chapters 5 to 7' },
    { cite: 'Bank & Rose, Numer. Math. 37 (1981)', at: 'damping of Newton’s method' },
    { cite: 'Brews, J. Appl. Phys. 45 (1974)', at: 'capacitance of high frequency' },
    { cite: 'Dendy, J. Comput. Phys. 48 (1982)', at: 'interpolation that follows the operator' },
    { cite: 'Gibou, Fedkiw, Cheng & Kang, J. Comput. Phys. 176 (2002)', at: 'outlines between nodes' },
    { cite: 'Trottenberg, Oosterlee & Schüller, Multigrid (2001)', at: 'chapters 5 and 7' },
  ],
});
