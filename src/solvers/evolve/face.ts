// Names of assembly/solvers/evolve.ts, which explains them.

import type { KernelFace } from '../../kernels/face.ts';

export const EVOLVE_FACE = {
  parameters: [
    'atoms',
    'boxX',
    'boxY',
    'boxZ',
    't0',
    'dt',
    'eps',
    'sig',
    'rc',
    'skin',
    'isForceShifted',
    'seed',
    'hasVelocities',
    'chainLength',
    'kBond',
    'r0Bond',
    'steps',
    'frames',
    'recordEvery',
    'thermostatTime',
    'histogramFrom',
    'histogramEvery',
    'bins',
    'histogramRange',
    'maxNeighbours',
    'correlationFrom',
    'correlationLags',
  ],
  views: ['positions', 'velocities', 'forces', 'records', 'frames', 'trajectory', 'distances', 'correlations'],
  statistics: ['momentum', 'absoluteMomentum', 'builds', 'pairs', 'ghosts'],
  columns: { record: ['energy', 'inside', 'kinetic', 'virial', 'force2', 'heat'] },
} as const satisfies KernelFace;

export type EvolveFace = typeof EVOLVE_FACE;
