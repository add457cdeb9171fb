// Contract engine: runs every change of a machine that may fire a transition. The event, its transitions and everything
// they cause (emitted events, tokens, webhooks, timers) are one change of the ledger.

import type { ComputeCall, Environment, FiredTransition } from '../../contracts/contract-state.ts';
import { type Clock, tickOf } from '../../core/clock.ts';
import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import type { Executor } from '../../storage/database/sql.ts';
import { into } from '../../storage/database/writer.ts';
import { eventKeys } from '../../storage/machines/event-keys.ts';
import type { Ledger } from '../../storage/machines/ledger.ts';
import { assertNotArchived, type Machine } from '../../storage/machines/machines.ts';
import type { LiveContract, Runtime } from './live-contract.ts';
import type { RuntimeCache } from './runtime-cache.ts';
import { type FireReport, Session } from './session.ts';
import { MissingSolverResult, type SolverOutcome, SolverResults } from './solver-guards.ts';

export interface EngineOptions {
  readonly ledger: Ledger;
  readonly runtimes: RuntimeCache;
  readonly clock: Clock;
  readonly environment: Omit<Environment, 'balance'>;
  readonly newId: () => string;
  readonly prove: (fired: FiredTransition) => unknown;
  /** Runs a transition's call to a solver; if omitted, transitions cannot call solvers. */
  readonly solve?: (call: ComputeCall, machineId: string) => Promise<SolverOutcome>;
  /** Called when a wake that waited for a solver failed. */
  readonly onError?: (error: unknown) => void;
  /** Called after each commit that wrote webhooks. */
  readonly onWebhooks?: () => void;
}

/** Changes a machine whose contracts are in memory; reads the database through `on` only. */
export type ChangeHandler<Answer> = (
  session: Session,
  runtime: Runtime,
  machine: Machine,
  on: Executor,
) => Answer | Promise<Answer>;

interface ChangeResult<Answer> {
  readonly answer: Answer;
  readonly fired: readonly FireReport[];
  readonly rows: readonly { seq: number; svcond: number; row_hash: string }[];
}

export interface ExternalEvent {
  readonly name: string;
  readonly payload?: Readonly<Record<string, unknown>> | undefined;
  /** Idempotency key. */
  readonly key?: string | undefined;
}

export class ContractEngine {
  readonly #options: EngineOptions;

  /** Wakes that wait for solvers, by machine id. */
  readonly #solving = new Map<string, Promise<void>>();

  constructor(options: EngineOptions) {
    this.#options = options;
  }

  get runtimes(): RuntimeCache {
    return this.#options.runtimes;
  }

  /** Ids of machines whose wakes wait for solvers. */
  get solving(): readonly string[] {
    return [...this.#solving.keys()];
  }

  get tick(): number {
    return tickOf(this.#options.clock.now());
  }

  newId(): string {
    return this.#options.newId();
  }

  /** Commits one change. @throws DomainError MACHINE_ARCHIVED, and whatever `work` throws; then nothing changes */
  async change<Answer>(machineId: string, actor: string, work: ChangeHandler<Answer>): Promise<ChangeResult<Answer>> {
    const { perChange } = LIMITS.contracts.solvers;
    return this.#solveAndChange(machineId, actor, work, (solved) => {
      if (solved.size < perChange) return;
      throw new DomainError('CONFLICT', `Limit of ${perChange} solver runs in one change reached; split the change.`);
    });
  }

