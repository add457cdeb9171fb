// Web worker of the portal: solves, compares, verifies and replays off the main thread.

import './no-eval.ts';
import { DomainError } from '../../core/errors.ts';
import { createBrowserLoader } from '../../kernels/load-browser.ts';
import { LocalRunner } from '../../kernels/local-runner.ts';
import type { SealedDefinition } from '../../operators/definition.ts';
import { createKernelArchive, preferKernel } from './kernel-archive.ts';
import { loadScript, ScriptUnavailable } from './load-script.ts';
import { loadSolver } from './load-solver.ts';
import type { TaskFailure, TaskName, Tasks, WorkerEvent, WorkerRequest } from './messages.ts';
import { solveInBrowser } from './solve.ts';

/** KO42, the first operator of every chain; defined by scripts/build-portal.ts. */
declare const __PULSE_DEFINITION__: SealedDefinition;

/** Of the package that this build is of; defined by scripts/build-portal.ts. */
declare const __SVC_VERSION__: string;

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

const { loadKernel } = createBrowserLoader(new URL('/kernels/', self.location.href));
const archive = createKernelArchive(loadKernel, new URL('/api/kernels/', self.location.href));
const runner = new LocalRunner();

const loadVerification = () => loadScript(() => import('./verification.ts'));
const loadChainChecks = () => loadScript(() => import('../machines/audit/chain-checks.ts'));

const HANDLERS: Handlers = {
  // A failure is reported by the task that needs the solver.
  prepare: async ({ solver }) => void (await loadSolver(solver).catch(() => undefined)),
  solve: async (request, { id, signal, onProgress, post }) =>
    solveInBrowser(
      request,
      { loadKernel, runner, onFrame: (frame) => post({ id, kind: 'frame', frame }) },
      { signal, onProgress },
    ),
  compute: async (request, { signal, onProgress }) => {
    const { computeInBrowser } = await loadScript(() => import('./compute.ts'));
    return computeInBrowser(request, { loadKernel, runner, pulse: __PULSE_DEFINITION__ }, { signal, onProgress });
  },
  compare: async (request) => (await loadVerification()).compareResults(request),
  openFile: async ({ file }) => (await loadVerification()).openFile(file),
  verifySeal: async ({ envelope, trusted }) =>
    (await loadVerification()).verifyEnvelope(envelope, trusted && [...trusted]),
  verifyBundle: async ({ bundle, trusted }) => (await loadVerification()).verifyBundleTimed(bundle, trusted),
  describe: async (request) => (await loadVerification()).describe(request, loadKernel),
  cite: async (request) => (await loadVerification()).cite(request, __SVC_VERSION__),
  replay: async (request, { signal, onProgress }) => {
    const { replay } = await loadVerification();
    return replay(request, { findKernel: preferKernel(archive, request.kernel), runner }, { signal, onProgress });
  },
  checkRows: async ({ range }) => (await loadChainChecks()).checkRows(range),
  openCheckpoint: async ({ note, slug, trusted }) => (await loadChainChecks()).openCheckpoint(note, slug, trusted),
  verifyInclusion: async ({ inclusion }) => (await loadChainChecks()).verifyInclusion(inclusion),
  verifyConsistency: async ({ before, after, path }) =>
    (await loadChainChecks()).verifyConsistency(before, after, path),
  rootHash: async ({ rowHashes }) => (await loadChainChecks()).rootHash(rowHashes),
};

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
    post({ id, kind: 'failed', failure: toTaskFailure(error), isWorkerBroken: error instanceof ScriptUnavailable });
  } finally {
    running.delete(id);
  }
}

function toTaskFailure(error: unknown): TaskFailure {
  if (error instanceof ScriptUnavailable) return { code: 'INTERNAL', message: error.message, details: [], facts: {} };
  if (!(error instanceof DomainError)) {
    const message = error instanceof Error ? error.message : String(error);
    return { code: 'INTERNAL', message: `The worker failed: ${message}.`, details: [], facts: {} };
  }
  const { code, message, details, facts } = error;
  return { code, message, details, facts };
}
