// Verifies and replays receipts, and collects answers of long laws, in worker threads. Whatever decides a verdict (seal,
// binding, kernel runs, second witness, comparison) leaves the event loop free, under one deadline and one limit of memory
// per request.

import { LIMITS } from '../../core/limits.ts';
import type { KernelImage, KernelOutput } from '../../kernels/abi.ts';
import { failureOf } from '../../kernels/failure.ts';
import { type PoolOptions, TaskPool } from '../../kernels/task-pool.ts';
import type { Selection } from '../../operators/selection.ts';
import { COMPUTE } from '../../protocol/chain-computation.ts';
import type { ChainRequest } from '../../protocol/chain-request.ts';
import type { Computation } from '../../protocol/computation.ts';
import type { ReplayReport } from '../../protocol/replay.ts';
import type { Claim } from '../../protocol/seal.ts';
import type { PublicJwk } from '../../protocol/signing.ts';
import type { Untrusted } from '../../protocol/untrusted.ts';
import type { Solution } from '../../solvers/definition.ts';
import type { VerdictFields } from './verdict-worker.ts';

export interface VerdictTools {
  /** Keys of this node and others that it trusts. */
  readonly trusted: readonly PublicJwk[];
}

export interface WorkerReplayTools extends VerdictTools {
  /** Finds an archived kernel by its hash. @throws DomainError KERNEL_UNAVAILABLE */
  kernel(sha256: string): Promise<KernelImage>;
}

export interface VerdictControls {
  readonly signal: AbortSignal;
  /** Whose share of the pool the task uses. */
  readonly tenant: string;
  /** From the call, including waiting; `LIMITS.kernel.deadlineMs` by default. */
  readonly deadlineMs?: number;
}

interface ReplayInput extends WorkerReplayTools {
  readonly kind: 'replay';
  readonly receipt: Untrusted;
}

interface VerifyInput extends VerdictTools {
  readonly kind: 'verify';
  readonly receipt: Untrusted;
}

type Input = ReplayInput | VerifyInput | Extract<VerdictFields, { readonly kind: 'collect' }>;

// Node runs the sources in the repository and the compiled files in the published package.
const SCRIPT = new URL(
  import.meta.url.endsWith('.ts') ? './verdict-worker.ts' : './verdict-worker.js',
  import.meta.url,
);
const SHA256 = /^[0-9a-f]{64}$/;

export class VerdictPool {
  readonly #tasks: TaskPool<Input, unknown>;

  constructor(options: PoolOptions = {}) {
    const { workers, queue, perOwner, heapMb } = LIMITS.verdict;
    const limits = { size: workers, maxQueued: queue, maxPerOwner: perOwner, ...options };
    this.#tasks = new TaskPool({ script: SCRIPT, heapMb, prepare: async (input) => this.#prepare(input) }, limits);
  }

  /**
   * Replays an untrusted envelope; the report is that of `replayEnvelope`.
   *
   * @throws DomainError  as `replayEnvelope`, and OUT_OF_TIME, CANCELLED, QUEUE_FULL, RATE_LIMITED, SHUTTING_DOWN;
   *   KERNEL_FAILED if it needs more memory than a worker has
   */
  async replayInWorker(receipt: Untrusted, tools: WorkerReplayTools, controls: VerdictControls): Promise<ReplayReport> {
    return (await this.#run({ kind: 'replay', receipt, ...tools }, controls)) as ReplayReport;
  }

  /** Checks the seal alone; the claims are those of `verifyEnvelope`. @throws DomainError  as `replayInWorker` */
  async verifyInWorker(receipt: Untrusted, tools: VerdictTools, controls: VerdictControls): Promise<readonly Claim[]> {
    return (await this.#run({ kind: 'verify', receipt, ...tools }, controls)) as readonly Claim[];
  }

  /**
   * Collects the answer of a chain of operators from the outputs of its kernel; the same as `computation.collect`. A sum
   * of 10,000 terms in double-double arithmetic takes tens of milliseconds.
   *
   * @throws DomainError  as `computation.collect`, and as `replayInWorker`
   */
  async collectInWorker(
    computation: Computation,
    outputs: readonly KernelOutput[],
    controls: VerdictControls,
  ): Promise<Solution> {
    return (await this.#run({ kind: 'collect', chain: requestOf(computation), outputs }, controls)) as Solution;
  }

  load() {
    return this.#tasks.load();
  }

  /** As `close` of the kernel pool. */
  close(options: { readonly drain?: boolean } = {}): Promise<void> {
    return this.#tasks.close(options);
  }

  #run(input: Input, { tenant, ...controls }: VerdictControls): Promise<unknown> {
    return this.#tasks.run(input, { ...controls, owner: tenant });
  }

  async #prepare(input: Input): Promise<{ fields: VerdictFields; transfer: ArrayBuffer[] }> {
    if (input.kind === 'collect') return { fields: input, transfer: [] };
    const { receipt, trusted } = input;
    if (input.kind === 'verify') return { fields: { kind: 'verify', receipt, trusted }, transfer: [] };
    const kernel = await kernelOf(input);
    const transfer = 'image' in kernel ? [kernel.image.bytes.buffer] : [];
    return { fields: { kind: 'replay', receipt, trusted, kernel }, transfer };
  }
}

/** The request of a computation that was bound, as plain data. */
function requestOf({ id, domain, definitions, selection, input, consts, options = {} }: Computation): ChainRequest {
  if (id !== COMPUTE || selection === undefined) throw new Error(`${id} is not a chain of operators.`);
  const { units = {}, uncertainties = {}, detail } = options;
  // Inputs of a chain are numbers.
  const given = { inputs: input as Readonly<Record<string, number>>, consts, units, uncertainties };
  return { domain, definitions, selection: selection as Selection, given, detail };
}

/** A missing kernel is no refusal yet: the worker first checks that the receipt has the form of one. */
async function kernelOf({ receipt: { kernel_sha256: sha256 }, kernel }: ReplayInput) {
  try {
    const image = await kernel(typeof sha256 === 'string' && SHA256.test(sha256) ? sha256 : '');
    // A copy to transfer: posting a view would clone its whole underlying buffer.
    return { image: { ...image, bytes: new Uint8Array(image.bytes) } };
  } catch (error) {
    return { failure: failureOf(error) };
  }
}
