// Names of assembly/solvers/action.ts, which explains them.

import type { KernelFace } from '../../kernels/face.ts';

export const ACTION_FACE = {
  parameters: [
    'task',
    'system',
    'degrees',
    'constant',
    'order',
    'steps',
    'recordEvery',
    'samples',
    'levels',
    'sections',
    'ticks',
    'codeWords',
    'poolValues',
    'dt',
    'tEnd',
    'firstStep',
    'maxStep',
  ],
  views: ['initial', 'times', 'programs', 'code', 'pool', 'history', 'sectionPoints', 'table'],
  statistics: [
    'worst',
    'worstMomentum',
    'scale',
    'energy',
    'momentum',
    'sum',
    'moment',
    'reversal',
    'recorded',
    'crossings',
    'reached',
  ],
  columns: {},
} as const satisfies KernelFace;

export type ActionFace = typeof ACTION_FACE;

export const TASK = { map: 0, dop853: 1, extrapolation: 2, table: 3 } as const;
export const SYSTEM_NUMBER = { kepler: 0, oscillator: 1, pendulum: 2, custom: 3 } as const;
