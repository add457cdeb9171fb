// The master field on a line: the record that routes, documents and tests are read from.

import { defineSolver } from '../solver.ts';
import { SOLVE_FACE } from './face.ts';
import { form } from './form.ts';
import { inputs } from './inputs.ts';
import { planOf } from './plan.ts';
import { solutionOf } from './solution.ts';
import { words } from './words.ts';

export const solve = defineSolver({
  id: 'solve',
  revision: 2,
  title: 'Master field on a line',
  summary:
    'A body with weight, springs, drag, a drive and couplings: its motion, energy, turning points, impact or escape.',
  domain: 'Master Field',
  subject: 'Mechanics and structures',
  method: {
    name: 'Runge–Kutta of order 4 with step refinement; DOP853 and extrapolation beside it',
    order: { time: 4 },
    stability: 'explicit: h |λ| < 2.785 on the negative real axis',
  },
  operatorChain: ['KO42'],
  unit: 'J',
  isAlwaysStrict: true,
  inputs,
  form,
  words,
  kernel: SOLVE_FACE,
  plan: planOf,
  collect: solutionOf,
  references: [
    {
      cite: 'Hairer, Nørsett & Wanner, Solving Ordinary Differential Equations I (2nd ed., 1993)',
      at: '§II.1 – II.10',
    },
    { cite: 'National Geospatial-Intelligence Agency, NGA.STND.0036', at: 'normal gravity of WGS 84' },
    { cite: 'NIST Digital Library of Mathematical Functions', at: 'chapter 22' },
    { cite: 'Nayfeh & Mook, Nonlinear Oscillations (1979)', at: 'oscillators with cubic terms' },
  ],
});
