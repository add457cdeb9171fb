// Replays a contract from its deployment by the rows of its machine, and compares every transition with the recorded one:
// the same transitions in the same ticks, or the first row that differs.
//
// The chain records when a wake fired something, not when one fired nothing, and a busy node wakes late. A wake that would
// fire but left no row is therefore postponed to the row that it wrote, or to the next event, which runs whatever was due
// before it. All other wakes are replayed in the tick in which they were due.

import { canonicalJson } from '../core/canonical-json.ts';
import { DomainError } from '../core/errors.ts';
import type { CompiledContract } from './compiled.ts';
import { type BuildWindows, ContractReplay, type ReplayedFire } from './contract-replay.ts';
import type { CountedEvent, Environment } from './contract-state.ts';
import type { History, HistoryEntry, RecordedMigration } from './history.ts';
import { outcomeOfMigration } from './migration/apply.ts';
import type { Migration } from './migration/schema.ts';
import { readingAsEvent } from './oracle.ts';
import { addToWindows, createWindows } from './transition-function.ts';
import type { Evaluate } from './typed-expressions.ts';
import { windowsAcrossStates } from './windows/named-windows.ts';

/** A wake before entry `index` of the history: in tick `tick`, or undefined if the entry itself woke the contract. */
export interface Wake {
  readonly index: number;
  readonly due: number;
  readonly tick: number | undefined;
}

export interface Mismatch {
  readonly seq: number;
  readonly recorded: string;
  readonly replayed: string;
}

export interface HistoryReplay {
  readonly wakes: readonly Wake[];
  /** Indexes of refusals caused by manual fires. */
  readonly manualAttempts: ReadonlySet<number>;
  /** Undefined if every row was reproduced. */
  readonly mismatch: Mismatch | undefined;
  /** The contract before the first tick of the alternative; undefined if the replay did not reach it. */
  readonly fork: { readonly index: number; readonly replay: ContractReplay } | undefined;
}

export interface HistoryReplayOptions {
  readonly history: History;
  readonly contractId: string;
  /** The compiled contract of a version; undefined for an unknown version. */
  readonly contractOf: (no: number) => CompiledContract | undefined;
  readonly environment: Omit<Environment, 'balance'>;
  readonly maxHops: number;
  /** The first tick of the alternative. */
  readonly forkTick: number;
  /** What becomes of the state if the alternative takes it over. */
  readonly migrate?: Migration | undefined;
  /** The tick at which the replay ends. */
  readonly until: number;
  /** Called for each wake and each history entry; what it throws ends the replay. */
  readonly countStep: () => void;
}

/** Yields regularly, so that the caller can release the event loop. */
export function* replayHistory(options: HistoryReplayOptions): Generator<void, HistoryReplay> {
  const { history, contractId, contractOf, environment, maxHops, forkTick, until, countStep } = options;
  const { entries, initialMachineState: machineState, deployed } = history;
  const { version = 1 } = deployed;
  const first = contractOf(version);
  if (first === undefined) throw new Error(`Version ${version} of the contract is missing.`);
  const replay = ContractReplay.start(first, deployed, { contractId, environment, machineState, maxHops });
  const comparison = new RowComparison(replay);
  const wakes: Wake[] = [];
  let fork: HistoryReplay['fork'];
  const result = (mismatch: Mismatch | undefined): HistoryReplay => {
    return { wakes, manualAttempts: comparison.manualAttempts, mismatch, fork };
  };
  for (const [index, entry] of entries.entries()) {
    const position = { index, seq: entry.seq, nextRow: nextWakeRow(entries, index) };
    if (fork === undefined && entry.tick >= forkTick) {
      yield* replayWakes(replay, { ...position, tick: forkTick - 1 }, wakes, countStep);
      fork = { index, replay: replay.copy() };
    }
    yield* replayWakes(replay, { ...position, tick: entry.tick }, wakes, countStep);
    countStep();
    yield* inferLateWake(replay, history, index, wakes, countStep);
    const due = replay.nextDue;
    if (comparison.isWrittenByWake(entry) && due !== undefined) wakes.push({ index, due, tick: entry.tick });
    const buildWindows = windowBuilder(history, index, entry.tick, environment.evaluate);
    const mismatch = comparison.apply(entry, index, () => replay.applyChange(entry, contractOf, buildWindows));
    if (mismatch) return result(mismatch);
    yield;
  }
  const end = { index: entries.length, seq: (entries.at(-1) ?? deployed).seq + 1, nextRow: undefined };
  if (fork === undefined) {
    yield* replayWakes(replay, { ...end, tick: forkTick - 1 }, wakes, countStep);
    fork = { index: entries.length, replay: replay.copy() };
  }
  yield* replayWakes(replay, { ...end, tick: until }, wakes, countStep);
  return result(comparison.unrecordedFire(end.seq));
}

