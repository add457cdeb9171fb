// Names of assembly/solvers/schrodinger.ts, which explains them.

import type { KernelFace } from '../../kernels/face.ts';

export const SCHRODINGER_FACE = {
  parameters: [
    'potential',
    'nodes',
    'states',
    'xmin',
    'xmax',
    'kinetic',
    'c1',
    'c2',
    'tol',
    'needsVectors',
    'codeWords',
    'poolValues',
    'slots',
  ],
  views: ['energies', 'moments', 'x', 'V', 'psi', 'code', 'pool', 'slots'],
  statistics: ['isComplete', 'sweeps', 'isMirrored', 'nonFiniteX'],
  columns: {
    moment: ['x', 'xx', 'kinetic', 'potential', 'virial', 'slopeLeft', 'slopeRight', 'nodes', 'residual', 'gap'],
  },
} as const satisfies KernelFace;

export type SchrodingerFace = typeof SCHRODINGER_FACE;
