// Replays one contract in memory: it receives the events of its machine, is woken, paused and patched as the live one was,
// and records every fire. It runs on the code of the live engine (execution.ts, transition-function.ts); nothing is stored.

import type { CompiledContract } from './compiled.ts';
import type { Environment, FiredTransition, RefusedTransition, SentBy, Windows } from './contract-state.ts';
import type { Collections } from './data/collections.ts';
import type { Scalars } from './definition.ts';
import {
  applyStimulus,
  carryOverReadings,
  createReadings,
  deliver,
  type RunningContract,
  recordReading,
  type Step,
  subscribedEvents,
  wake,
} from './execution.ts';
import { applyTokenMoves, type Deployment, type HistoryEntry, type MachineState } from './history.ts';
import { reboundState } from './instances/parties.ts';
import { spawnedState } from './instances/spawn.ts';
import { type ResumeMode, redefineState, resumeState, skipTimer } from './lifecycle.ts';
import { compileMigration } from './migration/compile.ts';
import { readingAsEvent } from './oracle.ts';
import { partyStateOf } from './parties/party-state.ts';
import { addToWindows, createWindows, initialState, nextWake } from './transition-function.ts';
import { carriedWindows } from './windows/kept-windows.ts';

export type ReplayStatus = 'active' | 'paused' | 'frozen' | 'completed' | 'failed';

/** A fire of a replay, with the fields of a row of type `transition`. */
export interface ReplayedFire {
  /** The tick of its row. */
  readonly tick: number;
  readonly transition: string;
  readonly from: string;
  readonly to: string;
  readonly cause: string;
  /** The occurrence of a timer. */
  readonly due: number | undefined;
  readonly fired: FiredTransition;
}

export interface ReplayedRefusal extends RefusedTransition {
  readonly tick: number;
}

type ReceivedEvent = Extract<HistoryEntry, { kind: 'event' }>;

/** An event that the contract emitted and has yet to receive itself. */
interface OwnEvent {
  readonly name: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly tick: number;
  /** Length of the chain of emitted events that led to it. */
  readonly hop: number;
}

export interface ContractReplayOptions {
  /** Id of the contract. */
  readonly contractId: string;
  readonly environment: Omit<Environment, 'balance'>;
  readonly machineState: MachineState;
  /** Maximum length of a chain of emitted events. */
  readonly maxHops: number;
}

export class ContractReplay {
  running: RunningContract;
  status: ReplayStatus = 'active';
  isMachineActive: boolean;
  /** The tick of the last change. */
  tick: number;
  readonly fires: ReplayedFire[] = [];
  readonly refused: ReplayedRefusal[] = [];
  /** Its own events, in the order in which it will receive them. */
  ownEvents: OwnEvent[] = [];
  readonly #options: ContractReplayOptions;
  readonly #balances: Map<string, number>;
  readonly #environment: Environment;
  #heldAt: number | undefined;

