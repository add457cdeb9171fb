// Inputs of the solver.

import { z } from 'zod';
import { LIMITS } from '../../core/limits.ts';
import { multiLine } from '../../core/text-schema.ts';
import { choice, real, timeStep, whole } from '../parts/inputs.ts';

export const MAX_STEPS = 50_000;
export const MAX_SIDE = 200;
const MAX_MAP = MAX_SIDE * (MAX_SIDE + 2);

const diffusivity = (help: string, symbol: string, standard: number) =>
  real(help, { unit: 'cm^2/day', symbol, min: 1e-5, max: 1, default: standard });
const place = (help: string) => real(help, { unit: 'cm', min: 0, max: 1000 });
const part = (help: string, standard: number) => real(help, { unit: '1', min: 1e-3, max: 0.99, default: standard });

export const inputs = z.strictObject({
  D_white: diffusivity('Motility in white matter', 'D_w', 0.0065),
  D_grey: diffusivity('Motility in grey matter', 'D_g', 0.0013),
  rho: real('Rate of proliferation', { unit: '1/day', symbol: 'ρ', min: 0, max: 1, default: 0.012 }),
  K: real('Capacity, cells/cm³', { unit: '1', min: 1, max: 1e12, default: 1e8 }),
  geometry: choice('Ball or layer', ['radial', 'planar']),
  map: multiLine(MAX_MAP)
    .min(1)
    .optional()
    .describe('Slice, rows from the top: w white, g grey, . outside')
    .meta({ unit: '1', rows: 9 }),
  x0: place('Centre on a map; its middle by default'),
  y0: place('From below'),
  L: real('Length of the tissue, or width of a map', { unit: 'cm', min: 0.1, max: 1000, default: 10 }),
  white_from: place('White matter; none by default'),
  white_to: place('Its end; L by default'),
  u0: choice('Hump, packed cells, full or falling to r0', ['gauss', 'point', 'step', 'ramp']),
  r0: real('Width of the start', { unit: 'cm', symbol: 'r_0', min: 1e-3, max: 1000, default: 0.5 }),
  peak: real('u at the centre', { unit: '1', min: 1e-6, max: 1, default: 0.8 }),
  N0: real('Cells of a point; per cm² of a layer, per cm of a map', { unit: '1', min: 1, max: 1e13, default: 1e7 }),
  initial_u: multiLine(LIMITS.expression.characters, 1)
    .optional()
    .describe('Own start, of x; of x, y on a map')
    .meta({ unit: '1' }),
  t_end: real('End', { unit: 'day', min: 1e-3, max: 1e5, default: 1095 }),
  t_from: real('Start of the mean speed; 0.8 t_end by default', { unit: 'day', min: 0, max: 1e5 }),
  nx: whole('Cells; 800, on a map 120 by default', { min: 32, max: 8000 }),
  dt: timeStep('Time step; by accuracy', { unit: 'day' }),
  level: part('Level of the front', 0.5),
  t1: part('Threshold of T1Gd', 0.8),
  t2: part('Threshold of T2/FLAIR', 0.16),
  fatal: real('Fatal T1Gd radius', { unit: 'cm', min: 1e-3, max: 1000, default: 3 }),
  alpha: real('Linear effect of dose', { unit: '1/Gy', symbol: 'α', min: 0, max: 10, default: 0.036 }),
  beta: real('Quadratic effect', { unit: '1/Gy^2', symbol: 'β', min: 0, max: 10, default: 0.0036 }),
  therapy: multiLine(1000, 1)
    .optional()
    .describe('resect DAY RADIUS | radiate DAY FRACTIONS DOSE | chemo FROM TO RATE')
    .meta({ unit: '1' }),
});

export type TumorInput = z.output<typeof inputs>;
