// Lattice gauge theory: the record that routes, documents and tests are read from.

import { defineSolver } from '../solver.ts';
import { GAUGE_FACE } from './face.ts';
import { form } from './form.ts';
import { inputs } from './inputs.ts';
import { planOf } from './plan.ts';
import { solutionOf } from './solution.ts';
import { words } from './words.ts';

export const gauge = defineSolver({
  id: 'gauge',
  revision: 1,
  title: 'Lattice gauge theory',
  summary:
    'Z2, U(1) or SU(2) in two to four dimensions: plaquette, Wilson loops, Creutz ratios, Polyakov loop, with autocorrelation.',
  domain: 'Lattice Gauge Theory',
  subject: 'Quantum and particles',
  equations: [
    String.raw`\text{weight} \propto \exp\left( \beta \sum_{x,\, \mu < \nu} \operatorname{Re} P_{\mu\nu}(x) \right)`,
    String.raw`P_{\mu\nu}(x) = U_\mu(x)\, U_\nu(x + \hat\mu)\, U_\mu^\dagger(x + \hat\nu)\, U_\nu^\dagger(x)`,
  ],
  method: { name: 'Monte Carlo: heat bath or Metropolis, with over-relaxation' },
  operatorChain: ['KO42', 'HEP4'],
  unit: 'plaq',
  inputs,
  form,
  words,
  kernel: GAUGE_FACE,
  plan: planOf,
  collect: solutionOf,
  references: [
    { cite: 'Wilson, Physical Review D 10 (1974)', at: 'pp. 2445–2459', doi: '10.1103/PhysRevD.10.2445' },
    { cite: 'Creutz, Physical Review D 21 (1980)', at: 'pp. 2308–2315', doi: '10.1103/PhysRevD.21.2308' },
    {
      cite: 'Kennedy & Pendleton, Physics Letters B 156 (1985)',
      at: 'pp. 393–399',
      doi: '10.1016/0370-2693(85)91632-6',
    },
    { cite: 'Best & Fisher, Applied Statistics 28 (1979)', at: 'pp. 152–157', doi: '10.2307/2346732' },
    { cite: 'Madras & Sokal, Journal of Statistical Physics 50 (1988)', at: 'pp. 109–186', doi: '10.1007/BF01022990' },
  ],
});
