// Names of assembly/solvers/heat.ts, which explains them.

import type { KernelFace } from '../../kernels/face.ts';

export const HEAT_FACE = {
  parameters: [
    'cellsX',
    'cellsY',
    'isImplicit',
    'isInsulated',
    'dim',
    'rx',
    'ry',
    'startSteps',
    'steps',
    'historyEvery',
    'frameEvery',
    'probeX',
    'probeY',
  ],
  views: ['profileX', 'profileY', 'history', 'frames'],
  statistics: [],
  columns: { history: ['probe', 'heat', 'energy', 'minimum', 'maximum'] },
} as const satisfies KernelFace;

export type HeatFace = typeof HEAT_FACE;
