// Web worker of the portal: solves, compares, verifies and replays off the main thread.

import './no-eval.ts';
import { canonicalJson } from '../../core/canonical-json.ts';
import { DomainError } from '../../core/errors.ts';
import { sha256Hex } from '../../core/sha256.ts';
import { EXPRESSION_KERNEL } from '../../expressions/evaluate.ts';
import { createBrowserLoader } from '../../kernels/load-browser.ts';
import { LocalRunner } from '../../kernels/local-runner.ts';
import { definitionOf, type SealedDefinition } from '../../operators/definition.ts';
import { PULSE_OPERATOR } from '../../operators/operator.ts';
import { COMPUTE } from '../../protocol/chain-computation.ts';
import { solverComputation } from '../../protocol/computation.ts';
import { compare } from '../../protocol/difference.ts';
import type { PureFields } from '../../protocol/pure-fields.ts';
import { replayEnvelope, replayResult, verifyEnvelope } from '../../protocol/replay.ts';
import type { Untrusted } from '../../protocol/untrusted.ts';
import { describeReceipt, type ReaderKnowledge, type ReceiptWords } from '../../protocol/words/describe.ts';
import { inputUnitsOf } from '../../protocol/words/inputs.ts';
import { lawWordsOf } from '../../protocol/words/registry-words.ts';
import { findSolver } from '../../solvers/index.ts';
import { bindSolverBody } from '../../solvers/request.ts';
import { assertBudget, runPlan } from '../../solvers/run.ts';
import {
  checkRows,
  openCheckpoint,
  rootHash,
  verifyConsistency,
  verifyInclusion,
} from '../machines/audit/chain-checks.ts';
import { computeInBrowser } from './compute.ts';
import { createKernelArchive, preferKernel } from './kernel-archive.ts';
import { LiveRunner } from './live-runner.ts';
import type {
  Comparison,
  LiveFrame,
  RunResult,
  TaskFailure,
  TaskName,
  Tasks,
  WorkerEvent,
  WorkerRequest,
} from './messages.ts';
import { openFile } from './open-file.ts';
import { runResultOf } from './run-result.ts';
import { verifyBundleTimed } from './verify-bundle.ts';

/** Definitions of the operators in the solvers' chains; the portal does not bundle the whole registry. */
declare const __DEFINITIONS__: Readonly<Record<string, SealedDefinition>>;

interface TaskContext {
  readonly signal: AbortSignal;
  readonly onProgress: (fraction: number) => void;
  readonly post: (event: WorkerEvent) => void;
  readonly id: number;
}

type Handlers = {
  readonly [Name in TaskName]: (
    request: Tasks[Name]['request'],
    context: TaskContext,
  ) => Promise<Tasks[Name]['result']>;
};

function pulseDefinition(): SealedDefinition {
  const definition = __DEFINITIONS__[PULSE_OPERATOR];
  if (!definition) throw new Error(`The portal was built without ${PULSE_OPERATOR}.`);
  return definition;
}

const { loadKernel } = createBrowserLoader(new URL('/kernels/', self.location.href));
const archive = createKernelArchive(loadKernel, new URL('/api/kernels/', self.location.href));
const runner = new LocalRunner();

const HANDLERS: Handlers = {
  solve,
  compute: async (request, { signal, onProgress }) =>
    computeInBrowser(request, { loadKernel, runner, pulse: pulseDefinition() }, { signal, onProgress }),
  compare: async ({ pure, envelope, trusted }) =>
    compareResults(pure, envelope, verifyEnvelope(envelope, [...trusted])),
  openFile: ({ file }) => openFile(file),
  verifySeal: async ({ envelope, trusted }) => verifyEnvelope(envelope, trusted && [...trusted]),
  verifyBundle: async ({ bundle, trusted }) => verifyBundleTimed(bundle, trusted),
  describe,
  replay: async ({ envelope, isSealed, trusted, kernel }, { signal, onProgress }) =>
    (isSealed ? replayEnvelope : replayResult)(
      envelope,
      {
        kernel: preferKernel(archive, kernel),
        solver: findSolver,
        registration: await loadRegistration(),
        runner,
        ...(trusted ? { trusted } : {}),
      },
      { signal, onProgress },
    ),
  checkRows: async ({ range }) => checkRows(range),
  openCheckpoint: async ({ note, slug, trusted }) => openCheckpoint(note, slug, trusted),
  verifyInclusion: async ({ inclusion }) => verifyInclusion(inclusion),
  verifyConsistency: async ({ before, after, path }) => verifyConsistency(before, after, path),
  rootHash: async ({ rowHashes }) => rootHash(rowHashes),
};

