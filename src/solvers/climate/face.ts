// Names of assembly/solvers/climate.ts, which explains them.

import type { KernelFace } from '../../kernels/face.ts';

export const CLIMATE_FACE = {
  parameters: [
    'columns',
    'rows',
    'hasCross',
    'spacingX',
    'spacingY',
    'gravity',
    'scheme',
    'courant',
    'end',
    'maxSteps',
    'ticks',
    'manning',
    'coriolis',
    'beta',
    'west',
    'east',
    'south',
    'north',
    'dryDepth',
    'samples',
    'frames',
    'stride',
    'gauges',
    'frontRow',
    'frontDepth',
    'order',
    'limiter',
  ],
  views: [
    'initialDepth',
    'initialX',
    'initialY',
    'bed',
    'gaugePlaces',
    'history',
    'gaugeDepths',
    'frames',
    'depth',
    'flowX',
    'flowY',
  ],
  statistics: ['steps', 'samples', 'frames', 'clipped'],
  columns: { history: ['t', 'volume', 'outflow', 'kinetic', 'potential', 'speed', 'lowest', 'front'] },
} as const satisfies KernelFace;

export type ClimateFace = typeof CLIMATE_FACE;

/** Numbers in the kernel. */
export const SIDE_NUMBER = { wall: 0, open: 1, periodic: 2 } as const;
export const SCHEME_NUMBER = { 'lax-friedrichs': 0, rusanov: 1, hll: 2 } as const;
export const LIMITER_NUMBER = { minmod: 0, 'van-leer': 1 } as const;
