// The stationary Schrödinger equation in one dimension: the lowest states of ten kinds of potential.

import { defineSolver } from '../solver.ts';
import { SCHRODINGER_FACE } from './face.ts';
import { form } from './form.ts';
import { inputs } from './inputs.ts';
import { planOf } from './plan.ts';
import { solutionOf } from './solution.ts';
import { words } from './words.ts';

export const schrodinger = defineSolver({
  id: 'schrodinger',
  revision: 3,
  title: 'Stationary Schrödinger equation',
  summary:
    'Bound states of a particle in one dimension by finite differences and Sturm counts: energies, wave functions, expectation values.',
  domain: 'Quantum Mechanics',
  subject: 'Quantum and particles',
  equations: [String.raw`-\frac{\hbar^2}{2m}\, \frac{\mathrm d^2 \psi}{\mathrm d x^2} + V(x)\, \psi = E\, \psi`],
  method: {
    name: 'Three-point differences, Sturm sectioning, twisted inverse iteration, Richardson extrapolation',
    order: { space: 4 },
    stability: 'order 2 without richardson; a jump of V leaves order 2 before and 3 after extrapolation',
  },
  operatorChain: ['KO42', 'QM5'],
  unit: 'E',
  inputs,
  form,
  words,
  kernel: SCHRODINGER_FACE,
  plan: planOf,
  collect: solutionOf,
  references: [
    { cite: 'Barth, Martin & Wilkinson, Numerische Mathematik 9 (1967)', at: 'pp. 386–393', doi: '10.1007/BF02162154' },
    { cite: 'Parlett & Dhillon, Linear Algebra and its Applications 267 (1997)', at: 'pp. 247–279' },
    { cite: 'Landau & Lifshitz, Quantum Mechanics (3rd ed.)', at: '§§22–24 and 36' },
    { cite: 'Morse, Physical Review 34 (1929)', at: 'pp. 57–64', doi: '10.1103/PhysRev.34.57' },
    { cite: 'NIST Digital Library of Mathematical Functions', at: '§9.9, https://dlmf.nist.gov/9.9' },
  ],
});
