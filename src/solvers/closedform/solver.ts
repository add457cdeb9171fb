// The master field in closed form: the record that routes, documents and tests are read from.

import { defineSolver } from '../solver.ts';
import { CLOSEDFORM_FACE } from './face.ts';
import { form } from './form.ts';
import { inputs } from './inputs.ts';
import { planOf } from './plan.ts';
import { solutionOf } from './solution.ts';
import { words } from './words.ts';

export const closedform = defineSolver({
  id: 'closedform',
  revision: 1,
  title: 'Master field in closed form',
  summary:
    'Free, harmonic, hyperbolic, damped, driven, and Duffing’s equation in every regime, exactly, with a Runge–Kutta cross-check.',
  domain: 'Kernel Modulation',
  subject: 'Mechanics and structures',
  equations: [
    String.raw`\frac{\mathrm d^2 \varphi}{\mathrm d t^2} = -\mu^2 \varphi - \lambda \varphi^3 - c\, \frac{\mathrm d \varphi}{\mathrm d t} + F \cos(\omega t + \psi)`,
  ],
  method: {
    name: 'exponential differences and Jacobi’s elliptic functions; Runge–Kutta of order 4 as the cross-check',
    order: { time: 4 },
    stability: 'exact; the cross-check is explicit: h |λ| < 2.785 on the negative real axis',
  },
  operatorChain: ['KO42'],
  unit: 'phi',
  inputs,
  form,
  words,
  kernel: CLOSEDFORM_FACE,
  plan: planOf,
  collect: solutionOf,
  references: [
    { cite: 'NIST Digital Library of Mathematical Functions', at: '§19.8, §19.29, §19.36, §22.7, §22.13' },
    { cite: 'Kovacic & Brennan, The Duffing Equation (2011)', at: 'exact solutions by elliptic functions' },
    { cite: 'Carlson, Numer. Algorithms 10 (1995)', at: 'pp. 13–26', doi: '10.1007/BF02198293' },
    { cite: 'Borwein & Borwein, Pi and the AGM (1987)', at: 'the arithmetic-geometric mean' },
  ],
});
