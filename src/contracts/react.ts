// The transition function: a contract, what it is, what happens; out comes what it becomes and what it does.
//
// Pure and deterministic, so that the live engine, a dry run, a simulation and a browser all decide alike. One stimulus
// fires at most one transition, which runs to its end: an action that fails leaves state and context as they were.

import { DomainError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import type { Binding, CompiledAction, CompiledContract, CompiledTransition } from './compiled.ts';
import type { Scalar, Scalars } from './definition.ts';
import type { OracleView } from './readings.ts';
import { firstDue, isTimer } from './schedule.ts';
import { type Evaluate, evaluateTyped, type TypedExpression, typeOf, typeOfValue } from './typed.ts';
import { Window } from './window.ts';

export type Lifecycle = 'active' | 'completed' | 'failed';

export interface Timer {
  readonly transition: string;
  readonly due: number;
  /** How often a guarded one-shot was tried again. */
  readonly retries: number;
}

/** All of a contract that must be stored: the rest follows from the definition and the log. */
export interface ContractState {
  readonly state: string;
  readonly lifecycle: Lifecycle;
  readonly context: Scalars;
  readonly deployed: number;
  /** Tick of the entry into the state, and how many entries there were. */
  readonly entered: number;
  readonly entries: number;
  /** Number of the stimulus that led into the state: samples before it are older than the entry. */
  readonly enteredAt: number;
  readonly timers: readonly Timer[];
  /** Fires of timers since the entry, by transition. */
  readonly firesSinceEntry: Readonly<Record<string, number>>;
  /** Transitions whose windows stayed empty since the entry and were looked at once. */
  readonly silent: readonly string[];
  /** When samples left a window that minds while something else happened, or nobody was there: a look at it is owed. */
  readonly owed: number | null;
  /** The next event that would fire something fires nothing. */
  readonly swallows: boolean;
  readonly fires: number;
  readonly missed: number;
  /** How often something might have fired and a condition held it back. */
  readonly guarded: number;
  /** Refusals by failed actions in a row. */
  readonly failures: number;
}

export type Stimulus = { readonly tick: number; readonly number: number } & (
  | {
      readonly kind: 'event';
      readonly name: string;
      readonly payload: Readonly<Record<string, unknown>>;
      readonly isOwn?: boolean;
    }
  | {
      readonly kind: 'timer';
      readonly transition: string;
      /** The occurrence that fires, and the one after it. */
      readonly due: number;
      readonly next: number | undefined;
    }
  | { readonly kind: 'expiry' }
  | {
      readonly kind: 'manual';
      readonly transition: string;
      readonly payload?: Readonly<Record<string, unknown>> | undefined;
    }
);

/** What the function asks of the world; each answer is a pure function of what is asked. */
export interface World {
  readonly evaluate: Evaluate;
  /** @throws DomainError if the operator or solver refuses */
  compute(call: ComputeCall): number;
  /** Whole numbers held by (token, holder). */
  balance(token: string, holder: string): number;
  /** What the oracle says at the tick of the stimulus; undefined where there has been no reading. */
  readonly oracle?: OracleView | undefined;
}

export interface ComputeCall {
  readonly operator?: string;
  readonly solver?: string;
  readonly inputs: Readonly<Record<string, number>>;
}

export interface Emitted {
  readonly event: string;
  readonly payload: Scalars;
}

export interface TokenMove {
  readonly token: string;
  readonly holder: string;
  /** What is added; taken away where it is negative. */
  readonly amount: number;
}

export interface Fired {
  readonly transition: string;
  readonly from: string;
  readonly to: string;
  readonly operator: string;
  readonly hasProof: boolean;
  /** Of the state that was left: part of the key that makes a fire unique. */
  readonly entry: number;
  readonly emitted: readonly Emitted[];
  readonly computed: readonly (ComputeCall & { readonly into: string; readonly value: number })[];
  readonly tokens: readonly TokenMove[];
  readonly webhooks: readonly { readonly url: string; readonly payload: Scalars }[];
  readonly logs: readonly string[];
}

export interface Refused {
  readonly transition: string;
  readonly code: 'CONDITION' | 'TOO_FEW_SAMPLES' | 'NO_VALUE' | 'ACTION_FAILED' | 'PAYLOAD' | 'SKIPPED';
  readonly reason: string;
}

export interface Reaction {
  readonly state: ContractState;
  readonly fired: Fired | undefined;
  readonly refused: readonly Refused[];
}

const SHOWN_CHARACTERS = 40;

/** So many refusals by failed actions in a row, and the contract has failed. */
const MOST_FAILURES = 5;

/** The windows of a contract, by transition. They follow from the log and can be built anew from it. */
export type Windows = Map<string, Window>;

export function emptyWindows({ transitions }: CompiledContract): Windows {
  const windows: Windows = new Map();
  for (const { id, trigger } of transitions) {
    if (trigger.kind === 'on_aggregate') windows.set(id, new Window(trigger.fn, trigger.within));
  }
  return windows;
}

export function deploy(contract: CompiledContract, tick: number, number: number): ContractState {
  const fresh: ContractState = {
    state: contract.definition.initial,
    lifecycle: 'active',
    context: contract.initialContext,
    deployed: tick,
    entered: tick,
    entries: 1,
    enteredAt: number,
    timers: [],
    firesSinceEntry: {},
    silent: [],
    owed: null,
    swallows: false,
    fires: 0,
    missed: 0,
    guarded: 0,
    failures: 0,
  };
  return { ...fresh, timers: armed(contract, fresh, tick) };
}

/** The same state under another definition that has it: its timers are armed anew, from the entry that there was. */
export function carriedOver(contract: CompiledContract, state: ContractState, tick: number): ContractState {
  const known = Object.entries(contract.initialContext).map(([name, initial]) => {
    const value = state.context[name];
    return [name, typeof value === typeof initial ? (value as Scalar) : initial] as const;
  });
  const context = Object.fromEntries(known);
  const carried = { ...state, context, firesSinceEntry: {}, silent: [], owed: null, swallows: false, failures: 0 };
  return { ...carried, timers: armed(contract, carried, tick) };
}

/** When the contract wants to be looked at next: the first timer, or the first sample that leaves a window that minds. */
export function nextWake(contract: CompiledContract, state: ContractState, windows: Windows): number | undefined {
  if (state.lifecycle !== 'active') return undefined;
  const times = state.timers.map(({ due }) => due);
  if (state.owed !== null) times.push(state.owed);
  for (const { id, from, trigger } of contract.transitions) {
    if (trigger.kind !== 'on_aggregate' || !trigger.onExpiry || !from.has(state.state)) continue;
    const expiry = windows.get(id)?.nextExpiry;
    if (expiry !== undefined) times.push(expiry);
    // A window that stays empty from the entry on is looked at once, when it has been empty for its whole length.
    if (expiry === undefined && !state.silent.includes(id)) times.push(state.entered + trigger.within);
  }
  return times.length === 0 ? undefined : Math.min(...times);
}

/** Counts an event in every window that listens to it, whatever state the contract is in. */
export function observe(
  contract: CompiledContract,
  windows: Windows,
  event: { readonly name: string; readonly payload: Readonly<Record<string, unknown>>; readonly tick: number },
  evaluate: Evaluate,
): void {
  for (const { id, trigger } of contract.transitions) {
    if (trigger.kind !== 'on_aggregate' || trigger.event !== event.name) continue;
    const value = trigger.field === undefined ? 0 : event.payload[trigger.field];
    if (payloadFault(contract, event.name, event.payload) !== undefined || !isScalar(value)) continue;
    if (trigger.filter) {
      const read = readerOf({ ...contract.parameters }, event.payload, {});
      if (evaluateTyped(trigger.filter, read, evaluate) !== true) continue;
    }
    windows.get(id)?.add(event.tick, value);
  }
}

export function react(
  contract: CompiledContract,
  state: ContractState,
  windows: Windows,
  stimulus: Stimulus,
  world: World,
): Reaction {
  const unchanged = (refused: readonly Refused[], after: ContractState): Reaction => ({
    state: refused.some(({ code }) => code === 'CONDITION') ? { ...after, guarded: after.guarded + 1 } : after,
    fired: undefined,
    refused,
  });
  if (state.lifecycle !== 'active') return unchanged([], state);
  const owed = state.owed ?? oldestLoss(contract, state, windows, stimulus.tick);
  for (const window of windows.values()) window.expire(stimulus.tick);
  // Windows count what others say.
  if (stimulus.kind === 'event' && !stimulus.isOwn) {
    observe(contract, windows, { ...stimulus, payload: stimulus.payload }, world.evaluate);
  }
  const looked = stimulus.kind === 'expiry' ? lookedAt(contract, state, windows, stimulus.tick) : { ...state, owed };
  const refused: Refused[] = [];
  for (const transition of candidates(contract, looked, stimulus)) {
    const attempt = new Attempt(contract, looked, windows, transition, stimulus, world);
    const refusal = attempt.refusal();
    if (refusal !== undefined) {
      refused.push({ transition: transition.id, ...refusal });
      continue;
    }
    if (looked.swallows && stimulus.kind === 'event') {
      refused.push({ transition: transition.id, code: 'SKIPPED', reason: 'This match was to be skipped.' });
      return unchanged(refused, { ...looked, swallows: false });
    }
    try {
      const fired = attempt.fire();
      return { state: entered(contract, looked, windows, transition, stimulus, attempt.context), fired, refused };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      refused.push({ transition: transition.id, code: 'ACTION_FAILED', reason: error.message });
      const failures = looked.failures + 1;
      const lifecycle = failures >= MOST_FAILURES ? 'failed' : 'active';
      return unchanged(refused, spent({ ...looked, failures, lifecycle }, transition, stimulus));
    }
  }
  const [timed] = stimulus.kind === 'timer' ? contract.transitions.filter(({ id }) => id === stimulus.transition) : [];
  return unchanged(refused, timed ? spent(looked, timed, stimulus) : looked);
}

/** The transitions that a stimulus may fire, in the order in which they are tried. */
function candidates(
  { transitions }: CompiledContract,
  { state }: ContractState,
  stimulus: Stimulus,
): CompiledTransition[] {
  return transitions.filter(({ id, from, trigger }) => {
    if (!from.has(state)) return false;
    switch (stimulus.kind) {
      case 'event':
        if (trigger.kind === 'event') return trigger.event === stimulus.name && (!stimulus.isOwn || trigger.self);
        return trigger.kind === 'on_aggregate' && trigger.event === stimulus.name && !stimulus.isOwn;
      case 'expiry':
        return trigger.kind === 'on_aggregate' && trigger.onExpiry;
      default:
        return id === stimulus.transition;
    }
  });
}

interface Refusal {
  readonly code: Refused['code'];
  readonly reason: string;
}

/** One transition tried on one stimulus: a draft of the context that is kept only if it fires. */
class Attempt {
  context: Record<string, Scalar>;
  readonly #contract: CompiledContract;
  readonly #state: ContractState;
  readonly #transition: CompiledTransition;
  readonly #stimulus: Stimulus;
  readonly #world: World;
  readonly #window: Window | undefined;
  readonly #payload: Readonly<Record<string, unknown>>;
  readonly #scratch: Record<string, Scalar> = {};
  readonly #emitted: Emitted[] = [];
  readonly #computed: Fired['computed'][number][] = [];
  readonly #tokens: TokenMove[] = [];
  readonly #webhooks: Fired['webhooks'][number][] = [];
  readonly #logs: string[] = [];

  constructor(
    contract: CompiledContract,
    state: ContractState,
    windows: Windows,
    transition: CompiledTransition,
    stimulus: Stimulus,
    world: World,
  ) {
    this.#contract = contract;
    this.#state = state;
    this.#transition = transition;
    this.#stimulus = stimulus;
    this.#world = world;
    this.#window = windows.get(transition.id);
    this.#payload = 'payload' in stimulus ? (stimulus.payload ?? {}) : {};
    this.context = { ...state.context };
  }

  /** Why the transition does not fire; undefined if it may. */
  refusal(): Refusal | undefined {
    const { trigger, condition, pre } = this.#transition;
    if ('event' in trigger && (this.#stimulus.kind === 'event' || this.#stimulus.kind === 'manual')) {
      const fault = payloadFault(this.#contract, trigger.event, this.#payload);
      if (fault !== undefined) return { code: 'PAYLOAD', reason: fault };
    }
    if (trigger.kind === 'on_aggregate') {
      const { count = 0, value } = this.#window ?? {};
      if (count < trigger.minCount) {
        return {
          code: 'TOO_FEW_SAMPLES',
          reason: `${count} samples lie in the window; ${trigger.minCount} are needed.`,
        };
      }
      if (value === undefined) return { code: 'NO_VALUE', reason: `${trigger.fn} has no value: the window is empty.` };
    }
    try {
      for (const action of pre) this.#act(action);
      if (condition === undefined || this.#value(condition) === true) return undefined;
      return { code: 'CONDITION', reason: `The condition is false: ${condition.text}` };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return { code: 'NO_VALUE', reason: error.message };
    }
  }

  /** @throws DomainError if an action fails */
  fire(): Fired {
    const { id, to, operator, hasProof, post } = this.#transition;
    for (const action of post) this.#act(action);
    return {
      transition: id,
      from: this.#state.state,
      to,
      operator,
      hasProof,
      entry: this.#state.entries,
      emitted: this.#emitted,
      computed: this.#computed,
      tokens: this.#tokens,
      webhooks: this.#webhooks,
      logs: this.#logs,
    };
  }

  #act(action: CompiledAction): void {
    switch (action.kind) {
      case 'set': {
        // All are read before any is written, so that the order of names means nothing.
        const values = this.#values(action.bindings);
        for (const [name, value] of Object.entries(values)) this.#assign(name, value);
        break;
      }
      case 'compute': {
        const inputs = this.#values(action.inputs) as Record<string, number>;
        const { operator, solver, into } = action;
        const call = {
          ...(operator === undefined ? {} : { operator }),
          ...(solver === undefined ? {} : { solver }),
          inputs,
        };
        const value = finite(this.#world.compute(call), into);
        this.#computed.push({ ...call, into, value });
        this.#scratch['op.value'] = value;
        this.#assign(into, value);
        break;
      }
      case 'emit':
        this.#emitted.push({ event: action.event, payload: this.#values(action.payload) });
        break;
      case 'webhook':
        this.#webhooks.push({ url: action.url, payload: this.#values(action.payload) });
        break;
      case 'token':
        this.#move(action);
        break;
      case 'log':
        this.#logs.push(
          action.parts.map((part) => (typeof part === 'string' ? part : String(this.#value(part)))).join(''),
        );
        break;
    }
  }

  #assign(name: string, value: Scalar): void {
    if (Object.hasOwn(this.#contract.initialContext, name)) {
      const type = this.#contract.definition.context?.[name]?.type;
      const isWhole = type !== 'integer' && type !== 'ticks';
      if (!isWhole && !Number.isSafeInteger(value)) {
        throw new DomainError('VALIDATION_FAILED', `${name} would become ${value}; a whole number is expected.`);
      }
      this.context[name] = value;
    } else {
      this.#scratch[name] = value;
    }
  }

  /** Holders never fall below zero; a contract that pays without naming a payer pays from itself, without limit. */
  #move({ op, token, amount, to, from }: Extract<CompiledAction, { kind: 'token' }>): void {
    const count = this.#value(amount);
    if (typeof count !== 'number' || !Number.isSafeInteger(count) || count < 0) {
      throw new DomainError('VALIDATION_FAILED', `${op} of ${count} ${token}; a whole number from 0 on is expected.`);
    }
    if (from !== undefined && op !== 'mint') {
      const holder = this.#holder(from);
      const held = this.#held(token, holder);
      if (held < count) {
        throw new DomainError('VALIDATION_FAILED', `${holder} holds ${held} ${token}; ${count} cannot be taken.`);
      }
      this.#tokens.push({ token, holder, amount: -count });
    }
    if (to !== undefined && op !== 'spend') {
      const holder = this.#holder(to);
      if (!Number.isSafeInteger(this.#held(token, holder) + count)) {
        throw new DomainError('VALIDATION_FAILED', `${holder} would hold more ${token} than can be counted.`);
      }
      this.#tokens.push({ token, holder, amount: count });
    }
  }

  /** Anybody's name, as long as every database can keep it as the key of a balance. */
  #holder(expression: TypedExpression): string {
    const holder = String(this.#value(expression));
    const { holderCharacters: most } = LIMITS.contracts;
    if (holder.length >= 1 && holder.length <= most && holder.isWellFormed() && !/\p{Cc}/u.test(holder)) return holder;
    const shown = JSON.stringify(holder.slice(0, SHOWN_CHARACTERS));
    throw new DomainError(
      'VALIDATION_FAILED',
      `The holder ${shown} has ${holder.length} characters; 1 to ${most} are expected, none of them a control character.`,
    );
  }

  #held(token: string, holder: string): number {
    const moved = this.#tokens.filter((one) => one.token === token && one.holder === holder);
    return moved.reduce((sum, { amount }) => sum + amount, this.#world.balance(token, holder));
  }

  #values(bindings: readonly Binding[]): Record<string, Scalar> {
    return Object.fromEntries(bindings.map(({ name, expression }) => [name, finite(this.#value(expression), name)]));
  }

  #value(expression: TypedExpression): Scalar {
    return evaluateTyped(expression, this.#read, this.#world.evaluate);
  }

  readonly #read = (name: string): Scalar => {
    const { tick } = this.#stimulus;
    if (Object.hasOwn(this.#scratch, name)) return this.#scratch[name] as Scalar;
    if (Object.hasOwn(this.context, name)) return this.context[name] as Scalar;
    switch (name) {
      case 'now':
        return tick;
      case 'state.age':
        return tick - this.#state.entered;
      case 'state.entries':
        return this.#state.entries;
      case 'agg.value':
        return this.#window?.value ?? Number.NaN;
      case 'agg.count':
        return this.#window?.count ?? 0;
      case 'oracle.value':
      case 'oracle.age': {
        const { oracle } = this.#world;
        if (oracle === undefined) throw new DomainError('VALIDATION_FAILED', 'The oracle has no reading.');
        return name === 'oracle.value' ? oracle.value : oracle.age;
      }
      default:
        return readerOf(this.#contract.parameters, this.#payload, {})(name);
    }
  };
}

function readerOf(
  parameters: Scalars,
  payload: Readonly<Record<string, unknown>>,
  more: Scalars,
): (name: string) => Scalar {
  return (name) => {
    if (name.startsWith('event.')) {
      const field = name.slice('event.'.length);
      const value = Object.hasOwn(payload, field) ? payload[field] : undefined;
      if (isScalar(value)) return value;
      throw new DomainError('VALIDATION_FAILED', `The event has no field ${field}.`);
    }
    const value = Object.hasOwn(parameters, name) ? parameters[name] : more[name];
    if (value === undefined) throw new DomainError('VALIDATION_FAILED', `${name} has no value yet.`);
    return value;
  };
}

const isScalar = (value: unknown): value is Scalar =>
  typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean';

function finite<Value extends Scalar>(value: Value, name: string): Value {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new DomainError('VALIDATION_FAILED', `${name} would become ${value}; a finite number is expected.`);
  }
  return value;
}

/** What is wrong with the payload of an event, for a contract that declares its fields. */
export function payloadFault(
  { definition }: CompiledContract,
  name: string,
  payload: Readonly<Record<string, unknown>>,
): string | undefined {
  for (const [field, type] of Object.entries(definition.events?.[name]?.payload ?? {})) {
    const value = Object.hasOwn(payload, field) ? payload[field] : undefined;
    if (!isScalar(value) || typeOfValue(value) !== typeOf(type)) {
      return `${name}.${field} is ${value === undefined ? 'missing' : JSON.stringify(value)}; a ${type} is expected.`;
    }
    if ((type === 'integer' || type === 'ticks') && !Number.isSafeInteger(value)) {
      return `${name}.${field} is ${value}; a whole number is expected.`;
    }
  }
  return undefined;
}

/** The state after a transition: entered anew, or only passed through where it leads back without `reenter`. */
function entered(
  contract: CompiledContract,
  before: ContractState,
  windows: Windows,
  transition: CompiledTransition,
  stimulus: Stimulus,
  context: Scalars,
): ContractState {
  const fires = before.fires + 1;
  if (transition.to === before.state && !transition.reenters) {
    return spent({ ...before, context, fires, failures: 0 }, transition, stimulus, contract);
  }
  const isOver = contract.definition.states[transition.to]?.role === 'terminal';
  const after: ContractState = {
    ...before,
    context,
    fires,
    failures: 0,
    state: transition.to,
    lifecycle: isOver ? 'completed' : 'active',
    entered: stimulus.tick,
    entries: before.entries + 1,
    enteredAt: stimulus.number,
    timers: [],
    firesSinceEntry: {},
    silent: [],
    owed: null,
    swallows: false,
  };
  for (const { id, trigger } of contract.transitions) {
    if (trigger.kind === 'on_aggregate' && trigger.since === 'entry') windows.get(id)?.clear();
  }
  return isOver ? after : { ...after, timers: armed(contract, after, stimulus.tick) };
}

/** The timers of a state, from its entry on. */
function armed(contract: CompiledContract, state: ContractState, now: number): Timer[] {
  const anchors = { entry: state.entered, deploy: state.deployed };
  return contract.transitions.flatMap(({ id, from, trigger }) => {
    if (!isTimer(trigger) || !from.has(state.state)) return [];
    const due = firstDue(trigger, anchors, now);
    return due === undefined ? [] : [{ transition: id, due, retries: 0 }];
  });
}

/** A timer that has had its turn is moved to its next one, tried again later, or gone. */
function spent(
  state: ContractState,
  { id, trigger }: CompiledTransition,
  stimulus: Stimulus,
  contract?: CompiledContract,
): ContractState {
  if (stimulus.kind !== 'timer' || !isTimer(trigger)) return state;
  const hasFired = contract !== undefined;
  const before = Object.hasOwn(state.firesSinceEntry, id) ? (state.firesSinceEntry[id] ?? 0) : 0;
  const fired = before + (hasFired ? 1 : 0);
  const timers = state.timers.flatMap((timer): Timer[] => {
    if (timer.transition !== id || timer.due > stimulus.due) return [timer];
    if (trigger.kind === 'one_shot') {
      const isRetried = !hasFired && trigger.retryEvery !== undefined && timer.retries < trigger.maxRetries;
      return isRetried
        ? [{ ...timer, due: stimulus.tick + (trigger.retryEvery ?? 0), retries: timer.retries + 1 }]
        : [];
    }
    if (trigger.kind === 'recurring' && fired >= trigger.maxFires) return [];
    return stimulus.next === undefined ? [] : [{ ...timer, due: stimulus.next }];
  });
  return {
    ...state,
    timers,
    firesSinceEntry: hasFired ? { ...state.firesSinceEntry, [id]: fired } : state.firesSinceEntry,
  };
}

/** When the first of the samples left that leave, by `tick`, a window whose transition listens to that in this state. */
function oldestLoss(contract: CompiledContract, { state }: ContractState, windows: Windows, tick: number) {
  const losses = mindingIn(contract, state).flatMap(({ id }) => windows.get(id)?.nextExpiry ?? []);
  const first = Math.min(...losses);
  return first <= tick ? first : null;
}

/** Transitions of a state that listen to samples leaving their window. */
export const mindingIn = ({ transitions }: CompiledContract, state: string) =>
  transitions.filter(({ from, trigger }) => trigger.kind === 'on_aggregate' && trigger.onExpiry && from.has(state));

/** The state with a look owed at its windows, if it has any that mind. */
export function owing(contract: CompiledContract, state: ContractState, tick: number): ContractState {
  return mindingIn(contract, state.state).length === 0 ? state : { ...state, owed: state.owed ?? tick };
}

/** Notes that the windows that mind were looked at, and which of them stayed empty since the entry. */
function lookedAt(contract: CompiledContract, state: ContractState, windows: Windows, tick: number): ContractState {
  const seen = contract.transitions.flatMap(({ id, from, trigger }) => {
    const isLooked =
      trigger.kind === 'on_aggregate' &&
      trigger.onExpiry &&
      from.has(state.state) &&
      state.entered + trigger.within <= tick;
    return isLooked && windows.get(id)?.count === 0 && !state.silent.includes(id) ? [id] : [];
  });
  return { ...state, owed: null, silent: seen.length === 0 ? state.silent : [...state.silent, ...seen] };
}
