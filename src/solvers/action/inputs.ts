// Inputs of the solver.

import { z } from 'zod';
import { multiLine } from '../../core/text-schema.ts';
import { choice, real, stepCount, timeStep, whole } from '../parts/inputs.ts';

export const inputs = z.strictObject({
  system: choice('½p² − μ/r; ½p² + ½ω²q²; ½p² − λ cos q', ['kepler', 'oscillator', 'pendulum']),
  order: whole('Order of the map: 2, 4, 6 or 8', { min: 2, max: 8, default: 4 }),
  steps: stepCount('Steps', { min: 10, max: 2_000_000, default: 20_000 }),
  dt: timeStep('Step', { unit: 's', min: 1e-9, max: 1e6, default: 0.01 }),
  eccentricity: real('Of Kepler’s orbit of semi-major axis 1, from its perihelion', {
    unit: '1',
    symbol: 'e',
    min: 0,
    max: 0.98,
    default: 0.6,
  }),
  mu: real('Of Kepler', { unit: '1', symbol: 'μ', min: 1e-9, max: 1e9, default: 1 }),
  omega: real('Of the oscillator', { unit: 'rad/s', symbol: 'ω', min: 1e-9, max: 1e6, default: 1 }),
  lambda: real('Of the pendulum', { unit: '1/s^2', symbol: 'λ', min: 1e-9, max: 1e9, default: 1 }),
  q0: real('Start; of Kepler its distance', { unit: '1', symbol: 'q₀', min: -1e9, max: 1e9 }),
  p0: real('Start; of Kepler across', { unit: '1', symbol: 'p₀', min: -1e9, max: 1e9 }),
  compare: z.boolean().default(true).describe('Table of all orders and Runge–Kutta').meta({ unit: '1' }),
  sample: whole('Times of the curves', { min: 2, max: 500, default: 60 }),
  potential: multiLine(2_000, 1)
    .optional()
    .describe('V of q, or q1 to q3, in place of the system; may read mu, omega, lambda')
    .meta({ unit: '1' }),
  kinetic: multiLine(2_000, 1)
    .optional()
    .describe('T of p, or p1 to p3; half the squares by default')
    .meta({ unit: '1' }),
  start: z
    .array(z.number().min(-1e9).max(1e9))
    .min(2)
    .max(6)
    .optional()
    .describe('q1, …, p1, … at the start')
    .meta({ unit: '1' }),
});

export type ActionInput = z.output<typeof inputs>;
