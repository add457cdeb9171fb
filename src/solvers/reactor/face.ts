// Names of assembly/solvers/reactor.ts, which explains them.

import type { KernelFace } from '../../kernels/face.ts';

export const REACTOR_FACE = {
  parameters: [
    'isSecond',
    'samples',
    'segments',
    'maxSteps',
    'lifetime',
    'n0',
    'source',
    'tEnd',
    'rtol',
    'firstStep',
    'coefficient',
    'heating',
    'cooling',
    'steady',
    'trip',
  ],
  views: ['groups', 'program', 'samples'],
  statistics: ['rows', 'reached', 'peak', 'peakTime', 'tripTime', 'accepted', 'rejected'],
  columns: { sample: ['t', 'n', 'c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'theta', 'integral', 'rho'] },
} as const satisfies KernelFace;

export type ReactorFace = typeof REACTOR_FACE;
