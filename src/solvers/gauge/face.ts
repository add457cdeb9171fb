// Names of assembly/solvers/gauge.ts, which explains them.

import type { KernelFace } from '../../kernels/face.ts';

export const GAUGE_FACE = {
  parameters: [
    'group',
    'dim',
    'size',
    'time',
    'beta',
    'isMetropolis',
    'overrelaxation',
    'isHot',
    'thermalisation',
    'sweeps',
    'side',
    'interval',
    'seed',
    'replica',
  ],
  views: ['history', 'loops'],
  statistics: ['acceptance', 'unitarity', 'gaugeChange'],
  columns: {
    history: ['plaquette', 'spacelike', 'timelike', 'polyakovRe', 'polyakovIm', 'identityLeft', 'identityRight'],
  },
} as const satisfies KernelFace;

export type GaugeFace = typeof GAUGE_FACE;
