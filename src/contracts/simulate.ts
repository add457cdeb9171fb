// Runs a contract through a scenario on a manual clock. The scenarios of templates are tested with it.

import { canonicalJson } from '../core/canonical-json.ts';
import { tickOfInstant } from './calendar.ts';
import { resultNamesOf } from './calls/check.ts';
import { nameOfCall } from './calls/compile.ts';
import { SimulatedCalls, type WaitingCall } from './calls/simulated-calls.ts';
import type { CompiledContract } from './compiled.ts';
import type { ContractState, Environment, FiredTransition, SentBy } from './contract-state.ts';
import type { Collections } from './data/collections.ts';
import type { Definition, Scalars } from './definition.ts';
import { ticksOfDuration } from './durations.ts';
import { CURRENT_ENGINE } from './engine-edition.ts';
import { createReadings, type RunningContract, type Step } from './execution.ts';
import { type KeyRule, keyOfEvent, keyOfValue, keyRuleOf } from './instances/keys.ts';
import type { Refusal } from './instances/route.ts';
import { SimulatedInstances } from './instances/simulated-instances.ts';
import { seatOf } from './parties/bindings.ts';
import { type PartyState, partyStateOf } from './parties/party-state.ts';
import { outcomesOf } from './sends/check.ts';
import { type Executed, type Simulated, SimulatedContract, Simulation } from './simulated-contract.ts';
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
  /**
   * Who sends it: a party, for a party of several `inspectors.2` its second, or anybody; `machine:depot` another machine,
   * and `engine` what tells that a machine did not take an event, or what became of an activity: its law is computed, and
   * the payload says whatever else it answers. `operator` by default.
   */
  readonly by?: string | undefined;
  readonly times?: number | undefined;
  readonly expect?:
    | {
        /** Key of the instance that state, context and collections are of; that of the event by default. */
        readonly instance?: string | number | undefined;
        readonly state?: string | undefined;
        /** All events emitted since the previous step, in order. */
        readonly emitted?: readonly string[] | undefined;
        /** All events sent to other machines since the previous step, in order, as `machine event`. */
        readonly sent?: readonly string[] | undefined;
        /** All activities started since the previous step, in order, as `CM9 measured` or `GET https://… rated`. */
        readonly called?: readonly string[] | undefined;
        readonly context?: Scalars | undefined;
        /** Pairs of a map, values of a list or set. */
        readonly collections?: Collections | undefined;
        /** Codes of all refusals since the previous step, in order. */
        readonly refused?: readonly string[] | undefined;
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
  /** Key of the instance, if the contract has instances. */
  readonly instance?: string | undefined;
  readonly tick: number;
  readonly cause: Step['stimulus']['kind'];
}

/** A refusal; of a contract with a key, with the instance that the event is for. */
export interface SimulatedRefusal extends Refusal {
  readonly instance?: string | undefined;
}

/** An instance after a step. */
export interface InstanceReport {
  readonly instance: string;
  readonly state: string;
  readonly lifecycle: ContractState['lifecycle'];
  readonly context: Scalars;
  readonly collections: Collections;
  /** Tick of its next timer; undefined if none is set. */
  readonly due: number | undefined;
}

export interface StepReport {
  readonly tick: number;
  /**
   * Of a contract with a key: the instance whose state this is, by the step's expectation or its event. Without one the
   * state is that in which instances begin.
   */
  readonly instance?: string | undefined;
  readonly state: string;
  readonly lifecycle: ContractState['lifecycle'];
  readonly context: Scalars;
  readonly collections: Collections;
  /** Of a contract with a key: those that the step has changed, in the order of their keys. */
  readonly instances?: readonly InstanceReport[] | undefined;
  readonly fired: readonly SimulatedFire[];
  readonly refused: readonly string[];
  readonly refusals: readonly SimulatedRefusal[];
  /** Tick of the next timer or check of a window, of any instance; undefined if none is set. */
  readonly due: number | undefined;
  readonly emitted: readonly string[];
  /** Activities without an answer, the oldest first. */
  readonly waiting: readonly WaitingCall[];
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
  const start = scenario.start === undefined ? 0 : tickOfInstant(scenario.start);
  const { simulated, parties, view } = simulatedContract(contract, scenario, start, base);
  const simulation = new Simulation(simulated, contract.definition.name, base, countStep);
  const { balance } = simulation.environment;
  const outcomes = outcomesOf(contract.definition);
  const results = resultNamesOf(contract.definition);
  const calls = new SimulatedCalls(contract.definition, base);
  let number = 0;
  let now = start;
  return scenario.steps.map((step, i) => {
    const target = tickOfStep(step, start, now);
    const done: Executed[] = [];
    const unanswered: string[] = [];
    const add = (executed: readonly Executed[]) => {
      done.push(...executed);
      for (const { steps, instance } of executed)
        for (const { result } of steps) if (result.fired !== undefined) calls.start(result.fired, instance);
    };
    if (step.outage_to === undefined) add(simulation.wake(now, target - 1, number));
    now = target;
    for (let sent = 0; step.send !== undefined && sent < (step.times ?? 1); sent++) {
      number++;
      const { send: name, payload = {}, by: actor = 'operator' } = step;
      const isResult = actor === 'engine' && results.has(name);
      const answer = isResult ? calls.answer(name, payload) : { payload };
      if ('mismatch' in answer) {
        unanswered.push(answer.mismatch);
        continue;
      }
      const isOutcome = isResult || (actor === 'engine' && outcomes.has(name));
      const sender = { actor, isExternal: !isOutcome, ...simulatedSender(parties, actor) };
      add(simulation.send({ kind: 'event', tick: now, number, name, payload: answer.payload, ...sender }));
    }
    const following = scenario.steps[i + 1];
    const isSameTick = following?.send !== undefined && tickOfStep(following, start, now) === now;
    if (!isSameTick) add(simulation.wake(now, now, number));
    const after = { ...view(done, step), due: simulated.nextDue, waiting: calls.waiting };
    return report(contract, now, done, step, after, balance, unanswered);
  });
}

