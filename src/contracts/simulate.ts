// Runs a contract through a scenario on a manual clock. The scenarios of templates are tested with it.

import { canonicalJson } from '../core/canonical-json.ts';
import { DomainError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import { tickOfInstant } from './calendar.ts';
import type { CompiledContract } from './compiled.ts';
import type { ContractState, Environment, FiredTransition, RefusedTransition, SentBy } from './contract-state.ts';
import type { Collections } from './data/collections.ts';
import type { Definition, Scalars } from './definition.ts';
import { ticksOfDuration } from './durations.ts';
import { CURRENT_ENGINE } from './engine-edition.ts';
import { createReadings, deliver, type RunningContract, type Step, wake } from './execution.ts';
import { applyTokenMoves } from './history.ts';
import { seatOf } from './parties/bindings.ts';
import { partyStateOf } from './parties/party-state.ts';
import { createWindows, initialState, nextWake } from './transition-function.ts';
import { isWholeType } from './typed-expressions.ts';

/** One step of a scenario: its time, the event to send, the expected result. */
export interface ScenarioStep {
  /** Ticks after the deployment. */
  readonly at?: number | undefined;
  /** Ticks or an ISO 8601 duration after the previous step. */
  readonly after?: number | string | undefined;
  /** An ISO 8601 instant. */
  readonly to?: string | undefined;
  /** As `to`, with the scheduler down until then. */
  readonly outage_to?: string | undefined;
  readonly send?: string | undefined;
  readonly payload?: Readonly<Record<string, unknown>> | undefined;
  /** Who sends it: a party, for a party of several `inspectors.2` its second, or anybody. `operator` by default. */
  readonly by?: string | undefined;
  readonly times?: number | undefined;
  readonly expect?:
    | {
        readonly state?: string | undefined;
        /** All events emitted since the previous step, in order. */
        readonly emitted?: readonly string[] | undefined;
        readonly context?: Scalars | undefined;
        /** Pairs of a map, values of a list or set. */
        readonly collections?: Collections | undefined;
        /** Balances by token and holder. */
        readonly balances?: Readonly<Record<string, Readonly<Record<string, number>>>> | undefined;
      }
    | undefined;
}

export interface Scenario {
  readonly name: string;
  readonly parameters?: Scalars | undefined;
  /** Number of accounts bound to each party; the smallest allowed by default. */
  readonly bound?: Readonly<Record<string, number>> | undefined;
  /** ISO 8601 instant; without it the clock starts at tick 0. */
  readonly start?: string | undefined;
  readonly steps: readonly ScenarioStep[];
}

/** A transition that fired, when, and what made it fire. */
export interface SimulatedFire extends FiredTransition {
  readonly tick: number;
  readonly cause: Step['stimulus']['kind'];
}

export interface StepReport {
  readonly tick: number;
  readonly state: string;
  readonly lifecycle: ContractState['lifecycle'];
  readonly context: Scalars;
  readonly collections: Collections;
  readonly fired: readonly SimulatedFire[];
  readonly refused: readonly string[];
  readonly refusals: readonly RefusedTransition[];
  /** Tick of the next timer or check of a window; undefined if none is set. */
  readonly due: number | undefined;
  readonly emitted: readonly string[];
  /** A sentence for each expectation that was not met. */
  readonly mismatches: readonly string[];
}

/**
 * Runs one scenario. Token balances start empty and are tracked here.
 *
 * @param countStep  called for each event, each wake and each stimulus; what it throws ends the run
 */
export function simulate(
  contract: CompiledContract,
  scenario: Scenario,
  base: Omit<Environment, 'balance'>,
  countStep: () => void = () => {},
): StepReport[] {
  if (contract.definition.key !== undefined) {
    const message = 'key is not simulated; expected a definition without key, spawn and respawn: one instance of it.';
    throw new DomainError('VALIDATION_FAILED', message, { details: [{ path: 'key', code: 'NOT_ALLOWED', message }] });
  }
  const start = scenario.start === undefined ? 0 : tickOfInstant(scenario.start);
  const running: RunningContract = {
    contract,
    state: initialState(
      contract,
      start,
      0,
      CURRENT_ENGINE,
      simulatedParties(contract.definition, scenario.bound),
      base,
    ),
    windows: createWindows(contract),
    readings: createReadings(contract),
  };
  const balances = new Map<string, number>();
  const environment: Environment = {
    ...base,
    balance: (token, holder) => balances.get(`${token}\0${holder}`) ?? 0,
  };
  /** What the steps moved counts for the next ones, and what they emitted comes back as an event of the contract. */
  const settled = (steps: readonly Step[], number: number, hops = 0): Step[] => {
    for (const _ of steps) countStep();
    const fired = steps.flatMap(({ result }) => result.fired ?? []);
    applyTokenMoves(
      balances,
      fired.flatMap(({ tokens }) => tokens),
    );
    if (hops >= LIMITS.contracts.hops) return [...steps];
    const caused = steps.flatMap(({ stimulus: { tick }, result }) =>
      (result.fired?.emitted ?? []).flatMap(({ event: name, payload }) => {
        const own = { name, payload, actor: contract.definition.name, isOwn: true, isExternal: false };
        countStep();
        return settled(deliver(running, { kind: 'event', tick, number, ...own }, environment), number, hops + 1);
      }),
    );
    return [...steps, ...caused];
  };
  let number = 0;
  let now = start;
  return scenario.steps.map((step, i) => {
    const target = tickOfStep(step, start, now);
    const steps: Step[] = [];
    if (step.outage_to === undefined) {
      for (const due of duePoints(running, now, target - 1, countStep))
        steps.push(...settled(wake(running, due, number, environment), number));
    }
    now = target;
    for (let sent = 0; step.send !== undefined && sent < (step.times ?? 1); sent++) {
      number++;
      countStep();
      const { send: name, payload = {}, by: actor = 'operator' } = step;
      const sender = { actor, isExternal: true, ...simulatedSender(running.state, actor) };
      const event = { kind: 'event', tick: now, number, name, payload, ...sender } as const;
      steps.push(...settled(deliver(running, event, environment), number));
    }
    const following = scenario.steps[i + 1];
    const isSameTick = following?.send !== undefined && tickOfStep(following, start, now) === now;
    if (!isSameTick) {
      for (const due of duePoints(running, now, now, countStep))
        steps.push(...settled(wake(running, due, number, environment), number));
    }
    return report(running, now, steps, step, environment.balance);
  });
}

/** Keys named after their parties: `buyer.1`, `inspectors.2`. */
function simulatedParties({ parties }: Definition, bound: Readonly<Record<string, number>> = {}) {
  if (parties === undefined) return undefined;
  const bindings = Object.entries(parties).map(([name, { count }]) => {
    const accounts = Array.from({ length: bound[name] ?? count?.min ?? 1 }, (_, i) => ({
      ed25519: `${name}.${i + 1}`,
    }));
    return [name, accounts] as const;
  });
  return partyStateOf(Object.fromEntries(bindings));
}

function simulatedSender({ parties }: ContractState, by: string): SentBy {
  if (parties === undefined) return {};
  const seat = seatOf(parties.bindings, { ed25519: by.includes('.') ? by : `${by}.1` });
  return seat === undefined ? {} : { party: seat.party, voter: seat.voter };
}

/** The ticks up to `to` at which something is due, as a scheduler without delay finds them. */
function* duePoints(running: RunningContract, from: number, to: number, countStep: () => void): Generator<number> {
  for (let i = 0; i < MAX_WAKES; i++) {
    const due = nextWake(running.contract, running.state, running.windows);
    if (due === undefined || due > to) return;
    countStep();
    yield Math.max(due, from);
  }
  throw new Error(`One step of a scenario takes more than ${MAX_WAKES} wakes.`);
}

const MAX_WAKES = 100_000;

/** The tick of a step, from the tick of the one before. */
export function tickOfStep(step: ScenarioStep, start: number, now: number): number {
  const { at, after, to, outage_to: outage } = step;
  if (at !== undefined) return start + at;
  const instant = to ?? outage;
  if (instant !== undefined) return tickOfInstant(instant);
  const ticks = typeof after === 'string' ? ticksOfDuration(after) : after;
  return now + (ticks ?? 0);
}

function report(
  { contract, state, windows }: RunningContract,
  tick: number,
  steps: readonly Step[],
  { expect }: ScenarioStep,
  balance: Environment['balance'],
): StepReport {
  const fired = steps.flatMap(({ stimulus: { tick, kind: cause }, result }) =>
    result.fired === undefined ? [] : [{ ...result.fired, tick, cause }],
  );
  const emitted = fired.flatMap((fire) => fire.emitted.map(({ event }) => event));
  const refusals = steps.flatMap(({ result }) => result.refused);
  const mismatches: string[] = [];
  if (expect?.state !== undefined && expect.state !== state.state) {
    mismatches.push(`the state is ${state.state}, not ${expect.state}`);
  }
  if (expect?.emitted !== undefined && expect.emitted.join() !== emitted.join()) {
    mismatches.push(`[${emitted.join(', ')}] were emitted, not [${expect.emitted.join(', ')}]`);
  }
  for (const [name, value] of Object.entries(expect?.context ?? {})) {
    const actual = state.context[name];
    const type = contract.definition.context?.[name]?.type;
    const isNear =
      (type === undefined || !isWholeType(type)) &&
      typeof value === 'number' &&
      typeof actual === 'number' &&
      Math.abs(actual - value) <= TOLERANCE * Math.abs(value);
    if (actual !== value && !isNear) mismatches.push(`${name} is ${actual}, not ${value}`);
  }
  const { collections = {} } = state;
  for (const [name, entries] of Object.entries(expect?.collections ?? {})) {
    const [actual, expected] = [canonicalJson(collections[name] ?? null), canonicalJson(entries)];
    if (actual !== expected) mismatches.push(`${name} is ${actual}, not ${expected}`);
  }
  for (const [token, holders] of Object.entries(expect?.balances ?? {})) {
    for (const [holder, amount] of Object.entries(holders)) {
      const actual = balance(token, holder);
      if (actual !== amount) mismatches.push(`${holder} holds ${actual} ${token}, not ${amount}`);
    }
  }
  return {
    tick,
    state: state.state,
    lifecycle: state.lifecycle,
    context: state.context,
    collections,
    fired,
    refused: refusals.map(({ transition, reason }) => `${transition}: ${reason}`),
    refusals,
    due: nextWake(contract, state, windows),
    emitted,
    mismatches,
  };
}

/** Relative tolerance: the expected numbers of scenarios are written with few digits. Whole numbers are exact. */
const TOLERANCE = 5e-3;