interface Position {
  readonly index: number;
  readonly seq: number;
  readonly tick: number;
  /** The next row of the same tick that a wake wrote. */
  readonly nextRow: HistoryEntry | undefined;
}

/** Replays the wakes that were due up to the end of a tick and fired nothing. */
function* replayWakes(
  replay: ContractReplay,
  { index, seq, tick, nextRow }: Position,
  wakes: Wake[],
  countStep: () => void,
): Generator<void, void> {
  for (;;) {
    const due = replay.nextDue;
    if (due === undefined || due > tick) return;
    // In a tick in which a wake wrote a row, that wake ran everything that was due.
    if (due >= tick && nextRow?.tick === tick) return;
    countStep();
    const now = Math.max(due, replay.tick);
    const { running, steps } = replay.tryWake(now, seq - 1);
    const writesRow = steps.some(
      ({ result: { fired, refused } }) => fired !== undefined || refused.some(({ code }) => code === 'ACTION_FAILED'),
    );
    wakes.push({ index, due, tick: writesRow ? undefined : now });
    if (writesRow) return;
    replay.running = running;
    replay.tick = now;
    yield;
    if (replay.nextDue === due) return;
  }
}

/**
 * Infers a late wake that dropped occurrences, fired nothing and left no row. It is assumed only if the next row cannot be
 * reproduced without it, in the first tick that reproduces the row.
 */
function* inferLateWake(
  replay: ContractReplay,
  { entries }: History,
  index: number,
  wakes: Wake[],
  countStep: () => void,
): Generator<void, void> {
  const next = entries[index];
  const due = replay.nextDue;
  if (next === undefined || due === undefined || !causesWake(replay, next)) return;
  // An event runs what was due before its tick; a row of a timer was written by a wake in its own tick.
  const isEvent = next.kind !== 'fired';
  const wakeTick = isEvent ? next.tick - 1 : next.tick;
  const last = isEvent ? next.tick : next.tick - 1;
  if (due > wakeTick) return;
  const expected = isEvent ? transitionBeforeEvent(entries, index) : next.transition;
  const reproducesRow = ({ running }: Pick<ContractReplay, 'running'>) =>
    replay.firstFire(running, wakeTick, next.seq)?.transition === expected;
  if (reproducesRow(replay)) return;
  for (let now = due + 1; now <= last && now - due <= MAX_LATENESS_TICKS; now++) {
    countStep();
    const attempt = replay.tryWake(now, next.seq - 1);
    if (attempt.steps.every(({ result }) => result.fired === undefined) && reproducesRow(attempt)) {
      replay.running = attempt.running;
      replay.tick = Math.max(replay.tick, now);
      wakes.push({ index, due, tick: now });
      return;
    }
    yield;
  }
}

/** Whether the entry ran whatever was due. */
function causesWake(replay: ContractReplay, entry: HistoryEntry): boolean {
  if (entry.kind === 'fired') return isTimed(entry);
  return entry.kind === 'event' && entry.origin !== 'own' && replay.listensTo(entry.name);
}

/** The transition that was due when an event arrived and fired before the event was applied, if any. */
function transitionBeforeEvent(entries: readonly HistoryEntry[], index: number): string | undefined {
  for (const entry of entries.slice(index + 1, index + 1 + MAX_ROWS_AHEAD)) {
    if (entry.kind === 'fired') return isTimed(entry) ? entry.transition : undefined;
    if (entry.kind === 'event' && entry.origin === 'external') return undefined;
  }
  return undefined;
}

