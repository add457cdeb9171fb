// Contract engine: runs every change of a machine that may fire a transition. The event, its transitions and everything
// they cause (emitted events, tokens, webhooks, timers) are one change of the ledger.

import type { ComputeCall, Environment, FiredTransition } from '../../contracts/contract-state.ts';
import type { Sender } from '../../contracts/parties/bindings.ts';
import type { SignedBy } from '../../contracts/parties/sent-by.ts';
import { type Clock, tickOf } from '../../core/clock.ts';
import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { operatorSteps } from '../../operators/chain.ts';
import { findOperator } from '../../operators/load.ts';
import type { Executor } from '../../storage/database/sql.ts';
import { into } from '../../storage/database/writer.ts';
import { eventKeys } from '../../storage/machines/event-keys.ts';
import type { Ledger } from '../../storage/machines/ledger.ts';
import { assertNotArchived, type Machine } from '../../storage/machines/machines.ts';
import type { TransitionPlace } from './environment.ts';
import { GuardBudgetExceeded, GuardBudgets, type GuardLimits, GuardMeter, WORDS } from './guard-budget.ts';
import { InstanceNeeds } from './instance-loader.ts';
import { InstanceMissing } from './instances.ts';
import type { LiveContract, Runtime } from './live-contract.ts';
import { Overspent, type Woken, wokenOf } from './overspent.ts';
import type { OwnBytes } from './own-bytes.ts';
import { assertRunning, receiverOf, type Seats, senderFields, useNonce } from './party-events.ts';
import { type RuntimeCache, RuntimeMissing } from './runtime-cache.ts';
import { type FireReport, Session } from './session.ts';
import { MissingSolverResult, type SolverOutcome, SolverResults } from './solver-guards.ts';
import type { IgnoredReport, RefusalReport } from './unfired-report.ts';

/** Loads of contracts before the group commit, after which a change reads them within: other nodes keep changing them. */
const MAX_LOADS = 3;

export interface EngineOptions {
  readonly ledger: Ledger;
  readonly runtimes: RuntimeCache;
  readonly clock: Clock;
  readonly environment: Omit<Environment, 'balance'>;
  readonly newId: () => string;
  readonly prove: (fired: FiredTransition, place: TransitionPlace) => unknown;
  /** Runs a transition's call to a solver; if omitted, transitions cannot call solvers. */
  readonly solve?: (call: ComputeCall, machineId: string) => Promise<SolverOutcome>;
  /** Called when a wake that waited for a solver failed. */
  readonly onError?: (error: unknown) => void;
  /** Called after each commit that wrote webhooks. */
  readonly onWebhooks?: () => void;
  /** Called after each commit that sent events to other machines. */
  readonly onSends?: () => void;
  /** Called after each commit that started activities. */
  readonly onCalls?: () => void;
  /** Counts what machines write by themselves. */
  readonly ownBytes?: Pick<OwnBytes, 'count' | 'isUsedUp'>;
  /** `LIMITS.contracts.guards` by default. */
  readonly guardLimits?: GuardLimits;
}

/** Changes a machine whose contracts are in memory; reads the database through `on` only. */
export type ChangeHandler<Answer> = (
  session: Session,
  runtime: Runtime,
  machine: Machine,
  on: Executor,
) => Answer | Promise<Answer>;

/** Whether a change evaluates guards at the wish of anybody, or manages contracts. */
export type ChangeKind = 'event' | 'management';

interface ChangeResult<Answer> {
  readonly answer: Answer;
  readonly fired: readonly FireReport[];
  readonly refused: readonly RefusalReport[];
  readonly ignored: readonly IgnoredReport[];
  readonly rows: readonly { seq: number; svcond: number; row_hash: string }[];
}

export interface ExternalEvent {
  readonly name: string;
  readonly payload?: Readonly<Record<string, unknown>> | undefined;
  /** Idempotency key. */
  readonly key?: string | undefined;
  /** The only contract that it is for; all of the machine by default. */
  readonly to?: string | undefined;
  /** The caller, if it may act for a party. */
  readonly sender?: Sender | undefined;
  /** The verified signature of `sender.ed25519`; with `to` only. */
  readonly signed?: SignedBy | undefined;
  /** With `to`: the sender has no other right to send than that it acts for a party, until the change is written. */
  readonly isByParty?: boolean | undefined;
  /** The sender is no member of the machine. */
  readonly isByStranger?: boolean | undefined;
}

