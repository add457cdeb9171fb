// Names of assembly/solvers/flow.ts, which explains them.

import type { KernelFace } from '../../kernels/face.ts';

export const FLOW_FACE = {
  parameters: [
    'columns',
    'rows',
    'alongX',
    'alongY',
    'spacing',
    'dt',
    'viscosity',
    'steps',
    'scheme',
    'lid',
    'force',
    'hasSolid',
    'maxIterations',
    'tolerance',
    'recordEvery',
    'frameEvery',
    'stride',
    'probeX',
    'probeY',
  ],
  views: ['initialU', 'initialV', 'inflow', 'solid', 'history', 'frames', 'speed', 'u', 'v', 'pressure'],
  statistics: ['divergence', 'iterations', 'open'],
  columns: { history: ['t', 'kinetic', 'divergence', 'rate', 'probeU', 'probeV', 'drag', 'lift'] },
} as const satisfies KernelFace;

export type FlowFace = typeof FLOW_FACE;

/** Numbers in the kernel. */
export const SIDE_NUMBER = { wall: 0, periodic: 1, through: 2 } as const;
export const SCHEME_NUMBER = { linear: 0, cubic: 1, maccormack: 2 } as const;
