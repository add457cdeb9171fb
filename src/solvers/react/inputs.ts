// Inputs of the solver.

import { z } from 'zod';
import { LIMITS } from '../../core/limits.ts';
import { multiLine } from '../../core/text-schema.ts';
import { choice, real, seed, stepCount, timeStep, whole } from '../parts/inputs.ts';

export const MAX_STEPS = 1_000_000;
const CELLS = { min: 16, max: 400 } as const;
const MAX_PAINTING = 400 * 401;
const MAX_SAMPLES = 160_000;

export const MODELS = ['gray-scott', 'fitzhugh-nagumo', 'custom'] as const;
const SHAPES = ['square', 'front', 'spiral', 'noise'] as const;

const expression = (help: string, unit: string) =>
  multiLine(LIMITS.expression.characters, 1).optional().describe(help).meta({ unit });

const state = (help: string) => z.array(z.number()).length(2).optional().describe(help).meta({ unit: 'c' });

const samples = (help: string) =>
  z.array(z.number()).min(2).max(MAX_SAMPLES).optional().describe(help).meta({ unit: 'c' });

const length = (help: string, symbol: string) => real(help, { unit: '1', symbol, min: 1e-9, max: 1e9 });

export const inputs = z.strictObject({
  model: z
    .enum(MODELS)
    .optional()
    .describe('Kinetics; by default gray-scott, or custom if reaction_u is given')
    .meta({ unit: '1' }),
  N: whole('Cells along x', { ...CELLS, default: 64 }),
  Ny: whole('Cells along y, of the same width; N by default', CELLS),
  dim: whole('1 for a line, 2 for a rectangle', { min: 1, max: 2, default: 2 }),
  length: length('Length along x; by default 1 a cell, 0.5 for fitzhugh-nagumo', 'L'),
  dt: timeStep(
    'Time step; by default 1 for gray-scott, 0.1 for fitzhugh-nagumo, t_end / 1000 for custom, or what is stable',
    { unit: '1' },
  ),
  steps: stepCount('Number of time steps; 1000 by default', { max: MAX_STEPS }),
  t_end: real('Time of the end; by default dt times steps', { unit: '1', symbol: 't', min: 1e-30, max: 1e30 }),
  Du: real('Diffusivity of u; by default 0.16 for gray-scott, else 1', { unit: '1', symbol: 'D_u', min: 0, max: 1e9 }),
  Dv: real('Diffusivity of v; by default 0.08 for gray-scott, else 0', { unit: '1', symbol: 'D_v', min: 0, max: 1e9 }),
  F: real('Feed rate', { unit: '1', min: 0, max: 10, default: 0.035 }),
  k: real('Removal rate of v beyond the feed rate', { unit: '1', min: 0, max: 10, default: 0.065 }),
  epsilon: real('Rate of v over that of u', { unit: '1', symbol: 'ε', min: 0, max: 100, default: 0.08 }),
  a: real('Constant of v', { unit: '1', min: -100, max: 100, default: 0.7 }),
  b: real('Decay of v', { unit: '1', min: -100, max: 100, default: 0.8 }),
  I: real('Stimulus of u', { unit: '1', min: -100, max: 100, default: 0 }),
  reaction_u: expression('Rate of u, of u, v, x, y, t, F, k, epsilon, a, b, I', '1'),
  reaction_v: expression('Rate of v; 0 by default', '1'),
  boundary: choice('periodic, or no flow through the sides', ['periodic', 'no-flux']),
  method: choice('rk4: order 4 in space and time; euler: 5-point differences and forward Euler', ['rk4', 'euler']),
  initial: choice(
    'Where the state is foreground: the middle, the left tenth, crossed halves, or random blocks',
    SHAPES,
  ),
  background: state('u and v of the rest'),
  foreground: state('u and v'),
  initial_u: expression('u at the start, of x, y', 'c'),
  initial_v: expression('v at the start', 'c'),
  painting: multiLine(MAX_PAINTING)
    .optional()
    .describe('Rows from the top, # is foreground. The start, stretched over the whole domain')
    .meta({ unit: '1', rows: 7 }),
  samples_u: samples('u at the start. In equal blocks along a line, or in a square of them row by row from the bottom'),
  samples_v: samples('v at the start. In blocks likewise'),
  seed: seed('Seed of noise'),
  measure: choice('What the value is: a mean, a probe at the end, or the speed of the front', [
    'mean_u',
    'mean_v',
    'probe_u',
    'probe_v',
    'speed',
  ]),
  probe_x: real('x of the probe; the middle by default', { unit: '1', min: 0, max: 1e9 }),
  probe_y: real('y of the probe and of the front; the middle by default', { unit: '1', min: 0, max: 1e9 }),
  level: real('Level of u at the front; by default midway between background and foreground', {
    unit: 'c',
    min: -1e9,
    max: 1e9,
  }),
});

export type ReactInput = z.output<typeof inputs>;
