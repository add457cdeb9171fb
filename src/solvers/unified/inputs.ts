// Inputs of the solver.

import { z } from 'zod';
import { LIMITS } from '../../core/limits.ts';
import { multiLine, singleLine } from '../../core/text-schema.ts';
import {
  absoluteTolerance,
  choice,
  real,
  relativeTolerance,
  sampleCount,
  stepCount,
  timeStep,
} from '../parts/inputs.ts';
import { MAX_EQUATIONS } from './checks.ts';

const MAX_LINES = 2 * MAX_EQUATIONS;
const MAX_STEPS = 10_000_000;
const TIME = { unit: 't', min: -1e30, max: 1e30 } as const;
const OSCILLATOR = ["x' = v", "v' = -omega^2*x - 2*zeta*omega*v", 'omega = 2', 'zeta = 0.1', 'x(0) = 1', 'v(0) = 0'];

const Line = multiLine(LIMITS.expression.characters);
const Lines = (max: number) => z.union([multiLine(max * 200), z.array(Line).max(max)]);
const Name = singleLine(LIMITS.keyCharacters, 0);
const Numbers = z.union([multiLine(4_000), z.record(Name, z.number())]);
const Texts = z.union([multiLine(4_000), z.record(Name, singleLine(LIMITS.unit.characters, 0))]);

export const inputs = z.strictObject({
  mode: choice(
    'auto: detected from the equations; expression: independent lines; chain: one uses another; ode: derivatives x′ on the left',
    ['auto', 'expression', 'chain', 'ode'],
  ),
  equations: Lines(MAX_LINES)
    .default(OSCILLATOR.join('\n'))
    .describe("One per line: y = …, x' = …, x'' = …, x(0) = …, x'(0) = …")
    .meta({ unit: '1', rows: 7 }),
  vars: Numbers.optional().describe('Numbers for symbols: k = 4; c = 0.3').meta({ unit: '1' }),
  initial: Numbers.optional().describe('Initial values: x = 1; v = 0').meta({ unit: '1' }),
  uncertainties: Numbers.optional()
    .describe('Standard uncertainties of vars and initial: k = 0.1. Each takes two more runs')
    .meta({ unit: '1' }),
  units: Texts.optional()
    .describe('Units of symbols: x = m; v = m/s. With any, dimensions are checked and all is computed in SI')
    .meta({ unit: '1' }),
  t0: real('Start of t', { ...TIME, symbol: 't_0', default: 0 }),
  t_end: real('End of t; t0 + 20 by default. Without derivatives the result is a table over t', TIME),
  method: choice('auto: Dormand–Prince 5(4), and RODAS 4(3) once the problem is stiff; rk4: fixed steps', [
    'auto',
    'dopri5',
    'rodas4',
    'rk4',
  ]),
  rtol: relativeTolerance('Relative tolerance', { min: 1e-13, max: 1e-2, default: 1e-9 }),
  atol: absoluteTolerance('Absolute tolerance, at least rtol/100 of the largest magnitude of a state so far', 'state'),
  dt: timeStep('First step; with rk4 every step', { unit: 't' }),
  steps: stepCount('rk4: step count; 1000 by default', { max: MAX_STEPS }),
  max_step: real(
    'Maximum step; 1/200 of the span by default. Features between steps are looked for at 10,000 times of the span',
    {
      unit: 't',
      min: 1e-30,
      max: 1e30,
    },
  ),
  max_steps: stepCount('Maximum step attempts', { max: MAX_STEPS }),
  points: sampleCount('Samples from t0 to t_end', { max: 2_001, default: 201 }),
  events: Lines(16)
    .optional()
    .describe(
      'y = 0 down -> stop; x = 1 up -> v = -0.8*v; x > 2 is counted. Simultaneous events happen in the given order',
    )
    .meta({ unit: '1' }),
  invariants: Lines(16).optional().describe('Expressions that stay constant').meta({ unit: '1' }),
  invariant_tol: real('Allowed drift', { unit: '1', min: 0, max: 1, default: 1e-6 }),
  outputs: Lines(64).optional().describe('Symbols to show; the first is the value').meta({ unit: '1' }),
});

export type UnifiedInput = z.output<typeof inputs>;
export type Method = UnifiedInput['method'];