export class ContractEngine {
  readonly #options: EngineOptions;

  readonly #guardLimits: GuardLimits;
  readonly #budgets: GuardBudgets;
  /** Wakes that wait for solvers, by machine id. */
  readonly #solving = new Map<string, Promise<void>>();
  /** Machines that have spent their allowance, with the tick from which they are woken again. */
  readonly #deferred = new Map<string, number>();
  readonly #overspent = new Overspent();
  /** Work since the event loop had a turn. */
  #wordsOfTurn = 0;

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#guardLimits = options.guardLimits ?? LIMITS.contracts.guards;
    this.#budgets = new GuardBudgets(this.#guardLimits);
  }

  get runtimes(): RuntimeCache {
    return this.#options.runtimes;
  }

  /** Ids of machines whose wakes wait for solvers, or for their allowance of a later tick. */
  get waiting(): readonly string[] {
    const { tick } = this;
    for (const [id, fromTick] of this.#deferred) if (fromTick <= tick) this.#deferred.delete(id);
    return [...this.#solving.keys(), ...this.#deferred.keys()];
  }

  get tick(): number {
    return tickOf(this.#options.clock.now());
  }

  newId(): string {
    return this.#options.newId();
  }

  /**
   * Commits one change.
   *
   * @param needs  the instances that it will look for; those that it misses are read, and the change is taken again
   * @param kind  management never waits for the allowance, so that an owner can pause what spends it
   * @throws DomainError MACHINE_ARCHIVED, RATE_LIMITED beyond the allowance of the machine, BUDGET_EXCEEDED, and whatever
   *   `work` throws; then nothing changes
   */
  async change<Answer>(
    machineId: string,
    actor: string,
    work: ChangeHandler<Answer>,
    kind: ChangeKind = 'event',
    needs: InstanceNeeds = new InstanceNeeds(),
  ): Promise<ChangeResult<Answer>> {
    const { perChange } = LIMITS.contracts.solvers;
    return this.#solveAndChange(machineId, actor, work, kind, needs, (solved) => {
      if (solved.size < perChange) return;
      throw new DomainError('CONFLICT', `Limit of ${perChange} solver runs in one change reached; split the change.`);
    });
  }

  /** @param assertCapacity  throws if no further solver may run */
  async #solveAndChange<Answer>(
    machineId: string,
    actor: string,
    work: ChangeHandler<Answer>,
    kind: ChangeKind,
    needs: InstanceNeeds,
    assertCapacity: (solved: SolverResults) => void,
  ): Promise<ChangeResult<Answer>> {
    const { solve } = this.#options;
    const solved = new SolverResults();
    for (;;) {
      try {
        return await this.#attempt(machineId, actor, work, solved, kind, needs);
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
    kind: ChangeKind,
    needs: InstanceNeeds,
  ): Promise<ChangeResult<Answer>> {
    const { runtimes } = this.#options;
    const assertLeft = () => {
      if (kind === 'event') this.#budgets.assertLeft(machineId, this.tick);
    };
    for (let loads = 1; ; loads++) {
      assertLeft();
      const release = await runtimes.hold(machineId);
      let letGo: (() => void) | undefined;
      try {
        letGo = await runtimes.holdInstances(machineId, needs, this.tick);
        return await this.#commit(machineId, actor, work, solved, assertLeft, loads > MAX_LOADS, needs);
      } catch (error) {
        const isMiss = error instanceof InstanceMissing && needs.addMissing(error);
        if (!isMiss && !(error instanceof RuntimeMissing)) throw error;
      } finally {
        letGo?.();
        release();
      }
    }
  }

  /**
   * @param isReadWithin  whether contracts that are not in memory are read within the transaction
   * @throws RuntimeMissing if they are not, and some are missing
   */
  async #commit<Answer>(
    machineId: string,
    actor: string,
    work: ChangeHandler<Answer>,
    solved: SolverResults,
    assertLeft: () => void,
    isReadWithin: boolean,
    needs: InstanceNeeds,
  ): Promise<ChangeResult<Answer>> {
    const { ledger, runtimes, newId, prove, onWebhooks, onSends, onCalls, solve, ownBytes } = this.#options;
    const receiptOf = (call: ComputeCall) => solved.receiptOf(call);
    const committed = await ledger.commit(
      machineId,
      async (machine, on, epoch, isFirst) => {
        assertNotArchived(machine);
        // Earlier changes of the same batch may have spent what was left.
        assertLeft();
        solved.startAttempt();
        const meter = new GuardMeter(this.#guardLimits.perChange);
        const compute = (call: ComputeCall) => {
          meter.count(WORDS.evaluation + workOf(call));
          const { environment: plain } = this.#options;
          return call.solver === undefined || solve === undefined ? plain.compute(call) : solved.value(call);
        };
        const environment = { evaluate: meter.metered(this.#options.environment.evaluate), compute };
        const runtime = isReadWithin
          ? await runtimes.getOrRead(machine, on, epoch, isFirst)
          : runtimes.get(machine, epoch);
        const { tick } = this;
        if (isReadWithin) (await runtimes.readInstances(machineId, runtime, needs, tick, on))();
        const session = new Session({ machine, runtime, tick, actor, environment, newId, prove, meter, receiptOf });
        // An attempt changes the runtime in memory. If it is not committed, the runtime is read again.
        const evict = () => runtimes.evict(machineId);
        const hasAdopted = session.adoptEngine();
        try {
          const answer = await work(session, runtime, machine, on);
          const writes = [...session.finish(), ...runtimes.sampleWrites(machine, runtime, session.rows, tick)];
          const settle = (isCommitted: boolean, after: Machine) => {
            if (!isCommitted) return evict();
            session.committed();
            runtimes.committed(after, runtime);
            if (session.hasWebhooks) onWebhooks?.();
            if (session.hasSends) onSends?.();
            if (session.hasCalls) onCalls?.();
          };
          return {
            rows: session.rows,
            writes,
            answer: { answer, fired: session.fired, ...session.unfired.lists },
            settle,
          };
        } catch (error) {
          if (error instanceof GuardBudgetExceeded && error.isUntouched && !hasAdopted)
            throw this.#tooManyGuards(machine);
          if (error instanceof InstanceMissing && session.isUntouched) throw error;
          evict();
          // Reading the contracts again is work of this machine, too.
          this.#spend(machine, WORDS.rebuild * runtime.contracts.size);
          if (error instanceof GuardBudgetExceeded) throw this.#tooManyGuards(machine);
          throw error instanceof MissingSolverResult ? new NeedsSolver(error.call) : error;
        } finally {
          this.#spend(machine, meter.used);
          await this.#giveTurn();
        }
      },
      assertLeft,
    );
    if (actor === SYSTEM && committed.rows.length > 0) void ownBytes?.count(machineId, committed.rows);
    return { ...committed.answer, rows: committed.rows };
  }

  #spend({ id, head: { slug } }: Machine, words: number): void {
    this.#budgets.spend(id, slug, this.tick, words);
    this.#wordsOfTurn += words;
  }

  /** Lets requests in between the changes of a batch. */
  async #giveTurn(): Promise<void> {
    if (this.#wordsOfTurn < LIMITS.contracts.guards.perTurn) return;
    this.#wordsOfTurn = 0;
    await new Promise<void>((resolve) => setImmediate(resolve));
  }

  #tooManyGuards({ head: { slug } }: Machine): DomainError {
    const { perChange } = this.#guardLimits;
    const message = `Limit of ${perChange} steps of guards in one change of machine ${slug} exceeded; nothing was changed. Deploy fewer guards for the same event.`;
    return new DomainError('BUDGET_EXCEEDED', message);
  }

  /** Ingests an external event. A repeated idempotency key returns the row of the first event. */
  async ingest(machineId: string, actor: string, event: ExternalEvent) {
    const { name, key, to, sender, signed, isByParty = false, isByStranger = false } = event;
    const needs = new InstanceNeeds([event]);
    const work: ChangeHandler<{ seq: number; duplicate: boolean }> = async (session, runtime, machine, on) => {
      const known = key === undefined ? undefined : await eventKeys.find(machine.id, key, on);
      if (known !== undefined) return { seq: known, duplicate: true };
      session.assertDeliverable(name);
      if (isByStranger) session.markStranger();
      if (to !== undefined) assertRunning(this.find(runtime, to), machine);
      const seats = session.seatsOf({ name, payload: event.payload ?? {}, to, sender });
      if (isByParty && to !== undefined && !seats.has(to))
        throw new DomainError('FORBIDDEN_PARTY', `The sender of ${name} no longer acts for a party of this contract.`);
      const signedTo =
        to === undefined || signed === undefined ? undefined : receiverOf(this.find(runtime, to), event.payload);
      if (signedTo !== undefined && signed !== undefined) {
        useNonce(signedTo, signed);
        session.updateContract(signedTo);
      }
      return { seq: record(session, machine, event, seats), duplicate: false };
    };
    const { answer, ...done } = await this.change(machineId, actor, work, 'event', needs);
    return { ...answer, ...done };
  }

  /**
   * Ingests events to all contracts of a machine in one change, in their order. One that only parties may send is
   * refused alone; beyond the budget of a change nothing of all is kept.
   */
  async ingestAll(machineId: string, actor: string, events: readonly ExternalEvent[]) {
    const work: ChangeHandler<EventOutcome[]> = async (session, _runtime, machine, on) => {
      const outcomes: EventOutcome[] = [];
      const seqOfKey = new Map<string, number>();
      const [first] = events;
      // Later ones would be refused after something has changed in memory, as by any other work.
      if (first !== undefined) session.assertDeliverable(first.name);
      for (const event of events) {
        const { name, key, sender } = event;
        const known =
          key === undefined ? undefined : (seqOfKey.get(key) ?? (await eventKeys.find(machine.id, key, on)));
        if (known !== undefined) {
          outcomes.push({ seq: known, isDuplicate: true, ...NO_EFFECT });
          continue;
        }
        let seats: Seats;
        try {
          seats = session.seatsOf({ name, payload: event.payload ?? {}, to: undefined, sender });
        } catch (error) {
          if (!(error instanceof DomainError)) throw error;
          outcomes.push({ error });
          continue;
        }
        const { refused, ignored } = session.unfired.lists;
        const before = [session.fired.length, refused.length, ignored.length] as const;
        const seq = record(session, machine, event, seats);
        if (key !== undefined) seqOfKey.set(key, seq);
        outcomes.push({
          seq,
          isDuplicate: false,
          fired: session.fired.slice(before[0]),
          refused: refused.slice(before[1]),
          ignored: ignored.slice(before[2]),
        });
      }
      return outcomes;
    };
    return this.change(machineId, actor, work, 'event', new InstanceNeeds(events));
  }

  /** Runs everything that is due on a machine. @returns the number of transitions fired */
  async wake(machineId: string): Promise<number> {
    const fired = await this.#wakeDue(machineId);
    if (this.#options.ownBytes?.isUsedUp(machineId) === true)
      this.#deferred.set(machineId, this.tick + LIMITS.contracts.guards.usedUpTicks);
    return fired;
  }

  async #wakeDue(machineId: string): Promise<number> {
    if (this.#solving.has(machineId)) return 0;
    const { tick } = this;
    const ticks = this.#budgets.waitOf(machineId, tick);
    if (ticks > 0) {
      this.#deferred.set(machineId, tick + ticks);
      return 0;
    }
    const work: ChangeHandler<void> = (session, runtime) => {
      for (const live of runtime.contracts.values()) {
        if (!session.hasRoom) break;
        if (isDue(live, session.tick)) session.wake(live, (one) => !this.#overspent.isHeld(one, tick));
      }
    };
    const needs = new InstanceNeeds([], true);
    try {
      return (await this.#attempt(machineId, SYSTEM, work, new SolverResults(), 'event', needs)).fired.length;
    } catch (error) {
      if (error instanceof DomainError && error.code === 'BUDGET_EXCEEDED') return this.#wakeApart(machineId);
      if (!(error instanceof NeedsSolver)) throw error;
      // Runs in the background, so that timers of other machines do not wait for this machine's solvers.
      const solving = this.#solveAndChange(machineId, SYSTEM, work, 'event', needs, (solved) => {
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

  /**
   * Wakes each contract and instance that is due in a change of its own, since together they cost more than a change may.
   * One that does so alone is named in a row, and waits.
   */
  async #wakeApart(machineId: string): Promise<number> {
    const { tick } = this;
    const found: Woken[] = [];
    const look: ChangeHandler<void> = (_, runtime) => {
      for (const live of runtime.contracts.values()) {
        if (!isDue(live, tick)) continue;
        const due = live.instances?.due(tick) ?? [live];
        found.push(...due.filter((one) => !this.#overspent.isHeld(one, tick)).map(wokenOf));
      }
    };
    await this.#attempt(machineId, SYSTEM, look, new SolverResults(), 'management', new InstanceNeeds([], true));
    let fired = 0;
    for (const one of found) {
      const work: ChangeHandler<void> = (session, runtime) => {
        const live = runtime.contracts.get(one.contract);
        if (live !== undefined) session.wake(live, (other) => wokenOf(other).instance === one.instance);
      };
      try {
        const needs = new InstanceNeeds([], true);
        fired += (await this.#attempt(machineId, SYSTEM, work, new SolverResults(), 'event', needs)).fired.length;
      } catch (error) {
        if (!(error instanceof DomainError) || error.code !== 'BUDGET_EXCEEDED') throw error;
        if (this.#overspent.hold(one, tick)) await this.#nameOverspent(machineId, one);
      }
    }
    return fired;
  }

  async #nameOverspent(machineId: string, one: Woken): Promise<void> {
    const reason = `What is due costs more than the ${this.#guardLimits.perChange} steps of a change; it stays due.`;
    const work: ChangeHandler<void> = (session) => {
      session.addRow('refused', 'contract', { ...one, code: 'BUDGET_EXCEEDED', reason });
    };
    await this.#attempt(machineId, SYSTEM, work, new SolverResults(), 'management', new InstanceNeeds());
  }

  /** Resolves when no wake waits for a solver. */
  async settled(): Promise<void> {
    await Promise.all(this.#solving.values());
  }

  /** Returns the contract in memory. @throws DomainError NOT_FOUND */
  find(runtime: Runtime, id: string): LiveContract {
    const live = runtime.contracts.get(id);
    if (live) return live;
    throw new DomainError('NOT_FOUND', `Contract ${id} not found on this machine, or frozen or completed.`);
  }
}

/** What became of one event of a batch. */
export type EventOutcome =
  | { readonly error: DomainError }
  | {
      readonly seq: number;
      readonly isDuplicate: boolean;
      readonly fired: readonly FireReport[];
      readonly refused: readonly RefusalReport[];
      readonly ignored: readonly IgnoredReport[];
    };

const NO_EFFECT = { fired: [], refused: [], ignored: [] };

/** Writes the row of an event and delivers it. @returns the number of the row */
function record(
  session: Session,
  machine: Machine,
  { name, payload, key, to, sender, signed }: ExternalEvent,
  seats: Seats,
): number {
  const rowPayload = {
    name,
    ...(payload === undefined ? {} : { payload }),
    ...senderFields(seats, to, signed),
  };
  const seq = session.addRow('event', 'api', rowPayload);
  if (key !== undefined)
    session.writes.push(into(eventKeys, { machineId: machine.id, key, seq, svcond: session.tick }));
  session.deliver({ name, payload: payload ?? {}, number: seq, to, sender, signed });
  return seq;
}

/** Aborts an attempt because a solver must run first. */
class NeedsSolver extends DomainError {
  readonly call: ComputeCall;

  constructor(call: ComputeCall) {
    super('CONFLICT', `The solver ${call.solver} has not run yet.`);
    this.call = call;
  }
}

/** Words of an operator; a solver runs elsewhere. */
function workOf({ operator }: ComputeCall): number {
  return operator === undefined ? 0 : operatorSteps(findOperator(operator));
}

const isDue = ({ stored: { nextFire } }: LiveContract, tick: number): boolean =>
  nextFire !== undefined && nextFire <= tick;

const SYSTEM = '0'.repeat(32);
