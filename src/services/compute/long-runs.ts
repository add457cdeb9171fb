// Runs that nodes of one PostgreSQL share: the node that is asked stores the run, and any node or worker computes it and
// stores the sealed answer. Decision 0057.
//
// A run that is asked under a name is computed once for all who ask under this name, also after the node that was asked
// first has died. Requests and answers are sealed under the master key, so that nobody who can only write to the database
// can have a result signed, or exchange one.

import { createHash } from 'node:crypto';
import { canonicalJson } from '../../core/canonical-json.ts';
import { type ErrorRecord, errorOfRecord, recordOfError } from '../../core/error-record.ts';
import { DomainError, type ErrorCode } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { utf8 } from '../../core/sha256.ts';
import { withResolvers } from '../../core/with-resolvers.ts';
import { cancelled, nowMs } from '../../kernels/chunked-run.ts';
import type { Envelope } from '../../protocol/envelope.ts';
import type { SolverBody } from '../../solvers/request.ts';
import type { LongRunRepository, TakenRun } from '../../storage/compute/long-runs.ts';
import type { SealedBox } from '../node/sealed-box.ts';
import { WakingPoll } from '../node/waking-poll.ts';

/** What is computed. */
export interface LongRunRequest {
  readonly solver: string;
  readonly body: SolverBody;
  /** Key prefix in the receipt. */
  readonly keyPrefix: string;
  /** Id that the sealed answer has, if the run is filed. */
  readonly runId?: string | undefined;
}

export interface LongRunControls {
  /** Whose share of the pools the run uses. */
  readonly tenant: string;
  readonly signal: AbortSignal;
  readonly onProgress: ((fraction: number) => void) | undefined;
}

export interface LongRunCall extends LongRunControls {
  /** Kernel and revision that must compute the run. */
  readonly edition: string;
  /** Under which the run is computed once. */
  readonly name: string | undefined;
}

export interface LongRunsOptions {
  readonly runs: LongRunRepository;
  readonly box: Pick<SealedBox, 'seal' | 'open'>;
  /** Name of this run of the node. */
  readonly nodeId: string;
  readonly newId: () => string;
  /** Runs that this node computes at a time. */
  readonly capacity: () => number;
  /** Editions that this node computes. */
  readonly editions: () => Promise<readonly string[]>;
  /** `workers`: runs are left to them for a moment. `leaving`: this node computes only what it was asked itself. */
  readonly place: () => 'any' | 'workers' | 'leaving';
  readonly compute: (request: LongRunRequest, controls: LongRunControls) => Promise<Envelope>;
  readonly onError: (error: unknown) => void;
  readonly limits?: Partial<Limits> | undefined;
}

type Limits = { readonly [Name in keyof typeof LIMITS.longRuns]: number };

type Answer = { readonly envelope: Envelope } | { readonly error: ErrorRecord };

/** Failures of the node, not of the run: another one, or this one later, computes it. */
const PASSING: ReadonlySet<ErrorCode> = new Set([
  'QUEUE_FULL',
  'RATE_LIMITED',
  'SHUTTING_DOWN',
  'STORAGE_UNAVAILABLE',
  'STORAGE_FULL',
]);
const PAUSE_MS = 1_000;
const RENEWALS_PER_LEASE = 3;
/** How often a run that was removed meanwhile is asked again: a caller under the same name has gone away. */
const MAX_ASKS = 3;

const requestContext = (id: string) => `svc-long-run\0${id}`;
const answerContext = (id: string) => `svc-long-run-answer\0${id}`;

export class LongRuns {
  readonly #options: LongRunsOptions;
  readonly #limits: Limits;
  readonly #polling: WakingPoll;
  /** Runs that this node computes, by id and attempt. */
  readonly #held = new Map<string, Promise<void>>();
  /** Wake those who wait for an answer on this node. */
  readonly #asked = new Map<string, Set<() => void>>();

