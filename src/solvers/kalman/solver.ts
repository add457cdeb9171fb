// Kalman's filter: the record that routes, documents and tests are read from.

import { defineSolver } from '../solver.ts';
import { KALMAN_FACE } from './face.ts';
import { form } from './form.ts';
import { inputs } from './inputs.ts';
import { planOf } from './plan.ts';
import { solutionOf } from './solution.ts';
import { words } from './words.ts';

export const kalman = defineSolver({
  id: 'kalman',
  revision: 2,
  title: 'Kalman filter and smoother',
  summary:
    'Linear state estimation of own data or a simulation: filter, smoother, steady state, consistency tests, maximum likelihood.',
  domain: 'State Estimation',
  subject: 'Chance, signals and finance',
  equations: [
    String.raw`x_k = F x_{k-1} + B u_{k-1} + w, \quad w \sim N(0, Q)`,
    String.raw`z_k = H x_k + v, \quad v \sim N(0, R)`,
  ],
  method: {
    name: 'recursive Bayes, Joseph-form Riccati; Rauch–Tung–Striebel smoother; structured doubling for the steady state',
    stability: 'covariances stay positive semi-definite; they grow without bound if the model is not detectable',
  },
  operatorChain: ['KO42', 'CS47'],
  unit: 'err',
  inputs,
  form,
  words,
  kernel: KALMAN_FACE,
  plan: planOf,
  hasLongPlan: ({ measurements = '', u = '', steps = 0 }) =>
    measurements.length + String(u).length > 20_000 || steps > 5_000,
  collect: solutionOf,
  references: [
    { cite: 'Kalman, Journal of Basic Engineering 82 (1960)', at: 'pp. 35–45', doi: '10.1115/1.3662552' },
    { cite: 'Rauch, Tung & Striebel, AIAA Journal 3 (1965)', at: 'p. 1445' },
    {
      cite: 'Kalata, IEEE Trans. Aerosp. Electron. Syst. 20 (1984)',
      at: 'pp. 174–182',
      doi: '10.1109/TAES.1984.310438',
    },
    { cite: 'Anderson & Moore, Optimal Filtering (1979)', at: 'chapter 4: time-invariant filters' },
    {
      cite: 'Bar-Shalom, Li & Kirubarajan, Estimation with Applications to Tracking and Navigation (2001)',
      at: 'tests of consistency',
    },
  ],
});
