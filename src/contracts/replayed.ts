// One contract under replay: it hears what its machine heard, is woken, paused and patched as the live one was, and keeps
// account of what fires. The moves are those of the live engine (progress.ts, react.ts); nothing is written anywhere.

import { type ResumeMode, redefined, resumed, skipped } from './acts.ts';
import type { CompiledContract } from './compiled.ts';
import type { Scalars } from './definition.ts';
import { addMoves, type Happening, type Surroundings } from './history.ts';
import { heardAs } from './oracle.ts';
import {
  carriedReadings,
  deliver,
  emptyReadings,
  hear,
  heardNames,
  type Running,
  type Step,
  take,
  wake,
} from './progress.ts';
import { deploy, emptyWindows, nextWake, observe } from './react.ts';
import type { Fired, Refused, Windows, World } from './reaction.ts';

export type ReplayStatus = 'active' | 'paused' | 'frozen' | 'completed' | 'failed';

/** A fire of a replay, told like a row of type `transition`. */
export interface ReplayedFire {
  /** The tick of its row. */
  readonly tick: number;
  readonly transition: string;
  readonly from: string;
  readonly to: string;
  readonly cause: string;
  /** The occurrence of a timer. */
  readonly due: number | undefined;
  readonly fired: Fired;
}

export interface ReplayedRefusal extends Refused {
  readonly tick: number;
}

type Heard = Extract<Happening, { kind: 'event' }>;

/** What a contract emitted and has not heard itself yet, with the number of events that led to it. */
interface OwnEvent {
  readonly name: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly tick: number;
  readonly hop: number;
}

export interface ReplayedOptions {
  readonly world: Omit<World, 'balance'>;
  readonly before: Surroundings;
  /** How often an event may cause another one. */
  readonly hops: number;
}

export class Replayed {
  running: Running;
  status: ReplayStatus = 'active';
  isMachineActive: boolean;
  /** Of the last thing that happened. */
  tick: number;
  readonly fires: ReplayedFire[] = [];
  readonly refused: ReplayedRefusal[] = [];
  /** Events of its own, in the order in which it will hear them. */
  own: OwnEvent[] = [];
  readonly #options: ReplayedOptions;
  readonly #balances: Map<string, number>;
  readonly #world: World;
  #heldAt: number | undefined;

