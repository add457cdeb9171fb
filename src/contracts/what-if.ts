// Replays a contract under an alternative definition: the real events of its machine from a tick on, up to the first
// transition that differs.
//
// The real contract is replayed first, which gives its state at that tick and how late each wake was. The alternative
// continues from there and is woken at the same moments, and in the tick of whatever is due only for it. Events of other
// contracts, manual actions and readings are replayed unchanged: they do not react to the alternative.

import { canonicalJson } from '../core/canonical-json.ts';
import type { CompiledContract } from './compiled.ts';
import { ContractReplay, type StateSummary, summarizeState } from './contract-replay.ts';
import { carryOverReadings, createReadings } from './execution.ts';
import type { HistoryEntry } from './history.ts';
import {
  describeFire,
  type HistoryReplay,
  type HistoryReplayOptions,
  type Mismatch,
  replayHistory,
  type Wake,
  windowBuilder,
} from './history-replay.ts';
import { redefineState } from './lifecycle.ts';
import { assertMapped, compileMigration } from './migration/compile.ts';

export type StartMode = 'deployed' | 'as it was' | 'carried over' | 'begun anew';

type FiredRow = Extract<HistoryEntry, { kind: 'fired' }>;

export interface WhatIf {
  /** How the alternative got the state in which it starts. */
  readonly beginning: StartMode;
  /** The alternative as it starts. */
  readonly before: StateSummary;
  readonly real: readonly FiredRow[];
  readonly alternative: ContractReplay;
  /** Index of the first fire that differs between the two lists; undefined if none does. */
  readonly divergence: number | undefined;
  /** The first row that the replay of the real contract does not reproduce. */
  readonly mismatch: Mismatch | undefined;
  readonly erased: number;
}

/** Returns undefined if the replay of the real contract did not reach the first tick of the alternative. */
export function* whatIf(
  options: HistoryReplayOptions,
  contract: CompiledContract,
): Generator<void, WhatIf | undefined> {
  const { history, contractId, forkTick, environment, maxHops } = options;
  const { entries, deployed, initialMachineState: machineState } = history;
  const realReplay = yield* replayHistory(options);
  const { fork } = realReplay;
  if (fork === undefined) return undefined;
  const isFromDeployment = forkTick <= deployed.tick;
  const [alternative, beginning] = isFromDeployment
    ? [
        ContractReplay.start(contract, deployed, { contractId, environment, machineState, maxHops }),
        'deployed' as const,
      ]
    : startAlternative(fork.replay, contract, options, fork.index);
  const first = isFromDeployment ? 0 : fork.index;
  const before = summarizeState(alternative);
  yield* replayAlternative(alternative, first, realReplay, options);
  const real = entries.slice(first).filter((entry): entry is FiredRow => entry.kind === 'fired');
  const length = Math.max(real.length, alternative.fires.length);
  let divergence: number | undefined;
  for (let i = 0; i < length && divergence === undefined; i++) {
    const [recorded, replayed] = [real[i], alternative.fires[i]];
    if (recorded === undefined || replayed === undefined || describeFire(recorded) !== describeFire(replayed)) {
      divergence = i;
    }
  }
  const erased = entries.filter(({ kind }) => kind === 'erased').length;
  return { beginning, before, real, alternative, divergence, mismatch: realReplay.mismatch, erased };
}

/** The alternative at its first tick: the real contract itself, or the new definition with its state carried over or reset. */
function startAlternative(
  replay: ContractReplay,
  contract: CompiledContract,
  { history, forkTick, environment, migrate }: HistoryReplayOptions,
  index: number,
): [ContractReplay, StartMode] {
  const { running } = replay;
  const keyOf = ({ definition, parameters }: CompiledContract) => canonicalJson([definition, parameters]);
  if (keyOf(running.contract) === keyOf(contract)) return [replay, 'as it was'];
  const migration = migrate && compileMigration(running.contract, contract, migrate);
  if (migrate !== undefined) assertMapped(running.contract, contract, migrate, running.state.state);
  const to = migration?.states.get(running.state.state) ?? running.state.state;
  const isReset = !Object.hasOwn(contract.definition.states, to);
  const number = (history.entries[index - 1] ?? history.deployed).seq;
  const change = { tick: forkTick, number, isReset, heldAt: replay.heldAt, source: environment, migration };
  const state = redefineState(contract, running, change);
  const windows = windowBuilder(history, index, forkTick, environment.evaluate)(contract, state);
  const readings = carryOverReadings(running, contract) ?? createReadings(contract);
  return [replay.fork({ contract, state, windows, readings }), isReset ? 'begun anew' : 'carried over'];
}

