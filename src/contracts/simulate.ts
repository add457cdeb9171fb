// Runs a contract through a scenario on a manual clock. The scenarios of templates are tested with it.

import { canonicalJson } from '../core/canonical-json.ts';
import { tickOfInstant } from './calendar.ts';
import type { CompiledContract } from './compiled.ts';
import type { ContractState, Environment, FiredTransition, SentBy } from './contract-state.ts';
import type { Collections } from './data/collections.ts';
import type { Definition, Scalars } from './definition.ts';
import { ticksOfDuration } from './durations.ts';
import { CURRENT_ENGINE } from './engine-edition.ts';
import { createReadings, deliver, type RunningContract, type Step, wake } from './execution.ts';
import { applyTokenMoves } from './history.ts';
import { seatOf } from './parties/bindings.ts';
import { partyStateOf } from './parties/party-state.ts';
import { createWindows, initialState, nextWake } from './transition-function.ts';

/** One step of a scenario: its time, the event to send, the expected result. */
export interface ScenarioStep {
  /** Ticks after the deployment. */
  readonly at?: number;
  /** Ticks or an ISO 8601 duration after the previous step. */
  readonly after?: number | string;
  /** An ISO 8601 instant. */
  readonly to?: string;
  /** As `to`, with the scheduler down until then. */
  readonly outage_to?: string;
  readonly send?: string;
  readonly payload?: Readonly<Record<string, unknown>>;
  /** Who sends it: a party, for a party of several `inspectors.2` its second, or anybody. `operator` by default. */
  readonly by?: string;
  readonly times?: number;
  readonly expect?: {
    readonly state?: string;
    /** All events emitted since the previous step, in order. */
    readonly emitted?: readonly string[];
    readonly context?: Scalars;
    /** Pairs of a map, values of a list or set. */
    readonly collections?: Collections;
    /** Balances by token and holder. */
    readonly balances?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  };
}

export interface Scenario {
  readonly name: string;
  readonly parameters?: Scalars;
  /** Number of accounts bound to each party; the smallest allowed by default. */
  readonly bound?: Readonly<Record<string, number>>;
  /** ISO 8601 instant; without it the clock starts at tick 0. */
  readonly start?: string;
  readonly steps: readonly ScenarioStep[];
}

export interface StepReport {
  readonly tick: number;
  readonly state: string;
  readonly context: Scalars;
  readonly collections: Collections;
  readonly fired: readonly FiredTransition[];
  readonly refused: readonly string[];
  readonly emitted: readonly string[];
  /** A sentence for each expectation that was not met. */
  readonly mismatches: readonly string[];
}

/** Runs one scenario. Token balances start empty and are tracked here. */
export function simulate(
  contract: CompiledContract,
  scenario: Scenario,
  base: Omit<Environment, 'balance'>,
): StepReport[] {
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
  let number = 0;
  let now = start;
  return scenario.steps.map((step, i) => {
    const target = tickOfStep(step, start, now);
    const steps: Step[] = [];
    if (step.outage_to === undefined) steps.push(...runUntil(running, now, target - 1, number, environment));
    now = target;
    for (let sent = 0; step.send !== undefined && sent < (step.times ?? 1); sent++) {
      number++;
      const { send: name, payload = {}, by: actor = 'operator' } = step;
      const sender = { actor, isExternal: true, ...simulatedSender(running.state, actor) };
      const event = { kind: 'event', tick: now, number, name, payload, ...sender } as const;
      steps.push(...deliver(running, event, environment));
      for (const [own, payload] of ownEvents(steps.at(-1))) {
        const emitted = {
          ...event,
          name: own,
          payload,
          actor: contract.definition.name,
          party: undefined,
          voter: undefined,
          isOwn: true,
          isExternal: false,
        };
        steps.push(...deliver(running, emitted, environment));
      }
    }
    const following = scenario.steps[i + 1];
    const isSameTick = following?.send !== undefined && tickOfStep(following, start, now) === now;
    if (!isSameTick) steps.push(...wake(running, now, number, environment));
    applyTokenMoves(
      balances,
      steps.flatMap(({ result }) => result.fired?.tokens ?? []),
    );
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

/** Wakes the contract in every tick in which something is due, as a scheduler without delay would. */
function runUntil(
  running: RunningContract,
  from: number,
  to: number,
  number: number,
  environment: Environment,
): Step[] {
  const steps: Step[] = [];
  for (let i = 0; i < MAX_WAKES; i++) {
    const due = nextWake(running.contract, running.state, running.windows);
    if (due === undefined || due > to) return steps;
    steps.push(...wake(running, Math.max(due, from), number, environment));
  }
  throw new Error(`One step of a scenario takes more than ${MAX_WAKES} wakes.`);
}

const MAX_WAKES = 100_000;

function ownEvents(step: Step | undefined): [string, Scalars][] {
  return (step?.result.fired?.emitted ?? []).map(({ event, payload }) => [event, payload]);
}

function tickOfStep(step: ScenarioStep, start: number, now: number): number {
  const { at, after, to, outage_to: outage } = step;
  if (at !== undefined) return start + at;
  const instant = to ?? outage;
  if (instant !== undefined) return tickOfInstant(instant);
  const ticks = typeof after === 'string' ? ticksOfDuration(after) : after;
  return now + (ticks ?? 0);
}

function report(
  { state }: RunningContract,
  tick: number,
  steps: readonly Step[],
  { expect }: ScenarioStep,
  balance: Environment['balance'],
): StepReport {
  const fired = steps.flatMap(({ result }) => result.fired ?? []);
  const emitted = fired.flatMap((fire) => fire.emitted.map(({ event }) => event));
  const refused = steps.flatMap(({ result }) =>
    result.refused.map(({ transition, reason }) => `${transition}: ${reason}`),
  );
  const mismatches: string[] = [];
  if (expect?.state !== undefined && expect.state !== state.state) {
    mismatches.push(`the state is ${state.state}, not ${expect.state}`);
  }
  if (expect?.emitted !== undefined && expect.emitted.join() !== emitted.join()) {
    mismatches.push(`[${emitted.join(', ')}] were emitted, not [${expect.emitted.join(', ')}]`);
  }
  for (const [name, value] of Object.entries(expect?.context ?? {})) {
    const actual = state.context[name];
    const isNear =
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
  return { tick, state: state.state, context: state.context, collections, fired, refused, emitted, mismatches };
}

/** Relative tolerance: the expected numbers of scenarios are written with few digits. */
const TOLERANCE = 5e-3;
