// Creates one operation per solver from its definition.

import { z } from 'zod';
import { DomainError } from '../../core/errors.ts';
import { multiLine, singleLine } from '../../core/text-schema.ts';
import { SolverSweepShape } from '../../protocol/sweep/axes.ts';
import { SolverSamplesShape } from '../../protocol/sweep/samples.ts';
import type { SolverDefinition } from '../../solvers/definition.ts';
import type { SolverBody } from '../../solvers/request.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { Folder, OperatorId } from '../schemas.ts';
import { EnvelopeOrGate, SelfContained } from './envelope.ts';
import { ENVELOPE_BRIEF } from './envelope-brief.ts';

/** Fields of every solver route besides those of the solver. */
const COMMON = {
  operators: z
    .array(OperatorId)
    .max(4)
    .optional()
    .describe("The solver's chain is fixed; KO42 and its members are accepted, others refused."),
  inputs: z
    .record(singleLine(64, 0), z.number())
    .optional()
    .describe('Numeric fields by name; an unknown key triggers the dimensional gate.'),
  consts: z
    .record(singleLine(64, 0), z.number())
    .optional()
    .describe('Symbols of own equations; any other key triggers the dimensional gate.'),
  domain: singleLine(80, 0).optional().describe("If given, must be the solver's domain."),
  sweep: SolverSweepShape.optional(),
  uncertainties: z
    .record(singleLine(64, 0), z.number())
    .optional()
    .describe('Standard uncertainties of numeric fields; samples propagates them.'),
  samples: SolverSamplesShape.optional(),
  query: multiLine(1_000).optional().describe('The question in words; a label here.'),
  folder: Folder.optional(),
  strict: z.boolean().optional().describe('Refuse instead of sealing an unconverged result.'),
  self_contained: SelfContained,
};

/**
 * A solver field at the top level of the body. It is optional, since `inputs` may contain it. Its default is documented
 * here and applied by the solver's schema after merging both.
 */
function topLevelField(field: z.ZodType): z.ZodType {
  const meta = field.meta() ?? {};
  if (!(field instanceof z.ZodDefault)) return field.optional();
  const inner = field.def.innerType as z.ZodType;
  return inner.optional().meta({ ...inner.meta(), ...meta, default: field.def.defaultValue });
}

/** A number of `samples` is a field of some solvers; draws of uncertain inputs are an object. */
const requestField = (name: string, field: z.ZodType): z.ZodType =>
  name === 'samples' ? z.union([topLevelField(field), SolverSamplesShape]).optional() : topLevelField(field);

/** The instructions of the server say what a folder is, once for all solvers. */
const ToolFolder = Folder.optional().describe('');

/** The instructions of the server say what it is; 33 lists of arguments need not. */
const TOOL_SWEEP = SolverSweepShape.optional().meta({ unlisted: true });

/** The other fields of sweeps and samples, as `TOOL_SWEEP`; a field of the solver keeps its own form beside them. */
function toolDraws(solver: SolverDefinition): Record<string, z.ZodType> {
  const { samples, uncertainties } = solver.inputs.shape as Readonly<Record<string, z.ZodType>>;
  return {
    samples: samples === undefined ? COMMON.samples.meta({ unlisted: true }) : requestField('samples', samples),
    ...(uncertainties === undefined ? { uncertainties: COMMON.uncertainties.meta({ unlisted: true }) } : {}),
  };
}

/** For solvers whose operator chain depends on the request. */
const OPERATORS = z.array(OperatorId).max(4).optional().describe('Operators whose laws join the equations.');

/** Additional errors of user-supplied equations. */
const EQUATION_ERRORS = ['UNIT_INVALID', 'UNIT_MISMATCH', 'DIVISION_BY_ZERO', 'VALUE_UNDEFINED'] as const;

/** Shorter than that of other tools: the specification has 33 solvers, and a model reads all of their descriptions. */
const MAX_TOOL_DESCRIPTION = 80;

/** A summary may end before these, without becoming misleading as it would inside of an enumeration. */
const CLAUSE_END = /: |; |\. |, with | by /g;

/** The title, which many clients do not show a model, and as many clauses of the summary as fit. */
function describeTool({ title, summary }: SolverDefinition): string {
  const use = `Use for ${title.charAt(0).toLowerCase()}${title.slice(1)}.`;
  const whole = `${use} ${summary}`;
  if (whole.length <= MAX_TOOL_DESCRIPTION) return whole;
  const ends = [...whole.matchAll(CLAUSE_END)].map(({ index }) => index);
  const cut = ends.findLast((end) => end < MAX_TOOL_DESCRIPTION) ?? 0;
  return cut > use.length ? `${whole.slice(0, cut)}.` : use;
}

/** Named after its solver; solvers are a registry, so their fields are not in the type. */
type SolverOperation = Operation<`${string}.solve`, z.ZodObject<z.ZodRawShape>, typeof EnvelopeOrGate>;

export function solverOperation(solver: SolverDefinition): SolverOperation {
  const solverFields: Record<string, z.ZodType> = Object.fromEntries(
    Object.entries(solver.inputs.shape).map(([name, field]) => [name, requestField(name, field as z.ZodType)]),
  );
  return defineOperation({
    name: `${solver.id}.solve` as const,
    solver: solver.id,
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
      input: solver.inputs.extend({
        ...(solver.open ? { operators: OPERATORS } : {}),
        folder: ToolFolder,
        sweep: TOOL_SWEEP,
        ...toolDraws(solver),
      }),
    },
    brief: ENVELOPE_BRIEF,
    input: z.strictObject({ ...COMMON, ...(solver.open ? { operators: OPERATORS } : {}), ...solverFields }),
    example: {},
    output: EnvelopeOrGate,
    errors: [
      'DOMAIN_UNKNOWN',
      'OPERATOR_UNKNOWN',
      'PRECISION_REFUSED',
      'BUDGET_EXCEEDED',
      'UNSTABLE_SCHEME',
      'NUMERIC_OVERFLOW',
      'EXPRESSION_INVALID',
      'QUEUE_FULL',
      'OUT_OF_TIME',
      'KERNEL_FAILED',
      'BODY_TOO_LARGE',
      ...(solver.open ? EQUATION_ERRORS : []),
    ],
    handle: (input, { services, principal, tenant, signal, onProgress, idempotencyKey }) => {
      if (!principal) throw new DomainError('AUTH_REQUIRED', 'API key required to run a solver.');
      return services.solve.run(solver, input as SolverBody, {
        principal,
        tenant,
        signal,
        onProgress,
        isFiled: idempotencyKey !== undefined,
      });
    },
  });
}
