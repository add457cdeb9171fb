// Names of assembly/solvers/multibody.ts, which explains them.

import type { KernelFace } from '../../kernels/face.ts';

export const MULTIBODY_FACE = {
  parameters: [
    'bodies',
    'dimensions',
    'isField',
    'hasWork',
    'method',
    'order',
    'samples',
    'steps',
    'recordEvery',
    'ticks',
    'couplings',
    'codeWords',
    'poolValues',
    'strength',
    'softening',
    'alpha',
    'beta',
    'tEnd',
    'rtol',
    'firstStep',
    'maxStep',
  ],
  views: [
    'masses',
    'radii',
    'sites',
    'gravity',
    'drag',
    'initial',
    'times',
    'weights',
    'programs',
    'code',
    'pool',
    'history',
    'pairs',
    'frame',
  ],
  statistics: ['outcome', 'stopTime', 'recorded', 'accepted', 'rejected', 'first', 'second'],
  columns: {},
} as const satisfies KernelFace;

export type MultibodyFace = typeof MULTIBODY_FACE;

/** Numbers of methods in the kernel. */
export const METHOD_NUMBER = { dop853: 0, extrapolation: 1, rk4: 2, composition: 3 } as const;

/** Why a run ended. */
export const OUTCOME = { running: 0, ended: 1, contact: 2, singular: 3 } as const;