interface Subject {
  readonly simulated: Simulated;
  readonly parties?: PartyState | undefined;
  readonly view: (done: readonly Executed[], step: ScenarioStep) => View;
}

function simulatedContract(
  contract: CompiledContract,
  { bound }: Scenario,
  start: number,
  base: Omit<Environment, 'balance'>,
): Subject {
  const rule = keyRuleOf(contract.definition);
  const parties = simulatedParties(contract.definition, bound);
  if (rule !== undefined) {
    const simulated = new SimulatedInstances(contract, rule, start, parties?.bindings);
    return { simulated, view: (done, step) => viewOfInstances(simulated, rule, done, step) };
  }
  const simulated = new SimulatedContract({
    contract,
    state: initialState(contract, start, 0, CURRENT_ENGINE, parties, base),
    windows: createWindows(contract),
    readings: createReadings(contract),
  });
  return { simulated, parties, view: () => viewOf(simulated.running) };
}

/** Keys named after their parties: `buyer.1`, `inspectors.2`. */
function simulatedParties({ parties }: Definition, bound: Readonly<Record<string, number>> = {}) {
  if (parties === undefined) return undefined;
  const bindings = Object.entries(parties).flatMap(([name, { count, bind }]) => {
    if (bind !== undefined) return [];
    const accounts = Array.from({ length: bound[name] ?? count?.min ?? 1 }, (_, i) => ({
      ed25519: `${name}.${i + 1}`,
    }));
    return [[name, accounts] as const];
  });
  return partyStateOf(Object.fromEntries(bindings));
}

function simulatedSender(parties: PartyState | undefined, by: string): SentBy {
  if (parties === undefined) return {};
  const seat = seatOf(parties.bindings, { ed25519: by.includes('.') ? by : `${by}.1` });
  return seat === undefined ? {} : { party: seat.party, voter: seat.voter };
}

/** Every instance as the last step that changed it left it, in the order of their keys. */
export function lastOfInstances(steps: readonly Pick<StepReport, 'instances'>[]): InstanceReport[] {
  const last = new Map(steps.flatMap(({ instances = [] }) => instances.map((one) => [one.instance, one])));
  return [...last.values()].sort((a, b) => (a.instance < b.instance ? -1 : 1));
}

/** The tick of a step, from the tick of the one before. */
export function tickOfStep(step: ScenarioStep, start: number, now: number): number {
  const { at, after, to, outage_to: outage } = step;
  if (at !== undefined) return start + at;
  const instant = to ?? outage;
  if (instant !== undefined) return tickOfInstant(instant);
  const ticks = typeof after === 'string' ? ticksOfDuration(after) : after;
  return now + (ticks ?? 0);
}

/** What a report says of a contract or an instance after a step. */
type View = Pick<StepReport, 'state' | 'lifecycle' | 'context' | 'collections' | 'instance' | 'instances'> & {
  /** The instance that the expectations are about, and that there is none of. */
  readonly missing?: string | undefined;
};

const viewOf = ({ state: { state, lifecycle, context, collections = {} } }: Pick<RunningContract, 'state'>) => ({
  state,
  lifecycle,
  context,
  collections,
});

/** The instance that a step names, by what it expects or by the event that it sends; and all that it changed. */
function viewOfInstances(
  keyed: SimulatedInstances,
  rule: KeyRule,
  done: readonly Executed[],
  { expect, payload = {}, send }: ScenarioStep,
): View {
  const sent = send === undefined ? undefined : keyOfEvent(rule, payload);
  const named = expect?.instance === undefined ? sent : keyOfValue(expect.instance);
  const key = typeof named === 'string' ? named : undefined;
  const found = key === undefined ? undefined : keyed.get(key);
  const changed = new Set(done.flatMap(({ instance, steps }) => (steps.length === 0 ? [] : [instance])));
  const instances = keyed.all.filter(([one]) => changed.has(one)).map(([one, running]) => instanceReport(one, running));
  return {
    ...viewOf(found ?? keyed),
    ...(found === undefined ? { missing: key ?? 'that the step names' } : { instance: key }),
    instances,
  };
}

