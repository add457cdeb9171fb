// Names of assembly/solvers/lotka.ts, which explains them.

import type { KernelFace } from '../../kernels/face.ts';

export const LOTKA_FACE = {
  parameters: [
    'kind',
    'isDeviation',
    'isClosed',
    'isSecond',
    'hasPrey',
    'hasPredators',
    'samples',
    'maxSteps',
    'saturation',
    'growth',
    'crowding',
    'attack',
    'loss',
    'gain',
    'p0',
    'q0',
    'tEnd',
    'rtol',
    'firstStep',
    'step',
  ],
  views: ['samples'],
  statistics: [
    'period',
    'preyMax',
    'preyMin',
    'predatorMax',
    'predatorMin',
    'preyMaxTime',
    'preyMinTime',
    'predatorMinTime',
    'meanPrey',
    'meanPredators',
    'gap',
    'multiplier',
    'periodSlope',
    'laps',
    'accepted',
    'rejected',
  ],
  columns: { sample: ['t', 'p', 'q'] },
} as const satisfies KernelFace;

export type LotkaFace = typeof LOTKA_FACE;
