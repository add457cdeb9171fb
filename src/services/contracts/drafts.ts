// Checks and simulates definitions that are not deployed, in worker threads.

import { type Clock, tickOf } from '../../core/clock.ts';
import { LIMITS } from '../../core/limits.ts';
import { type PoolOptions, TaskPool } from '../../kernels/task-pool.ts';
import type { DraftAnswer, DraftRequest } from './draft-worker.ts';

// Node runs the sources in the repository and the compiled files in the published package.
const SCRIPT = new URL(import.meta.url.endsWith('.ts') ? './draft-worker.ts' : './draft-worker.js', import.meta.url);
// A tenant has one of them at a time, so that a tiny check of others waits for no simulation of its.
const WORKERS = 2;

export interface DraftControls {
  readonly signal: AbortSignal;
  /** Whose share of the pool the task uses. */
  readonly tenant: string;
}

export class DraftService {
  readonly #pool: TaskPool<DraftRequest, DraftAnswer>;
  readonly #clock: Clock;

  constructor(clock: Clock, options: PoolOptions = {}) {
    this.#clock = clock;
    const { queue, answersPerOwner, heapMb } = LIMITS.verdict;
    const kind = {
      script: SCRIPT,
      heapMb,
      prepare: async (request: DraftRequest) => ({ fields: { request }, transfer: [] }),
    };
    const limits = { size: WORKERS, maxQueued: queue, maxPerOwner: answersPerOwner, maxRunningPerOwner: 1 };
    this.#pool = new TaskPool(kind, { ...limits, ...options });
  }

  /**
   * Checks a definition, and explains one that has no faults.
   *
   * @throws DomainError OUT_OF_TIME, CANCELLED, QUEUE_FULL, RATE_LIMITED, SHUTTING_DOWN
   */
  check(request: Omit<DraftRequest, 'tick' | 'scenarios'>, controls: DraftControls): Promise<DraftAnswer> {
    return this.#run(request, controls);
  }

  /** Runs scenarios of a definition. @throws DomainError VALIDATION_FAILED, BUDGET_EXCEEDED, and as `check` */
  simulate(request: Omit<DraftRequest, 'tick' | 'names'>, controls: DraftControls): Promise<DraftAnswer> {
    return this.#run(request, controls);
  }

  load() {
    return this.#pool.load();
  }

  /** As `warm` of the kernel pool. */
  warm(): Promise<void> {
    return this.#pool.warm();
  }

  /** As `close` of the kernel pool. */
  close(options: { readonly drain?: boolean } = {}): Promise<void> {
    return this.#pool.close(options);
  }

  #run(request: Omit<DraftRequest, 'tick'>, { tenant, signal }: DraftControls): Promise<DraftAnswer> {
    const { deadlineMs } = LIMITS.contracts.draft;
    const tick = tickOf(this.#clock.now());
    return this.#pool.run({ ...request, tick }, { owner: tenant, signal, deadlineMs });
  }
}