const instanceReport = (instance: string, running: RunningContract): InstanceReport => ({
  instance,
  ...viewOf(running),
  due: nextWake(running.contract, running.state, running.windows),
});

function report(
  contract: CompiledContract,
  tick: number,
  done: readonly Executed[],
  { expect = {} }: ScenarioStep,
  { missing, ...view }: View & Pick<StepReport, 'due' | 'waiting'>,
  balance: Environment['balance'],
  unanswered: readonly string[],
): StepReport {
  const fired = done.flatMap(({ instance, steps }) => steps.flatMap((step) => firesOf(step, instance)));
  const emitted = fired.flatMap((fire) => fire.emitted.map(({ event }) => event));
  const refusals = done.flatMap(refusalsOf);
  const mismatches = [
    ...unanswered,
    ...(missing === undefined ? stateMismatches(contract, view, expect) : missingMismatches(missing, expect)),
    ...emittedMismatches(emitted, expect),
    ...sentMismatches(fired, expect),
    ...calledMismatches(fired, expect),
    ...refusalMismatches(refusals, expect),
    ...balanceMismatches(balance, expect),
  ];
  const refused = refusals.map(({ transition, reason }) => (transition === null ? reason : `${transition}: ${reason}`));
  return { tick, ...view, fired, refused, refusals, emitted, mismatches };
}

const named = (instance: string | undefined) => (instance === undefined ? {} : { instance });

const firesOf = ({ stimulus: { tick, kind: cause }, result }: Step, instance: string | undefined): SimulatedFire[] =>
  result.fired === undefined ? [] : [{ ...result.fired, ...named(instance), tick, cause }];

const refusalsOf = ({ instance, steps, refused = [] }: Executed): SimulatedRefusal[] =>
  [...refused, ...steps.flatMap(({ result }): readonly Refusal[] => result.refused)].map((one) => ({
    ...one,
    ...named(instance),
  }));

type Expected = NonNullable<ScenarioStep['expect']>;

function missingMismatches(missing: string, { state, context, collections }: Expected): string[] {
  const isNeeded = state !== undefined || context !== undefined || collections !== undefined;
  return isNeeded ? [`there is no instance ${missing}`] : [];
}

function stateMismatches(contract: CompiledContract, view: View, expect: Expected): string[] {
  const of = view.instance === undefined ? '' : ` of ${view.instance}`;
  const mismatches: string[] = [];
  if (expect.state !== undefined && expect.state !== view.state)
    mismatches.push(`the state${of} is ${view.state}, not ${expect.state}`);
  for (const [name, value] of Object.entries(expect.context ?? {})) {
    const actual = view.context[name];
    const type = contract.definition.context?.[name]?.type;
    const isNear =
      (type === undefined || !isWholeType(type)) &&
      typeof value === 'number' &&
      typeof actual === 'number' &&
      Math.abs(actual - value) <= TOLERANCE * Math.abs(value);
    if (actual !== value && !isNear) mismatches.push(`${name}${of} is ${actual}, not ${value}`);
  }
  for (const [name, entries] of Object.entries(expect.collections ?? {})) {
    const [actual, expected] = [canonicalJson(view.collections[name] ?? null), canonicalJson(entries)];
    if (actual !== expected) mismatches.push(`${name}${of} is ${actual}, not ${expected}`);
  }
  return mismatches;
}

function emittedMismatches(emitted: readonly string[], { emitted: expected }: Expected): string[] {
  if (expected === undefined || expected.join() === emitted.join()) return [];
  return [`[${emitted.join(', ')}] were emitted, not [${expected.join(', ')}]`];
}

function sentMismatches(fired: readonly SimulatedFire[], { sent: expected }: Expected): string[] {
  const sent = fired.flatMap(({ sends = [] }) => sends.map(({ to, event }) => `${to} ${event}`));
  if (expected === undefined || expected.join() === sent.join()) return [];
  return [`[${sent.join(', ')}] were sent to machines, not [${expected.join(', ')}]`];
}

function calledMismatches(fired: readonly SimulatedFire[], { called: expected }: Expected): string[] {
  const called = fired.flatMap(({ calls = [] }) => calls.map(nameOfCall));
  if (expected === undefined || expected.join() === called.join()) return [];
  return [`[${called.join(', ')}] were started, not [${expected.join(', ')}]`];
}

function refusalMismatches(refusals: readonly SimulatedRefusal[], { refused: expected }: Expected): string[] {
  const codes = refusals.map(({ code }) => code);
  if (expected === undefined || expected.join() === codes.join()) return [];
  return [`[${codes.join(', ')}] were refused, not [${expected.join(', ')}]`];
}

function balanceMismatches(balance: Environment['balance'], { balances = {} }: Expected): string[] {
  return Object.entries(balances).flatMap(([token, holders]) =>
    Object.entries(holders).flatMap(([holder, amount]) => {
      const actual = balance(token, holder);
      return actual === amount ? [] : [`${holder} holds ${actual} ${token}, not ${amount}`];
    }),
  );
}

/** Relative tolerance: the expected numbers of scenarios are written with few digits. Whole numbers are exact. */
const TOLERANCE = 5e-3;