async function solve(
  request: Tasks['solve']['request'],
  { id, signal, onProgress, post }: TaskContext,
): Promise<RunResult> {
  const begin = performance.now();
  const solver = findSolver(request.solver);
  if (!solver) throw new DomainError('NOT_FOUND', `Solver ${request.solver} not found.`);
  const laws = (request.laws ?? []).filter(({ id: law }) => law !== PULSE_OPERATOR).map(definitionOf);
  const bound = bindSolverBody(solver, request.input, laws);
  if (bound.kind === 'gate')
    throw new DomainError('VALIDATION_FAILED', `${request.solver} does not accept ${bound.unrecognised}.`);
  const { input } = bound;
  const chain = solver.operatorChain.flatMap((operator) => __DEFINITIONS__[operator] ?? []);
  const computation = solverComputation(solver, { input, consts: {}, definitions: [...chain, ...laws] });
  const plan = computation.plan();
  assertBudget(plan);
  if (plan.estimateNs > (request.maxEstimateMs ?? Number.POSITIVE_INFINITY) * 1e6) {
    const seconds = (plan.estimateNs / 1e9).toPrecision(2);
    throw new DomainError('BUDGET_EXCEEDED', `This experiment takes about ${seconds} s.`);
  }
  const image = await loadKernel(solver.id);
  const onFrame = (frame: LiveFrame) => post({ id, kind: 'frame', frame });
  const solverRunner = solver.live ? new LiveRunner(solver.live, input, onFrame) : runner;
  const executed = await runPlan(plan, image, solverRunner, { signal, onProgress });
  const solution = computation.collect(executed.outputs);
  return runResultOf(computation, { kernelSha256: image.sha256, ...executed }, solution, begin, (pure) =>
    inputUnitsOf({ ...pure }, [], solver),
  );
}

/** Loaded with the first receipt: the list of all hashes is longer than the rest of the page's scripts need. */
const loadRegistration = async () => (await import('../../operators/registered.ts')).registration;

async function describe({ envelope, isSigned, laws, trusted }: Tasks['describe']['request']): Promise<ReceiptWords> {
  const words = new Map(laws.map((law) => [law.id, lawWordsOf(law)]));
  const solver = envelope.solver === COMPUTE ? undefined : findSolver(String(envelope.solver));
  const slug = envelope.solver === COMPUTE ? EXPRESSION_KERNEL : solver?.id;
  const kernel = slug === undefined ? undefined : await loadKernel(slug).catch(() => undefined);
  const knowledge: ReaderKnowledge = {
    law: (id) => words.get(id),
    registration: await loadRegistration(),
    solver: findSolver,
    kernelSha256: kernel?.sha256,
    keyOwner: ({ kid, x }) =>
      trusted?.some((key) => key.kid === kid && key.x === x) ? 'a key of this node' : undefined,
  };
  return describeReceipt(envelope, knowledge, isSigned);
}

/** Compares the pure fields only; time and keys differ between any two computations. */
function compareResults(pure: PureFields, envelope: Untrusted, claims: Comparison['claims']): Comparison {
  const fields = Object.fromEntries(Object.keys(pure).map((name) => [name, envelope[name]]));
  const { rtCorrelation: _, ...verification } = envelope.verification as Record<string, unknown>;
  const stored = { ...fields, verification };
  const difference = compare(stored, pure, '');
  return {
    localSha256: sha256Hex(canonicalJson(pure)),
    serverSha256: sha256Hex(canonicalJson(stored)),
    isEqual: difference === undefined,
    ...(difference === undefined ? {} : { difference }),
    claims,
  };
}

const running = new Map<number, AbortController>();
const post = (event: WorkerEvent) => self.postMessage(event);

self.addEventListener('message', ({ data }: MessageEvent<WorkerRequest>) => {
  if (data.kind === 'cancel') running.get(data.id)?.abort();
  else void execute(data);
});

async function execute(request: Exclude<WorkerRequest, { kind: 'cancel' }>): Promise<void> {
  const { id } = request;
  const controller = new AbortController();
  running.set(id, controller);
  const context: TaskContext = {
    id,
    post,
    signal: controller.signal,
    onProgress: (fraction) => post({ id, kind: 'progress', fraction }),
  };
  try {
    const handle = HANDLERS[request.kind] as (
      input: typeof request,
      context: TaskContext,
    ) => Promise<Tasks[TaskName]['result']>;
    post({ id, kind: 'done', result: await handle(request, context) });
  } catch (error) {
    post({ id, kind: 'failed', failure: toTaskFailure(error) });
  } finally {
    running.delete(id);
  }
}

function toTaskFailure(error: unknown): TaskFailure {
  if (!(error instanceof DomainError)) {
    const message = error instanceof Error ? error.message : String(error);
    return { code: 'INTERNAL', message: `The worker failed: ${message}.`, details: [], facts: {} };
  }
  const { code, message, details, facts } = error;
  return { code, message, details, facts };
}
