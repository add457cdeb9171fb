// Inputs of the solver.

import { z } from 'zod';
import { LIMITS } from '../../core/limits.ts';
import { multiLine } from '../../core/text-schema.ts';
import { choice, real, seed, timeStep, whole } from '../parts/inputs.ts';
import { MatrixInput } from './matrix-text.ts';
import { PRESETS } from './presets.ts';

const PRESET_NAMES = Object.keys(PRESETS) as [keyof typeof PRESETS, ...(keyof typeof PRESETS)[]];
const { rows, runs, states } = LIMITS.kalman;

const matrix = (help: string) => MatrixInput.describe(help).meta({ unit: '1', rows: 2 });
const factor = (help: string) => real(help, { unit: '1', min: 1e-6, max: 1e6, default: 1 });

export const inputs = z.strictObject({
  preset: choice('Gives what is left out', PRESET_NAMES),
  F: matrix('Own model: state matrix, as "1 1; 0 1"'),
  H: matrix('Measurement matrix'),
  Q: matrix('Process noise: covariance a step'),
  R: matrix('Measurement noise: covariance'),
  B: matrix('Input matrix'),
  u: z
    .union([multiLine(LIMITS.body.bytes), z.number(), z.array(z.number()).max(states)])
    .optional()
    .describe('Input: constant, or a row for each row')
    .meta({ unit: '1', rows: 2 }),
  x0: matrix('State before the first row'),
  P0: matrix('Its covariance'),
  time: z
    .enum(['discrete', 'continuous'])
    .optional()
    .describe("discrete: noise held in a step; continuous: white, and own F, B, Q are of x' = F x + B u")
    .meta({ unit: '1' }),
  dt: timeStep('Time from row to row', { unit: 's', min: 1e-9, max: 1e9 }),
  q: real('Process noise of a preset', { unit: '1', min: 0, max: 1e12 }),
  r: real('Variance of its measurements', { unit: '1', min: 0, max: 1e12 }),
  a: real('Of ar1: what a step leaves', { unit: '1', min: -1.5, max: 1.5 }),
  length: real('Of the pendulum', { unit: 'm', min: 1e-3, max: 1e3 }),
  damping: real('Of the pendulum', { unit: '1/s', min: 0, max: 1e3 }),
  measurements: multiLine(LIMITS.body.bytes)
    .optional()
    .describe('A row a line: numbers, or time and numbers; NA is missing. Simulated if left out')
    .meta({ unit: '1', rows: 6 }),
  steps: whole('Simulated rows', { min: 1, max: rows }),
  missing: real('Share of simulated values that is lost', { unit: '1', min: 0, max: 0.99 }),
  true_q: factor('Q of the simulated world over Q'),
  true_r: factor('R of the simulated world over R'),
  runs: whole('Simulated runs', { min: 1, max: runs, default: 100 }),
  seed: seed('Seed'),
  state: whole('State the value is of', { min: 1, max: states, default: 1 }),
  tune: z
    .enum(['none', 'q', 'r', 'both', 'each'])
    .optional()
    .describe('Maximum likelihood; each: a factor of Q, and of R for each channel')
    .meta({ unit: '1' }),
});

export type KalmanInput = z.output<typeof inputs>;