function* replayAlternative(
  alternative: ContractReplay,
  first: number,
  { wakes, manualAttempts }: HistoryReplay,
  { history: { entries, deployed }, until, countStep }: HistoryReplayOptions,
): Generator<void, void> {
  const realWakes = new RealWakes(wakes);
  for (let index = first; index < entries.length; index++) {
    const entry = entries[index];
    if (entry === undefined) break;
    const { seq, tick } = entry;
    countStep();
    const isOverdue = tick > (alternative.ownEvents[0]?.tick ?? tick);
    if (beginsChange(entry) || isOverdue) deliverOwnEvents(alternative, seq - 1, countStep);
    yield* wakeUntil(alternative, realWakes, { index, seq, tick }, countStep);
    apply(alternative, entry, manualAttempts.has(index));
    yield;
  }
  const index = entries.length;
  const seq = (entries.at(-1) ?? deployed).seq + 1;
  deliverOwnEvents(alternative, seq - 1, countStep);
  yield* wakeUntil(alternative, realWakes, { index, seq, tick: until + 1 }, countStep);
}

/** Whether an entry begins a change of the machine; own events emitted before it have been delivered by then. */
const beginsChange = (entry: HistoryEntry) =>
  entry.kind === 'event' ? entry.origin === 'external' : !WITHIN_CHANGE.has(entry.kind);
const WITHIN_CHANGE: ReadonlySet<string> = new Set(['fired', 'refused', 'tokens', 'erased']);

function deliverOwnEvents(alternative: ContractReplay, number: number, countStep: () => void): void {
  while (alternative.ownEvents.length > 0) {
    countStep();
    alternative.deliverOwnEvent(number);
  }
}

function apply(alternative: ContractReplay, entry: HistoryEntry, isManual: boolean): void {
  switch (entry.kind) {
    case 'event': {
      if (entry.origin !== 'own') {
        if (!entry.isUndelivered) alternative.receive(entry);
        return;
      }
      // An own event that the alternative emitted as well is delivered when the real one was.
      const [next] = alternative.ownEvents;
      const isSame = next?.name === entry.name && canonicalJson(next.payload) === canonicalJson(entry.payload);
      if (isSame && entry.isUndelivered) alternative.ownEvents.shift();
      else if (isSame) alternative.deliverOwnEvent(entry.seq);
      return;
    }
    case 'reading':
      alternative.addReading(entry);
      return;
    case 'fired':
      if (entry.cause === 'manual') alternative.fireManually(entry.transition, entry.payload, entry);
      return;
    case 'refused':
      if (isManual) alternative.fireManually(entry.transition, entry.payload, entry);
      return;
    default:
      // The definition of the alternative is fixed: later versions of the real contract are ignored.
      alternative.applyChange(
        entry,
        () => undefined,
        () => alternative.running.windows,
      );
  }
}

/** The wakes of the real contract. */
class RealWakes {
  readonly #wakes: readonly Wake[];
  readonly #lastIndexByDue = new Map<number, number>();
  readonly #late: readonly { readonly due: number; readonly tick: number }[];
  /** Index of the next wake to be taken. */
  #next = 0;

  constructor(wakes: readonly Wake[]) {
    this.#wakes = wakes;
    for (const { due, index } of wakes) this.#lastIndexByDue.set(due, index);
    this.#late = wakes.flatMap(({ due, tick }) => (tick !== undefined && tick > due ? [{ due, tick }] : []));
  }

  /** Whether the real contract was woken for this due tick, at this entry or a later one. */
  has(due: number, index: number): boolean {
    return (this.#lastIndexByDue.get(due) ?? -1) >= index;
  }

  /** Takes the next wake up to this entry. */
  take(index: number): Wake | undefined {
    const wake = this.#wakes[this.#next];
    if (wake === undefined || wake.index > index) return undefined;
    this.#next++;
    return wake;
  }

  /** The tick of a wake that is due at `due`: as late as a wake of the real contract, if one was late then. */
  tickFor(due: number): number {
    return this.#late.find((wake) => wake.due <= due && due < wake.tick)?.tick ?? due;
  }
}

interface Position {
  readonly index: number;
  readonly seq: number;
  readonly tick: number;
}

/** Wakes the alternative whenever the real contract was woken before this entry, and for whatever is due only for it. */
function* wakeUntil(
  alternative: ContractReplay,
  realWakes: RealWakes,
  position: Position,
  countStep: () => void,
): Generator<void, void> {
  const { index, seq } = position;
  const wake = (now: number, number: number) => {
    deliverOwnEvents(alternative, seq - 1, countStep);
    alternative.wake(now, number);
  };
  yield* wakeForOwnTimers(alternative, realWakes, position, wake, countStep);
  for (let next = realWakes.take(index); next !== undefined; next = realWakes.take(index)) {
    if (next.index < index || next.tick === undefined) continue;
    countStep();
    wake(next.tick, seq);
    yield* wakeForOwnTimers(alternative, realWakes, position, wake, countStep);
  }
}

/** Wakes the alternative, in the tick in which it is due, for whatever is due only for it. */
function* wakeForOwnTimers(
  alternative: ContractReplay,
  realWakes: RealWakes,
  { index, seq, tick }: Position,
  wake: (now: number, number: number) => void,
  countStep: () => void,
): Generator<void, void> {
  for (;;) {
    const due = alternative.nextDue;
    if (due === undefined || due >= tick || realWakes.has(due, index)) return;
    const now = realWakes.tickFor(Math.max(due, alternative.tick));
    if (now >= tick) return;
    countStep();
    wake(now, seq - 1);
    yield;
    if (alternative.nextDue === due) return;
  }
}
