// Names of assembly/solvers/wave.ts, which explains them.

import type { KernelFace } from '../../kernels/face.ts';

export const WAVE_FACE = {
  parameters: [
    'columns',
    'rows',
    'isYee',
    'isGeneral',
    'hasLayers',
    'spacingX',
    'spacingY',
    'dt',
    'steps',
    'density',
    'stiffness',
    'west',
    'east',
    'south',
    'north',
    'insetWest',
    'insetEast',
    'insetSouth',
    'insetNorth',
    'historyEvery',
    'frameEvery',
  ],
  views: [
    'initialU',
    'initialW',
    'nodes',
    'facesX',
    'facesY',
    'layerX',
    'layerY',
    'source',
    'probeNodes',
    'probeWeights',
    'history',
    'frames',
  ],
  statistics: [],
  columns: { history: ['energy', 'closed', 'work', 'loss', 'probe', 'largest'] },
} as const satisfies KernelFace;

export type WaveFace = typeof WAVE_FACE;

/** Numbers of the sides in the kernel; behind an open side lies a layer with a fixed end. */
export const SIDE_NUMBER = { fixed: 0, free: 1, periodic: 2, open: 0 } as const;
