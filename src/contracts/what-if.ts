// What would have become of a contract under another definition: the events that its machine really had, from a tick on,
// and the first transition that comes out otherwise.
//
// The contract is first retraced as it was, which says where it stood and how late it was looked at; the alternative then
// goes on from there and is looked at in the same moments, and in the tick of whatever falls due to it alone. What other
// contracts emitted, people did and machines said stays what it was: they do not learn of the alternative.

import { canonicalJson } from '../core/canonical-json.ts';
import { redefined } from './acts.ts';
import type { CompiledContract } from './compiled.ts';
import type { Happening } from './history.ts';
import { carriedReadings, emptyReadings } from './progress.ts';
import { Replayed, type Standing, standingOf } from './replayed.ts';
import { type Look, type Mismatch, type Retraced, type RetraceOptions, retrace, told, windowsAt } from './retrace.ts';

export type Beginning = 'deployed' | 'as it was' | 'carried over' | 'begun anew';

type FiredRow = Extract<Happening, { kind: 'fired' }>;

export interface WhatIf {
  /** How the alternative came into the state in which it began. */
  readonly beginning: Beginning;
  /** As it began. */
  readonly before: Standing;
  readonly real: readonly FiredRow[];
  readonly would: Replayed;
  /** The place of the first fire that differs in the two lists; undefined where none does. */
  readonly divergence: number | undefined;
  /** The first row that the replay of what really ran does not reproduce. */
  readonly mismatch: Mismatch | undefined;
  readonly erased: number;
}

/** Undefined where the contract could not be retraced as far as the tick at which the alternative begins. */
export function* whatIf(options: RetraceOptions, contract: CompiledContract): Generator<void, WhatIf | undefined> {
  const { history, forkAt, world, hops } = options;
  const { happenings, deployed, before } = history;
  const retraced = yield* retrace(options);
  const { fork } = retraced;
  if (fork === undefined) return undefined;
  const isWhole = forkAt <= deployed.tick;
  const [would, beginning] = isWhole
    ? [Replayed.begun(contract, deployed, { world, before, hops }), 'deployed' as const]
    : changed(fork.replayed, contract, options, fork.at);
  const at = isWhole ? 0 : fork.at;
  const start = standingOf(would);
  yield* goOn(would, at, retraced, options);
  const real = happenings.slice(at).filter((one): one is FiredRow => one.kind === 'fired');
  const lists = [real, would.fires];
  const longest = Math.max(...lists.map(({ length }) => length));
  let divergence: number | undefined;
  for (let i = 0; i < longest && divergence === undefined; i++) {
    const [was, is] = [real[i], would.fires[i]];
    if (was === undefined || is === undefined || told(was) !== told(is)) divergence = i;
  }
  const erased = happenings.filter(({ kind }) => kind === 'erased').length;
  return { beginning, before: start, real, would, divergence, mismatch: retraced.mismatch, erased };
}

function changed(
  before: Replayed,
  contract: CompiledContract,
  { history, forkAt, world }: RetraceOptions,
  at: number,
): [Replayed, Beginning] {
  const { running } = before;
  const said = ({ definition, parameters }: CompiledContract) => canonicalJson([definition, parameters]);
  if (said(running.contract) === said(contract)) return [before, 'as it was'];
  const isReset = !Object.hasOwn(contract.definition.states, running.state.state);
  const number = (history.happenings[at - 1] ?? history.deployed).seq;
  const state = redefined(contract, running.state, { tick: forkAt, number, isReset, heldAt: before.heldAt });
  const windows = windowsAt(history, at, forkAt, world.evaluate)(contract, state);
  const readings = carriedReadings(running, contract) ?? emptyReadings(contract);
  return [before.fork({ contract, state, windows, readings }), isReset ? 'begun anew' : 'carried over'];
}

function* goOn(
  would: Replayed,
  first: number,
  { looks, byHand }: Retraced,
  { history: { happenings, deployed }, until, spend }: RetraceOptions,
): Generator<void, void> {
  const ahead = new Looks(looks);
  for (let at = first; at < happenings.length; at++) {
    const happening = happenings[at];
    if (happening === undefined) break;
    const { seq, tick } = happening;
    spend();
    if (isBoundary(happening) || tick > (would.own[0]?.tick ?? tick)) hearOwn(would, seq - 1, spend);
    yield* look(would, ahead, { at, seq, tick }, spend);
    apply(would, happening, byHand.has(at));
    yield;
  }
  const at = happenings.length;
  const seq = (happenings.at(-1) ?? deployed).seq + 1;
  hearOwn(would, seq - 1, spend);
  yield* look(would, ahead, { at, seq, tick: until + 1 }, spend);
}

