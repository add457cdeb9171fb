// Names of assembly/solvers/acoustic.ts, which explains them.

import type { KernelFace } from '../../kernels/face.ts';

export const ACOUSTIC_FACE = {
  parameters: ['cells', 'links', 'fill', 'modes', 'shift', 'tolerance', 'axes'],
  views: [
    'volumes',
    'walls',
    'pairs',
    'conductances',
    'eigenvalues',
    'bounds',
    'residuals',
    'shapes',
    'sizes',
    'starts',
    'kappas',
    'changes',
    'slopes',
    'profiles',
  ],
  statistics: ['isComplete', 'restarts', 'counted', 'expected', 'limit', 'entries'],
  columns: {},
} as const satisfies KernelFace;

export type AcousticFace = typeof ACOUSTIC_FACE;
