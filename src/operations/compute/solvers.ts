// Describes a solver: what it solves, its method, and every input with unit, range, default and meaning.

import { z } from 'zod';
import { DomainError } from '../../core/errors.ts';
import { nearestSuggestion } from '../../core/nearest.ts';
import { singleLine } from '../../core/text-schema.ts';
import { findSolver, SOLVERS } from '../../solvers/index.ts';
import { SUBJECTS } from '../../solvers/subject.ts';
import { defineOperation } from '../operation.ts';
import { documentDefault, success } from '../schemas.ts';

const SolverRecord = z
  .strictObject({
    id: z.string(),
    revision: z.int().min(1),
    title: z.string(),
    summary: z.string(),
    domain: z.string(),
    subject: z.enum(SUBJECTS),
    equations: z.array(z.string()).describe('What is solved, in LaTeX.'),
    method: z.strictObject({
      name: z.string(),
      order: z.strictObject({ time: z.number().optional(), space: z.number().optional() }).optional(),
      stability: z.string().optional(),
    }),
    operatorChain: z.array(z.string()),
    unit: z.string().describe('Unit of the value; an open solver derives it from the equations.'),
    inputs: z
      .record(z.string(), z.unknown())
      .describe('JSON Schema of the inputs; `unit` and `symbol` stand beside each field.'),
    references: z.array(z.strictObject({ cite: z.string(), at: z.string(), doi: z.string().optional() })),
    route: z.string(),
  })
  .meta({ id: 'Solver', description: 'A solver with its inputs.' });

/** @throws DomainError NOT_FOUND with the nearest names */
function solverRecord(id: string): z.output<typeof SolverRecord> {
  const solver = findSolver(id);
  if (solver === undefined) {
    const ids = SOLVERS.map((one) => one.id);
    throw new DomainError('NOT_FOUND', `No solver has the id ${id}.${nearestSuggestion(id, ids)}`);
  }
  const { revision, title, summary, domain, subject, equations, method, operatorChain, unit, inputs, references } =
    solver;
  const schema = z.toJSONSchema(inputs, { io: 'input', unrepresentable: 'any', override: documentDefault });
  return {
    id,
    revision,
    title,
    summary,
    domain,
    subject,
    equations: [...equations],
    method,
    operatorChain: [...operatorChain],
    unit,
    inputs: schema as Record<string, unknown>,
    references: [...references],
    route: `POST /api/svc/${id}`,
  };
}

export const getSolver = defineOperation({
  name: 'solver.get',
  summary: 'One solver: method, and every input with unit, range, default and meaning.',
  route: 'GET /api/svc/solvers/{solver}',
  tier: 'public',
  effect: 'read',
  caching: 'etag',
  input: z.object({ solver: singleLine(40).describe('For example heat.') }),
  example: { solver: 'heat' },
  output: success({ solver: SolverRecord }),
  errors: ['NOT_FOUND'],
  brief: {
    sentences: ({ solver: { title, summary, method, unit } }) => [
      `${title}: ${summary}`,
      `Method: ${method.name}.`,
      `Unit of the value: ${unit}.`,
    ],
  },
  handle: async ({ solver }) => ({ solver: solverRecord(solver) }),
});
