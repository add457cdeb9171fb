// Reactor point kinetics: the record that routes, documents and tests are read from.

import { defineSolver } from '../solver.ts';
import { REACTOR_FACE } from './face.ts';
import { form } from './form.ts';
import { inputs } from './inputs.ts';
import { planOf } from './plan.ts';
import { solutionOf } from './solution.ts';
import { words } from './words.ts';

export const reactor = defineSolver({
  id: 'reactor',
  revision: 2,
  title: 'Reactor point kinetics',
  summary:
    'Power of a reactor with six groups of delayed neutrons: steps, ramps, waves, pulses and tables of reactivity, feedback, and reactivity from a measured power.',
  domain: 'Kernel Modulation',
  subject: 'Energy and devices',
  equations: [
    String.raw`\frac{\mathrm d n}{\mathrm d t} = \frac{\rho - \beta}{\Lambda}\, n + \sum_i \lambda_i c_i + S, \quad \frac{\mathrm d c_i}{\mathrm d t} = \frac{\beta_i}{\Lambda}\, n - \lambda_i c_i`,
    String.raw`\rho = \rho_{\mathrm{ext}}(t) + \alpha_T \vartheta`,
  ],
  method: {
    name: 'Radau IIA with five stages, precursors eliminated; RODAS and the roots of the inhour equation as cross-checks',
    order: { time: 9 },
    stability: 'L-stable',
  },
  operatorChain: ['KO42'],
  unit: 'P/P0',
  inputs,
  form,
  words,
  kernel: REACTOR_FACE,
  plan: planOf,
  collect: solutionOf,
  references: [
    { cite: 'Keepin, Physics of Nuclear Kinetics (1965)', at: 'delayed neutrons, the inhour equation' },
    { cite: 'Chao & Attard, Nucl. Sci. Eng. 90 (1985)', at: 'p. 40: stiff problems of point kinetics' },
    { cite: 'Kerlin & Upadhyaya, Dynamics and Control of Nuclear Reactors (2019)', at: 'table 3.3: groups of Pu-239' },
    { cite: 'Hairer & Wanner, Solving Ordinary Differential Equations II (2nd ed., 1996)', at: '§IV.5, §IV.7' },
  ],
});
