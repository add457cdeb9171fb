// Contracts live: every change of a machine that may move a contract goes through here, and all that it moves is one
// change of the ledger: event, transitions, what they emit, tokens, webhooks, timers.

import type { ComputeCall, Fired, World } from '../../contracts/reaction.ts';
import { type Clock, tickOf } from '../../core/clock.ts';
import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import type { Executor } from '../../storage/database/sql.ts';
import { eventKeys, into, type Ledger } from '../../storage/machines/ledger.ts';
import type { Machine } from '../../storage/machines/machines.ts';
import { assertNotArchived } from '../machines/machines.ts';
import type { Live, Runtime, Runtimes } from './runtime.ts';
import { type FireReport, Session } from './session.ts';
import { type Solved, SolvedCalls, SolverNeeded } from './solver-guards.ts';

export interface EngineOptions {
  readonly ledger: Ledger;
  readonly runtimes: Runtimes;
  readonly clock: Clock;
  readonly world: Omit<World, 'balance'>;
  readonly newId: () => string;
  readonly prove: (fired: Fired) => unknown;
  /** Runs what a transition asks of a solver; without it solvers are refused. */
  readonly solve?: (call: ComputeCall, machineId: string) => Promise<Solved>;
  /** A wake that waited for a solver failed. */
  readonly onFailed?: (error: unknown) => void;
  /** After each commit that wrote webhooks. */
  readonly onWebhooks?: () => void;
}

/** What is decided about a machine with its contracts in memory; `read` only through `on`. */
export type Work<Answer> = (
  session: Session,
  runtime: Runtime,
  machine: Machine,
  on: Executor,
) => Answer | Promise<Answer>;

/** What came of a change. */
interface Changed<Answer> {
  readonly answer: Answer;
  readonly fired: readonly FireReport[];
  readonly rows: readonly { seq: number; svcond: number; row_hash: string }[];
}

export interface Ingested {
  readonly seq: number;
  readonly svcond: number;
  readonly row_hash: string;
  readonly fired: readonly FireReport[];
  readonly duplicate: boolean;
}

export class ContractEngine {
  readonly #options: EngineOptions;

  /** Wakes that wait for solvers, by machine. */
  readonly #solving = new Map<string, Promise<void>>();

  constructor(options: EngineOptions) {
    this.#options = options;
  }

  get runtimes(): Runtimes {
    return this.#options.runtimes;
  }

  /** Machines whose wakes wait for solvers. */
  get solving(): readonly string[] {
    return [...this.#solving.keys()];
  }

  get tick(): number {
    return tickOf(this.#options.clock.now());
  }

  newId(): string {
    return this.#options.newId();
  }

  /** One change. @throws DomainError MACHINE_ARCHIVED, and what `work` throws: then nothing was changed */
  async change<Answer>(machineId: string, actor: string, work: Work<Answer>): Promise<Changed<Answer>> {
    const { perChange } = LIMITS.contracts.solvers;
    return this.#solveAndChange(machineId, actor, work, (solved) => {
      if (solved.size < perChange) return;
      throw new DomainError('CONFLICT', `The change asks more than ${perChange} solvers.`);
    });
  }

