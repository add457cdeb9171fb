// Boolean satisfiability: DPLL and clause learning, with a model or a refutation that is checked again.

import { defineSolver } from '../solver.ts';
import { SAT_FACE } from './face.ts';
import { form } from './form.ts';
import { planOf } from './plan.ts';
import { inputs } from './problem.ts';
import { solutionOf } from './solution.ts';
import { words } from './words.ts';

export const sat = defineSolver({
  id: 'sat',
  revision: 3,
  title: 'Boolean satisfiability',
  summary:
    'DPLL or clause learning for a formula in DIMACS or a family: a checked model or a checked refutation, and decisions.',
  domain: 'Computational Complexity',
  subject: 'Mathematics and logic',
  equations: [
    String.raw`\bigwedge_{k=1}^{m} \left( l_{k1} \vee l_{k2} \vee \dots \vee l_{kn_k} \right), \quad l \in \{ x_i, \neg x_i \}`,
  ],
  method: { name: 'DPLL with unit propagation; CDCL with first unique implication points, VSIDS and Luby restarts' },
  operatorChain: ['KO42', 'CS81'],
  unit: 'decisions',
  inputs,
  form,
  words,
  kernel: SAT_FACE,
  plan: planOf,
  collect: solutionOf,
  references: [
    {
      cite: 'Davis, Logemann & Loveland, Communications of the ACM 5 (1962)',
      at: 'pp. 394–397',
      doi: '10.1145/368273.368557',
    },
    {
      cite: 'Marques-Silva & Sakallah, IEEE Transactions on Computers 48 (1999)',
      at: 'pp. 506–521',
      doi: '10.1109/12.769433',
    },
    {
      cite: 'Eén & Sörensson, An extensible SAT-solver (SAT 2003)',
      at: 'pp. 502–518',
      doi: '10.1007/978-3-540-24605-3_37',
    },
    { cite: 'Haken, Theoretical Computer Science 39 (1985)', at: 'pp. 297–308', doi: '10.1016/0304-3975(85)90144-6' },
    { cite: 'Wetzler, Heule & Hunt, DRAT-trim (SAT 2014)', at: 'pp. 422–429', doi: '10.1007/978-3-319-09284-3_31' },
  ],
});
