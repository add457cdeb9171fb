// What a contract went through, retraced from its deployment by its rows, and held against them: the same transitions in
// the same ticks, or the first row that differs.
//
// The chain says when a wake fired something, not when one fired nothing, and a busy node wakes late. A wake that would
// fire and left no row was therefore not made yet: it is put off until the row that it wrote, or the next event, which
// settles what was due before it. All other wakes are made in the tick in which they were due.

import type { CompiledContract } from './compiled.ts';
import type { Happening, History } from './history.ts';
import { heardAs } from './oracle.ts';
import { emptyWindows, observe } from './react.ts';
import type { World } from './reaction.ts';
import { Replayed, type ReplayedFire, type WindowsOf } from './replayed.ts';
import type { Evaluate } from './typed.ts';

/** A look at the contract before happening `at`: in tick `now`, or by the event itself where that is undefined. */
export interface Look {
  readonly at: number;
  readonly due: number;
  readonly now: number | undefined;
}

export interface Mismatch {
  readonly seq: number;
  readonly recorded: string;
  readonly replayed: string;
}

export interface Retraced {
  readonly looks: readonly Look[];
  /** Places of refusals that came of attempts by hand. */
  readonly byHand: ReadonlySet<number>;
  /** Undefined where everything agreed. */
  readonly mismatch: Mismatch | undefined;
  /** The contract as it was before the first tick of the alternative; undefined if the replay did not come so far. */
  readonly fork: { readonly at: number; readonly replayed: Replayed } | undefined;
  readonly end: Replayed;
}

export interface RetraceOptions {
  readonly history: History;
  /** The contract of a version; undefined if there is none. */
  readonly contractOf: (no: number) => CompiledContract | undefined;
  readonly world: Omit<World, 'balance'>;
  readonly hops: number;
  /** The first tick of the alternative. */
  readonly forkAt: number;
  /** The tick up to which things have happened. */
  readonly until: number;
  /** Called for each look and each happening; what it throws ends the replay. */
  readonly spend: () => void;
}

/** Yields now and then, so that the caller can let others have a turn. */
export function* retrace(options: RetraceOptions): Generator<void, Retraced> {
  const { history, contractOf, world, hops, forkAt, until, spend } = options;
  const first = contractOf(1);
  if (first === undefined) throw new Error('A contract without its first version.');
  const { happenings, before, deployed } = history;
  const replayed = Replayed.begun(first, deployed, { world, before, hops });
  const record = new Record(replayed);
  const looks: Look[] = [];
  let fork: Retraced['fork'];
  const answer = (mismatch: Mismatch | undefined): Retraced => {
    return { looks, byHand: record.byHand, mismatch, fork, end: replayed };
  };
  for (const [at, happening] of happenings.entries()) {
    const place = { at, seq: happening.seq, ahead: timedAfter(happenings, at) };
    if (fork === undefined && happening.tick >= forkAt) {
      yield* settle(replayed, { ...place, tick: forkAt - 1 }, looks, spend);
      fork = { at, replayed: replayed.copy() };
    }
    yield* settle(replayed, { ...place, tick: happening.tick }, looks, spend);
    spend();
    yield* lookUnseen(replayed, history, at, looks, spend);
    const due = replayed.nextDue;
    if (record.isLook(happening) && due !== undefined) looks.push({ at, due, now: happening.tick });
    const windowsOf = windowsAt(history, at, happening.tick, world.evaluate);
    const mismatch = record.apply(happening, at, () => replayed.act(happening, contractOf, windowsOf));
    if (mismatch) return answer(mismatch);
    yield;
  }
  const place = { at: happenings.length, seq: (happenings.at(-1) ?? deployed).seq + 1, ahead: undefined };
  if (fork === undefined) {
    yield* settle(replayed, { ...place, tick: forkAt - 1 }, looks, spend);
    fork = { at: happenings.length, replayed: replayed.copy() };
  }
  yield* settle(replayed, { ...place, tick: until }, looks, spend);
  return answer(record.leftOver(place.seq));
}

interface Place {
  readonly at: number;
  readonly seq: number;
  readonly tick: number;
  /** The next row that a wake wrote. */
  readonly ahead: Happening | undefined;
}

