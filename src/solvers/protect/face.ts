// Names of assembly/solvers/protect.ts, which explains them.

import type { KernelFace } from '../../kernels/face.ts';

export const PROTECT_FACE = {
  parameters: ['byRungeKutta', 'mu', 'end', 'samples', 'stepsPerSample'],
  views: ['history'],
  statistics: [],
  columns: { history: ['theta', 'p', 'slope'] },
} as const satisfies KernelFace;

export type ProtectFace = typeof PROTECT_FACE;
