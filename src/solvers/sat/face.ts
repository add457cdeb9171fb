// Names of assembly/solvers/sat.ts, which explains them.

import type { KernelFace } from '../../kernels/face.ts';

export const SAT_FACE = {
  parameters: [
    'variables',
    'clauses',
    'words',
    'assumptions',
    'isLearning',
    'heuristic',
    'isCounting',
    'maxDecisions',
    'maxWork',
    'learntWords',
    'proofWords',
  ],
  views: ['literals', 'assumptions', 'model', 'depths', 'proof', 'core'],
  statistics: [
    'status',
    'decisions',
    'propagations',
    'conflicts',
    'restarts',
    'learnt',
    'deleted',
    'models',
    'visits',
    'maxDepth',
    'isProofComplete',
    'work',
  ],
  columns: {},
} as const satisfies KernelFace;

export type SatFace = typeof SAT_FACE;
