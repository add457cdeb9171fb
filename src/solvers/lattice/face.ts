// Names of assembly/solvers/lattice.ts, which explains them.

import type { KernelFace } from '../../kernels/face.ts';

export const LATTICE_FACE = {
  parameters: [
    'isAdaptive',
    'nodes',
    'topology',
    'coupling',
    'tEnd',
    'samples',
    'stepsPerSample',
    'tolerance',
    'omega1',
    'omega2',
    'omega3',
    'omega4',
    'omega5',
    'theta1',
    'theta2',
    'theta3',
    'theta4',
    'theta5',
  ],
  views: ['history'],
  statistics: [],
  columns: { history: ['t', 'theta1', 'theta2', 'theta3', 'theta4', 'theta5', 'r', 'psi', 'integral'] },
} as const satisfies KernelFace;

export type LatticeFace = typeof LATTICE_FACE;