/** Whatever it emitted before this must have been heard by itself. */
const isBoundary = (happening: Happening) =>
  happening.kind === 'event' ? happening.origin === 'outside' : !SAME_CHANGE.has(happening.kind);
const SAME_CHANGE: ReadonlySet<string> = new Set(['fired', 'refused', 'tokens', 'erased']);

function hearOwn(would: Replayed, number: number, spend: () => void): void {
  while (would.own.length > 0) {
    spend();
    would.hearOwn(number);
  }
}

function apply(would: Replayed, happening: Happening, isByHand: boolean): void {
  switch (happening.kind) {
    case 'event': {
      if (happening.origin !== 'own') {
        if (!happening.isLost) would.hear(happening);
        return;
      }
      // Its own event, if the alternative emitted the same one, is heard when it was heard.
      const [next] = would.own;
      const isSame = next?.name === happening.name && canonicalJson(next.payload) === canonicalJson(happening.payload);
      if (isSame && happening.isLost) would.own.shift();
      else if (isSame) would.hearOwn(happening.seq);
      return;
    }
    case 'reading':
      would.read(happening);
      return;
    case 'fired':
      if (happening.cause === 'manual') would.fireByHand(happening.transition, happening.payload, happening);
      return;
    case 'refused':
      if (isByHand) would.fireByHand(happening.transition, happening.payload, happening);
      return;
    default:
      // The alternative is held fast: versions that came later are none of its own.
      would.act(
        happening,
        () => undefined,
        () => would.running.windows,
      );
  }
}

/** When the real contract was looked at. */
class Looks {
  readonly #looks: readonly Look[];
  readonly #lastByDue = new Map<number, number>();
  readonly #late: readonly { readonly due: number; readonly now: number }[];
  /** Looks before this one were made or have passed. */
  #next = 0;

  constructor(looks: readonly Look[]) {
    this.#looks = looks;
    for (const { due, at } of looks) this.#lastByDue.set(due, at);
    this.#late = looks.flatMap(({ due, now }) => (now !== undefined && now > due ? [{ due, now }] : []));
  }

  /** The real contract was looked at for this time, now or later. */
  has(due: number, at: number): boolean {
    return (this.#lastByDue.get(due) ?? -1) >= at;
  }

  /** The next look before this happening. */
  take(at: number): Look | undefined {
    const look = this.#looks[this.#next];
    if (look === undefined || look.at > at) return undefined;
    this.#next++;
    return look;
  }

  /** When somebody looked who looks for this tick: later, where the real contract was looked at too late. */
  lookFor(tick: number): number {
    return this.#late.find(({ due, now }) => due <= tick && tick < now)?.now ?? tick;
  }
}

function* look(
  would: Replayed,
  ahead: Looks,
  { at, seq, tick }: { readonly at: number; readonly seq: number; readonly tick: number },
  spend: () => void,
): Generator<void, void> {
  const wake = (now: number, number: number) => {
    hearOwn(would, seq - 1, spend);
    would.wake(now, number);
  };
  yield* aloneUntil(would, ahead, { at, seq, tick }, wake, spend);
  for (let next = ahead.take(at); next !== undefined; next = ahead.take(at)) {
    if (next.at < at || next.now === undefined) continue;
    spend();
    wake(next.now, seq);
    yield* aloneUntil(would, ahead, { at, seq, tick }, wake, spend);
  }
}

/** What falls due to the alternative alone before a tick: looked at in its own time. */
function* aloneUntil(
  would: Replayed,
  ahead: Looks,
  { at, seq, tick }: { readonly at: number; readonly seq: number; readonly tick: number },
  wake: (now: number, number: number) => void,
  spend: () => void,
): Generator<void, void> {
  for (;;) {
    const due = would.nextDue;
    if (due === undefined || due >= tick || ahead.has(due, at)) return;
    const now = ahead.lookFor(Math.max(due, would.tick));
    if (now >= tick) return;
    spend();
    wake(now, seq - 1);
    yield;
    if (would.nextDue === due) return;
  }
}
