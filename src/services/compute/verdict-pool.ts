// Verifies and replays receipts, and finds answers whose second witness takes long, in worker threads. Whatever decides a
// verdict (seal, binding, kernel runs, second witness, comparison) leaves the event loop free, under one deadline and one
// limit of memory per request.

import { availableParallelism } from 'node:os';
import { LIMITS } from '../../core/limits.ts';
import { isRecord } from '../../core/record.ts';
import type { KernelImage } from '../../kernels/abi.ts';
import { failureOf } from '../../kernels/failure.ts';
import { type PoolOptions, TaskPool } from '../../kernels/task-pool.ts';
import { type Answer, buffersOf, requestOf } from '../../protocol/answer.ts';
import type { Computation } from '../../protocol/computation.ts';
import type { Executed } from '../../protocol/pure-fields.ts';
import type { ReplayReport } from '../../protocol/replay.ts';
import type { Claim } from '../../protocol/seal.ts';
import type { PublicJwk } from '../../protocol/signing.ts';
import type { Untrusted } from '../../protocol/untrusted.ts';
import type { StagedPlan } from '../../solvers/definition.ts';
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
  /** As that of `RunControls`. */
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

type Input = ReplayInput | VerifyInput | Extract<VerdictFields, { readonly kind: 'answer' | 'compute' | 'plan' }>;

// Node runs the sources in the repository and the compiled files in the published package.
const SCRIPT = new URL(
  import.meta.url.endsWith('.ts') ? './verdict-worker.ts' : './verdict-worker.js',
  import.meta.url,
);
const SHA256 = /^[0-9a-f]{64}$/;

export class VerdictPool {
  /** Replays, which anybody may ask for, have a pool of their own: answers and checks of seals do not wait for them. */
  readonly #replays: TaskPool<Input, unknown>;
  readonly #answers: TaskPool<Input, unknown>;

  constructor(options: PoolOptions = {}) {
    const { workers, queue, perOwner, answersPerOwner, heapMb } = LIMITS.verdict;
    const kind = { script: SCRIPT, heapMb, prepare: async (input: Input) => this.#prepare(input) };
    const limits = { size: workers, maxQueued: queue };
    // A processor stays free for the rest of the node, if it has more than one.
    const size = Math.max(1, Math.min(workers, availableParallelism() - 1));
    this.#replays = new TaskPool(kind, { ...limits, size, maxPerOwner: perOwner, ...options });
    this.#answers = new TaskPool(kind, { ...limits, maxPerOwner: answersPerOwner, ...options });
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
   * Finds the answer of a computation whose runs are done; the same as `answerOf`. The second witness of equations, of a
   * long sum or of thousands of atoms takes tens of milliseconds to seconds.
   *
   * @param executed  its outputs are moved to the worker, and empty here afterwards
   * @throws DomainError  as `answerOf`, and as `replayInWorker`
   */
  async answerInWorker(
    computation: Computation,
    executed: Executed,
    isComplete: boolean,
    controls: VerdictControls,
  ): Promise<Answer> {
    const request = requestOf(computation);
    return (await this.#run({ kind: 'answer', request, executed, isComplete }, controls)) as Answer;
  }

  /**
   * Plans, runs and answers a computation that belongs in one worker; the same as `computeWhole`.
   *
   * @throws DomainError  as `computeWhole`, and as `replayInWorker`
   */
  async computeInWorker(
    computation: Computation,
    image: KernelImage,
    isComplete: boolean,
    controls: VerdictControls,
  ): Promise<Answer> {
    const request = requestOf(computation);
    return (await this.#run({ kind: 'compute', request, image, isComplete }, controls)) as Answer;
  }

  /**
   * Plans a computation: a mesh, or the points of a sweep, may take seconds.
   *
   * @throws DomainError BUDGET_EXCEEDED, and as the plan and `replayInWorker`
   */
  async planInWorker(computation: Computation, controls: VerdictControls): Promise<StagedPlan> {
    return (await this.#run({ kind: 'plan', request: requestOf(computation) }, controls)) as StagedPlan;
  }

  load() {
    return { replays: this.#replays.load(), answers: this.#answers.load() };
  }

  /** Starts a first worker of answers, which computations wait for. */
  warm(): Promise<void> {
    return this.#answers.warm();
  }

  /** As `close` of the kernel pool. */
  async close(options: { readonly drain?: boolean } = {}): Promise<void> {
    await Promise.all([this.#replays.close(options), this.#answers.close(options)]);
  }

  #run(input: Input, { tenant, ...controls }: VerdictControls): Promise<unknown> {
    const tasks = input.kind === 'replay' ? this.#replays : this.#answers;
    return tasks.run(input, { ...controls, owner: tenant });
  }

  async #prepare(input: Input): Promise<{ fields: VerdictFields; transfer: ArrayBuffer[] }> {
    if (input.kind === 'compute') return { fields: { ...input, image: imageCopy(input.image) }, transfer: [] };
    if (input.kind === 'plan') return { fields: input, transfer: [] };
    if (input.kind === 'answer') return { fields: input, transfer: buffersOf(input.executed.outputs) };
    const { receipt, trusted } = input;
    if (input.kind === 'verify') return { fields: { kind: 'verify', receipt, trusted }, transfer: [] };
    const kernel = await kernelOf(receipt, input);
    const inner = await innerKernels(input);
    const transfer = ('image' in kernel ? [kernel.image, ...inner] : inner).map(({ bytes }) => bytes.buffer);
    return { fields: { kind: 'replay', receipt, trusted, kernel, inner }, transfer };
  }
}

/** Posting a view would clone its whole underlying buffer. */
const imageCopy = (image: KernelImage): KernelImage => ({ ...image, bytes: new Uint8Array(image.bytes) });

/** A missing kernel is no refusal yet: the worker first checks that the receipt has the form of one. */
async function kernelOf({ kernel_sha256: sha256 }: Untrusted, { kernel }: Pick<ReplayInput, 'kernel'>) {
  try {
    const image = await kernel(typeof sha256 === 'string' && SHA256.test(sha256) ? sha256 : '');
    return { image: imageCopy(image) };
  } catch (error) {
    return { failure: failureOf(error) };
  }
}

/** More receipts than any solver takes results from. */
const MAX_INNER = 8;

/** The kernels of the receipts that a receipt holds, each once; one that is missing shows when it is asked for. */
async function innerKernels(input: ReplayInput): Promise<readonly KernelImage[]> {
  const { receipts } = input.receipt;
  const held = Array.isArray(receipts) ? receipts.filter(isRecord).slice(0, MAX_INNER) : [];
  const images = new Map<string, KernelImage>();
  for (const one of held) {
    const found = await kernelOf(one, input);
    if ('image' in found) images.set(found.image.sha256, found.image);
  }
  return [...images.values()];
}
