// Names of assembly/solvers/buckling.ts, which explains them.

import type { KernelFace } from '../../kernels/face.ts';

export const BUCKLING_FACE = {
  parameters: ['elements', 'unknowns', 'springs', 'profile', 'modes', 'tolerance'],
  views: ['elements', 'freedoms', 'springFreedoms', 'springs', 'starts', 'loads', 'bounds', 'shapes'],
  statistics: ['isComplete', 'found', 'failedRow', 'smallestPivot', 'restarts', 'counted', 'expected', 'shift'],
  columns: {},
} as const satisfies KernelFace;

export type BucklingFace = typeof BUCKLING_FACE;