  /** @param assertRoom  for one more */
  async #solveAndChange<Answer>(
    machineId: string,
    actor: string,
    work: Work<Answer>,
    assertRoom: (solved: SolvedCalls) => void,
  ): Promise<Changed<Answer>> {
    const { solve } = this.#options;
    const solved = new SolvedCalls();
    for (;;) {
      try {
        return await this.#attempt(machineId, actor, work, solved);
      } catch (error) {
        if (!(error instanceof Waits) || solve === undefined) throw error;
        assertRoom(solved);
        if (!solved.isClosed) solved.add(error.call, await solve(error.call, machineId));
      }
    }
  }

  async #attempt<Answer>(
    machineId: string,
    actor: string,
    work: Work<Answer>,
    solved: SolvedCalls,
  ): Promise<Changed<Answer>> {
    const { ledger, runtimes, newId, prove, onWebhooks, solve } = this.#options;
    const compute = (call: ComputeCall) =>
      call.solver === undefined || solve === undefined ? this.#options.world.compute(call) : solved.value(call);
    const world = { ...this.#options.world, compute };
    const receiptOf = (call: ComputeCall) => solved.receiptOf(call);
    const committed = await ledger.commit(machineId, async (machine, on, epoch, isFirst) => {
      assertNotArchived(machine);
      solved.begin();
      const runtime = await runtimes.of(machine, on, epoch, isFirst);
      const session = new Session({ machine, runtime, tick: this.tick, actor, world, newId, prove, receiptOf });
      // What is in memory has been changed by whatever was begun: if it is not written, it is read again.
      const drop = () => runtimes.forget(machineId);
      try {
        const answer = await work(session, runtime, machine, on);
        const writes = [...session.finish(), ...runtimes.samplesOf(machine, runtime, session.rows)];
        const settle = (isCommitted: boolean) => {
          if (!isCommitted) drop();
          else if (session.hasWebhooks) onWebhooks?.();
        };
        return { rows: session.rows, writes, answer: { answer, fired: session.fired }, settle };
      } catch (error) {
        drop();
        throw error instanceof SolverNeeded ? new Waits(error.call) : error;
      }
    });
    return { ...committed.answer, rows: committed.rows };
  }

  /** An event from outside; a key that was used before is answered with the row that it made. */
  async ingest(
    machineId: string,
    actor: string,
    event: {
      readonly name: string;
      readonly payload?: Readonly<Record<string, unknown>> | undefined;
      readonly key?: string | undefined;
    },
  ): Promise<
    Omit<Ingested, 'svcond' | 'row_hash'> & { rows: readonly { seq: number; svcond: number; row_hash: string }[] }
  > {
    const { name, payload, key } = event;
    const { answer, fired, rows } = await this.change(machineId, actor, async (session, _, machine, on) => {
      const known = key === undefined ? undefined : await eventKeys.find(machine.id, key, on);
      if (known !== undefined) return { seq: known, duplicate: true };
      const logged = { name, ...(payload === undefined ? {} : { payload }) };
      const seq = session.row('event', 'api', logged);
      if (key !== undefined) session.writes.push(into(eventKeys, { machineId: machine.id, key, seq }));
      session.deliver({ name, payload: payload ?? {}, number: seq });
      return { seq, duplicate: false };
    });
    return { ...answer, fired, rows };
  }

  /** Everything of a machine that is due. @returns how many transitions fired */
  async wake(machineId: string): Promise<number> {
    if (this.#solving.has(machineId)) return 0;
    const work: Work<void> = (session, runtime) => {
      for (const live of runtime.contracts.values()) {
        const { nextFire } = live.stored;
        if (nextFire !== undefined && nextFire <= session.tick) session.wake(live);
      }
    };
    try {
      return (await this.#attempt(machineId, SYSTEM, work, new SolvedCalls())).fired.length;
    } catch (error) {
      if (!(error instanceof Waits)) throw error;
      // The timers of other machines do not wait for its solvers.
      const solving = this.#solveAndChange(machineId, SYSTEM, work, (solved) => {
        // What is due stays due until it is decided, so that it is decided with what there is.
        solved.isClosed = solved.size >= LIMITS.contracts.solvers.perWake;
      })
        .then(
          () => undefined,
          (failure: unknown) => this.#options.onFailed?.(failure),
        )
        .finally(() => this.#solving.delete(machineId));
      this.#solving.set(machineId, solving);
      return 0;
    }
  }

  /** What goes on behind the wakes has ended. */
  async settled(): Promise<void> {
    await Promise.all(this.#solving.values());
  }

  /** The contract in memory. @throws DomainError NOT_FOUND */
  find(runtime: Runtime, id: string): Live {
    const live = runtime.contracts.get(id);
    if (live) return live;
    throw new DomainError('NOT_FOUND', `There is no contract ${id} on this machine, or it is frozen.`);
  }
}

/** A decision that was not taken, because a solver has to run first. */
class Waits extends DomainError {
  readonly call: ComputeCall;

  constructor(call: ComputeCall) {
    super('CONFLICT', `The solver ${call.solver} has not run yet.`);
    this.call = call;
  }
}

const SYSTEM = '0'.repeat(32);
