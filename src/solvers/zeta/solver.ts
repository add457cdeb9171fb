// Zeros of the Riemann zeta function: the record that routes, documents and tests are read from.

import { defineSolver } from '../solver.ts';
import { ZETA_FACE } from './face.ts';
import { form } from './form.ts';
import { planOf } from './plan.ts';
import { inputs } from './problem.ts';
import { solutionOf } from './solution.ts';
import { words } from './words.ts';

export const zeta = defineSolver({
  id: 'zeta',
  revision: 2,
  title: 'Zeros of the Riemann zeta function',
  summary:
    'Counts, lists and certifies zeros on the critical line by the Riemann–Siegel formula, Gram blocks and Turing’s method.',
  domain: 'Analytic Number Theory',
  subject: 'Mathematics and logic',
  equations: [
    String.raw`\zeta\left( \tfrac12 + i t \right) = 0`,
    String.raw`Z(t) = 2 \sum_{n \le \sqrt{t / 2\pi}} \frac{\cos\left( \theta(t) - t \ln n \right)}{\sqrt n} + R(t)`,
  ],
  method: { name: 'Riemann–Siegel formula with C0 … C4; Gram blocks; Turing’s method; Chandrupatla’s method' },
  operatorChain: ['KO42'],
  unit: 'zeros',
  inputs,
  form,
  words,
  kernel: ZETA_FACE,
  plan: planOf,
  collect: solutionOf,
  references: [
    { cite: 'Edwards, Riemann’s Zeta Function (Academic Press, 1974)', at: 'chapters 6 to 8' },
    { cite: 'Gabcke, dissertation (Göttingen, 1979)', at: 'remainder of the Riemann–Siegel formula' },
    {
      cite: 'Brent, Mathematics of Computation 33 (1979)',
      at: 'pp. 1361–1372, theorem 3.2',
      doi: '10.1090/S0025-5718-1979-0537983-2',
    },
  ],
});