  constructor(options: LongRunsOptions) {
    this.#options = options;
    this.#limits = { ...LIMITS.longRuns, ...options.limits };
    const { onError } = options;
    this.#polling = new WakingPoll({ intervalMs: this.#limits.pollMs, work: () => this.#takeOne(), onError });
  }

  /** Runs that this node computes. */
  get held(): number {
    return this.#held.size;
  }

  start(): void {
    this.#polling.start();
  }

  /** Takes nothing more, and ends what it computes. */
  async stop(): Promise<void> {
    await this.#polling.stop();
    await Promise.all(this.#held.values());
  }

  /**
   * Has a run computed by any node, and waits for its answer.
   *
   * @returns undefined if the database cannot store it now
   * @throws DomainError RATE_LIMITED, QUEUE_FULL, OUT_OF_TIME, CANCELLED, KERNEL_FAILED, and the errors of the run
   */
  async run(request: LongRunRequest, call: LongRunCall): Promise<Envelope | undefined> {
    const { runs, newId } = this.#options;
    const { name, signal } = call;
    if (signal.aborted) throw cancelled();
    const id = name === undefined ? newId() : namedId(name, request);
    const endMs = nowMs() + this.#limits.waitMs;
    let isOver = false;
    try {
      for (let asks = 0; asks < MAX_ASKS; asks++) {
        if (!(await this.#ask(id, request, call))) return undefined;
        const answer = await this.#wait(id, endMs, call);
        if (answer === undefined) continue;
        // A named one is kept for those who ask again, a failure is not.
        isOver = name !== undefined && 'envelope' in answer;
        if ('error' in answer) throw errorOfRecord(answer.error);
        return answer.envelope;
      }
      throw new DomainError('CONFLICT', 'The run was cancelled by another call under the same key; send it again.');
    } finally {
      if (!isOver) await runs.remove(id).catch(this.#options.onError);
    }
  }

  /** @returns false if the database cannot store it now */
  async #ask(id: string, request: LongRunRequest, { tenant, edition }: LongRunCall): Promise<boolean> {
    const { runs, box } = this.#options;
    const { perTenant, all, waitMs } = this.#limits;
    const sealed = box.seal(requestContext(id), utf8(JSON.stringify(request)));
    let refusal: 'tenant' | 'all' | undefined;
    try {
      refusal = await runs.ask({ id, tenant, edition, request: sealed }, { perTenant, all }, waitMs);
    } catch (error) {
      if (error instanceof DomainError && PASSING.has(error.code)) return false;
      throw error;
    }
    const options = { retryAfterSeconds: 2 };
    if (refusal === 'tenant') {
      const message = `Limit of ${perTenant} long runs per caller reached; wait for one to finish.`;
      throw new DomainError('RATE_LIMITED', message, options);
    }
    if (refusal === 'all') {
      throw new DomainError('QUEUE_FULL', `Queue limit of ${all} long runs reached; try again later.`, options);
    }
    return true;
  }

  /** The answer; undefined if the run was removed meanwhile. @throws DomainError CANCELLED, OUT_OF_TIME */
  async #wait(id: string, endMs: number, { signal, onProgress }: LongRunCall): Promise<Answer | undefined> {
    const { runs } = this.#options;
    const { waitMs, pollMs } = this.#limits;
    let fraction = 0;
    let wake = () => {};
    const onWoken = () => wake();
    const waiting = this.#asked.get(id) ?? new Set();
    this.#asked.set(id, waiting.add(onWoken));
    signal.addEventListener('abort', onWoken, { once: true });
    try {
      this.#polling.wake();
      for (;;) {
        // Before the look, so that no answer is missed between the two.
        const { promise, resolve } = withResolvers<void>();
        wake = resolve;
        const found = await runs.find(id);
        if (signal.aborted) throw cancelled();
        if (found === undefined) return undefined;
        if (found.answer !== null) return this.#open(id, found.answer);
        if (found.fraction > fraction) onProgress?.(found.fraction);
        fraction = Math.max(fraction, found.fraction);
        if (nowMs() > endMs)
          throw new DomainError('OUT_OF_TIME', `No node has finished the run in ${waitMs / 1000} s; try again later.`);
        const timer = setTimeout(resolve, pollMs);
        await promise;
        clearTimeout(timer);
      }
    } finally {
      signal.removeEventListener('abort', onWoken);
      waiting.delete(onWoken);
      if (waiting.size === 0) this.#asked.delete(id);
    }
  }

  #open(id: string, sealed: Uint8Array): Answer {
    try {
      return JSON.parse(Buffer.from(this.#options.box.open(answerContext(id), sealed)).toString('utf8')) as Answer;
    } catch (cause) {
      throw new Error(`The answer of run ${id} does not open under the master key.`, { cause });
    }
  }

  /** @returns whether there may be another one to take at once */
  async #takeOne(): Promise<boolean> {
    const { runs, nodeId, capacity, editions, place } = this.#options;
    const { leaseMs, workersFirstMs } = this.#limits;
    if (this.#held.size >= capacity()) return false;
    const at = place();
    if (at === 'leaving' && this.#asked.size === 0) return false;
    const taken = await runs.take({
      holder: nodeId,
      editions: await editions(),
      leaseMs,
      waitedMs: at === 'workers' ? workersFirstMs : 0,
      ids: at === 'leaving' ? [...this.#asked.keys()] : undefined,
    });
    if (taken === undefined) return false;
    const key = `${taken.id} ${taken.attempts}`;
    const done = this.#compute(taken)
      .catch(this.#options.onError)
      .finally(() => {
        this.#held.delete(key);
        for (const wake of this.#asked.get(taken.id) ?? []) wake();
        this.#polling.wake();
      });
    this.#held.set(key, done);
    return true;
  }

  async #compute(taken: TakenRun): Promise<void> {
    const { runs, box, onError } = this.#options;
    const { leaseMs, keptMs } = this.#limits;
    const lost = new AbortController();
    let fraction = 0;
    const renew = async () => {
      if (!(await runs.renew(taken, fraction, leaseMs))) lost.abort();
    };
    const renewing = setInterval(() => void renew().catch(onError), leaseMs / RENEWALS_PER_LEASE);
    try {
      const answer = await this.#answerOf(taken, lost.signal, (now) => {
        fraction = now;
      });
      if (lost.signal.aborted) return;
      if (answer === undefined) return await runs.giveBack(taken, PAUSE_MS);
      // Not stored if another node has the run by now: its answer counts.
      await runs.answer(taken, box.seal(answerContext(taken.id), utf8(JSON.stringify(answer))), keptMs);
    } finally {
      clearInterval(renewing);
    }
  }

  /** Undefined if this node cannot compute it now. */
  async #answerOf(
    { id, tenant, attempts, request: sealed }: TakenRun,
    signal: AbortSignal,
    onProgress: (fraction: number) => void,
  ): Promise<Answer | undefined> {
    const { box, compute, onError } = this.#options;
    const { attempts: max } = this.#limits;
    if (attempts > max) {
      const message = `${max} nodes have ended or stalled while they computed this run; it is not begun again.`;
      return { error: { code: 'KERNEL_FAILED', message } };
    }
    try {
      const request = JSON.parse(Buffer.from(box.open(requestContext(id), sealed)).toString('utf8')) as LongRunRequest;
      return { envelope: await compute(request, { tenant, signal, onProgress }) };
    } catch (error) {
      if (signal.aborted) return undefined;
      if (!(error instanceof DomainError)) {
        onError(error);
        return { error: { code: 'INTERNAL', message: 'The node that computed the run failed.' } };
      }
      return PASSING.has(error.code) ? undefined : { error: recordOfError(error) };
    }
  }
}

/** A UUID of version 8 (RFC 9562), the same for the same request under the same name. */
function namedId(name: string, { solver, body, keyPrefix }: LongRunRequest): string {
  const hex = createHash('sha256')
    .update(canonicalJson([name, solver, body, keyPrefix]))
    .digest('hex');
  const variant = '89ab'[Number.parseInt(hex.charAt(16), 16) & 3];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
