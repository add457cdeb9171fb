// A contract on a simulated clock, without delay: who wakes it, and what becomes of what it moves and emits. Contracts with
// a key are in instances/simulated-instances.ts.

import { LIMITS } from '../core/limits.ts';
import type { EmittedEvent, Environment, Stimulus } from './contract-state.ts';
import { deliver, type RunningContract, type Step, wake } from './execution.ts';
import { applyTokenMoves } from './history.ts';
import type { Refusal } from './instances/route.ts';
import { isReserved, nextWake } from './transition-function.ts';
import { untriedRefusal, untriedSenderRefusal } from './untried-event.ts';

export type SimulatedEvent = Extract<Stimulus, { kind: 'event' }>;

/** What one contract, or one instance, has done at once. */
export interface Executed {
  /** Key of the instance, if the contract has instances and the event names one. */
  readonly instance?: string | undefined;
  readonly steps: readonly Step[];
  /** Why the event reached no instance, or no transition. */
  readonly refused?: readonly Refusal[];
}

export interface Simulated {
  /** Tick of the next timer or check of a window. */
  readonly nextDue: number | undefined;
  /** Runs what is due up to the end of a tick; what one instance emits is delivered before the next one is woken. */
  wake(tick: number, number: number, environment: Environment): Iterable<Executed>;
  /** @param emitter  of an event of the contract itself: the instance that emitted it */
  deliver(event: SimulatedEvent, emitter: string | undefined, environment: Environment): Executed;
}

/** Delivers an event to a contract or an instance that is running. */
export function deliverTo(running: RunningContract, event: SimulatedEvent, environment: Environment): Executed {
  const { contract, state } = running;
  const isAnswered = event.isExternal === true && state.lifecycle === 'active' && !isReserved(contract, state, event);
  const refusal = isAnswered
    ? (untriedSenderRefusal(contract, state, event) ?? untriedRefusal(contract, state, event))
    : undefined;
  const steps = deliver(running, event, environment);
  return refusal === undefined ? { steps } : { steps, refused: [refusal] };
}

export class SimulatedContract implements Simulated {
  readonly running: RunningContract;

  constructor(running: RunningContract) {
    this.running = running;
  }

  get nextDue(): number | undefined {
    const { contract, state, windows } = this.running;
    return nextWake(contract, state, windows);
  }

  wake(tick: number, number: number, environment: Environment): Iterable<Executed> {
    return [{ steps: wake(this.running, tick, number, environment) }];
  }

  deliver(event: SimulatedEvent, _emitter: string | undefined, environment: Environment): Executed {
    return deliverTo(this.running, event, environment);
  }
}

interface Emitted extends EmittedEvent {
  readonly tick: number;
  /** The instance that emitted it. */
  readonly emitter: string | undefined;
  readonly hop: number;
}

const MAX_WAKES = 100_000;

/** Delivers and wakes as a machine does that has only this contract. Token balances start empty. */
export class Simulation {
  readonly environment: Environment;
  readonly #simulated: Simulated;
  readonly #name: string;
  readonly #countStep: () => void;
  readonly #balances = new Map<string, number>();

  /**
   * @param name  of the contract, as the sender of its own events
   * @param countStep  called for each event, each wake and each stimulus; what it throws ends the run
   */
  constructor(simulated: Simulated, name: string, base: Omit<Environment, 'balance'>, countStep: () => void) {
    this.#simulated = simulated;
    this.#name = name;
    this.#countStep = countStep;
    const balance = (token: string, holder: string) => this.#balances.get(`${token}\0${holder}`) ?? 0;
    this.environment = { ...base, balance };
  }

  /** Delivers an event, then what it makes the contract emit. */
  send(event: SimulatedEvent): Executed[] {
    this.#countStep();
    const done = this.#simulated.deliver(event, undefined, this.environment);
    return [done, ...this.#cascade(this.#settle(done, 0), event.number)];
  }

  /** Wakes the contract at every tick up to `to` at which something is due, as a scheduler without delay does. */
  wake(from: number, to: number, number: number): Executed[] {
    const executed: Executed[] = [];
    for (let i = 0; i < MAX_WAKES; i++) {
      const due = this.#simulated.nextDue;
      if (due === undefined || due > to) return executed;
      this.#countStep();
      for (const done of this.#simulated.wake(Math.max(due, from), number, this.environment)) {
        executed.push(done);
        // Each begins a cascade of its own.
        for (const emitted of this.#settle(done, -1)) executed.push(...this.#cascade([emitted], number));
      }
    }
    throw new Error(`One step of a scenario takes more than ${MAX_WAKES} wakes.`);
  }

  /** Delivers events of the contract to itself, breadth first. */
  #cascade(queue: Emitted[], number: number): Executed[] {
    const executed: Executed[] = [];
    for (const { event: name, payload, tick, emitter, hop } of queue) {
      const own = { name, payload, actor: this.#name, isOwn: true, isExternal: false };
      this.#countStep();
      const done = this.#simulated.deliver({ kind: 'event', tick, number, ...own }, emitter, this.environment);
      executed.push(done);
      queue.push(...this.#settle(done, hop));
    }
    return executed;
  }

  /** Moves the tokens. @returns what was emitted, if the event that caused it was not at the limit of hops */
  #settle({ instance: emitter, steps }: Executed, hop: number): Emitted[] {
    for (const _ of steps) this.#countStep();
    const fired = steps.flatMap(({ stimulus: { tick }, result }) =>
      result.fired === undefined ? [] : [{ ...result.fired, tick }],
    );
    const moves = fired.flatMap(({ tokens }) => tokens);
    applyTokenMoves(this.#balances, moves);
    if (hop >= LIMITS.contracts.hops) return [];
    return fired.flatMap(({ emitted, tick }) => emitted.map((one) => ({ ...one, tick, emitter, hop: hop + 1 })));
  }
}
