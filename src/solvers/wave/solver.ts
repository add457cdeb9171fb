// Waves of strings, membranes and electromagnetic fields: the record that routes, documents and tests are read from.

import { defineSolver } from '../solver.ts';
import { WAVE_FACE } from './face.ts';
import { form } from './form.ts';
import { inputs } from './inputs.ts';
import { waveLive } from './live.ts';
import { planOf } from './plan.ts';
import { solutionOf } from './solution.ts';
import { words } from './words.ts';

export const wave = defineSolver({
  id: 'wave',
  revision: 3,
  title: 'Waves and fields',
  summary: 'Waves of strings, membranes and electromagnetic fields in media of one’s own, with sources and open sides.',
  domain: 'Wave Mechanics',
  subject: 'Heat, fluids and waves',
  equations: [
    String.raw`\rho\, \frac{\partial^2 u}{\partial t^2} + \rho\, r\, \frac{\partial u}{\partial t} = \nabla\cdot(\tau \nabla u) + s(t)\, f(x, y)`,
    String.raw`\varepsilon\, \frac{\partial \mathbf E}{\partial t} + \varepsilon\, r\, \mathbf E = \nabla \times \mathbf H - s(t)\, \mathbf f, \quad \mu\, \frac{\partial \mathbf H}{\partial t} = -\nabla \times \mathbf E`,
  ],
  method: {
    name: 'leapfrog on staggered grids; Yee’s scheme with Berenger’s matched layers',
    order: { time: 2, space: 2 },
    stability: 'c Δt √(1/Δx² + 1/Δy²) <= 1',
  },
  operatorChain: ['KO42', 'WM1'],
  unit: 'E',
  inputs,
  form,
  words,
  kernel: WAVE_FACE,
  plan: planOf,
  // Maps, states and layers of three planes.
  hasLongPlan: ({ mode, dim }) => mode !== 'wave1d' && dim !== 1,
  collect: solutionOf,
  live: waveLive,
  references: [
    { cite: 'Courant, Friedrichs & Lewy, Math. Ann. 100 (1928)', at: 'pp. 32–74', doi: '10.1007/BF01448839' },
    {
      cite: 'Yee, IEEE Trans. Antennas Propag. 14 (1966)',
      at: 'pp. 302–307',
      doi: '10.1109/TAP.1966.1138693',
    },
    { cite: 'Berenger, J. Comput. Phys. 114 (1994)', at: 'pp. 185–200', doi: '10.1006/jcph.1994.1159' },
  ],
});
