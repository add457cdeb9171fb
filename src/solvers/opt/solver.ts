// Minima and fits: the record that routes, documents and tests are read from.

import { defineSolver } from '../solver.ts';
import { OPT_FACE } from './face.ts';
import { form } from './form.ts';
import { inputs } from './inputs.ts';
import { planOf } from './plan.ts';
import { solutionOf } from './solution.ts';
import { words } from './words.ts';

export const opt = defineSolver({
  id: 'opt',
  revision: 3,
  title: 'Minima and fits',
  summary:
    'Local minima of test functions, own expressions and sums of squares, by seven methods; fits to data with intervals.',
  domain: 'Optimization',
  subject: 'Mathematics and logic',
  equations: [
    String.raw`f(\mathbf x) \to \min, \quad \mathbf l \le \mathbf x \le \mathbf u`,
    String.raw`f(\mathbf a) = \sum_k \left( \frac{m(\mathbf x_k; \mathbf a) - y_k}{\sigma_k} \right)^2 \quad\text{(fit)}`,
  ],
  method: {
    name: 'descent: steepest, conjugate gradients, BFGS, L-BFGS, Nelder–Mead, Newton, Levenberg–Marquardt',
    stability: 'every step lowers f, unless a fixed step is given',
  },
  operatorChain: ['KO42', 'CS75'],
  unit: 'f',
  inputs,
  form,
  words,
  kernel: OPT_FACE,
  plan: planOf,
  collect: solutionOf,
  hasLongPlan: () => true,
  references: [
    {
      cite: 'Moré, Garbow & Hillstrom, ACM Trans. Math. Softw. 7 (1981)',
      at: 'pp. 17–41',
      doi: '10.1145/355934.355936',
    },
    { cite: 'Nocedal & Wright, Numerical Optimization (2nd ed., 2006)', at: 'chapters 3 – 10' },
    { cite: 'Gao & Han, Comput. Optim. Appl. 51 (2012)', at: 'pp. 259–277', doi: '10.1007/s10589-010-9329-3' },
  ],
});