/** Rows of other contracts that may lie between an event and the transitions that it caused in this one. */
const MAX_ROWS_AHEAD = 50;

/** Range in which a late wake is searched for. */
const MAX_LATENESS_TICKS = 1_000;

/** Applies the rows of a contract to its replay, and compares the recorded fires with those of the replay. */
class RowComparison {
  readonly manualAttempts = new Set<number>();
  readonly #replay: ContractReplay;
  #fires = 0;
  #failures = 0;

  constructor(replay: ContractReplay) {
    this.#replay = replay;
  }

  /** The row was written by a wake, not by an event or a manual fire. */
  isWrittenByWake(entry: HistoryEntry): boolean {
    if (entry.kind === 'fired') return isTimed(entry) && !this.#hasUnrecordedFire;
    return entry.kind === 'refused' && !this.#hasFailed && (this.#replay.nextDue ?? Infinity) <= entry.tick;
  }

  /** @param applyChange  applies an entry of any other kind to the replay */
  apply(entry: HistoryEntry, index: number, applyChange: () => void): Mismatch | undefined {
    const replay = this.#replay;
    const { seq, tick } = entry;
    switch (entry.kind) {
      case 'event':
        if (entry.origin === 'own') return this.#deliverOwnEvent(entry);
        if (entry.origin === 'external' && this.#hasUnrecordedFire) return this.unrecordedFire(seq);
        if (entry.fault !== undefined) {
          const recorded = `${entry.name}, the result of an activity`;
          return { seq, recorded, replayed: `an event that ${entry.fault}` };
        }
        if (!entry.isUndelivered) replay.receive(entry);
        return undefined;
      case 'reading':
        if (this.#hasUnrecordedFire) return this.unrecordedFire(seq);
        replay.addReading(entry);
        return undefined;
      case 'fired':
        if (this.#hasUnrecordedFire) return this.#compare(entry);
        if (isTimed(entry)) replay.wake(tick, seq);
        else if (entry.cause === 'manual') replay.fireManually(entry.transition, entry.payload, entry);
        return this.#compare(entry);
      case 'refused': {
        if (!this.#hasFailed && this.isWrittenByWake(entry)) replay.wake(tick, seq);
        if (!this.#hasFailed) {
          this.manualAttempts.add(index);
          replay.fireManually(entry.transition, entry.payload, entry);
        }
        if (!this.#hasFailed) {
          return { seq, recorded: `a failed action of ${entry.transition}`, replayed: 'none' };
        }
        this.#failures++;
        return undefined;
      }
      case 'tokens':
      case 'erased':
        applyChange();
        return undefined;
      case 'version':
        if (this.#hasUnrecordedFire) return this.unrecordedFire(seq);
        if (entry.migrated !== undefined) return this.#migrate(seq, entry.migrated, applyChange);
        applyChange();
        return undefined;
      default:
        if (this.#hasUnrecordedFire) return this.unrecordedFire(seq);
        applyChange();
        return undefined;
    }
  }

  /** Decides a migration again, and compares what it makes of the contract with its row. */
  #migrate(seq: number, recorded: RecordedMigration, applyChange: () => void): Mismatch | undefined {
    try {
      applyChange();
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return { seq, recorded: `a migration to ${recorded.to}`, replayed: error.message };
    }
    const replayed = outcomeOfMigration(this.#replay.running.state);
    const described = ({ to, contextHash, collections }: Omit<RecordedMigration, 'given'>) =>
      `a migration to ${to} with context ${contextHash} and collections ${collections ?? 'none'}`;
    const [was, is] = [described(recorded), described(replayed)];
    return was === is ? undefined : { seq, recorded: was, replayed: is };
  }

  /** A fire of the replay that no row records. */
  unrecordedFire(seq: number): Mismatch | undefined {
    const fire = this.#replay.fires[this.#fires];
    return fire && { seq, recorded: 'no transition', replayed: describeFire(fire) };
  }

  get #hasUnrecordedFire(): boolean {
    return this.#replay.fires.length > this.#fires;
  }

  get #hasFailed(): boolean {
    return this.#replay.refused.filter(({ code }) => code === 'ACTION_FAILED').length > this.#failures;
  }

  #deliverOwnEvent({ seq, name, isUndelivered }: Extract<HistoryEntry, { kind: 'event' }>): Mismatch | undefined {
    const replay = this.#replay;
    if (!replay.listensTo(name)) return undefined;
    const [next] = replay.ownEvents;
    if (next?.name !== name)
      return { seq, recorded: `${name} emitted`, replayed: next ? next.name : 'nothing emitted' };
    if (isUndelivered) replay.ownEvents.shift();
    else replay.deliverOwnEvent(seq);
    return undefined;
  }

  #compare(row: Extract<HistoryEntry, { kind: 'fired' }>): Mismatch | undefined {
    const fire = this.#replay.fires[this.#fires];
    this.#fires++;
    if (fire !== undefined && describeFire(fire) === describeFire(row)) {
      const { collectionsHash, sends, calls } = fire.fired;
      for (const [what, was, is] of [
        ['events to machines', row.sends, sends],
        ['activities', row.calls, calls],
      ] as const) {
        const [recorded, replayed] = [was, is].map(
          (all) => `${what}: ${all === undefined ? 'none' : canonicalJson(all)}`,
        );
        if (recorded !== replayed) return { seq: row.seq, recorded: recorded ?? '', replayed: replayed ?? '' };
      }
      if (collectionsHash === row.collections) return undefined;
      const [recorded, replayed] = [row.collections, collectionsHash].map(
        (hash) => `collections ${hash ?? 'unchanged'}`,
      );
      return { seq: row.seq, recorded: recorded ?? '', replayed: replayed ?? '' };
    }
    return { seq: row.seq, recorded: describeFire(row), replayed: fire ? describeFire(fire) : 'no transition' };
  }
}

/** Describes a fire; equal descriptions mean equal fires. */
export function describeFire({ transition, from, to, cause, due, tick }: Omit<ReplayedFire, 'fired'>): string {
  return `${transition} from ${from} to ${to} by ${cause}${due === undefined ? '' : ` due ${due}`} in tick ${tick}`;
}

const isTimed = ({ cause }: { readonly cause: string }) => cause === 'timer' || cause === 'expiry';

/** The first row of the same tick, from this index on, that a wake may have written. */
function nextWakeRow(entries: readonly HistoryEntry[], index: number): HistoryEntry | undefined {
  const tick = entries[index]?.tick;
  for (let next = index; entries[next]?.tick === tick; next++) {
    const entry = entries[next];
    if (entry?.kind === 'refused' || (entry?.kind === 'fired' && isTimed(entry))) return entry;
  }
  return undefined;
}

/** The event of an entry as the windows of a contract count it; undefined if they do not. */
function countedEvent(entry: HistoryEntry, { oracle }: CompiledContract): CountedEvent | undefined {
  const { tick, seq: number } = entry;
  if (entry.kind === 'event') {
    const { name, payload, actor, origin, isUndelivered, sentBy } = entry;
    if (origin === 'own' || isUndelivered) return undefined;
    return { name, payload, actor, tick, number, isExternal: origin === 'external', ...sentBy };
  }
  const event = oracle && entry.kind === 'reading' ? readingAsEvent(oracle, entry.reading) : undefined;
  return event && { ...event, tick, number, actor: entry.kind === 'reading' ? entry.reading.actor : undefined };
}

/** Builds the windows of a contract from the history before this index. */
export function windowBuilder({ entries }: History, index: number, tick: number, evaluate: Evaluate): BuildWindows {
  return (contract, state) => {
    const windows = createWindows(contract);
    const acrossStates = windowsAcrossStates(contract, windows);
    for (const entry of entries.slice(0, index)) {
      const event = countedEvent(entry, contract);
      const counting = entry.seq > state.enteredAt ? windows : acrossStates;
      if (event) addToWindows({ contract, state, windows: counting }, event, evaluate);
    }
    for (const window of windows.values()) window.expire(tick);
    return windows;
  };
}
