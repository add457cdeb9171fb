// Executes a contract over time: whatever was due before an event, then the event. Order follows the ticks; within a tick
// events come before timers, so that an event in the last tick of a deadline still counts.

import { LIMITS } from '../core/limits.ts';
import type { CompiledContract } from './compiled.ts';
import type {
  ContractState,
  CountedEvent,
  Environment,
  Stimulus,
  Timer,
  TransitionResult,
  Windows,
} from './contract-state.ts';
import { listOf } from './definition.ts';
import { editionOf } from './engine-edition.ts';
import { type Reading, readingOf, subjectOf } from './oracle.ts';
import { OracleReadings } from './oracle-readings.ts';
import { anchorsOf, isTimer, rescheduleTimer, settle } from './schedule.ts';
import { payloadFault } from './transition-attempt.ts';
import { completeIfExhausted, evaluateStimulus, isForbidden, isReserved, nextWake } from './transition-function.ts';

/** A contract in memory. `state` is replaced, `windows` are changed in place. */
export interface RunningContract {
  readonly contract: CompiledContract;
  state: ContractState;
  readonly windows: Windows;
  /** Readings of its oracle, if it has one; changed in place. */
  readonly readings?: OracleReadings | undefined;
}

export interface Step {
  readonly stimulus: Stimulus;
  readonly result: TransitionResult;
  /** The oracle's reading from the event, taken before the stimulus was evaluated. */
  readonly reading?: Reading;
}

/** Maximum number of due timers that one wake handles; the rest is due again immediately. */
const MAX_TIMERS_PER_WAKE = 1_000;

/** Runs every timer and expiry check that is due up to the end of a tick. */
export function wake(running: RunningContract, now: number, number: number, environment: Environment): Step[] {
  const steps: Step[] = [];
  for (let i = 0; i < MAX_TIMERS_PER_WAKE; i++) {
    const due = nextWake(running.contract, running.state, running.windows);
    if (due === undefined || due > now) break;
    const timer = firstTimer(running, due);
    const stimulus = timer
      ? timerStimulus(running, timer, now, number)
      : ({ kind: 'expiry', tick: now, number } as const);
    if (stimulus !== undefined) steps.push(applyStimulus(running, stimulus, environment));
  }
  return steps;
}

/** Applies an event, after everything that was due before its tick. */
export function deliver(
  running: RunningContract,
  event: Extract<Stimulus, { kind: 'event' }>,
  environment: Environment,
): Step[] {
  // A state entered here was entered before the event, so the event counts in its windows.
  const before = wake(running, event.tick - 1, event.number - 1, environment);
  const reading = recordReading(running, event);
  const step = applyStimulus(running, event, environment);
  return [...before, reading === undefined ? step : { ...step, reading }];
}

/** Names of the events that the triggers, the windows and the oracle of a contract listen to. */
export function subscribedEvents({ definition, transitions, windows, oracle }: CompiledContract): ReadonlySet<string> {
  const names = new Set(transitions.flatMap(({ trigger }) => ('event' in trigger ? [trigger.event] : [])));
  for (const { event } of windows.values()) names.add(event);
  for (const name of listOf(definition.spawn ?? [])) names.add(name);
  if (oracle?.kind === 'event' && oracle.event !== undefined) names.add(oracle.event);
  return names;
}

/** Records the oracle's reading from an event, for conditions to read from then on; also while the contract is paused. */
export function recordReading(
  { contract, state, readings }: RunningContract,
  event: CountedEvent & { readonly isOwn?: boolean },
): Reading | undefined {
  const { oracle } = contract;
  const { name, payload, tick, actor, isOwn = false } = event;
  if (oracle?.kind !== 'event' || oracle.event !== name || isOwn || isReserved(contract, state, event))
    return undefined;
  if (isForbidden(contract, event)) return undefined;
  if (payloadFault(contract, name, payload) !== undefined) return undefined;
  const value = payload[oracle.field];
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined;
  const source =
    typeof payload.source === 'string' ? payload.source.slice(0, LIMITS.oracles.sourceCharacters).toWellFormed() : name;
  const reading = readingOf(oracle, { value, source, tick, actor });
  readings?.add(reading);
  return reading;
}

/** The readings that a new version of a contract takes over, if its oracle has the same subject. */
export function carryOverReadings(
  { contract, readings }: RunningContract,
  { oracle }: CompiledContract,
): OracleReadings | undefined {
  if (oracle === undefined || contract.oracle === undefined) return undefined;
  return subjectOf(contract.oracle) === subjectOf(oracle) ? readings?.copyFor(oracle) : undefined;
}

/** Empty readings for a contract with an oracle. */
export function createReadings({ oracle }: CompiledContract): OracleReadings | undefined {
  return oracle && new OracleReadings(oracle);
}

/** Evaluates a stimulus and replaces the state. */
export function applyStimulus(running: RunningContract, stimulus: Stimulus, environment: Environment): Step {
  const { contract, state, windows, readings } = running;
  const withOracle =
    readings === undefined ? environment : { ...environment, oracle: readings.viewAt(stimulus.tick, editionOf(state)) };
  const result = evaluateStimulus(contract, state, windows, stimulus, withOracle);
  running.state = result.state;
  return { stimulus, result };
}

/** Of the timers due at this tick, the one with the highest priority, then the first in the definition. */
function firstTimer({ contract, state }: RunningContract, due: number): Timer | undefined {
  const timers = state.timers.filter((timer) => timer.due === due);
  return contract.transitions
    .map(({ id }) => timers.find(({ transition }) => transition === id))
    .find((timer) => timer !== undefined);
}

/**
 * The next fire of a due timer. Undefined if the timer was only rescheduled: its missed occurrences are dropped, or
 * timers of other transitions come first.
 */
function timerStimulus(running: RunningContract, timer: Timer, now: number, number: number): Stimulus | undefined {
  const { contract, state } = running;
  const transition = contract.transitions.find(({ id }) => id === timer.transition);
  if (transition === undefined || !isTimer(transition.trigger)) throw new Error(`${timer.transition} has no timer.`);
  const { fires, missed, next, settled } = settle(transition.trigger, anchorsOf(state, timer), timer, now);
  const [due, following = next] = fires;
  const withTimer = (replacement: readonly Timer[]): ContractState => {
    const timers = state.timers.flatMap((other) => (other === timer ? replacement : [other]));
    return { ...state, timers, missed: state.missed + missed };
  };
  if (due === undefined) {
    running.state = completeIfExhausted(contract, withTimer(next === undefined ? [] : [rescheduleTimer(timer, next)]));
    return undefined;
  }
  running.state = withTimer([settled === undefined ? timer : { ...timer, due, settled }]);
  if (settled !== undefined && due > timer.due) return undefined;
  return { kind: 'timer', tick: now, number, transition: timer.transition, due, next: following };
}
