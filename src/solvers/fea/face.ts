// Names of assembly/solvers/fea.ts, which explains them.

import type { KernelFace } from '../../kernels/face.ts';

export const FEA_FACE = {
  parameters: [
    'levels',
    'nodes0',
    'nodes1',
    'nodes2',
    'elements0',
    'elements1',
    'elements2',
    'edges1',
    'edges2',
    'profile',
    'state',
    'element',
    'young',
    'poisson',
    'expansion',
    'thickness',
    'tolerance',
    'maxIterations',
  ],
  views: [
    'points',
    'quads',
    'edges',
    'fixed',
    'prescribed',
    'force',
    'heat',
    'starts',
    'u',
    'stress',
    'reactions',
    'residuals',
  ],
  statistics: [
    'iterations1',
    'iterations2',
    'work0',
    'work1',
    'work2',
    'left',
    'rounding',
    'singularRow',
    'badElement',
  ],
  columns: {},
} as const satisfies KernelFace;

export type FeaFace = typeof FEA_FACE;
