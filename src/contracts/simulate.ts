// A contract on a clock that only moves when it is told to: how templates are tried, and what a dry run is.

import { tickOfInstant } from './calendar.ts';
import type { CompiledContract } from './compiled.ts';
import type { Scalars } from './definition.ts';
import { ticksOfDuration } from './durations.ts';
import { deliver, emptyReadings, type Running, type Step, wake } from './progress.ts';
import { deploy, emptyWindows, nextWake } from './react.ts';
import type { Fired, World } from './reaction.ts';

/** One step of a scenario: when, what is sent, what is then seen. */
export interface ScenarioStep {
  /** Ticks after the deployment. */
  readonly at?: number;
  /** Ticks or an ISO 8601 duration after the step before. */
  readonly after?: number | string;
  /** An ISO 8601 instant. */
  readonly to?: string;
  /** As `to`, with the scheduler down until then. */
  readonly outage_to?: string;
  readonly send?: string;
  readonly payload?: Readonly<Record<string, unknown>>;
  readonly times?: number;
  readonly expect?: {
    readonly state?: string;
    /** Exactly these were emitted since the step before. */
    readonly emitted?: readonly string[];
    readonly context?: Scalars;
  };
}

export interface Scenario {
  readonly name: string;
  readonly parameters?: Scalars;
  /** ISO 8601; without it the clock begins at tick 0. */
  readonly start?: string;
  readonly steps: readonly ScenarioStep[];
}

export interface StepReport {
  readonly tick: number;
  readonly state: string;
  readonly context: Scalars;
  readonly fired: readonly Fired[];
  readonly refused: readonly string[];
  readonly emitted: readonly string[];
  /** In words, where the scenario expected something else. */
  readonly disappointments: readonly string[];
}

/** Runs one scenario. @param world  computing and balances; tokens that are moved are kept here */
export function simulate(contract: CompiledContract, scenario: Scenario, world: Omit<World, 'balance'>): StepReport[] {
  const start = scenario.start === undefined ? 0 : tickOfInstant(scenario.start);
  const running: Running = {
    contract,
    state: deploy(contract, start, 0),
    windows: emptyWindows(contract),
    readings: emptyReadings(contract),
  };
  const balances = new Map<string, number>();
  const whole: World = { ...world, balance: (token, holder) => balances.get(`${token}\0${holder}`) ?? 0 };
  let number = 0;
  let now = start;
  return scenario.steps.map((step, i) => {
    const target = tickOfStep(step, start, now);
    const steps: Step[] = [];
    if (step.outage_to === undefined) steps.push(...live(running, now, target - 1, number, whole));
    now = target;
    for (let sent = 0; step.send !== undefined && sent < (step.times ?? 1); sent++) {
      number++;
      const event = { kind: 'event', tick: now, number, name: step.send, payload: step.payload ?? {} } as const;
      steps.push(...deliver(running, event, whole));
      for (const [own, payload] of ownEvents(steps.at(-1))) {
        steps.push(...deliver(running, { ...event, name: own, payload, isOwn: true }, whole));
      }
    }
    const following = scenario.steps[i + 1];
    const isSameTick = following?.send !== undefined && tickOfStep(following, start, now) === now;
    if (!isSameTick) steps.push(...wake(running, now, number, whole));
    keep(balances, steps);
    return report(running, now, steps, step);
  });
}

/** Every tick at which something is due, one after the other, as a scheduler that is never late would do it. */
function live(running: Running, from: number, to: number, number: number, world: World): Step[] {
  const steps: Step[] = [];
  for (let turn = 0; turn < MOST_WAKES; turn++) {
    const due = nextOf(running);
    if (due === undefined || due > to) return steps;
    steps.push(...wake(running, Math.max(due, from), number, world));
  }
  throw new Error(`More than ${MOST_WAKES} wakes in one step of a scenario.`);
}

const MOST_WAKES = 100_000;

function nextOf({ contract, state, windows }: Running): number | undefined {
  return nextWake(contract, state, windows);
}

function ownEvents(step: Step | undefined): [string, Scalars][] {
  return (step?.reaction.fired?.emitted ?? []).map(({ event, payload }) => [event, payload]);
}

function tickOfStep(step: ScenarioStep, start: number, now: number): number {
  const { at, after, to, outage_to: outage } = step;
  if (at !== undefined) return start + at;
  const instant = to ?? outage;
  if (instant !== undefined) return tickOfInstant(instant);
  const ticks = typeof after === 'string' ? ticksOfDuration(after) : after;
  return now + (ticks ?? 0);
}

function keep(balances: Map<string, number>, steps: readonly Step[]): void {
  for (const { token, holder, amount } of steps.flatMap(({ reaction }) => reaction.fired?.tokens ?? [])) {
    const key = `${token}\0${holder}`;
    balances.set(key, (balances.get(key) ?? 0) + amount);
  }
}

function report({ state }: Running, tick: number, steps: readonly Step[], { expect }: ScenarioStep): StepReport {
  const fired = steps.flatMap(({ reaction }) => reaction.fired ?? []);
  const emitted = fired.flatMap((one) => one.emitted.map(({ event }) => event));
  const refused = steps.flatMap(({ reaction }) =>
    reaction.refused.map(({ transition, reason }) => `${transition}: ${reason}`),
  );
  const disappointments: string[] = [];
  if (expect?.state !== undefined && expect.state !== state.state) {
    disappointments.push(`the state is ${state.state}, not ${expect.state}`);
  }
  if (expect?.emitted !== undefined && expect.emitted.join() !== emitted.join()) {
    disappointments.push(`[${emitted.join(', ')}] were emitted, not [${expect.emitted.join(', ')}]`);
  }
  for (const [name, value] of Object.entries(expect?.context ?? {})) {
    const got = state.context[name];
    const isNear =
      typeof value === 'number' && typeof got === 'number' && Math.abs(got - value) <= TOLERANCE * Math.abs(value);
    if (got !== value && !isNear) disappointments.push(`${name} is ${got}, not ${value}`);
  }
  return { tick, state: state.state, context: state.context, fired, refused, emitted, disappointments };
}

/** Numbers of a scenario are written by people. */
const TOLERANCE = 5e-3;