  /** @param assertCapacity  throws if no further solver may run */
  async #solveAndChange<Answer>(
    machineId: string,
    actor: string,
    work: ChangeHandler<Answer>,
    assertCapacity: (solved: SolverResults) => void,
  ): Promise<ChangeResult<Answer>> {
    const { solve } = this.#options;
    const solved = new SolverResults();
    for (;;) {
      try {
        return await this.#attempt(machineId, actor, work, solved);
      } catch (error) {
        if (!(error instanceof NeedsSolver) || solve === undefined) throw error;
        assertCapacity(solved);
        if (!solved.isClosed) solved.add(error.call, await solve(error.call, machineId));
      }
    }
  }

  async #attempt<Answer>(
    machineId: string,
    actor: string,
    work: ChangeHandler<Answer>,
    solved: SolverResults,
  ): Promise<ChangeResult<Answer>> {
    const { ledger, runtimes, newId, prove, onWebhooks, solve } = this.#options;
    const compute = (call: ComputeCall) =>
      call.solver === undefined || solve === undefined ? this.#options.environment.compute(call) : solved.value(call);
    const environment = { ...this.#options.environment, compute };
    const receiptOf = (call: ComputeCall) => solved.receiptOf(call);
    const committed = await ledger.commit(machineId, async (machine, on, epoch, isFirst) => {
      assertNotArchived(machine);
      solved.startAttempt();
      const runtime = await runtimes.get(machine, on, epoch, isFirst);
      const session = new Session({ machine, runtime, tick: this.tick, actor, environment, newId, prove, receiptOf });
      // An attempt changes the runtime in memory. If it is not committed, the runtime is read again.
      const evict = () => runtimes.evict(machineId);
      try {
        const answer = await work(session, runtime, machine, on);
        const writes = [...session.finish(), ...runtimes.sampleWrites(machine, runtime, session.rows)];
        const settle = (isCommitted: boolean) => {
          if (!isCommitted) evict();
          else if (session.hasWebhooks) onWebhooks?.();
        };
        return { rows: session.rows, writes, answer: { answer, fired: session.fired }, settle };
      } catch (error) {
        evict();
        throw error instanceof MissingSolverResult ? new NeedsSolver(error.call) : error;
      }
    });
    return { ...committed.answer, rows: committed.rows };
  }

  /** Ingests an external event. A repeated idempotency key returns the row of the first event. */
  async ingest(machineId: string, actor: string, event: ExternalEvent) {
    const { name, payload, key } = event;
    const { answer, fired, rows } = await this.change(machineId, actor, async (session, _, machine, on) => {
      const known = key === undefined ? undefined : await eventKeys.find(machine.id, key, on);
      if (known !== undefined) return { seq: known, duplicate: true };
      const rowPayload = { name, ...(payload === undefined ? {} : { payload }) };
      const seq = session.addRow('event', 'api', rowPayload);
      if (key !== undefined) session.writes.push(into(eventKeys, { machineId: machine.id, key, seq }));
      session.deliver({ name, payload: payload ?? {}, number: seq });
      return { seq, duplicate: false };
    });
    return { ...answer, fired, rows };
  }

  /** Runs everything that is due on a machine. @returns the number of transitions fired */
  async wake(machineId: string): Promise<number> {
    if (this.#solving.has(machineId)) return 0;
    const work: ChangeHandler<void> = (session, runtime) => {
      for (const live of runtime.contracts.values()) {
        const { nextFire } = live.stored;
        if (nextFire !== undefined && nextFire <= session.tick) session.wake(live);
      }
    };
    try {
      return (await this.#attempt(machineId, SYSTEM, work, new SolverResults())).fired.length;
    } catch (error) {
      if (!(error instanceof NeedsSolver)) throw error;
      // Runs in the background, so that timers of other machines do not wait for this machine's solvers.
      const solving = this.#solveAndChange(machineId, SYSTEM, work, (solved) => {
        // Due timers stay due until decided, so beyond the limit they are decided with the results so far.
        solved.isClosed = solved.size >= LIMITS.contracts.solvers.perDueBatch;
      })
        .then(
          () => undefined,
          (failure: unknown) => this.#options.onError?.(failure),
        )
        .finally(() => this.#solving.delete(machineId));
      this.#solving.set(machineId, solving);
      return 0;
    }
  }

  /** Resolves when no wake waits for a solver. */
  async settled(): Promise<void> {
    await Promise.all(this.#solving.values());
  }

  /** Returns the contract in memory. @throws DomainError NOT_FOUND */
  find(runtime: Runtime, id: string): LiveContract {
    const live = runtime.contracts.get(id);
    if (live) return live;
    throw new DomainError('NOT_FOUND', `Contract ${id} not found on this machine, or frozen.`);
  }
}

/** Aborts an attempt because a solver must run first. */
class NeedsSolver extends DomainError {
  readonly call: ComputeCall;

  constructor(call: ComputeCall) {
    super('CONFLICT', `The solver ${call.solver} has not run yet.`);
    this.call = call;
  }
}

const SYSTEM = '0'.repeat(32);
