// Names of assembly/solvers/fracture.ts, which explains them.

import type { KernelFace } from '../../kernels/face.ts';

export const FRACTURE_FACE = {
  parameters: [
    'columns',
    'rows',
    'horizon',
    'notch',
    'strain',
    's0',
    'sf',
    'loadSteps',
    'maxIterations',
    'frameEvery',
    'notches',
    'load',
    'dt',
    'steps',
    'ramp',
    'stress',
    'historyEvery',
  ],
  views: ['history', 'frames', 'damage', 'motion', 'segments', 'profile'],
  statistics: ['peak', 'peakStrain', 'open', 'rounds', 'iterations', 'peakStep', 'firstStep', 'firstY', 'stiffest'],
  columns: {
    history: ['strain', 'stress', 'lower', 'energy', 'conjugate', 'tip'],
    motion: [
      'step',
      'strain',
      'stress',
      'kinetic',
      'correction',
      'bonds',
      'lost',
      'work',
      'momentum',
      'amplitude',
      'broken',
      'tip',
    ],
  },
} as const satisfies KernelFace;

export type FractureFace = typeof FRACTURE_FACE;
