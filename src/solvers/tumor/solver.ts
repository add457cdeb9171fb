// Growth of gliomas: the record that routes, documents and tests are read from.

import { defineSolver } from '../solver.ts';
import { TUMOR_FACE } from './face.ts';
import { form } from './form.ts';
import { inputs } from './inputs.ts';
import { tumorLive } from './live.ts';
import { planOf } from './plan.ts';
import { solutionOf } from './solution.ts';
import { words } from './words.ts';

export const tumor = defineSolver({
  id: 'tumor',
  revision: 4,
  title: 'Growth of tumors',
  summary:
    'Fronts of gliomas in grey and white matter, also on a map: speed, radii, resection, radiation, chemotherapy.',
  domain: 'Growth-Front Dynamics',
  subject: 'Life and medicine',
  equations: [
    String.raw`\frac{\partial u}{\partial t} = \nabla\cdot\left( D(\mathbf x) \nabla u \right) + \rho\, u (1 - u) - k(t)\, u`,
  ],
  method: {
    name: 'Strang splitting: Crank–Nicolson in finite volumes, logistic growth in closed form',
    order: { time: 2, space: 2 },
    stability: 'for every step',
  },
  operatorChain: ['KO42', 'CELL_GROWTH'],
  unit: 'c',
  inputs,
  form,
  words,
  kernel: TUMOR_FACE,
  plan: planOf,
  // The start on a map is scanned for what lies between its cells.
  hasLongPlan: ({ map }) => map !== undefined,
  collect: solutionOf,
  live: tumorLive,
  references: [
    { cite: 'Bramson, Mem. Amer. Math. Soc. 44, no. 285 (1983)', at: 'the delay 3/2 log t of the front' },
    { cite: 'Ebert & van Saarloos, Physica D 146 (2000)', at: 'pp. 1–99', doi: '10.1016/S0167-2789(00)00068-3' },
    { cite: 'Ablowitz & Zeppetella, Bull. Math. Biol. 41 (1979)', at: 'pp. 835–840', doi: '10.1007/BF02462380' },
    {
      cite: 'Swanson, Alvord & Murray, Cell Prolif. 33 (2000)',
      at: 'pp. 317–329',
      doi: '10.1046/j.1365-2184.2000.00177.x',
    },
  ],
});
