// Runs that stream frames: starts them, finds them for readers that come back, and forgets them.
//
// A run belongs to this node. Its id begins with the tag of the node, so that another node can say why it has none.

import { createHash } from 'node:crypto';
import { canonicalJson } from '../../core/canonical-json.ts';
import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { withResolvers } from '../../core/with-resolvers.ts';
import type { Envelope } from '../../protocol/envelope.ts';
import type { GateAnswer } from '../../protocol/gate.ts';
import { type OnFrame, RunObserver } from '../../protocol/run-observer.ts';
import type { SolverDefinition } from '../../solvers/definition.ts';
import { sentFrame } from '../../solvers/live-frame.ts';
import type { SolverBody } from '../../solvers/request.ts';
import type { Principal } from '../access/access.ts';
import { LiveRun } from './live-run.ts';
import type { SolveService } from './solve.ts';

export type LiveLimits = { readonly [Name in keyof typeof LIMITS.live]: number };

export interface LiveRunsOptions {
  readonly solve: Pick<SolveService, 'run'>;
  /** Name of this run of the node, hex. */
  readonly nodeId: string;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly limits?: Partial<LiveLimits> | undefined;
}

export interface LiveCall {
  readonly principal: Principal;
  readonly tenant: string;
  /** The same key and body return the run that they have started before, while it is kept. */
  readonly idempotencyKey: string | undefined;
}

interface Repeatable {
  readonly bodyHash: string;
  readonly started: Promise<LiveRun>;
}

/** Characters of an id that name its node. */
const TAG = 8;

export class LiveRuns {
  readonly #options: LiveRunsOptions;
  readonly #limits: LiveLimits;
  /** In the order in which they were started. */
  readonly #runs = new Map<string, LiveRun>();
  readonly #repeatable = new Map<string, Repeatable>();
  readonly #settled = new Set<Promise<void>>();
  #isClosing = false;

  constructor(options: LiveRunsOptions) {
    this.#options = options;
    this.#limits = { ...LIMITS.live, ...options.limits };
  }

  /** Runs of this node, running or kept. */
  get size(): number {
    return this.#runs.size;
  }

