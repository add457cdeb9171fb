// A contract over time: what was due before an event, then the event. The order is that of the ticks, and within a tick
// events come before timers, so that an act in the last tick of a deadline still counts.

import { LIMITS } from '../core/limits.ts';
import { payloadFault } from './attempt.ts';
import type { CompiledContract } from './compiled.ts';
import { type Reading, readingOf, subjectOf } from './oracle.ts';
import { completedIfSpent, nextWake, react } from './react.ts';
import type { ContractState, Reaction, Stimulus, Timer, Windows, World } from './reaction.ts';
import { Readings } from './readings.ts';
import { isTimer, movedTo, settle } from './schedule.ts';

/** A contract at work. `state` is replaced, `windows` are changed in place. */
export interface Running {
  readonly contract: CompiledContract;
  state: ContractState;
  readonly windows: Windows;
  /** Of the oracle, where there is one; changed in place. */
  readonly readings?: Readings | undefined;
}

export interface Step {
  readonly stimulus: Stimulus;
  readonly reaction: Reaction;
  /** What the oracle read from the event before anything was decided. */
  readonly reading?: Reading;
}

/** Timers of one contract that one wake handles at most; the rest is due at once again. */
const MOST_AT_ONCE = 1_000;

/** Everything that is due up to the end of a tick. */
export function wake(running: Running, now: number, number: number, world: World): Step[] {
  const steps: Step[] = [];
  for (let turn = 0; turn < MOST_AT_ONCE; turn++) {
    const due = nextWake(running.contract, running.state, running.windows);
    if (due === undefined || due > now) break;
    const timer = earliest(running, due);
    const stimulus = timer ? timed(running, timer, now, number) : ({ kind: 'expiry', tick: now, number } as const);
    if (stimulus !== undefined) steps.push(take(running, stimulus, world));
  }
  return steps;
}

/** An event, after what was due before its tick. */
export function deliver(running: Running, event: Extract<Stimulus, { kind: 'event' }>, world: World): Step[] {
  // A state that is entered by then was entered before the event, which counts in its windows.
  const before = wake(running, event.tick - 1, event.number - 1, world);
  const reading = hear(running, event);
  const step = take(running, event, world);
  return [...before, reading === undefined ? step : { ...step, reading }];
}

/** Names of the events that a contract hears: what its triggers and its oracle name. */
export function heardNames({ transitions, oracle }: CompiledContract): ReadonlySet<string> {
  const names = new Set(transitions.flatMap(({ trigger }) => ('event' in trigger ? [trigger.event] : [])));
  if (oracle?.kind === 'event' && oracle.event !== undefined) names.add(oracle.event);
  return names;
}

/** The reading that an event carries, which conditions see from then on; also of a contract that is asleep. */
export function hear(
  { contract, readings }: Running,
  {
    name,
    payload,
    tick,
    isOwn = false,
  }: Pick<Extract<Stimulus, { kind: 'event' }>, 'name' | 'payload' | 'tick' | 'isOwn'>,
): Reading | undefined {
  const { oracle } = contract;
  if (oracle?.kind !== 'event' || oracle.event !== name || isOwn) return undefined;
  if (payloadFault(contract, name, payload) !== undefined) return undefined;
  const value = payload[oracle.field];
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined;
  const source =
    typeof payload.source === 'string' ? payload.source.slice(0, LIMITS.oracles.sourceCharacters).toWellFormed() : name;
  const reading = readingOf(oracle, { value, source, tick });
  readings?.add(reading);
  return reading;
}

/** What a new version of a contract sees of the readings that there were, if they are about the same thing. */
export function carriedReadings({ contract, readings }: Running, { oracle }: CompiledContract): Readings | undefined {
  if (oracle === undefined || contract.oracle === undefined) return undefined;
  return subjectOf(contract.oracle) === subjectOf(oracle) ? readings?.seenBy(oracle) : undefined;
}

/** An empty series for a contract with an oracle. */
export function emptyReadings({ oracle }: CompiledContract): Readings | undefined {
  return oracle && new Readings(oracle);
}

export function take(running: Running, stimulus: Stimulus, world: World): Step {
  const { contract, state, windows, readings } = running;
  const seen = readings === undefined ? world : { ...world, oracle: readings.at(stimulus.tick) };
  const reaction = react(contract, state, windows, stimulus, seen);
  running.state = reaction.state;
  return { stimulus, reaction };
}

/** Of the timers that are due at this tick, the one of the highest priority, then the first of the document. */
function earliest({ contract, state }: Running, due: number): Timer | undefined {
  const timers = state.timers.filter((timer) => timer.due === due);
  return contract.transitions
    .map(({ id }) => timers.find(({ transition }) => transition === id))
    .find((one) => one !== undefined);
}

/** The next fire of a timer, or undefined where it was moved on: its occurrences are given up, or others come before it. */
function timed(running: Running, timer: Timer, now: number, number: number): Stimulus | undefined {
  const { contract, state } = running;
  const transition = contract.transitions.find(({ id }) => id === timer.transition);
  if (transition === undefined || !isTimer(transition.trigger)) throw new Error(`${timer.transition} has no timer.`);
  const anchors = { entry: state.entered, deploy: state.deployed };
  const { fires, missed, next, settled } = settle(transition.trigger, anchors, timer, now);
  const [due, following = next] = fires;
  const turned = (moved: readonly Timer[]): ContractState => {
    const timers = state.timers.flatMap((one) => (one === timer ? moved : [one]));
    return { ...state, timers, missed: state.missed + missed };
  };
  if (due === undefined) {
    running.state = completedIfSpent(contract, turned(next === undefined ? [] : [movedTo(timer, next)]));
    return undefined;
  }
  running.state = turned([settled === undefined ? timer : { ...timer, due, settled }]);
  if (settled !== undefined && due > timer.due) return undefined;
  return { kind: 'timer', tick: now, number, transition: timer.transition, due, next: following };
}
