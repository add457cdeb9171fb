// Names of assembly/solvers/zeta.ts, which explains them.

import type { KernelFace } from '../../kernels/face.ts';

export const ZETA_FACE = {
  parameters: [
    'tMin',
    'tMax',
    'from',
    'near',
    'corrections',
    'isGuided',
    'blocks',
    'ruleFrom',
    'locateAll',
    'target',
    'tolerance',
    'capacity',
    'points',
  ],
  views: ['zeros', 'exceptions', 'tally', 'curve'],
  statistics: [
    'baseGram',
    'endGram',
    'endPlace',
    'found',
    'blocksBefore',
    'blocksAfter',
    'intervals',
    'badPoints',
    'violations',
    'longest',
    'evaluations',
  ],
  columns: {
    zero: ['low', 'zero', 'high'],
    exception: ['gram', 'length', 'zeros', 'place'],
  },
} as const satisfies KernelFace;

export type ZetaFace = typeof ZETA_FACE;
