// Names of assembly/solvers/lorenz.ts, which explains them.

import type { KernelFace } from '../../kernels/face.ts';

export const LORENZ_FACE = {
  parameters: [
    'kind',
    'model',
    'states',
    'programs',
    'codeWords',
    'poolValues',
    'steps',
    'transient',
    'interval',
    'blocks',
    'pathRows',
    'pathEvery',
    'section',
    'maxima',
    'samples',
    'extrapolates',
    'maxSteps',
    'ticks',
    'first',
    'second',
    'third',
    'dt',
    'transientTime',
    'time',
    'maxStep',
    'rtol',
  ],
  views: ['programs', 'code', 'pool', 'initial', 'blocks', 'path', 'maxima', 'equilibria', 'end', 'pair'],
  statistics: ['time', 'maxima', 'turns', 'tries'],
  columns: {},
} as const satisfies KernelFace;

export type LorenzFace = typeof LORENZ_FACE;
