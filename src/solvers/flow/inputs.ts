// Inputs of the solver.

import { z } from 'zod';
import { multiLine } from '../../core/text-schema.ts';
import { choice, real, whole } from '../parts/inputs.ts';

const MAX_OBSTACLES = 8;
const MAX_DRAWING = 8_000;

const place = (help: string) => real(help, { unit: 'm', min: 0, max: 1e7 });

export const inputs = z.strictObject({
  case: choice('Flow', ['cavity', 'taylor-green', 'plates', 'channel']),
  N: whole('Cells across', { min: 8, max: 160, default: 32 }),
  steps: whole('Steps', { min: 4, max: 100_000, default: 200 }),
  dt: real('Step', { unit: 's', symbol: 'Δt', min: 1e-12, max: 1e12, default: 0.1 }),
  visc: real('Kinematic viscosity', { unit: 'm^2/s', symbol: 'ν', min: 1e-12, max: 1e9, default: 0.01 }),
  iters: whole('channel: most iterations of a projection with obstacles', { min: 1, max: 500, default: 100 }),
  scheme: choice('Interpolation', ['cubic', 'linear', 'maccormack']),
  size: real('cavity: side; taylor-green: period; plates, channel: height', {
    unit: 'm',
    min: 1e-6,
    max: 1e6,
    default: 1,
  }),
  speed: real('cavity: of the lid; plates: of the upper plate; taylor-green: amplitude; channel: mean inflow', {
    unit: 'm/s',
    min: 0,
    max: 1e6,
    default: 1,
  }),
  force: real('plates: force along them, over density', { unit: 'm/s^2', min: -1e9, max: 1e9, default: 0 }),
  kx: whole('taylor-green: waves along x', { min: 1, max: 8, default: 1 }),
  ky: whole('taylor-green: waves along y', { min: 1, max: 8, default: 1 }),
  mean_u: real('taylor-green: wind along x', { unit: 'm/s', min: -1e6, max: 1e6, default: 0 }),
  mean_v: real('taylor-green: wind along y', { unit: 'm/s', min: -1e6, max: 1e6, default: 0 }),
  length: whole('channel: length in heights', { min: 1, max: 6, default: 3 }),
  obstacles: z
    .array(z.array(z.number().min(0).max(1e7)).length(3))
    .max(MAX_OBSTACLES)
    .default([])
    .describe('channel: discs [x, y, radius]')
    .meta({ unit: 'm' }),
  drawing: multiLine(MAX_DRAWING, 1)
    .optional()
    .describe('channel: or lines of # and ., stretched over it')
    .meta({ unit: '1' }),
  probe_x: place('Place of u; else u_min of a cavity'),
  probe_y: place('Its height'),
});

export type FlowInput = z.output<typeof inputs>;