  /** Bytes that all runs keep for readers. */
  get bytes(): number {
    return [...this.#runs.values()].reduce((sum, run) => sum + run.bytes, 0);
  }

  /**
   * Starts a run. Errors before its kernel is started are thrown; later ones are its end.
   *
   * @throws DomainError  as the solver's route does; RATE_LIMITED, IDEMPOTENCY_KEY_REUSED, SHUTTING_DOWN
   */
  async start(solver: SolverDefinition, body: SolverBody, call: LiveCall): Promise<LiveRun> {
    const { idempotencyKey, principal } = call;
    if (idempotencyKey === undefined) return this.#start(solver, body, call);
    const name = `${principal.keyId} ${idempotencyKey}`;
    const bodyHash = createHash('sha256')
      .update(canonicalJson([solver.id, body]))
      .digest('hex');
    const before = this.#repeatable.get(name);
    if (before !== undefined) {
      if (before.bodyHash === bodyHash) return before.started;
      throw new DomainError('IDEMPOTENCY_KEY_REUSED', 'The Idempotency-Key has started a run with another body.');
    }
    const started = this.#start(solver, body, call, () => this.#repeatable.delete(name));
    this.#repeatable.set(name, { bodyHash, started });
    started.catch(() => this.#repeatable.delete(name));
    return started;
  }

  /** Runs to the end for one caller, who cannot come back. @throws DomainError  as the solver's route does */
  runOnce(
    solver: SolverDefinition,
    body: SolverBody,
    { principal, tenant, idempotencyKey, signal }: LiveCall & { readonly signal: AbortSignal },
    onFrame: OnFrame,
  ): Promise<Envelope | GateAnswer> {
    const observer = new RunObserver(solver, { ...this.#limits, frameMs: this.#limits.messageMs }, onFrame);
    return this.#options.solve.run(solver, body, {
      principal,
      tenant,
      signal,
      isFiled: idempotencyKey !== undefined,
      onProgress: (fraction) => observer.onProgress(fraction),
      watch: (computation) => observer.watchOf(computation),
    });
  }

  /** @throws DomainError RUN_NOT_FOUND  also for the run of another key */
  find(id: string, { keyId }: Pick<Principal, 'keyId'>): LiveRun {
    const run = this.#runs.get(id);
    if (run !== undefined && run.keyId === keyId) return run;
    const isOfOtherNode = id.slice(0, TAG) !== this.#tag;
    const kept = `${this.#limits.keptMs / 1000} s after its end`;
    const reason = isOfOtherNode
      ? `Run ${id} was started on another node, or before this one restarted. Ask that node, or start the run again.`
      : `Run ${id} not found: only the key that started it can read it, until ${kept}.`;
    throw new DomainError('RUN_NOT_FOUND', reason, { facts: { reason: isOfOtherNode ? 'other_node' : 'unknown' } });
  }

  /** @returns false if it had ended before. @throws DomainError RUN_NOT_FOUND */
  cancel(id: string, principal: Pick<Principal, 'keyId'>): boolean {
    const run = this.find(id, principal);
    if (run.hasEnded) return false;
    run.cancel(new DomainError('CANCELLED', 'The run was cancelled.'));
    return true;
  }

  /** Ends all runs. */
  async close(): Promise<void> {
    this.#isClosing = true;
    for (const run of this.#runs.values())
      run.cancel(new DomainError('SHUTTING_DOWN', 'The service is shutting down.'));
    await Promise.all(this.#settled);
    this.#runs.clear();
  }

  get #tag(): string {
    return this.#options.nodeId.slice(0, TAG);
  }

  async #start(
    solver: SolverDefinition,
    body: SolverBody,
    { principal, tenant }: LiveCall,
    onForgotten: () => void = () => {},
  ): Promise<LiveRun> {
    if (this.#isClosing) throw new DomainError('SHUTTING_DOWN', 'The service is shutting down.');
    this.#makeRoom(tenant);
    const { keyId } = principal;
    const run = new LiveRun({ id: this.#newId(), keyId, tenant, solver: solver.id, limits: this.#limits });
    this.#runs.set(run.id, run);
    const started = withResolvers<void>();
    const observer = new RunObserver(solver, this.#limits, (fraction, drawing) =>
      run.push({ ...sentFrame(fraction, drawing, this.#limits.numbers) }),
    );
    const finished = this.#options.solve
      .run(solver, body, {
        principal,
        tenant,
        signal: run.signal,
        // An Idempotency-Key finds the run while it is kept, and no longer.
        isFiled: false,
        onProgress: (fraction) => observer.onProgress(fraction),
        watch: (computation) => {
          // A turn later, so that a full queue is an error of the request.
          setImmediate(started.resolve);
          return observer.watchOf(computation);
        },
      })
      .then((answer) => run.finish(JSON.stringify(answer)));
    const settled = finished
      .then(started.resolve, (error) => {
        run.fail(error);
        started.reject(error);
      })
      .finally(() => {
        this.#settled.delete(settled);
        this.#keep(run, onForgotten);
      });
    this.#settled.add(settled);
    try {
      await started.promise;
    } catch (error) {
      this.#runs.delete(run.id);
      throw error;
    }
    return run;
  }

  /** A UUID of version 8 (RFC 9562): the tag of the node, then random bits. */
  #newId(): string {
    const hex = Buffer.from(this.#options.randomBytes(12)).toString('hex');
    const variant = '89ab'[Number.parseInt(hex.charAt(8), 16) & 3];
    return `${this.#tag}-${hex.slice(0, 4)}-8${hex.slice(4, 7)}-${variant}${hex.slice(9, 12)}-${hex.slice(12)}`;
  }

  /** Forgets the oldest ended run of the tenant if it has too many. @throws DomainError RATE_LIMITED */
  #makeRoom(tenant: string): void {
    const own = [...this.#runs.values()].filter((run) => run.tenant === tenant);
    if (own.length < this.#limits.perTenant) return;
    const oldest = own.find((run) => run.hasEnded && run.readers === 0);
    if (oldest === undefined) {
      const message = `Limit of ${this.#limits.perTenant} streamed runs reached; wait for one to end, or cancel one.`;
      throw new DomainError('RATE_LIMITED', message, { retryAfterSeconds: 1 });
    }
    this.#runs.delete(oldest.id);
  }

  /** Keeps an ended run for a while; without room, the tenant with most bytes loses its oldest. */
  #keep(run: LiveRun, onForgotten: () => void): void {
    const forget = () => {
      this.#runs.delete(run.id);
      onForgotten();
    };
    if (!this.#runs.has(run.id)) {
      onForgotten();
      return;
    }
    setTimeout(forget, this.#limits.keptMs).unref();
    for (;;) {
      const ended = [...this.#runs.values()].filter(({ hasEnded }) => hasEnded);
      const bytes = new Map<string, number>();
      for (const one of ended) bytes.set(one.tenant, (bytes.get(one.tenant) ?? 0) + one.bytes);
      const total = [...bytes.values()].reduce((sum, one) => sum + one, 0);
      if (total <= this.#limits.keptBytes || ended.length <= 1) return;
      const [largest] = [...bytes].reduce((a, b) => (b[1] > a[1] ? b : a));
      const oldest = ended.find(({ tenant }) => tenant === largest);
      if (oldest === undefined) return;
      this.#runs.delete(oldest.id);
    }
  }
}
