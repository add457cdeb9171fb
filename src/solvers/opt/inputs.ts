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
    .describe('Test function; rosenbrock if nothing else is given')
    .meta({ unit: '1' }),
  n: whole('Variables', { min: 1, max: 1_000 }),
  expression: expression('As (x - 1)^2 + y^2'),
  residuals: text('Squares, one a line', 3, 64_000),
  data: text('To fit: names, rows', 6, LIMITS.body.bytes),
  model: expression('As a*exp(-b*t)'),
  response: singleLine(64).optional().describe('Column').meta({ unit: '1' }),
  sigma: singleLine(64).optional().describe('Column').meta({ unit: '1' }),
  variables: singleLine(640).optional().describe('As x, y').meta({ unit: '1' }),
  x0: numbers('Start'),
  bounds: z.array(z.array(z.number()).length(2)).min(1).max(1_000).optional().describe('For each').meta({ unit: '1' }),
  constraints: text('As x + y <= 1', 2, 8_000),
  penalty: real('Weight of violations, 1e4', { unit: '1', min: 1e-12, max: 1e12 }),
  method: z.enum(METHODS).default('bfgs').describe('Descent').meta({ unit: '1' }),
  gradient: choice('central: differences', ['exact', 'ad', 'central']),
  tol_g: real('Slope at the end', { unit: '1', min: 0, max: 1e10, default: 1e-8 }),
  tol_f: real('Decrease left, relative', { unit: '1', min: 0, max: 1, default: 1e-14 }),
  max_iter: whole('Iterations at most', { min: 1, max: 1_000_000, default: 10_000 }),
  memory: whole('Pairs of lbfgs', { min: 1, max: 100, default: 10 }),
  step: real('Fixed step of gd', { unit: '1', min: 1e-300, max: 1e300 }),
  restarts: whole('Starts, random but x0', { min: 1, max: 1_000, default: 1 }),
  spread: real('Of random starts, relative: 2', { unit: '1', min: 0, max: 1e6 }),
  seed: seed('Of the starts'),
  confidence: real('Level of intervals: 0.95', { unit: '1', min: 0.5, max: 0.9999 }),
});

export type OptInput = z.output<typeof inputs>;
