// Clock series: the record that routes, documents and tests are read from.

import { defineSolver } from '../solver.ts';
import { SHIFT_FACE } from './face.ts';
import { form } from './form.ts';
import { inputs } from './inputs.ts';
import { laws } from './laws.ts';
import { planOf } from './plan.ts';
import { solutionOf, unitOf } from './solution.ts';
import { words } from './words.ts';

export const shift = defineSolver({
  id: 'shift',
  revision: 1,
  title: 'Clock series',
  summary: 'R(t) of the pulse over steps of 0.777 s, and a law times it.',
  domain: 'Kernel Modulation',
  subject: 'Clock and service',
  equations: [String.raw`R(t_k) = 1 + \alpha \sin\theta(t_k), \quad t_k = t_0 + 0.777\,\mathrm s \cdot k`],
  method: { name: 'pulse in integer nanoseconds, checked by a rotating pair', stability: 'exact' },
  operatorChain: ['KO42'],
  unit: '1',
  unitOf,
  inputs,
  clock: 't',
  laws,
  tokens: ({ steps }) => steps,
  form,
  words,
  kernel: SHIFT_FACE,
  plan: planOf,
  collect: solutionOf,
  references: [
    { cite: 'NIST Digital Library of Mathematical Functions', at: '4.21, addition formulas of sine and cosine' },
  ],
});
