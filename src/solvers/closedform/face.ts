// Names of assembly/solvers/closedform.ts, which explains them.

import type { KernelFace } from '../../kernels/face.ts';

export const CLOSEDFORM_FACE = {
  parameters: [
    'byRungeKutta',
    'samples',
    'stepsPerSample',
    'a',
    'b',
    'c',
    'constant',
    'cosine',
    'sine',
    'omega',
    'phi0',
    'dphi0',
    'tEnd',
    'pole',
  ],
  views: ['history'],
  statistics: ['lag'],
  columns: { history: ['t', 'phi', 'dphi', 'phiUncertainty', 'dphiUncertainty'] },
} as const satisfies KernelFace;

export type ClosedformFace = typeof CLOSEDFORM_FACE;