/** Makes the looks that were due up to the end of a tick and fired nothing. */
function* settle(
  replayed: Replayed,
  { at, seq, tick, ahead }: Place,
  looks: Look[],
  spend: () => void,
): Generator<void, void> {
  for (;;) {
    const due = replayed.nextDue;
    if (due === undefined || due > tick) return;
    // In the tick of a look that wrote a row, what is due now was looked at then.
    if (due >= tick && ahead?.tick === tick) return;
    spend();
    const now = Math.max(due, replayed.tick);
    const { running, steps } = replayed.tryWake(now, seq - 1);
    const leavesRow = steps.some(
      ({ reaction: { fired, refused } }) => fired !== undefined || refused.some(({ code }) => code === 'ACTION_FAILED'),
    );
    looks.push({ at, due, now: leavesRow ? undefined : now });
    if (leavesRow) return;
    replayed.running = running;
    replayed.tick = now;
    yield;
    if (replayed.nextDue === due) return;
  }
}

/**
 * A look that came late may have given up occurrences and fired nothing. Where what follows cannot follow otherwise, there
 * was one: in the first tick that explains it.
 */
function* lookUnseen(
  replayed: Replayed,
  { happenings }: History,
  at: number,
  looks: Look[],
  spend: () => void,
): Generator<void, void> {
  const next = happenings[at];
  const due = replayed.nextDue;
  if (next === undefined || due === undefined || !isWaking(replayed, next)) return;
  // An event settles what was due before its tick; a row was written by a look of its own tick.
  const isEvent = next.kind !== 'fired';
  const settled = isEvent ? next.tick - 1 : next.tick;
  const last = isEvent ? next.tick : next.tick - 1;
  if (due > settled) return;
  const expected = isEvent ? ownRowAfter(happenings, at) : next.transition;
  const explains = ({ running }: Pick<Replayed, 'running'>) =>
    replayed.wouldFire(running, settled, next.seq)?.transition === expected;
  if (explains(replayed)) return;
  for (let now = due + 1; now <= last && now - due <= MOST_LATE; now++) {
    spend();
    const tried = replayed.tryWake(now, next.seq - 1);
    if (tried.steps.every(({ reaction }) => reaction.fired === undefined) && explains(tried)) {
      replayed.running = tried.running;
      replayed.tick = Math.max(replayed.tick, now);
      looks.push({ at, due, now });
      return;
    }
    yield;
  }
}

/** It looks at what is due. */
function isWaking(replayed: Replayed, happening: Happening): boolean {
  if (happening.kind === 'fired') return isTimed(happening);
  return happening.kind === 'event' && happening.origin !== 'own' && replayed.hears(happening.name);
}

/** The transition that an event found due and fired before it was heard, if it did. */
function ownRowAfter(happenings: readonly Happening[], at: number): string | undefined {
  for (const happening of happenings.slice(at + 1, at + 1 + ROWS_AFTER)) {
    if (happening.kind === 'fired') return isTimed(happening) ? happening.transition : undefined;
    if (happening.kind === 'event' && happening.origin === 'outside') return undefined;
  }
  return undefined;
}

/** Rows of other contracts that may stand between an event and what it set off here. */
const ROWS_AFTER = 50;

/** Ticks in which such a look is searched for. */
const MOST_LATE = 1_000;

/** The rows of a contract, held against what its replay does. */
class Record {
  readonly byHand = new Set<number>();
  readonly #replayed: Replayed;
  #fires = 0;
  #failures = 0;

  constructor(replayed: Replayed) {
    this.#replayed = replayed;
  }

  /** The row was written by a look of its own, not by an event or by hand. */
  isLook(happening: Happening): boolean {
    if (happening.kind === 'fired') return isTimed(happening) && !this.#isAhead;
    return happening.kind === 'refused' && !this.#hasFailed && (this.#replayed.nextDue ?? Infinity) <= happening.tick;
  }

