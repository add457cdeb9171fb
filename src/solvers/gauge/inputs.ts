// The inputs of a lattice gauge theory: group, lattice, coupling, and how it is sampled.

import { z } from 'zod';
import { LIMITS } from '../../core/limits.ts';
import { choice, real, seed, whole } from '../parts/inputs.ts';

const { beta, length, side, sweeps } = LIMITS.gauge;

export const inputs = z.strictObject({
  group: choice('Group of the links', ['su2', 'u1', 'z2']),
  dim: whole('Dimensions with time', { min: 2, max: 4, default: 4 }),
  L: whole('Sites along each direction of space', { min: 2, max: length, default: 4 }),
  Lt: whole('Sites along time; L by default', { min: 2, max: length }),
  beta: real('Coupling: weight exp(beta P) of each plaquette', {
    unit: '1',
    symbol: 'β',
    min: 0,
    max: beta,
    default: 2.3,
  }),
  algorithm: choice('How links are drawn', ['heatbath', 'metropolis']),
  overrelaxation: whole('Sweeps of it after each update', { min: 0, max: 20, default: 0 }),
  start: choice('All links 1, or random', ['cold', 'hot']),
  thermalisation: whole('Sweeps before the first measurement', { min: 0, max: sweeps, default: 200 }),
  sweeps: whole('Measured sweeps', { min: 100, max: sweeps, default: 1000 }),
  loops: whole('Largest side of Wilson loops; 0: none', { min: 0, max: side }),
  seed: seed('Seed'),
});

export type GaugeInput = z.output<typeof inputs>;
