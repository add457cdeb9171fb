// Modes of rooms and cavities: the record that routes, documents and tests are read from.

import { defineSolver } from '../solver.ts';
import { ACOUSTIC_FACE } from './face.ts';
import { form } from './form.ts';
import { inputs } from './inputs.ts';
import { acousticLive } from './live.ts';
import { planOf } from './plan.ts';
import { solutionOf } from './solution.ts';
import { words } from './words.ts';

export const acoustic = defineSolver({
  id: 'acoustic',
  revision: 4,
  title: 'Modes of rooms and cavities',
  summary:
    'Resonances of tubes, rooms and cavities of any outline: frequencies, mode shapes, response at a microphone.',
  domain: 'Acoustics',
  subject: 'Heat, fluids and waves',
  equations: [
    String.raw`\nabla^2 p + \frac{\omega^2}{c^2}\, p = 0`,
    String.raw`\frac{\partial p}{\partial n} = -\frac{i\omega}{c\,\zeta}\, p \quad\text{on walls}`,
  ],
  method: {
    name: 'FV Helmholtz eigensolver: finite volumes with cut cells; block Lanczos, checked by inertia counts; damped modes by Rayleigh iteration',
    order: { space: 2 },
  },
  operatorChain: ['KO42', 'WM1'],
  unit: 'Hz',
  inputs,
  form,
  words,
  kernel: ACOUSTIC_FACE,
  plan: planOf,
  // Areas of cut cells on three grids, and boxes of three dimensions.
  hasLongPlan: ({ shape }) => shape === 'l_shape' || shape === 'disc' || shape === 'outline',
  collect: solutionOf,
  live: acousticLive,
  references: [
    { cite: 'Gibou, Fedkiw, Cheng & Kang, J. Comput. Phys. 176 (2002)', at: 'pp. 205–227' },
    { cite: 'Grisvard, Elliptic Problems in Nonsmooth Domains (1985)', at: 'chapter 4' },
    { cite: 'Liu, Appl. Math. Comput. 267 (2015)', at: 'pp. 341–355' },
    { cite: 'Kuttruff, Room Acoustics (5th ed., 2009)', at: 'chapter 3' },
    { cite: 'Grimes, Lewis & Simon, SIAM J. Matrix Anal. Appl. 15 (1994)', at: 'pp. 228–272' },
  ],
});
