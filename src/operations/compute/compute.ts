// Closed-form operators: evaluated, verified a second way, and sealed.

import { z } from 'zod';
import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { multiLine, singleLine } from '../../core/text-schema.ts';
import { SweepShape } from '../../protocol/sweep/axes.ts';
import { SamplesShape } from '../../protocol/sweep/samples.ts';
import { defineOperation } from '../operation.ts';
import { Folder, OperatorId } from '../schemas.ts';
import { EnvelopeOrGate, SelfContained } from './envelope.ts';
import { ENVELOPE_BRIEF } from './envelope-brief.ts';

const Key = singleLine(LIMITS.keyCharacters, 0);

const Request = z.strictObject({
  domain: singleLine(80).describe(
    'Name, prefix or alias of a domain, for example Quantum Mechanics or QM; or the id of a law.',
  ),
  inputs: z
    .record(Key, z.number())
    .describe(
      'Numbers by symbol, or by OPERATOR.symbol for one operator alone; in the units that the operators declare.',
    ),
  operators: z
    .array(OperatorId)
    .max(8)
    .optional()
    .describe('One to three operators of the domain; by default the law that fits the inputs, as and query.'),
  units: z
    .record(Key, singleLine(LIMITS.unit.characters, 0))
    .optional()
    .describe('Units of inputs in other than the declared ones, for example {"L": "nm"}.'),
  uncertainties: z
    .record(Key, z.number())
    .optional()
    .describe('Standard uncertainties of inputs, in the same units; propagated to first order.'),
  consts: z
    .record(Key, z.number())
    .optional()
    .describe('Numbers for missing inputs; an unknown key triggers the dimensional gate.'),
  detail: z.literal('full').optional().describe('List all terms of the master equation.'),
  strict: z.boolean().optional().describe('Refuse instead of sealing an unconverged result.'),
  as: singleLine(LIMITS.unit.characters, 0)
    .optional()
    .describe(
      'Unit or symbol of the output: selects among the laws that fit, and the value is in this unit; for example MJ.',
    ),
  query: multiLine(1_000)
    .optional()
    .describe('The question in words: selects among the laws that fit, unless operators are named.'),
  solve_for: singleLine(LIMITS.keyCharacters)
    .optional()
    .describe('Input to solve for, for example v; inputs then hold the value of the law under its symbol.'),
  sweep: SweepShape.optional(),
  samples: SamplesShape.optional(),
  self_contained: SelfContained,
});

/** The instructions of the server say what sweeps and samples are. */
const TOOL_SWEEP = SweepShape.optional().meta({ unlisted: true });

const COMPUTE_ERRORS = [
  'DOMAIN_UNKNOWN',
  'OPERATOR_UNKNOWN',
  'OPERATOR_AMBIGUOUS',
  'UNIT_INVALID',
  'UNIT_MISMATCH',
  'DIVISION_BY_ZERO',
  'NUMERIC_OVERFLOW',
  'VALUE_UNDEFINED',
  'PRECISION_REFUSED',
  'ROOT_NOT_FOUND',
  'ROOT_NOT_UNIQUE',
  'BUDGET_EXCEEDED',
  'QUEUE_FULL',
  'OUT_OF_TIME',
  'KERNEL_FAILED',
  'BODY_TOO_LARGE',
] as const;

const EXAMPLE = { domain: 'Quantum Mechanics', operators: ['QM5'], inputs: { n: 3, m: 9.1093837139e-31, L: 2.5e-9 } };

const FiledRequest = Request.extend({ folder: Folder.optional() });

export const compute = defineOperation({
  name: 'compute.run',
  summary: 'Evaluate one to three operators of a domain and seal the result.',
  description:
    'Every chain begins with KO42. With solve_for, a law is inverted: its value is an input, and all roots in the declared range are listed. The value of an operator feeds a later one that lacks an input of the same symbol and dimension. An unknown input key triggers the dimensional gate. Several laws that fit are refused (OPERATOR_AMBIGUOUS) with what each computes.',
  route: 'POST /api/svc/compute',
  tier: 'key',
  effect: 'compute',
  mcp: {
    tool: 'svc_compute',
    title: 'Compute with operators',
    description:
      'Use for any closed-form law of a domain. Without operators, selects the law by inputs, as and query; a tie is refused.',
    profile: 'core',
    input: FiledRequest.pick({
      domain: true,
      inputs: true,
      operators: true,
      units: true,
      uncertainties: true,
      as: true,
      query: true,
      solve_for: true,
      folder: true,
    }).extend({ sweep: TOOL_SWEEP, samples: SamplesShape.optional().meta({ unlisted: true }) }),
  },
  input: FiledRequest,
  example: EXAMPLE,
  output: EnvelopeOrGate,
  brief: ENVELOPE_BRIEF,
  errors: COMPUTE_ERRORS,
  handle: ({ folder, ...request }, { services, principal, signal, tenant, idempotencyKey }) => {
    if (!principal) throw new DomainError('AUTH_REQUIRED', 'API key required to compute.');
    const file = folder !== undefined || idempotencyKey !== undefined ? { folder } : undefined;
    return services.compute.run(request, principal, { signal, tenant }, file);
  },
});

export const playground = defineOperation({
  name: 'playground.compute',
  summary: 'Compute without a key: a few calls a minute, never filed.',
  description: `At most ${LIMITS.rate.playground} calls a minute. The key prefix of the receipt is playground.`,
  route: 'POST /api/playground/compute',
  tier: 'public',
  effect: 'compute',
  input: Request,
  example: EXAMPLE,
  output: EnvelopeOrGate,
  brief: ENVELOPE_BRIEF,
  errors: COMPUTE_ERRORS,
  handle: (request, { services, signal, tenant }) => services.compute.runPlayground(request, { signal, tenant }),
});
