// The worker behind the pages: solves, compares, verifies and replays, so that a page never waits for a number.

import './no-eval.ts';
import { canonicalJson } from '../../core/canonical-json.ts';
import { DomainError } from '../../core/errors.ts';
import { sha256Hex } from '../../core/sha256.ts';
import { createBrowserLoader } from '../../kernels/load-browser.ts';
import { LocalRunner } from '../../kernels/run-here.ts';
import { definitionOf, type SealedDefinition } from '../../operators/definition.ts';
import { PULSE_OPERATOR } from '../../operators/operator.ts';
import { solverComputation } from '../../protocol/computation.ts';
import { compare } from '../../protocol/difference.ts';
import { type PureFields, pureFields } from '../../protocol/pure-fields.ts';
import { replayEnvelope, verifyEnvelope } from '../../protocol/replay.ts';
import type { Untrusted } from '../../protocol/untrusted.ts';
import { findSolver } from '../../solvers/index.ts';
import { bindSolverBody } from '../../solvers/request.ts';
import { assertBudget, runPlan } from '../../solvers/run.ts';
import { checkRows, isBeginning, isInTree, readNote, rootOf } from '../machines/audit/check-rows.ts';
import { timedChainBundle } from './bundle.ts';
import { computeHere } from './compute.ts';
import { createKernelArchive, withKernel } from './kernel-archive.ts';
import { LIVE_VIEWS } from './live-views.ts';
import type { Comparison, Failure, Glimpse, Order, Report, Solved, Work, WorkName } from './messages.ts';
import { openFile } from './open-file.ts';
import { WatchedRunner } from './watched-runner.ts';

/** Of every operator in a solver's chain; a page does not carry the whole registry. */
declare const __DEFINITIONS__: Readonly<Record<string, SealedDefinition>>;

/** What a task may tell while it runs. */
interface Task {
  readonly signal: AbortSignal;
  readonly onProgress: (fraction: number) => void;
  readonly tell: (report: Report, transfer?: readonly Transferable[]) => void;
  readonly id: number;
}

type Workers = { readonly [Name in WorkName]: (ask: Work[Name]['ask'], task: Task) => Promise<Work[Name]['answer']> };

function pulseDefinition(): SealedDefinition {
  const found = __DEFINITIONS__[PULSE_OPERATOR];
  if (!found) throw new Error(`The portal was built without ${PULSE_OPERATOR}.`);
  return found;
}

const { loadKernel } = createBrowserLoader(new URL('/kernels/', self.location.href));
const archive = createKernelArchive(loadKernel, new URL('/api/kernels/', self.location.href));
const runner = new LocalRunner();

const WORKERS: Workers = {
  solve,
  compute: async (ask, { signal, onProgress }) =>
    computeHere(ask, { loadKernel, runner, pulse: pulseDefinition() }, { signal, onProgress }),
  compare: async ({ pure, envelope, trusted }) => comparison(pure, envelope, verifyEnvelope(envelope, [...trusted])),
  open: ({ file }) => openFile(file),
  seal: async ({ envelope, trusted }) => verifyEnvelope(envelope, trusted && [...trusted]),
  bundle: async ({ bundle, trusted }) => timedChainBundle(bundle, trusted),
  replay: ({ envelope, trusted, kernel }, { signal, onProgress }) =>
    replayEnvelope(
      envelope,
      { kernel: withKernel(archive, kernel), solver: findSolver, runner, ...(trusted ? { trusted } : {}) },
      { signal, onProgress },
    ),
  rows: async ({ stretch }) => checkRows(stretch),
  note: async ({ note, slug, trusted }) => readNote(note, slug, trusted),
  inclusion: async ({ inclusion }) => isInTree(inclusion),
  consistency: async ({ before, after, path }) => isBeginning(before, after, path),
  root: async ({ rowHashes }) => rootOf(rowHashes),
};

