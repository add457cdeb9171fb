// Compares results, and verifies, describes and replays receipts. Loaded with the first of them: most of it is
// cryptography and schemas that a run does not need.

import { canonicalJson } from '../../core/canonical-json.ts';
import { sha256Hex } from '../../core/sha256.ts';
import { EXPRESSION_KERNEL } from '../../expressions/evaluate.ts';
import type { KernelImage, KernelRunner, RunControls } from '../../kernels/abi.ts';
import type { KernelLoader } from '../../kernels/loader.ts';
import { COMPUTE } from '../../protocol/chain-computation.ts';
import { toBibtex } from '../../protocol/citation/bibtex.ts';
import { citationOf } from '../../protocol/citation/citation.ts';
import { toCslJson } from '../../protocol/citation/csl-json.ts';
import { citedSubject } from '../../protocol/citation/subject.ts';
import { compare } from '../../protocol/difference.ts';
import { type ReplayReport, replayEnvelope, replayResult, verifyEnvelope } from '../../protocol/replay.ts';
import { describeReceipt, type ReaderKnowledge, type ReceiptWords } from '../../protocol/words/describe.ts';
import { lawWordsOf } from '../../protocol/words/registry-words.ts';
import { loadScript } from './load-script.ts';
import { loadSolver } from './load-solver.ts';
import type { CitedReceipt, Comparison, Tasks } from './messages.ts';

export { openFile } from './open-file.ts';
export { verifyBundleTimed } from './verify-bundle.ts';
export { verifyEnvelope };

/** The list of all hashes is long, and only a receipt needs it. */
const loadRegistration = async () => (await loadScript(() => import('../../operators/registered.ts'))).registration;

/** Finds the solver of one receipt. */
async function solverLookup(id: unknown): Promise<ReaderKnowledge['solver']> {
  const loaded = id === COMPUTE ? undefined : await loadSolver(id);
  return (other) => (other === loaded?.solver.id ? loaded.solver : undefined);
}

interface ReplayDependencies {
  readonly findKernel: (sha256: string, slug: string) => Promise<KernelImage>;
  readonly runner: KernelRunner;
}

/** @throws DomainError KERNEL_UNAVAILABLE, BUDGET_EXCEEDED, … */
export async function replay(
  { envelope, isSealed, trusted }: Tasks['replay']['request'],
  { findKernel, runner }: ReplayDependencies,
  controls: RunControls,
): Promise<ReplayReport> {
  const [solver, registration] = await Promise.all([solverLookup(envelope.solver), loadRegistration()]);
  const tools = { kernel: findKernel, solver, registration, runner, ...(trusted ? { trusted } : {}) };
  return (isSealed ? replayEnvelope : replayResult)(envelope, tools, controls);
}

/** @throws DomainError VALIDATION_FAILED for what is no sealed receipt */
export async function cite(
  { envelope, laws, address, publisher }: Tasks['cite']['request'],
  version: string,
): Promise<CitedReceipt> {
  const words = new Map(laws.map((law) => [law.id, lawWordsOf(law)]));
  const subject = citedSubject(envelope, {
    law: (id) => words.get(id),
    registration: await loadRegistration(),
    solver: await solverLookup(envelope.solver),
    kernelSha256: undefined,
  });
  const citation = citationOf(envelope, { subject, address, publisher, version });
  return { ...citation, bibtex: toBibtex(citation), csl: toCslJson(citation) };
}

/** The receipt in words, with what this build and the node know of its laws. */
export async function describe(
  { envelope, isSigned, laws, trusted }: Tasks['describe']['request'],
  loadKernel: KernelLoader['loadKernel'],
): Promise<ReceiptWords> {
  const words = new Map(laws.map((law) => [law.id, lawWordsOf(law)]));
  const isCompute = envelope.solver === COMPUTE;
  const solver = await solverLookup(envelope.solver);
  const slug = isCompute ? EXPRESSION_KERNEL : solver(String(envelope.solver))?.id;
  const kernel = slug === undefined ? undefined : await loadKernel(slug).catch(() => undefined);
  const knowledge: ReaderKnowledge = {
    law: (id) => words.get(id),
    registration: await loadRegistration(),
    solver,
    kernelSha256: kernel?.sha256,
    keyOwner: ({ kid, x }) =>
      trusted?.some((key) => key.kid === kid && key.x === x) ? 'a key of this node' : undefined,
  };
  return describeReceipt(envelope, knowledge, isSigned);
}

/** Compares the pure fields only; time and keys differ between any two computations. */
export function compareResults({ pure, envelope, trusted }: Tasks['compare']['request']): Comparison {
  const fields = Object.fromEntries(Object.keys(pure).map((name) => [name, envelope[name]]));
  const { rtCorrelation: _, ...verification } = envelope.verification as Record<string, unknown>;
  const stored = { ...fields, verification };
  const difference = compare(stored, pure, '');
  return {
    localSha256: sha256Hex(canonicalJson(pure)),
    serverSha256: sha256Hex(canonicalJson(stored)),
    isEqual: difference === undefined,
    ...(difference === undefined ? {} : { difference }),
    claims: verifyEnvelope(envelope, [...trusted]),
  };
}
