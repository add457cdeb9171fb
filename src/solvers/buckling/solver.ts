// Buckling of columns and plane frames: the record that routes, documents and tests are read from.

import { defineSolver } from '../solver.ts';
import { BUCKLING_FACE } from './face.ts';
import { form } from './form.ts';
import { inputs } from './inputs.ts';
import { planOf } from './plan.ts';
import { solutionOf } from './solution.ts';
import { words } from './words.ts';

export const buckling = defineSolver({
  id: 'buckling',
  revision: 1,
  title: 'Buckling of columns and frames',
  summary:
    'Critical loads of columns with steps, tapers, springs, foundation and self-weight, and of plane frames; Euler and Johnson.',
  domain: 'Structural Stability',
  subject: 'Mechanics and structures',
  equations: [
    String.raw`\frac{\mathrm d^2}{\mathrm d x^2} \left( E I\, \frac{\mathrm d^2 w}{\mathrm d x^2} \right) + \frac{\mathrm d}{\mathrm d x} \left( N\, \frac{\mathrm d w}{\mathrm d x} \right) + k_f\, w = 0`,
    String.raw`N = N_0 + \lambda N_1, \quad \lambda = \lambda_{\min} > 0`,
  ],
  method: {
    name: 'Hermite elements with consistent geometric stiffness; block Lanczos, checked by inertia counts',
    order: { space: 4 },
    stability: 'loads from above; rounding grows with the fourth power of the elements of a member',
  },
  operatorChain: ['KO42', 'BEAM_DEFLECTION'],
  unit: 'N',
  inputs,
  form,
  words,
  kernel: BUCKLING_FACE,
  plan: planOf,
  // Frames are checked by statics; expressions are sampled along the column.
  hasLongPlan: ({ preset, nodes, EI, foundation, weight }) =>
    nodes !== undefined || preset !== 'bar' || [EI, foundation, weight].some((text) => text !== undefined),
  collect: solutionOf,
  references: [
    { cite: 'Timoshenko & Gere, Theory of Elastic Stability (2nd ed., 1961)', at: 'chapters 2 and 4' },
    { cite: 'Przemieniecki, Theory of Matrix Structural Analysis (1968)', at: 'chapter 15' },
    {
      cite: 'Grimes, Lewis & Simon, SIAM J. Matrix Anal. Appl. 15 (1994)',
      at: 'pp. 228–272',
      doi: '10.1137/S0895479888151111',
    },
    {
      cite: 'Wittrick & Williams, Q. J. Mech. Appl. Math. 24 (1971)',
      at: 'pp. 263–284',
      doi: '10.1093/qjmam/24.3.263',
    },
  ],
});
