// Instances of a contract on a simulated clock, kept in memory: routes, spawns and order are those of the live engine.

import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import type { CompiledContract } from '../compiled.ts';
import type { ContractState, Environment } from '../contract-state.ts';
import { type RunningContract, subscribedEvents, wake } from '../execution.ts';
import type { PartyBindings } from '../parties/bindings.ts';
import { deliverTo, type Executed, type Simulated, type SimulatedEvent } from '../simulated-contract.ts';
import { isReserved, keyedState, nextWake } from '../transition-function.ts';
import type { KeyRule } from './keys.ts';
import { namedSender, type SpawnParties, seatIn, sentAs } from './parties.ts';
import { byDue, routeOf, spawnRefusal } from './route.ts';
import { spawn } from './spawn.ts';

const { instances: MAX_INSTANCES } = LIMITS.contracts.draft;

export class SimulatedInstances implements Simulated {
  readonly #contract: CompiledContract;
  readonly #rule: KeyRule;
  readonly #bindings: PartyBindings | undefined;
  /** Of the contract itself, which has none but its beginning. */
  readonly #state: ContractState;
  readonly #events: ReadonlySet<string>;
  readonly #instances = new Map<string, RunningContract>();
  readonly #due = new Map<string, number>();

  /** @param bindings  of the parties of the contract, not of those that each instance binds */
  constructor(contract: CompiledContract, rule: KeyRule, tick: number, bindings?: PartyBindings) {
    this.#contract = contract;
    this.#bindings = bindings;
    this.#rule = rule;
    this.#state = keyedState(contract, tick, 0);
    this.#events = subscribedEvents(contract);
  }

  get state(): ContractState {
    return this.#state;
  }

  get(key: string): RunningContract | undefined {
    return this.#instances.get(key);
  }

  /** All of them, in the order of their keys. */
  get all(): readonly (readonly [key: string, running: RunningContract])[] {
    return [...this.#instances].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  get nextDue(): number | undefined {
    let first = Number.POSITIVE_INFINITY;
    for (const due of this.#due.values()) first = Math.min(first, due);
    return first === Number.POSITIVE_INFINITY ? undefined : first;
  }

  *wake(tick: number, number: number, environment: Environment): Generator<Executed> {
    const due = [...this.#due].flatMap(([key, due]) => (due <= tick ? [{ key, due }] : []));
    for (const { key } of due.sort(byDue)) {
      const running = this.#instances.get(key);
      if (running !== undefined)
        yield this.#executed(key, running, { steps: wake(running, tick, number, environment) });
    }
  }

  /** @throws DomainError BUDGET_EXCEEDED if there would be more than a simulation keeps */
  deliver(event: SimulatedEvent, emitter: string | undefined, environment: Environment): Executed {
    const { name, payload } = event;
    if (!this.#events.has(name) || isReserved(this.#contract, this.#state, event)) return { steps: [] };
    const find = (key: string) => this.#instances.get(key);
    const route = routeOf(this.#rule, { name, payload, emitter }, find, (running) => running);
    if (route.kind === 'spawn') return this.#spawn(event, route.key, route.former, environment);
    if (route.kind === 'none') {
      const { key, refusal } = route;
      return { instance: key, steps: [], refused: refusal === undefined ? [] : [refusal] };
    }
    const { parties } = route.found.state;
    const sent = { ...event, ...sentAs(seatIn(parties?.bindings, senderOf(event))) };
    return this.#executed(route.key, route.found, deliverTo(route.found, sent, environment));
  }

  #spawn(event: SimulatedEvent, key: string, former: RunningContract | undefined, environment: Environment): Executed {
    if (former === undefined && this.#instances.size >= MAX_INSTANCES) {
      const message = `The scenarios create more than ${MAX_INSTANCES} instances; let them send fewer keys.`;
      throw new DomainError('BUDGET_EXCEEDED', message, { facts: { instances_max: MAX_INSTANCES } });
    }
    const refusal = spawnRefusal(this.#rule, this.#contract, event, key, this.#instances.size);
    if (refusal !== undefined) return { instance: key, steps: [], refused: [refusal] };
    const parties = { bindings: this.#bindings, ...senderOf(event) };
    const begun = spawn(this.#rule, this.#contract, key, event, former?.state, environment, parties);
    if (begun.refused !== undefined) return { instance: key, steps: [], refused: begun.refused };
    this.#instances.set(key, begun.running);
    return this.#executed(key, begun.running, { steps: begun.steps });
  }

  #executed(key: string, { contract, state, windows }: RunningContract, done: Executed): Executed {
    const due = nextWake(contract, state, windows);
    if (due === undefined) this.#due.delete(key);
    else this.#due.set(key, due);
    return { ...done, instance: key };
  }
}

/** Who sent an event, as the step of a scenario names them; nobody, if the contract emitted it. */
const senderOf = ({ actor, isExternal }: SimulatedEvent): Pick<SpawnParties, 'senderIn'> => ({
  senderIn: (bindings) => (actor === undefined || isExternal !== true ? undefined : namedSender(bindings, actor)),
});
