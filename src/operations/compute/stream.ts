// Streams the frames of a run: starts one of any solver, resumes it, cancels it.

import { z } from 'zod';
import { DomainError, type ErrorDetail } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { nearestSuggestion } from '../../core/nearest.ts';
import { singleLine } from '../../core/text-schema.ts';
import { parseOrThrow } from '../../core/validation.ts';
import { findSolver, SOLVERS } from '../../solvers/index.ts';
import { frameSentence } from '../../solvers/live-frame.ts';
import type { SolverBody } from '../../solvers/request.ts';
import { defineChannel, type Frame } from '../channel.ts';
import { type Context, defineOperation } from '../operation.ts';
import { requirePrincipal } from '../require-principal.ts';
import { success } from '../schemas.ts';
import { EnvelopeOrGate } from './envelope.ts';
import { ENVELOPE_BRIEF } from './envelope-brief.ts';
import { solverOperation } from './solve.ts';

const SOLVER_OPERATIONS = new Map(SOLVERS.map((solver) => [solver.id, solverOperation(solver)]));
const { abandonedMs, keptMs } = LIMITS.live;

const RunId = z.uuid().describe('`run` of the first frame.');
const Fields = z.record(singleLine(LIMITS.keyCharacters, 0), z.unknown());

/** The solver, and the body of its route, in `input` or beside `solver`. */
const REQUEST = {
  solver: singleLine(40).describe('As in POST /api/svc/{solver}, for example lorenz.'),
  input: Fields.optional().describe("The body of the solver's route; its fields may also stand beside `solver`."),
};

type StreamRequest = z.output<z.ZodObject<typeof REQUEST>> & { readonly since?: number | undefined };

/** @throws DomainError NOT_FOUND, VALIDATION_FAILED */
function solverRequest({ solver: id, input = {}, since: _, ...beside }: StreamRequest) {
  const solver = findSolver(id);
  const operation = SOLVER_OPERATIONS.get(id);
  if (solver === undefined || operation === undefined) {
    const nearest = nearestSuggestion(id, SOLVER_OPERATIONS.keys());
    throw new DomainError('NOT_FOUND', `No solver has the id ${id}.${nearest}`);
  }
  const details: ErrorDetail[] = Object.keys(beside)
    .filter((name) => Object.hasOwn(input, name))
    .map((name) => ({ path: name, code: 'GIVEN_TWICE', message: `${name} is given beside solver and in input.` }));
  const [twice] = details;
  if (twice !== undefined) throw new DomainError('VALIDATION_FAILED', twice.message, { details });
  const body = parseOrThrow(operation.input, { ...beside, ...input }, Object.keys(operation.input.shape));
  return { solver, body: body as SolverBody };
}

const callOf = ({ principal, tenant, idempotencyKey }: Context) => ({
  principal: requirePrincipal(principal),
  tenant,
  idempotencyKey,
});

const ERRORS = [...new Set([...SOLVER_OPERATIONS.values()].flatMap(({ errors }) => errors))];

/** The same run as one answer. A model reads messages about its frames, each with a larger fraction. */
const solveOnce = defineOperation({
  name: 'solve.stream',
  summary: 'Run any solver and stream its frames while it computes.',
  route: 'POST /api/svc/stream',
  tier: 'key',
  effect: 'compute',
  hasProgress: true,
  mcp: {
    tool: 'svc_stream',
    title: 'Live run',
    description: 'Use to run any solver and watch it: progress notifications say what its frames show.',
    profile: 'science',
    input: z.strictObject({ ...REQUEST, input: REQUEST.input.describe('Arguments as of svc_lorenz.') }),
  },
  brief: ENVELOPE_BRIEF,
  input: z.looseObject(REQUEST),
  example: { solver: 'heat' },
  output: EnvelopeOrGate,
  errors: ['NOT_FOUND', ...ERRORS],
  handle: (request, context) => {
    const { services, signal, onProgress } = context;
    const { solver, body } = solverRequest(request);
    let last = 0;
    return services.liveRuns.runOnce(solver, body, { ...callOf(context), signal }, (fraction, drawing) => {
      if (fraction <= last) return;
      last = fraction;
      onProgress?.(fraction, frameSentence(fraction, drawing));
    });
  },
});

export const solveStream = defineChannel({
  name: 'solve',
  summary: 'Run any solver and stream its frames while it computes.',
  description:
    'Frames: `begin {run, solver, href, svcond}`; `frame {fraction, plot, arrays, every}`, at most ten per second; `result` with the sealed envelope, the exact text of the JSON answer; or `refused` with an error. ' +
    `A run goes on for ${abandonedMs / 1000} s without a reader; resume it at href. With Accept: application/json the answer is the envelope alone.`,
  route: 'POST /api/svc/stream',
  tier: 'key',
  effect: 'compute',
  isOpen: true,
  parameters: REQUEST,
  example: { solver: 'heat' },
  errors: ['NOT_FOUND', ...ERRORS],
  once: solveOnce,
  open: async (request, context) => {
    const { solver, body } = solverRequest(request);
    const run = await context.services.liveRuns.start(solver, body, callOf(context));
    // Without `since`, from the first frame.
    return readRun(run.id, request.since ?? 0, context);
  },
});

export const runStream = defineChannel({
  name: 'run',
  summary: 'Resume the frames of a run that POST /api/svc/stream has started.',
  description:
    'Only for the key that started it, on the same node. Resume with Last-Event-ID or `since`; without them, from the oldest frame that is kept. `gap {from, to}` marks frames that are not. ' +
    `The result is given again for ${keptMs / 1000} s after the end.`,
  route: 'GET /api/svc/stream/{id}',
  tier: 'key',
  parameters: { id: RunId },
  errors: ['RUN_NOT_FOUND'],
  open: ({ id, since }, context) => readRun(id, since, context),
});

/** @throws DomainError RUN_NOT_FOUND */
function readRun(id: string, since: number | undefined, context: Context): AsyncIterable<Frame> {
  const { services, baseUrl, signal } = context;
  const run = services.liveRuns.find(id, callOf(context).principal);
  const { svcond } = services.pulse;
  return run.read(since, signal, { svcond, run: id, solver: run.solver, href: `${baseUrl}/api/svc/stream/${id}` });
}

export const cancelRun = defineOperation({
  name: 'run.cancel',
  summary: 'Cancel a streamed run; its readers receive `refused` with CANCELLED.',
  route: 'DELETE /api/svc/stream/{id}',
  tier: 'key',
  effect: 'compute',
  input: z.strictObject({ id: RunId }),
  output: success({ run: z.string(), cancelled: z.boolean().describe('false if it had ended before.') }),
  errors: ['RUN_NOT_FOUND'],
  handle: async ({ id }, context) => ({
    run: id,
    cancelled: context.services.liveRuns.cancel(id, callOf(context).principal),
  }),
});
