// Names of assembly/solvers/tumor.ts, which explains them.

import type { KernelFace } from '../../kernels/face.ts';

export const TUMOR_FACE = {
  parameters: [
    'cells',
    'steps',
    'width',
    'isRadial',
    'level',
    'inner',
    'outer',
    'historyRows',
    'frameRows',
    'rows',
    'centerX',
    'centerY',
  ],
  views: ['initial', 'diffusivity', 'schedule', 'history', 'frames'],
  statistics: ['imbalance', 'lowest', 'highest'],
  columns: {
    schedule: ['dt', 'growth', 'crowding', 'survival', 'cut', 'isDamped', 'isRecorded', 'isFrame'],
    history: ['mass', 'level', 'inner', 'outer', 'peak'],
  },
} as const satisfies KernelFace;

export type TumorFace = typeof TUMOR_FACE;
