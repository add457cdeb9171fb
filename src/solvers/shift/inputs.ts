// Inputs of the solver: those of the specification, and the time of the first step.

import { z } from 'zod';
import { MAX_SECONDS } from '../../core/clock.ts';
import { LIMITS } from '../../core/limits.ts';
import { singleLine } from '../../core/text-schema.ts';
import { computedField } from '../computed-laws.ts';
import { real, whole } from '../parts/inputs.ts';

const MAX_STEPS = 64;
const DEFAULT_STEPS = 16;
export const DEFAULT_DOMAIN = 'Quantum Mechanics';

export const inputs = z.strictObject({
  steps: whole('Steps of 0.777 s', { min: 1, max: MAX_STEPS, default: DEFAULT_STEPS }),
  domain: singleLine(80)
    .default(DEFAULT_DOMAIN)
    .describe('Domain of the law that gives S: name, prefix, alias, or the id of a law')
    .meta({ unit: '1' }),
  inputs: z
    .record(singleLine(LIMITS.keyCharacters), z.number())
    .optional()
    .describe('Numbers of the law by symbol, as {"n": 1, "L": 1e-9}; without any, S is 1')
    .meta({ unit: '1' }),
  t: real('Unix time of step 0; the time of the request by default', {
    unit: 's',
    symbol: 't₀',
    min: 0,
    max: MAX_SECONDS,
  }),
  computed: computedField(),
});

export type ShiftInput = z.output<typeof inputs>;
