// Shallow water: the record that routes, documents and tests are read from.

import { defineSolver } from '../solver.ts';
import { CLIMATE_FACE } from './face.ts';
import { form } from './form.ts';
import { charactersOf, inputs } from './inputs.ts';
import { climateLive } from './live.ts';
import { planOf } from './plan.ts';
import { solutionOf } from './solution.ts';
import { words } from './words.ts';

/** Characters of expressions that are soon sampled on a line. */
const SHORT = 100;

export const climate = defineSolver({
  id: 'climate',
  revision: 3,
  title: 'Shallow water',
  summary:
    'Dam breaks, floods, tsunamis and geostrophic jets over a bed of one’s own, with drying, friction and rotation.',
  domain: 'Geophysical Fluid Dynamics',
  subject: 'Heat, fluids and waves',
  equations: [
    String.raw`\frac{\partial h}{\partial t} + \nabla\cdot(h \mathbf u) = 0`,
    String.raw`\frac{\partial (h \mathbf u)}{\partial t} + \nabla\cdot(h \mathbf u \otimes \mathbf u) + g h \nabla (h + b) + f\, \mathbf k \times h \mathbf u + \frac{g n^2 |\mathbf u|\, \mathbf u}{h^{1/3}} = 0`,
  ],
  method: {
    name: 'finite volumes of Lax and Friedrichs, global or local (Rusanov), or HLL, with hydrostatic reconstruction; order 2 (MUSCL, Heun) with a limiter',
    order: { time: 1, space: 1 },
    stability: 'Δt ((|u| + c)/Δx + (|v| + c)/Δy) <= 1',
  },
  operatorChain: ['KO42', 'OC1'],
  unit: 'h',
  inputs,
  form,
  words,
  kernel: CLIMATE_FACE,
  plan: planOf,
  // States of up to four grids are sampled.
  hasLongPlan: ({ dim, nx = 800, ...input }) => dim === 2 || nx > 1000 || charactersOf(input) > SHORT,
  collect: solutionOf,
  live: climateLive,
  references: [
    { cite: 'Audusse et al., SIAM J. Sci. Comput. 25 (2004)', at: 'pp. 2050–2065', doi: '10.1137/S1064827503431090' },
    { cite: 'Delestre et al., Int. J. Numer. Methods Fluids 72 (2013)', at: 'pp. 269–300', doi: '10.1002/fld.3741' },
    { cite: 'LeVeque, Finite Volume Methods for Hyperbolic Problems (2002)', at: 'ch. 12 and 13' },
    { cite: 'Stoker, Water Waves (1957)', at: '§10.8' },
  ],
});