async function solve(ask: Work['solve']['ask'], { id, signal, onProgress, tell }: Task): Promise<Solved> {
  const begin = performance.now();
  const solver = findSolver(ask.solver);
  if (!solver) throw new DomainError('NOT_FOUND', `There is no solver ${ask.solver}.`);
  const laws = (ask.laws ?? []).filter(({ id: law }) => law !== PULSE_OPERATOR).map(definitionOf);
  const bound = bindSolverBody(solver, ask.input, laws);
  if (bound.kind === 'gate')
    throw new DomainError('VALIDATION_FAILED', `${ask.solver} takes no ${bound.unrecognised}.`);
  const { input } = bound;
  const chain = solver.operatorChain.flatMap((one) => __DEFINITIONS__[one] ?? []);
  const computation = solverComputation(solver, { input, consts: {}, definitions: [...chain, ...laws] });
  const plan = computation.plan();
  assertBudget(plan);
  if (plan.estimateNs > (ask.patienceMs ?? Number.POSITIVE_INFINITY) * 1e6) {
    const seconds = (plan.estimateNs / 1e9).toPrecision(2);
    throw new DomainError('BUDGET_EXCEEDED', `This experiment takes about ${seconds} s.`);
  }
  const image = await loadKernel(solver.id);
  const live = LIVE_VIEWS[solver.id];
  const onGlimpse = (glimpse: Glimpse) => tell({ id, kind: 'glimpse', glimpse }, [glimpse.frame.buffer]);
  const watched = live ? new WatchedRunner(live, solver.parameters, onGlimpse) : runner;
  const outputs = await runPlan(plan, image, watched, { signal, onProgress });
  const solution = computation.collect(outputs);
  const { pure } = pureFields(computation, image.sha256, solution);
  return { solution, pure, sha256: sha256Hex(canonicalJson(pure)), elapsedMs: performance.now() - begin };
}

/** The pure fields alone: time and keys differ between two computations, and should. */
function comparison(pure: PureFields, envelope: Untrusted, claims: Comparison['claims']): Comparison {
  const theirs = Object.fromEntries(Object.keys(pure).map((name) => [name, envelope[name]]));
  const { rtCorrelation: _, ...verification } = envelope.verification as Record<string, unknown>;
  const stored = { ...theirs, verification };
  const difference = compare(stored, pure, '');
  return {
    here: sha256Hex(canonicalJson(pure)),
    there: sha256Hex(canonicalJson(stored)),
    isEqual: difference === undefined,
    ...(difference === undefined ? {} : { difference }),
    claims,
  };
}

const running = new Map<number, AbortController>();
const tell = (report: Report, transfer: readonly Transferable[] = []) =>
  self.postMessage(report, { transfer: [...transfer] });

self.addEventListener('message', ({ data }: MessageEvent<Order>) => {
  if (data.kind === 'cancel') running.get(data.id)?.abort();
  else void execute(data);
});

async function execute(order: Exclude<Order, { kind: 'cancel' }>): Promise<void> {
  const { id } = order;
  const controller = new AbortController();
  running.set(id, controller);
  const task: Task = {
    id,
    tell,
    signal: controller.signal,
    onProgress: (fraction) => tell({ id, kind: 'progress', fraction }),
  };
  try {
    const work = WORKERS[order.kind] as (ask: typeof order, task: Task) => Promise<Work[WorkName]['answer']>;
    tell({ id, kind: 'done', answer: await work(order, task) });
  } catch (error) {
    tell({ id, kind: 'failed', failure: failureOf(error) });
  } finally {
    running.delete(id);
  }
}

function failureOf(error: unknown): Failure {
  if (!(error instanceof DomainError)) {
    const message = error instanceof Error ? error.message : String(error);
    return { code: 'INTERNAL', message: `The worker failed: ${message}.`, details: [], facts: {} };
  }
  const { code, message, details, facts } = error;
  return { code, message, details, facts };
}
