// Inputs of the solver.

import { z } from 'zod';
import { choice, real, timeStep, whole } from '../parts/inputs.ts';

const MAX_NOTCHES = 16;

export const inputs = z.strictObject({
  mode: choice('2d: a plate with an edge notch; bar: a line of points', ['2d', 'bar']),
  nx: whole('2d: points across the plate; 64 at most if static', { min: 16, max: 160, default: 24 }),
  ny: whole('2d: points along the pull; 40 at most if static', { min: 8, max: 80, default: 12 }),
  notchFrac: real('2d: notch from the left side over the width', { unit: '1', min: 0.1, max: 0.6, default: 0.3 }),
  horizonM: real('Horizon over the spacing', { unit: '1', symbol: 'm', min: 2, max: 4, default: 3 }),
  N: whole('bar: number of points', { min: 8, max: 400, default: 50 }),
  E: real('Young’s modulus', { unit: 'Pa', min: 1, max: 1e13, default: 72e9 }),
  strain: real('static, grips: mean strain at the end; release: when it is let go; wave: amplitude', {
    unit: '1',
    min: 1e-9,
    max: 0.1,
    default: 2e-3,
  }),
  s0: real('Stretch at which a bond begins to fail; 1.6e-3 by default, or from G0', {
    unit: '1',
    min: 1e-9,
    max: 0.1,
  }),
  sf: real('static: stretch at which a bond has failed; s0 (brittle) by default', { unit: '1', min: 1e-9, max: 1 }),
  loadSteps: whole('static: load steps', { min: 2, max: 60, default: 10 }),
  relaxIters: whole('static, release: most iterations to equilibrium in a load step', {
    min: 100,
    max: 50_000,
    default: 20_000,
  }),
  width: real('Width of the plate, or length of the bar', { unit: 'm', min: 1e-9, max: 1e6, default: 0.04 }),
  notch: choice('2d: no leaves the plate whole', ['yes', 'no']),
  G0: real('2d: energy of a new surface; gives s0', { unit: 'J/m^2', symbol: 'G_0', min: 1e-9, max: 1e9 }),
  load: choice('static, or motion: grips pull to strain, ends bear stress, a release at strain, a wave in a ring', [
    'static',
    'grips',
    'stress',
    'release',
    'wave',
  ]),
  notches: z
    .array(z.array(z.number().min(-1e6).max(1e6)).length(4))
    .max(MAX_NOTCHES)
    .optional()
    .describe('2d: straight notches [x1, y1, x2, y2] from the lower left corner, instead of notchFrac')
    .meta({ unit: 'm' }),
  rho: real('grips, stress, release, wave: density', {
    unit: 'kg/m^3',
    symbol: 'ρ',
    min: 1e-6,
    max: 1e6,
    default: 2440,
  }),
  t_end: real('grips, stress, release, wave: end of the motion', { unit: 's', min: 1e-15, max: 1e9 }),
  dt: timeStep('grips, stress, release, wave: time step; half of the stable limit by default', { unit: 's' }),
  ramp: real('grips: rise time of the speed; stress: of the stress', { unit: 's', min: 0, max: 1e9 }),
  stress: real('stress: on the ends', { unit: 'Pa', min: 1e-9, max: 1e13, default: 12e6 }),
  waves: whole('wave: wavelengths in the ring', { min: 1, max: 50, default: 1 }),
});

export type FractureInput = z.output<typeof inputs>;
