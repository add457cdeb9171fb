// Inputs of the solver.

import { z } from 'zod';
import { multiLine, singleLine } from '../../core/text-schema.ts';
import { choice, real, stepCount, timeStep, whole } from '../parts/inputs.ts';
import { PRESETS, SYSTEMS } from './presets.ts';

const PRESET_NAMES = Object.keys(PRESETS) as [keyof typeof PRESETS, ...(keyof typeof PRESETS)[]];

/** States of a system of one's own. */
export const MIN_STATES = 2;
export const MAX_STATES = 6;
/** Steps that make the blocks of the averages; see plan.ts. */
const MIN_STEPS = 2_560;
const MAX_STEPS = 50_000_000;

const constant = (help: string, symbol: string) => real(help, { unit: '1', symbol, min: -1e4, max: 1e4 });

export const inputs = z.strictObject({
  preset: choice('Gives every field that is left out', PRESET_NAMES),
  system: z
    .enum(SYSTEMS)
    .optional()
    .describe('lorenz: sigma, rho, beta; rossler: a, b, c; custom: equations')
    .meta({ unit: '1' }),
  sigma: real('Prandtl number, of lorenz', { unit: '1', symbol: 'σ', min: 0, max: 1e4 }),
  rho: constant('Rayleigh number over its critical value, of lorenz', 'ρ'),
  beta: constant('Shape of the rolls, of lorenz', 'β'),
  a: constant('Of rossler', 'a'),
  b: constant('Of rossler', 'b'),
  c: constant('Of rossler', 'c'),
  equations: multiLine(4_000)
    .optional()
    .describe(`Of custom: x' = …, one a line, ${MIN_STATES} to ${MAX_STATES} states, without t`)
    .meta({ unit: '1', rows: 4 }),
  constants: z
    .union([multiLine(4_000), z.record(singleLine(64, 0), z.number())])
    .optional()
    .describe('Numbers in equations: a = 0.2; b = 3')
    .meta({ unit: '1' }),
  start: z
    .array(z.number().min(-1e6).max(1e6))
    .min(MIN_STATES)
    .max(MAX_STATES)
    .optional()
    .describe('States at the start, in the order of the equations')
    .meta({ unit: '1' }),
  dt: timeStep('Step of the method of Runge and Kutta', { unit: 't', min: 1e-9, max: 100 }),
  steps: stepCount('Steps that are averaged over', { min: MIN_STEPS, max: MAX_STEPS }),
  transient: whole('Steps before them, a tenth as many by default', { min: 0, max: MAX_STEPS }),
  delta: real('How far apart two close starts are, in the first state', {
    unit: '1',
    symbol: 'δ',
    min: 1e-12,
    max: 1,
    default: 1e-8,
  }),
  tolerance: real('Distance of the two at which a forecast is lost', { unit: '1', min: 1e-9, max: 1e6 }),
  pair_time: real('How long the two are followed', { unit: 't', min: 1e-6, max: 1e6 }),
  watch: singleLine(64, 0).optional().describe('State whose maxima are shown, the last by default').meta({ unit: '1' }),
});

export type LorenzInput = z.output<typeof inputs>;
