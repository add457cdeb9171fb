// Inputs of the solver: the nodes of the specification, and how they are coupled.

import { z } from 'zod';
import { MAX_SECONDS } from '../../core/clock.ts';
import { LIMITS } from '../../core/limits.ts';
import { singleLine } from '../../core/text-schema.ts';
import { ComputedShape } from '../computed-laws.ts';
import { choice, real, stepCount } from '../parts/inputs.ts';

const MIN_NODES = 2;
const MAX_NODES = 5;
const MAX_OMEGA = 1e6;
const MAX_THETA = 1e9;

/** Symbols of a node's inputs that belong to its phase, and not to the law of its domain. */
export const PHASE_SYMBOLS = ['theta0', 'omega'] as const;

const nodeInputs = z.record(singleLine(LIMITS.keyCharacters), z.number()).superRefine((given, context) => {
  for (const [name, limit] of [
    ['omega', MAX_OMEGA],
    ['theta0', MAX_THETA],
  ] as const) {
    const value = given[name];
    if (value === undefined || Math.abs(value) <= limit) continue;
    context.addIssue({ code: 'custom', path: [name], message: `is ${value}; from ${-limit} to ${limit} is expected` });
  }
});

const node = z.strictObject({
  domain: singleLine(80).optional(),
  inputs: nodeInputs.optional(),
  computed: ComputedShape.optional().meta({ unlisted: true }),
});

/** What a page shows before anything is typed: two that lock. */
const DEFAULT_NODES = [{ inputs: { omega: 1 } }, { inputs: { omega: 1.5 } }];

export const inputs = z.strictObject({
  nodes: z
    .array(node)
    .min(MIN_NODES)
    .max(MAX_NODES)
    .default(DEFAULT_NODES)
    .describe('2 to 5 of {domain, inputs}: omega (rad/s) and theta0 (rad) set the phase, other inputs go to the law')
    .meta({ unit: '1', rows: 4 }),
  K: real('Coupling of two neighbours', { unit: 'rad/s', symbol: 'K', min: -1e4, max: 1e4, default: 1 }),
  topology: choice('Which nodes are coupled', ['chain', 'ring', 'all'] as const),
  t: real('Unix time at the start, which gives the pulse; the time of the request by default', {
    unit: 's',
    symbol: 't₀',
    min: 0,
    max: MAX_SECONDS,
  }),
  tMax: real('Length of the run; by default until transients have decayed, then as long again', {
    unit: 's',
    min: 1e-6,
    max: 1e6,
  }),
  steps: stepCount('Steps of Runge–Kutta; by default 40 a radian', { max: 2_000_000 }),
});

export type LatticeInput = z.output<typeof inputs>;
export type NodeInput = LatticeInput['nodes'][number];
