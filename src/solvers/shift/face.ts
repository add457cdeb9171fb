// Names of assembly/solvers/shift.ts, which explains them.

import type { KernelFace } from '../../kernels/face.ts';

export const SHIFT_FACE = {
  parameters: ['phase', 'turn', 'alpha', 'steps'],
  views: ['modulation'],
  statistics: [],
  columns: {},
} as const satisfies KernelFace;

export type ShiftFace = typeof SHIFT_FACE;