  apply(happening: Happening, at: number, act: () => void): Mismatch | undefined {
    const replayed = this.#replayed;
    const { seq, tick } = happening;
    switch (happening.kind) {
      case 'event':
        if (happening.origin === 'own') return this.#hearOwn(happening);
        if (happening.origin === 'outside' && this.#isAhead) return this.leftOver(seq);
        if (!happening.isLost) replayed.hear(happening);
        return undefined;
      case 'reading':
        if (this.#isAhead) return this.leftOver(seq);
        replayed.read(happening);
        return undefined;
      case 'fired':
        if (this.#isAhead) return this.#compare(happening);
        if (isTimed(happening)) replayed.wake(tick, seq);
        else if (happening.cause === 'manual') {
          replayed.fireByHand(happening.transition, happening.payload, happening);
        }
        return this.#compare(happening);
      case 'refused': {
        if (!this.#hasFailed && this.isLook(happening)) replayed.wake(tick, seq);
        if (!this.#hasFailed) {
          this.byHand.add(at);
          replayed.fireByHand(happening.transition, happening.payload, happening);
        }
        if (!this.#hasFailed) {
          return { seq, recorded: `a failed action of ${happening.transition}`, replayed: 'none' };
        }
        this.#failures++;
        return undefined;
      }
      case 'tokens':
      case 'erased':
        act();
        return undefined;
      default:
        if (this.#isAhead) return this.leftOver(seq);
        act();
        return undefined;
    }
  }

  /** A fire that the rows do not know. */
  leftOver(seq: number): Mismatch | undefined {
    const fire = this.#replayed.fires[this.#fires];
    return fire && { seq, recorded: 'no transition', replayed: told(fire) };
  }

  get #isAhead(): boolean {
    return this.#replayed.fires.length > this.#fires;
  }

  get #hasFailed(): boolean {
    return this.#replayed.refused.filter(({ code }) => code === 'ACTION_FAILED').length > this.#failures;
  }

  #hearOwn({ seq, name, isLost }: Extract<Happening, { kind: 'event' }>): Mismatch | undefined {
    const replayed = this.#replayed;
    if (!replayed.hears(name)) return undefined;
    const [next] = replayed.own;
    if (next?.name !== name)
      return { seq, recorded: `${name} emitted`, replayed: next ? next.name : 'nothing emitted' };
    if (isLost) replayed.own.shift();
    else replayed.hearOwn(seq);
    return undefined;
  }

  #compare(row: Extract<Happening, { kind: 'fired' }>): Mismatch | undefined {
    const fire = this.#replayed.fires[this.#fires];
    this.#fires++;
    if (fire !== undefined && told(fire) === told(row)) return undefined;
    return { seq: row.seq, recorded: told(row), replayed: fire ? told(fire) : 'no transition' };
  }
}

/** A fire in words; two that say the same are the same. */
export function told({ transition, from, to, cause, due, tick }: Omit<ReplayedFire, 'fired'>): string {
  return `${transition} from ${from} to ${to} by ${cause}${due === undefined ? '' : ` due ${due}`} in tick ${tick}`;
}

const isTimed = ({ cause }: { readonly cause: string }) => cause === 'timer' || cause === 'expiry';

/** The next row that a look may have written, at this place or later. */
function timedAfter(happenings: readonly Happening[], at: number): Happening | undefined {
  const tick = happenings[at]?.tick;
  for (let next = at; happenings[next]?.tick === tick; next++) {
    const happening = happenings[next];
    if (happening?.kind === 'refused' || (happening?.kind === 'fired' && isTimed(happening))) return happening;
  }
  return undefined;
}

function heardIn(happening: Happening, { oracle }: CompiledContract) {
  if (happening.kind === 'event') return happening.origin === 'own' || happening.isLost ? undefined : happening;
  const heard = oracle && happening.kind === 'reading' ? heardAs(oracle, happening.reading) : undefined;
  return heard && { ...heard, tick: happening.tick };
}

/** Windows of a contract that begins to count at this place, as the events before it leave them. */
export function windowsAt({ happenings }: History, at: number, tick: number, evaluate: Evaluate): WindowsOf {
  return (contract, state) => {
    const windows = emptyWindows(contract);
    const lasting = new Map(
      contract.transitions.flatMap(({ id, trigger }) => {
        const window = windows.get(id);
        return window && trigger.kind === 'on_aggregate' && trigger.since === 'window' ? [[id, window]] : [];
      }),
    );
    for (const happening of happenings.slice(0, at)) {
      const heard = heardIn(happening, contract);
      if (heard) observe(contract, happening.seq > state.enteredAt ? windows : lasting, heard, evaluate);
    }
    for (const window of windows.values()) window.expire(tick);
    return windows;
  };
}