  constructor(running: Running, tick: number, options: ReplayedOptions) {
    this.running = running;
    this.tick = tick;
    this.#options = options;
    this.#balances = new Map(options.before.balances);
    this.isMachineActive = options.before.isMachineActive;
    this.#world = {
      ...options.world,
      balance: (token, holder) => this.#balances.get(`${token}\0${holder}`) ?? 0,
    };
  }

  /** Since when it stands still. */
  get heldAt(): number | undefined {
    return this.#heldAt;
  }

  /** As it was deployed. */
  static begun(
    contract: CompiledContract,
    at: { readonly tick: number; readonly seq: number },
    options: ReplayedOptions,
  ) {
    const state = deploy(contract, at.tick, at.seq);
    const running = { contract, state, windows: emptyWindows(contract), readings: emptyReadings(contract) };
    return new Replayed(running, at.tick, options);
  }

  /** Another one that goes on from here, perhaps as another contract; it has fired nothing yet. */
  fork(running: Running): Replayed {
    const before = { balances: this.#balances, isMachineActive: this.isMachineActive };
    const fork = new Replayed(running, this.tick, { ...this.#options, before });
    fork.status = running.state.lifecycle === 'active' ? this.status : running.state.lifecycle;
    fork.#heldAt = this.#heldAt;
    return fork;
  }

  /** The same, so that what happens to one does not happen to the other. */
  copy(): Replayed {
    const { contract, state, windows, readings } = this.running;
    const copies = new Map([...windows].map(([id, window]) => [id, window.copy()] as const));
    return this.fork({ contract, state, windows: copies, readings: readings?.copy() });
  }

  get isAwake(): boolean {
    return this.isMachineActive && this.status === 'active';
  }

  get nextDue(): number | undefined {
    const { contract, state, windows } = this.running;
    return this.isAwake ? nextWake(contract, state, windows) : undefined;
  }

  hears(name: string): boolean {
    return heardNames(this.running.contract).has(name);
  }

  /** An event from outside or from another contract. */
  hear({ name, payload, tick, seq, origin, isSwallowed }: Heard): void {
    const hop = origin === 'outside' ? 0 : 1;
    this.tick = tick;
    if (!this.hears(name)) return;
    const { running } = this;
    if (!this.isAwake) {
      observe(running.contract, running.windows, { name, payload, tick }, this.#world.evaluate);
      hear(running, { name, payload, tick });
      return;
    }
    if (isSwallowed) running.state = { ...running.state, swallows: true };
    this.#record(deliver(running, { kind: 'event', tick, number: seq, name, payload, isOwn: false }, this.#world), hop);
  }

  /** A reading of its oracle, which may be heard as an event. */
  read({ reading, tick, seq }: Extract<Happening, { kind: 'reading' }>): void {
    this.tick = tick;
    const { running } = this;
    const { oracle } = running.contract;
    if (this.isAwake) this.#record(wake(running, tick - 1, seq, this.#world), BY_ITSELF);
    running.readings?.add(reading);
    const heard = oracle && heardAs(oracle, reading);
    if (heard === undefined) return;
    const event = { kind: 'event', tick, number: seq, ...heard } as const;
    if (this.isAwake) this.#record([take(running, event, this.#world)], BY_ITSELF);
    else observe(running.contract, running.windows, event, this.#world.evaluate);
  }

  /** The oldest of its own events. */
  hearOwn(number: number): void {
    const event = this.own.shift();
    if (event === undefined || !this.isAwake) return;
    const { name, payload, tick, hop } = event;
    this.#record(deliver(this.running, { kind: 'event', tick, number, name, payload, isOwn: true }, this.#world), hop);
  }

  /** Everything that is due by now. */
  wake(now: number, number: number): void {
    this.tick = Math.max(this.tick, now);
    if (this.isAwake) this.#record(wake(this.running, now, number, this.#world), BY_ITSELF);
  }

  /** What a wake would do, tried on a copy: nothing is kept unless the caller takes the copy over. */
  tryWake(now: number, number: number): { readonly running: Running; readonly steps: readonly Step[] } {
    const running = copyBefore(this.running, now);
    return { running, steps: wake(running, now, number, this.#world) };
  }

  /** The first fire that a look would set off; nothing is changed. */
  wouldFire(running: Running, now: number, number: number): Fired | undefined {
    const steps = wake(copyBefore(running, now), now, number, this.#world);
    return steps.find(({ reaction }) => reaction.fired !== undefined)?.reaction.fired;
  }

  /** A transition that somebody fires by hand, or tries to. */
  fireByHand(
    transition: string,
    payload: Readonly<Record<string, unknown>> | undefined,
    { tick, seq }: { readonly tick: number; readonly seq: number },
  ): void {
    this.tick = tick;
    if (!this.isAwake) return;
    this.#record(
      [take(this.running, { kind: 'manual', tick, number: seq, transition, payload }, this.#world)],
      BY_ITSELF,
    );
  }

  /** What people and other contracts did meanwhile. @param contractOf  the contract of a version; undefined keeps its own */
  act(happening: Happening, contractOf: (no: number) => CompiledContract | undefined, windowsOf: WindowsOf): void {
    const { running } = this;
    this.tick = happening.tick;
    switch (happening.kind) {
      case 'paused':
        if (this.status !== 'active') return;
        this.status = 'paused';
        this.#heldAt = happening.tick;
        return;
      case 'frozen':
        this.status = 'frozen';
        return;
      case 'resumed': {
        if (this.status !== 'paused' && this.status !== 'failed') return;
        const heldAt = this.#heldAt ?? happening.tick;
        running.state = resumed(running, happening.mode as ResumeMode, happening.tick, heldAt);
        this.status = 'active';
        this.#heldAt = undefined;
        return;
      }
      case 'skipped': {
        const [next] = running.state.timers.toSorted((a, b) => a.due - b.due);
        if (next === undefined || !this.isAwake) return;
        running.state = skipped(running, next);
        this.#follow(happening.tick);
        return;
      }
      case 'version': {
        const contract = contractOf(happening.no);
        if (contract === undefined) return;
        const isReset = happening.isReset || !Object.hasOwn(contract.definition.states, running.state.state);
        const at = { tick: happening.tick, number: happening.seq, isReset, heldAt: this.#heldAt };
        const state = redefined(contract, running.state, at);
        this.running = {
          contract,
          state,
          windows: windowsOf(contract, state),
          readings: carriedReadings(running, contract) ?? emptyReadings(contract),
        };
        return;
      }
      case 'machine':
        this.isMachineActive = happening.isActive;
        return;
      case 'tokens':
        addMoves(this.#balances, happening.moves);
        return;
    }
  }

  #record(steps: readonly Step[], hop: number): void {
    const { tick } = this;
    for (const { stimulus, reaction } of steps) {
      this.refused.push(...reaction.refused.map((one) => ({ ...one, tick })));
      const { fired } = reaction;
      if (fired === undefined) continue;
      const { transition, from, to } = fired;
      const due = stimulus.kind === 'timer' ? stimulus.due : undefined;
      this.fires.push({ tick, transition, from, to, cause: stimulus.kind, due, fired });
      for (const { event: name, payload } of fired.emitted) {
        if (this.hears(name) && hop < this.#options.hops) this.own.push({ name, payload, tick, hop: hop + 1 });
      }
    }
    // As in the live engine: tokens move when all that one stimulus set off has been decided.
    for (const { reaction } of steps) addMoves(this.#balances, reaction.fired?.tokens ?? []);
    this.#follow(tick);
  }

  #follow(tick: number): void {
    const { lifecycle } = this.running.state;
    if (this.status !== 'active' || lifecycle === 'active') return;
    this.status = lifecycle;
    if (lifecycle === 'failed') this.#heldAt = tick;
  }
}

/** What a contract emits when no event woke it counts as an event from outside. */
const BY_ITSELF = -1;

/** Where a contract stands. */
export interface Standing {
  readonly state: string;
  readonly status: string;
  readonly context: Scalars;
}

export function standingOf({ running: { state }, status }: Replayed): Standing {
  return { state: state.state, status, context: state.context };
}

/** The windows of a contract as the events so far leave them. */
export type WindowsOf = (contract: CompiledContract, state: Running['state']) => Windows;

/** A copy that a look at this tick cannot change the original through: windows that lose nothing by then are shared. */
function copyBefore({ contract, state, windows, readings }: Running, now: number): Running {
  const cleared = new Set(
    contract.transitions.flatMap(({ id, trigger }) =>
      trigger.kind === 'on_aggregate' && trigger.since === 'entry' ? [id] : [],
    ),
  );
  const copies = [...windows].map(([id, window]) => {
    const isTouched = cleared.has(id) || (window.nextExpiry ?? now + 1) <= now;
    return [id, isTouched ? window.copy() : window] as const;
  });
  return { contract, state, windows: new Map(copies), readings };
}
