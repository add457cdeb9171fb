// Inputs of the solver.

import { z } from 'zod';
import { LIMITS } from '../../core/limits.ts';
import { multiLine, singleLine } from '../../core/text-schema.ts';
import { choice, real, seed, whole } from '../parts/inputs.ts';
import { METHODS } from './face.ts';
import { FUNCTION_NAMES } from './functions.ts';

const { characters: EXPRESSION } = LIMITS.expression;
const expression = (help: string) => singleLine(EXPRESSION).optional().describe(help).meta({ unit: '1' });
const text = (help: string, rows: number, max: number) =>
  multiLine(max).optional().describe(help).meta({ unit: '1', rows });
const numbers = (help: string) => z.array(z.number()).min(1).max(1_000).optional().describe(help).meta({ unit: '1' });

export const inputs = z.strictObject({
  function: z
    .enum(FUNCTION_NAMES)
    .optional()
    .describe('Test function; rosenbrock unless an expression, residuals or data are given')
    .meta({ unit: '1' }),
  n: whole('Variables of a function that has any number', { min: 1, max: 1_000 }),
  expression: expression('Own function, as (x - 1)^2 + y^2'),
  residuals: text('Own sum of squares: an expression a line', 3, 64_000),
  data: text('Table to fit: column names, then rows of numbers', 6, LIMITS.body.bytes),
  model: expression('Fitted expression of columns and parameters, as a*exp(-b*t)'),
  response: singleLine(64).optional().describe('Column to fit; the last one').meta({ unit: '1' }),
  sigma: singleLine(64).optional().describe('Column of standard deviations').meta({ unit: '1' }),
  variables: singleLine(640).optional().describe('Their order, as x, y; else of appearance').meta({ unit: '1' }),
  x0: numbers('Start'),
  bounds: z
    .array(z.array(z.number()).length(2))
    .min(1)
    .max(1_000)
    .optional()
    .describe('[low, high] of each variable, or one for all; ±1e300 is none')
    .meta({ unit: '1' }),
  constraints: text('Penalised conditions, a line each, as x + y <= 1', 2, 8_000),
  penalty: real('Weight of squared violations', { unit: '1', min: 1e-12, max: 1e12, default: 1e4 }),
  method: z.enum(METHODS).default('bfgs').describe('How it descends').meta({ unit: '1' }),
  gradient: choice('exact and ad: derivatives of the expressions; central: differences', ['exact', 'ad', 'central']),
  tol_g: real('Largest slope at the end', { unit: '1', min: 0, max: 1e10, default: 1e-8 }),
  tol_f: real('Relative decrease that is left', { unit: '1', min: 0, max: 1, default: 1e-14 }),
  max_iter: whole('Iterations of a start at most', { min: 1, max: 1_000_000, default: 10_000 }),
  memory: whole('Pairs that lbfgs keeps', { min: 1, max: 100, default: 10 }),
  step: real('Fixed step of gd, instead of a search', { unit: '1', min: 1e-300, max: 1e300 }),
  restarts: whole('Starts: x0, and others at random', { min: 1, max: 1_000, default: 1 }),
  spread: real('Random starts: up to so far from x0, relative', { unit: '1', min: 0, max: 1e6, default: 2 }),
  seed: seed('Seed of the starts'),
  confidence: real('Level of the intervals of a fit', { unit: '1', min: 0.5, max: 0.9999, default: 0.95 }),
});

export type OptInput = z.output<typeof inputs>;
