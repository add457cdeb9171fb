// Names of assembly/solvers/grid.ts, which explains them.

import type { KernelFace } from '../../kernels/face.ts';

export const GRID_FACE = {
  parameters: [
    'buses',
    'branches',
    'fill',
    'isDirect',
    'isAlternating',
    'hasOutages',
    'hasFactors',
    'chosen',
    'start',
    'hasLimits',
    'maxIterations',
  ],
  views: [
    'buses',
    'branches',
    'angles',
    'flows',
    'sensitivities',
    'outages',
    'distribution',
    'transfer',
    'voltages',
    'magnitudes',
    'phases',
    'ends',
    'powers',
    'gradients',
    'limits',
    'mismatches',
    'profiles',
  ],
  statistics: [
    'singular',
    'fill',
    'chosen',
    'lowest',
    'loaded',
    'outcome',
    'iterations',
    'rounds',
    'mismatch',
    'worst',
    'chosenAlternating',
    'lowestAlternating',
    'loadedAlternating',
  ],
  columns: {
    outage: ['state', 'worst', 'flow', 'severity', 'overloads', 'remainder'],
  },
} as const satisfies KernelFace;

export type GridFace = typeof GRID_FACE;
