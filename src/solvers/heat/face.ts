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
    'probes',
    'data',
    'dt',
    'lengthX',
    'lengthY',
    'leftKind',
    'rightKind',
    'bottomKind',
    'topKind',
    'leftTransfer',
    'rightTransfer',
    'bottomTransfer',
    'topTransfer',
    'codeWords',
    'poolValues',
  ],
  views: [
    'profileX',
    'profileY',
    'probeNodes',
    'probeWeights',
    'programs',
    'code',
    'pool',
    'faceK',
    'nodeK',
    'nodeC',
    'initial',
    'history',
    'probeHistory',
    'frames',
  ],
  statistics: ['faultProgram', 'faultX', 'faultY', 'faultT'],
  columns: { history: ['probe', 'heat', 'energy', 'minimum', 'maximum', 'supplied'] },
} as const satisfies KernelFace;

export type HeatFace = typeof HEAT_FACE;
