// One operation a solver, made from its record.

import { z } from 'zod';
import { DomainError } from '../../core/errors.ts';
import type { SolverBody } from '../../solvers/request.ts';
import type { SolverDefinition } from '../../solvers/solver.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { EnvelopeOrGate, Folder, OperatorId } from '../schemas.ts';

/** The fields that every solver route takes beside the solver's own. */
const COMMON = {
  operators: z
    .array(OperatorId)
    .max(4)
    .optional()
    .describe("The solver's chain is fixed; KO42 and its members are accepted, others refused."),
  inputs: z
    .record(z.string().max(64), z.number())
    .optional()
    .describe('Numeric fields by name; a key that the solver does not know meets the dimensional gate.'),
  consts: z.record(z.string().max(64), z.number()).optional().describe('Named constants; recorded with the result.'),
  domain: z.string().max(80).optional().describe("Must be the solver's own, if given."),
  query: z.string().max(1_000).optional().describe('The question in words; a label here.'),
  folder: Folder.optional(),
  strict: z.boolean().optional().describe('Refuse instead of sealing an unconverged result.'),
};

/**
 * A field as it stands at the top of the body: never required there, since `inputs` may hold it; its default is
 * documented here and applied by the solver's own schema after both places are merged.
 */
function atTheTop(field: z.ZodType): z.ZodType {
  const meta = field.meta() ?? {};
  if (!(field instanceof z.ZodDefault)) return field.optional();
  const inner = field.def.innerType as z.ZodType;
  return inner.optional().meta({ ...inner.meta(), ...meta, default: field.def.defaultValue });
}

/** For a solver whose chain follows from the request. */
const OPERATORS = z.array(OperatorId).max(4).optional().describe('Operators whose laws join the equations.');

/** What equations of the caller's may be refused for beside. */
const OF_EQUATIONS = [
  'UNIT_INVALID',
  'UNIT_MISMATCH',
  'DIVISION_BY_ZERO',
  'NUMERIC_OVERFLOW',
  'VALUE_UNDEFINED',
] as const;

const MAX_TOOL_DESCRIPTION = 200;

/** What it is for, then as much of the summary as a list of tools has room for. */
function describeTool({ title, summary }: SolverDefinition): string {
  const use = `Use for ${title.charAt(0).toLowerCase()}${title.slice(1)}.`;
  const whole = `${use} ${summary}`;
  return whole.length <= MAX_TOOL_DESCRIPTION ? whole : use;
}

export function solverOperation(solver: SolverDefinition): Operation {
  const own = Object.fromEntries(
    Object.entries(solver.inputs.shape).map(([name, field]) => [name, atTheTop(field as z.ZodType)]),
  );
  return defineOperation({
    name: `${solver.id}.solve`,
    summary: `${solver.title}: ${solver.method.name}.`,
    description: solver.summary,
    route: `POST /api/svc/${solver.id}`,
    tier: 'key',
    effect: 'compute',
    hasProgress: true,
    mcp: {
      tool: `svc_${solver.id}`,
      title: solver.title,
      description: describeTool(solver),
      profile: 'science',
      input: solver.inputs.extend({ ...(solver.open ? { operators: OPERATORS } : {}), folder: COMMON.folder }),
    },
    input: z.strictObject({ ...COMMON, ...(solver.open ? { operators: OPERATORS } : {}), ...own }),
    example: {},
    output: EnvelopeOrGate,
    errors: [
      'DOMAIN_UNKNOWN',
      'OPERATOR_UNKNOWN',
      'PRECISION_REFUSED',
      'BUDGET_EXCEEDED',
      'UNSTABLE_SCHEME',
      'EXPRESSION_INVALID',
      'QUEUE_FULL',
      'OUT_OF_TIME',
      'KERNEL_FAILED',
      ...(solver.open ? OF_EQUATIONS : []),
    ],
    handle: (input, { services, principal, signal, onProgress, idempotencyKey }) => {
      if (!principal) throw new DomainError('AUTH_REQUIRED', 'A solver needs a key.');
      return services.solve.run(solver, input as SolverBody, {
        principal,
        signal,
        onProgress,
        isFiled: idempotencyKey !== undefined,
      });
    },
  });
}
