// Inputs of the solver.

import { z } from 'zod';
import { LIMITS } from '../../core/limits.ts';
import { multiLine } from '../../core/text-schema.ts';
import { real, relativeTolerance, whole } from '../parts/inputs.ts';

const UNITS = ['dk/k', 'pcm', '$'] as const;

const reactivity = z.strictObject({
  kind: z.enum(['step', 'ramp', 'sine', 'pulse', 'table']).default('step'),
  value: z.number().min(-1e6).max(1e6).default(0.003),
  unit: z.enum(UNITS).default('dk/k'),
  rate: z.number().min(-1e9).max(1e9).optional(),
  period: z.number().min(1e-6).max(1e9).optional(),
  start: z.number().min(0).max(1e9).default(0),
  duration: z.number().min(1e-9).max(1e9).optional(),
  table: multiLine(LIMITS.body.bytes).optional(),
});

const feedback = z.strictObject({
  alpha_T: z.number().min(-1).max(1).default(0),
  heat_capacity: z.number().min(1e-12).max(1e15).default(1),
  cooling: z.number().min(0).max(1e6).default(0),
  P0: z.number().min(0).max(1e15).default(1),
});

const six = () => z.array(z.number()).length(6).optional();

export const inputs = z.strictObject({
  groups: z
    .enum(['U235_thermal_Keepin', 'U235_fast', 'Pu239', 'benchmark', 'custom'])
    .default('U235_thermal_Keepin')
    .describe('Delayed neutrons; custom: beta_i and lambda_i')
    .meta({ unit: '1' }),
  beta_i: six().describe('Six fractions; with beta, shares that sum to 1').meta({ unit: '1', symbol: 'β_i' }),
  lambda_i: six().describe('Six decay constants').meta({ unit: '1/s', symbol: 'λ_i' }),
  beta: real('Effective β in all; scales the groups', { unit: '1', symbol: 'β', min: 1e-6, max: 0.1 }),
  Lambda: real('Prompt generation time', { unit: 's', symbol: 'Λ', min: 1e-8, max: 1e-3, default: 2e-5 }),
  reactivity: reactivity
    .optional()
    .describe(
      'value in unit from start on; ramp: rate/s up to value; sine: value, period; pulse: value, duration; table: lines "t, ρ"',
    )
    .meta({ unit: '1' }),
  feedback: feedback
    .optional()
    .describe('ρ + alpha_T ϑ (1/K); heat_capacity J/K, P0 W, cooling 1/s, 0 adiabatic')
    .meta({ unit: '1' }),
  n0: real('Power at the start, precursors in equilibrium', { unit: '1', symbol: 'n₀', min: 0, max: 1e12, default: 1 }),
  source: real('Neutrons of a source', { unit: '1/s', symbol: 'S', min: 0, max: 1e12, default: 0 }),
  t_end: real('Length of the run', { unit: 's', symbol: 't', min: 1e-6, max: 1e7, default: 20 }),
  output_points: whole('Intervals of the curves', { min: 1, max: 5_000, default: 200 }),
  rtol: relativeTolerance('Tolerance of a step', { min: 1e-12, max: 1e-3, default: 1e-9 }),
  trip: real('Power whose first passage is timed; 0 for none', { unit: '1', min: 0, max: 1e15, default: 0 }),
  power: multiLine(LIMITS.body.bytes)
    .optional()
    .describe('Inverse kinetics: lines "t, n"; gives ρ(t) and replaces reactivity')
    .meta({ unit: '1', rows: 5 }),
});

export type ReactorInput = z.output<typeof inputs>;