  constructor(running: RunningContract, tick: number, options: ContractReplayOptions) {
    this.running = running;
    this.tick = tick;
    this.#options = options;
    this.#balances = new Map(options.machineState.balances);
    this.isMachineActive = options.machineState.isMachineActive;
    this.#environment = {
      ...options.environment,
      balance: (token, holder) => this.#balances.get(`${token}\0${holder}`) ?? 0,
    };
  }

  /** The tick at which it was paused or failed. */
  get heldAt(): number | undefined {
    return this.#heldAt;
  }

  /** The contract as deployed. */
  static start(contract: CompiledContract, deployed: Deployment, options: ContractReplayOptions) {
    const { seq, tick, engine: edition, bindings } = deployed;
    const parties = contract.senders === undefined ? undefined : partyStateOf(bindings ?? {});
    const state = initialState(contract, tick, seq, edition, parties, options.environment);
    const running = { contract, state, windows: createWindows(contract), readings: createReadings(contract) };
    return new ContractReplay(running, tick, options);
  }

  /** A replay that continues from here, perhaps with another definition; its list of fires is empty. */
  fork(running: RunningContract): ContractReplay {
    const machineState = { balances: this.#balances, isMachineActive: this.isMachineActive };
    const fork = new ContractReplay(running, this.tick, { ...this.#options, machineState });
    fork.status = running.state.lifecycle === 'active' ? this.status : running.state.lifecycle;
    fork.#heldAt = this.#heldAt;
    return fork;
  }

  /** An independent copy; its list of fires is empty. */
  copy(): ContractReplay {
    const { contract, state, windows, readings } = this.running;
    const copies = new Map([...windows].map(([id, window]) => [id, window.copy()] as const));
    return this.fork({ contract, state, windows: copies, readings: readings?.copy() });
  }

  /** Neither the machine nor the contract is paused, frozen, completed or failed. */
  get canRun(): boolean {
    return this.isMachineActive && this.status === 'active';
  }

  get nextDue(): number | undefined {
    const { contract, state, windows } = this.running;
    return this.canRun ? nextWake(contract, state, windows) : undefined;
  }

  listensTo(name: string): boolean {
    return subscribedEvents(this.running.contract).has(name);
  }

  /** Receives an event from a caller or from another contract. */
  receive({ name, payload, tick, seq: number, origin, actor, sentBy, isSkippedMatch }: ReceivedEvent): void {
    const hop = origin === 'external' ? 0 : 1;
    this.tick = tick;
    if (!this.listensTo(name)) return;
    const { running } = this;
    const sender = { actor, isExternal: origin === 'external', ...sentBy };
    const event = { kind: 'event', tick, number, name, payload, ...sender } as const;
    if (!this.canRun) {
      addToWindows(running, event, this.#environment.evaluate);
      recordReading(running, event);
      return;
    }
    if (isSkippedMatch) running.state = { ...running.state, skipNextMatch: true };
    this.#record(deliver(running, event, this.#environment), hop);
  }

  /** Adds a reading of its oracle, which may be delivered as an event. */
  addReading({ reading, tick, seq }: Extract<HistoryEntry, { kind: 'reading' }>): void {
    this.tick = tick;
    const { running } = this;
    const { oracle } = running.contract;
    if (this.canRun) this.#record(wake(running, tick - 1, seq, this.#environment), WITHOUT_EVENT);
    running.readings?.add(reading);
    const delivered = oracle && readingAsEvent(oracle, reading);
    if (delivered === undefined) return;
    const event = { kind: 'event', tick, number: seq, ...delivered, actor: reading.actor } as const;
    if (this.canRun) this.#record([applyStimulus(running, event, this.#environment)], WITHOUT_EVENT);
    else addToWindows(running, event, this.#environment.evaluate);
  }

  /** Delivers the oldest of its own events. */
  deliverOwnEvent(number: number): void {
    const event = this.ownEvents.shift();
    if (event === undefined || !this.canRun) return;
    const { name, payload, tick, hop } = event;
    const { contractId: actor } = this.#options;
    this.#record(
      deliver(this.running, { kind: 'event', tick, number, name, payload, actor, isOwn: true }, this.#environment),
      hop,
    );
  }

  /** Runs everything that is due by now. */
  wake(now: number, number: number): void {
    this.tick = Math.max(this.tick, now);
    if (this.canRun) this.#record(wake(this.running, now, number, this.#environment), WITHOUT_EVENT);
  }

  /** Runs a wake on a copy; the caller may replace `running` with the copy. */
  tryWake(now: number, number: number): { readonly running: RunningContract; readonly steps: readonly Step[] } {
    const running = copyForWake(this.running, now);
    return { running, steps: wake(running, now, number, this.#environment) };
  }

  /** The first fire of a wake; nothing is changed. */
  firstFire(running: RunningContract, now: number, number: number): FiredTransition | undefined {
    const steps = wake(copyForWake(running, now), now, number, this.#environment);
    return steps.find(({ result }) => result.fired !== undefined)?.result.fired;
  }

  /** Attempts a manual transition. */
  fireManually(
    transition: string,
    payload: Readonly<Record<string, unknown>> | undefined,
    { tick, seq: number, actor, sentBy }: ManualFire,
  ): void {
    this.tick = tick;
    if (!this.canRun) return;
    const stimulus = { kind: 'manual', tick, number, transition, payload, actor, ...sentBy } as const;
    this.#record([applyStimulus(this.running, stimulus, this.#environment)], WITHOUT_EVENT);
  }

  /**
   * Applies a lifecycle change, or a change of the machine.
   *
   * @param contractOf  the compiled contract of a version; undefined keeps the present one
   */
  applyChange(
    entry: HistoryEntry,
    contractOf: (no: number) => CompiledContract | undefined,
    buildWindows: BuildWindows,
  ): void {
    const { running } = this;
    this.tick = entry.tick;
    switch (entry.kind) {
      case 'paused':
        if (this.status !== 'active') return;
        this.status = 'paused';
        this.#heldAt = entry.tick;
        return;
      case 'frozen':
        this.status = 'frozen';
        return;
      case 'resumed': {
        if (this.status !== 'paused' && this.status !== 'failed') return;
        const heldAt = this.#heldAt ?? entry.tick;
        running.state = resumeState(running, entry.mode as ResumeMode, entry.tick, heldAt, this.#environment);
        this.status = 'active';
        this.#heldAt = undefined;
        this.#updateStatus(entry.tick);
        return;
      }
      case 'skipped': {
        const [next] = running.state.timers.toSorted((a, b) => a.due - b.due);
        if (next === undefined || !this.canRun) return;
        running.state = skipTimer(running, next);
        this.#updateStatus(entry.tick);
        return;
      }
      case 'respawned': {
        const { state: former } = running;
        const contract = contractOf(entry.no) ?? running.contract;
        const at = { tick: entry.tick, number: entry.seq };
        const state = spawnedState(contract, at, former, this.#environment, entry.bindings);
        this.running = { contract, state, windows: createWindows(contract) };
        this.status = 'active';
        this.#heldAt = undefined;
        return;
      }
      case 'rebound':
        running.state = reboundState(running.state, entry.bindings);
        return;
      case 'engine':
        running.state = { ...running.state, engine: { edition: entry.edition, from: entry.seq } };
        return;
      case 'version': {
        const contract = contractOf(entry.no);
        if (contract === undefined) return;
        const { bindings, migrated } = entry;
        const migration = migrated && compileMigration(running.contract, contract, migrated.given);
        const to = migration?.states.get(running.state.state) ?? running.state.state;
        const isReset = entry.isReset || !Object.hasOwn(contract.definition.states, to);
        const source = this.#environment;
        const at = { tick: entry.tick, number: entry.seq, heldAt: this.#heldAt };
        const change = { ...at, isReset, bindings, source, migration };
        const state = redefineState(contract, running, change);
        this.running = {
          contract,
          state,
          // Those of an instance are stored with it, and never filled from the log.
          windows:
            contract.definition.key === undefined ? buildWindows(contract, state) : carriedWindows(running, contract),
          readings: carryOverReadings(running, contract) ?? createReadings(contract),
        };
        this.#updateStatus(entry.tick);
        return;
      }
      case 'machine':
        this.isMachineActive = entry.isActive;
        return;
      case 'tokens':
        applyTokenMoves(this.#balances, entry.moves);
        return;
    }
  }

  #record(steps: readonly Step[], hop: number): void {
    const { tick } = this;
    for (const { stimulus, result } of steps) {
      this.refused.push(...result.refused.map((refusal) => ({ ...refusal, tick })));
      const { fired } = result;
      if (fired === undefined) continue;
      const { transition, from, to } = fired;
      const due = stimulus.kind === 'timer' ? stimulus.due : undefined;
      this.fires.push({ tick, transition, from, to, cause: stimulus.kind, due, fired });
      for (const { event: name, payload } of fired.emitted) {
        if (this.listensTo(name) && hop < this.#options.maxHops)
          this.ownEvents.push({ name, payload, tick, hop: hop + 1 });
      }
    }
    // As in the live engine, tokens move only after all steps have been decided.
    for (const { result } of steps) applyTokenMoves(this.#balances, result.fired?.tokens ?? []);
    this.#updateStatus(tick);
  }

  #updateStatus(tick: number): void {
    const { lifecycle } = this.running.state;
    if (this.status !== 'active' || lifecycle === 'active') return;
    this.status = lifecycle;
    if (lifecycle === 'failed') this.#heldAt = tick;
  }
}

interface ManualFire {
  readonly tick: number;
  readonly seq: number;
  readonly actor: string | undefined;
  readonly sentBy?: SentBy | undefined;
}

/** Hop of a fire without an event, so that what it emits has hop 0, like an external event. */
const WITHOUT_EVENT = -1;

/** State, status and context of a contract. */
export interface StateSummary {
  readonly state: string;
  readonly status: string;
  readonly context: Scalars;
  readonly collections?: Collections | undefined;
}

export function summarizeState({ running: { state }, status }: ContractReplay): StateSummary {
  const { collections } = state;
  return { state: state.state, status, context: state.context, ...(collections === undefined ? {} : { collections }) };
}

/** Builds the windows of a contract from the events so far. */
export type BuildWindows = (contract: CompiledContract, state: RunningContract['state']) => Windows;

/** A copy on which a wake at this tick leaves the original unchanged; windows that the wake cannot change are shared. */
function copyForWake({ contract, state, windows, readings }: RunningContract, now: number): RunningContract {
  const cleared = new Set(
    contract.transitions.flatMap(({ id, trigger }) =>
      trigger.kind === 'on_aggregate' && trigger.since === 'entry' ? [id] : [],
    ),
  );
  const copies = [...windows].map(([id, window]) => {
    const isChanged = cleared.has(id) || (window.nextExpiry ?? now + 1) <= now;
    return [id, isChanged ? window.copy() : window] as const;
  });
  return { contract, state, windows: new Map(copies), readings };
}
