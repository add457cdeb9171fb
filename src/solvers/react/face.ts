// Names of assembly/solvers/react.ts, which explains them.

import type { KernelFace } from '../../kernels/face.ts';

export const REACT_FACE = {
  parameters: [
    'columns',
    'rows',
    'model',
    'isPeriodic',
    'isFourthOrder',
    'widthX',
    'widthY',
    'dt',
    'steps',
    'diffusionU',
    'diffusionV',
    'feed',
    'removal',
    'epsilon',
    'a',
    'b',
    'current',
    'level',
    'samples',
    'historyEvery',
    'frameEvery',
    'codeWords',
    'poolValues',
  ],
  views: ['initialU', 'initialV', 'programs', 'code', 'pool', 'probeCells', 'probeWeights', 'history', 'frames'],
  statistics: ['faultProgram', 'faultX', 'faultY', 'faultT', 'imbalance'],
  columns: { history: ['meanU', 'meanV', 'minU', 'maxU', 'minV', 'maxV', 'probeU', 'probeV', 'front'] },
} as const satisfies KernelFace;

export type ReactFace = typeof REACT_FACE;

/** Numbers of the models in the kernel. */
export const MODEL_NUMBER = { 'gray-scott': 0, 'fitzhugh-nagumo': 1, custom: 2 } as const;
