// Inputs of the solver.

import { z } from 'zod';
import { singleLine } from '../../core/text-schema.ts';
import { real, sampleCount, stepCount } from '../parts/inputs.ts';

const LIMIT = 1e6;
const MAX_COUPLINGS = 16;

export const inputs = z.strictObject({
  mu2_eff: real('Linear coefficient: φ″ = −μ² φ …', {
    unit: '1/s^2',
    symbol: 'μ²',
    min: -LIMIT,
    max: LIMIT,
    default: 1,
  }),
  lambda_eff: real('Cubic coefficient: φ″ = … − λ φ³', {
    unit: '1/s^2',
    symbol: 'λ',
    min: -LIMIT,
    max: LIMIT,
    default: 0,
  }),
  F_eff: real('Drive: φ″ = … + F cos(ω t + ψ)', { unit: '1/s^2', symbol: 'F', min: -LIMIT, max: LIMIT, default: 0 }),
  omega: real('Angular frequency of the drive; 0 for a constant', {
    unit: 'rad/s',
    symbol: 'ω',
    min: 0,
    max: LIMIT,
    default: 0,
  }),
  phase: real('Phase of the drive', { unit: 'rad', symbol: 'ψ', min: -1_000, max: 1_000, default: 0 }),
  damping: real('Damping: φ″ = … − c φ′', { unit: '1/s', symbol: 'c', min: -1_000, max: LIMIT, default: 0 }),
  phi0: real('φ at the start', { unit: '1', symbol: 'φ₀', min: -LIMIT, max: LIMIT, default: 1 }),
  dphi0: real('φ′ at the start', { unit: '1/s', symbol: 'φ′₀', min: -LIMIT, max: LIMIT, default: 0 }),
  couplings: z
    .array(singleLine(200))
    .max(MAX_COUPLINGS)
    .optional()
    .describe('Terms added to φ″, of phi, dphi and t, or KO1 to KO41: ["-0.5*phi^3", "0.1*KO27", "cos(2*t)"]')
    .meta({ unit: '1/s^2' }),
  compile: z
    .strictObject({ scale: z.number().min(-LIMIT).max(LIMIT).default(1) })
    .optional()
    .describe('{scale}: a factor of all couplings; 1 by default')
    .meta({ unit: '1' }),
  t: real('Time of the value', { unit: 's', symbol: 't', min: 1e-9, max: 1e9, default: 10 }),
  samples: sampleCount('Times of the curves', { max: 2_001, default: 201 }),
  steps: stepCount('Steps of the Runge–Kutta cross-check; by default 40 a radian of the fastest motion', {
    max: 5_000_000,
  }),
});

export type ClosedformInput = z.output<typeof inputs>;
