// Sets the timers of a state: when each of them is due first.

import type { CompiledContract, CompiledTransition } from '../compiled.ts';
import type { ContractState, Timer } from '../contract-state.ts';
import type { Entries } from '../data/collections.ts';
import type { Scalar } from '../definition.ts';
import { readStanding } from '../parties/ballot.ts';
import { anchorsOf, firstDue, isTimer } from '../schedule.ts';
import type { Evaluate } from '../typed-expressions.ts';
import { readClock } from './clocks.ts';
import { type DeadlineReader, dueOf } from './deadline.ts';
import { boundsOf } from './schedule.ts';

/** What deadlines read of a contract, and who is told of it. */
export interface DeadlineSource {
  readonly evaluate: Evaluate;
  /** Told of every name that a deadline reads. */
  onRead?(name: string): void;
}

/** For contracts whose deadlines have no expressions. */
export const NO_EXPRESSIONS: DeadlineSource = {
  evaluate: () => {
    throw new Error('A deadline with an expression needs an evaluator.');
  },
};

/**
 * The timers of a state, counted from its entry.
 *
 * @throws DomainError VALIDATION_FAILED if a deadline has no value or has passed
 */
export function armTimers(
  contract: CompiledContract,
  state: ContractState,
  now: number,
  source: DeadlineSource = NO_EXPRESSIONS,
): Timer[] {
  return contract.transitions.flatMap((transition) =>
    transition.from.has(state.state) ? (armTimer(contract, state, transition, now, source) ?? []) : [],
  );
}

/**
 * The timer of a transition, set at tick `now`; undefined for other triggers, and if it never fires.
 *
 * @param soonest  the first tick at which a one-shot may be due
 */
export function armTimer(
  contract: CompiledContract,
  state: ContractState,
  { id, trigger }: CompiledTransition,
  now: number,
  source: DeadlineSource,
  soonest = now,
): Timer | undefined {
  if (!isTimer(trigger)) return undefined;
  const anchors = anchorsOf(state);
  if (trigger.kind === 'deadline') {
    const due = dueOf(trigger, anchors, { now, soonest }, readerOf(contract, state, now, source));
    return { transition: id, due, retries: 0 };
  }
  if (trigger.kind === 'schedule') {
    const bounds = boundsOf(trigger, anchors, readerOf(contract, state, now, source));
    const due = firstDue(trigger, { ...anchors, bounds }, now);
    return due === undefined ? undefined : { transition: id, due, retries: 0, bounds };
  }
  const due = firstDue(trigger, anchors, trigger.kind === 'one_shot' ? soonest : now);
  return due === undefined ? undefined : { transition: id, due, retries: 0 };
}

function readerOf(
  contract: CompiledContract,
  state: ContractState,
  now: number,
  { evaluate, onRead }: DeadlineSource,
): DeadlineReader {
  const read = (name: string): Scalar => {
    onRead?.(name);
    if (Object.hasOwn(state.context, name)) return state.context[name] as Scalar;
    if (name === 'now') return now;
    if (name === 'state.entries') return state.entries;
    // A deadline counts from the entry, also if a new version sets it later; so do the stopwatches that it reads.
    return readClock(state.clocks, name, state.entered) ?? readStanding(contract, state, name);
  };
  const entries = (name: string): Entries => {
    onRead?.(name);
    const { collections = {} } = state;
    return Object.hasOwn(collections, name) ? (collections[name] ?? []) : [];
  };
  return { read, entries, evaluate };
}
