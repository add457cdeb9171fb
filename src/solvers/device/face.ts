// Names of assembly/solvers/device.ts, which explains them.

import type { KernelFace } from '../../kernels/face.ts';

export const DEVICE_FACE = {
  parameters: ['columns', 'rows', 'logDensity', 'maxSteps', 'tolerance', 'minority'],
  views: ['right', 'up', 'source', 'held', 'start', 'weights', 'slopeEnds', 'potential', 'slope', 'shift', 'residuals'],
  statistics: ['isComplete', 'iterations'],
  columns: {},
} as const satisfies KernelFace;

export type DeviceFace = typeof DEVICE_FACE;
