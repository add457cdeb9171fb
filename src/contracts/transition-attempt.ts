// Evaluates one transition on one stimulus: its condition and the effects of its actions.

import { canonicalJson } from '../core/canonical-json.ts';
import { DomainError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import { utf8 } from '../core/sha256.ts';
import { startedCall } from './calls/compile.ts';
import type { Binding, CompiledAction, CompiledContract, CompiledTransition } from './compiled.ts';
import type {
  ContractState,
  EmittedEvent,
  Environment,
  FieldFault,
  FiredTransition,
  RefusedTransition,
  SentBy,
  SentEvent,
  StartedCall,
  Stimulus,
  TokenMove,
  Windows,
} from './contract-state.ts';
import { type CompiledDataAction, runDataAction } from './data/actions.ts';
import { type Collections, type Entries, hashOfCollections, pairsOf } from './data/collections.ts';
import { dataFault, faultNameOf } from './data/faults.ts';
import { allocate } from './data/money.ts';
import type { Scalar, Scalars } from './definition.ts';
import { editionOf } from './engine-edition.ts';
import { quorumProgress, quorumRefusal, readStanding } from './parties/ballot.ts';
import { readAccrual } from './time/accruals.ts';
import { readClock } from './time/clocks.ts';
import {
  evaluateTyped,
  isWholeType,
  jsonTypeOf,
  type TypedExpression,
  typeOfValue,
  typeWithArticle,
} from './typed-expressions.ts';
import type { Window } from './window.ts';
import { windowOfName } from './windows/declared-windows.ts';
import { readWindow } from './windows/named-windows.ts';

const MAX_SHOWN_CHARACTERS = 40;
const EVENT = 'event.';

/** Work of an action for each entry of its collection; of the hash of all collections, and of storing them. */
const WORDS_PER_ENTRY = 5;
const WORDS_PER_BYTE = 3;

type Refusal = Omit<RefusedTransition, 'transition'>;

/**
 * One attempt to fire a transition. `context` and `collections` are drafts, committed by the caller only if the transition
 * fires.
 */
export class TransitionAttempt {
  context: Record<string, Scalar>;
  collections: Collections | undefined;
  readonly #contract: CompiledContract;
  readonly #state: ContractState;
  readonly #transition: CompiledTransition;
  readonly #stimulus: Stimulus;
  readonly #environment: Environment;
  readonly #window: Window | undefined;
  readonly #windows: Windows;
  readonly #payload: Readonly<Record<string, unknown>>;
  readonly #scratch: Record<string, Scalar> = {};
  readonly #emitted: EmittedEvent[] = [];
  readonly #computed: FiredTransition['computed'][number][] = [];
  readonly #tokens: TokenMove[] = [];
  readonly #webhooks: FiredTransition['webhooks'][number][] = [];
  readonly #logs: string[] = [];
  readonly #sends: SentEvent[] = [];
  readonly #calls: StartedCall[] = [];
  /** Transitions whose deadlines are set again. */
  readonly rearmed = new Set<string>();
  /** Values of named expressions, and which of them came from the payload. */
  readonly #lets = new Map<
    string,
    { readonly value: Scalar; readonly readsPayload: boolean; readonly fields: ReadonlySet<string> }
  >();
  /** Names whose values were computed from the payload. */
  readonly #namesFromPayload = new Set<string>();
  /** Fields of the payload that the present action has read. */
  readonly #fieldsRead = new Set<string>();
  #readsPayload = false;
  #fieldAtFault: FieldFault | undefined;

  constructor(
    contract: CompiledContract,
    state: ContractState,
    windows: Windows,
    transition: CompiledTransition,
    stimulus: Stimulus,
    environment: Environment,
  ) {
    this.#contract = contract;
    this.#state = state;
    this.#transition = transition;
    this.#stimulus = stimulus;
    this.#environment = environment;
    this.#window = windows.get(transition.id);
    this.#windows = windows;
    this.#payload = payloadOf(contract, transition, stimulus);
    this.context = { ...state.context };
    this.collections = state.collections;
  }

  /** The reason why the transition does not fire; undefined if it may. */
  refusal(): Refusal | undefined {
    const { trigger, pre } = this.#transition;
    let { condition } = this.#transition;
    if ('event' in trigger && (this.#stimulus.kind === 'event' || this.#stimulus.kind === 'manual')) {
      const fault = payloadFault(this.#contract, trigger.event, this.#payload);
      if (fault !== undefined) return { code: 'PAYLOAD', reason: reasonOf(trigger.event, fault), field: fault };
    }
    if (trigger.kind === 'windows' && this.#stimulus.kind === 'event') {
      const { name, payload } = this.#stimulus;
      const fault = payloadFault(this.#contract, name, payload);
      if (fault !== undefined) return { code: 'PAYLOAD', reason: reasonOf(name, fault), field: fault };
    }
    if (trigger.kind === 'on_aggregate') {
      const { count = 0, value } = this.#window ?? {};
      if (count < trigger.minCount) {
        return {
          code: 'TOO_FEW_SAMPLES',
          reason: `${count} samples lie in the window; ${trigger.minCount} are needed.`,
        };
      }
      if (value === undefined) {
        const reason = `${trigger.fn} has no value: the window is empty.`;
        if (editionOf(this.#state) === 1) return { code: 'NO_VALUE', reason };
        condition = this.#transition.conditionWhenEmpty;
      }
    }
    const { conditionWithout } = this.#transition;
    if (conditionWithout !== undefined) {
      const empty = conditionWithout.read.filter((name) => readWindow(this.#windows, name, `${name}.empty`) === true);
      const isAggregateEmpty = trigger.kind === 'on_aggregate' && this.#window?.value === undefined;
      const isWithout = isAggregateEmpty || empty.some((name) => conditionWithout.lacking.includes(name));
      if (isWithout) condition = conditionWithout.compile(empty, isAggregateEmpty);
    }
    if (trigger.kind === 'quorum') {
      const { tick, kind } = this.#stimulus;
      const quorum = { id: this.#transition.id, trigger };
      const progress = quorumProgress(this.#contract, this.#state, quorum, tick, this.#environment.evaluate);
      const refusal = kind === 'manual' ? undefined : quorumRefusal(progress, trigger.event);
      if (refusal !== undefined) return refusal;
      this.#scratch['quorum.count'] = progress.count;
    }
    try {
      for (const action of pre) this.#run(action);
      if (condition === undefined || this.#value(condition) === true) return undefined;
      return { code: 'CONDITION', reason: `The condition is false: ${condition.text}` };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const fault = faultNameOf(error);
      return { code: 'NO_VALUE', reason: error.message, ...(fault === undefined ? {} : { fault }) };
    }
  }

  /** @throws DomainError if an action fails */
  fire(): FiredTransition {
    const { id, to, operator, hasProof, post } = this.#transition;
    for (const action of post) this.#run(action);
    this.#readsPayload = false;
    const { collections } = this;
    const isChanged = collections !== undefined && collections !== this.#state.collections;
    const hashed = isChanged ? hashOfCollections(collections) : undefined;
    if (hashed !== undefined) this.#environment.evaluate.count?.(WORDS_PER_BYTE * hashed.bytes);
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
      ...(this.#sends.length === 0 ? {} : { sends: this.#sends }),
      ...(this.#calls.length === 0 ? {} : { calls: this.#calls }),
      ...(hashed === undefined ? {} : { collectionsHash: hashed.hash }),
    };
  }

  /** What the last action, or a deadline of the new state, read came from a sender other than the contract itself, which then has no fault in its failure. */
  get readPayload(): boolean {
    return this.isSent && this.#readsPayload;
  }

  /** Whether a sender other than the contract itself caused the attempt. */
  get isSent(): boolean {
    const { kind } = this.#stimulus;
    return kind === 'manual' || (kind === 'event' && this.#stimulus.isOwn !== true);
  }

  /** Notes that a deadline of the new state read a name, which may have been set from the payload. */
  noteDeadlineRead(name: string): void {
    if (this.#namesFromPayload.has(name)) this.#readsPayload = true;
  }

  /** The field of the payload that an action could not use, if it is known. */
  get fieldAtFault(): FieldFault | undefined {
    return this.#fieldAtFault;
  }

  #run(action: CompiledAction): void {
    this.#fieldsRead.clear();
    this.#readsPayload = false;
    switch (action.kind) {
      case 'set': {
        // All values are computed before any is assigned, so that the order of names has no effect.
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
        const value = finite(this.#environment.compute(call), into);
        this.#computed.push({ ...call, into, value });
        this.#scratch['op.value'] = value;
        this.#assign(into, value);
        this.#noteSource('op.value');
        break;
      }
      case 'emit':
        this.#emitted.push({ event: action.event, payload: this.#values(action.payload) });
        break;
      case 'webhook':
        this.#webhooks.push({ url: action.url, payload: this.#values(action.payload) });
        break;
      case 'send':
        this.#send(action);
        break;
      case 'call':
        this.#calls.push(startedCall(action, (bindings) => this.#values(bindings)));
        break;
      case 'token':
        this.#moveTokens(action);
        break;
      case 'rearm':
        this.rearmed.add(action.transition);
        break;
      case 'log':
        this.#logs.push(
          action.parts.map((part) => (typeof part === 'string' ? part : String(this.#value(part)))).join(''),
        );
        break;
      case 'distribute':
        this.#distribute(action);
        break;
      default:
        this.#changeCollection(action);
    }
  }

  #send({ event, to, payload: bindings, onRefused }: Extract<CompiledAction, { kind: 'send' }>): void {
    const payload = this.#values(bindings);
    const bytes = utf8(canonicalJson(payload)).length;
    const { payloadBytes: max } = LIMITS.contracts.sends;
    if (bytes > max)
      throw new DomainError(
        'VALIDATION_FAILED',
        `The payload of ${event} to ${to} has ${bytes} bytes; at most ${max} are allowed.`,
      );
    this.#sends.push({ event, to, payload, ...(onRefused === undefined ? {} : { on_refused: onRefused }) });
  }

  #changeCollection(action: Exclude<CompiledDataAction, { kind: 'distribute' }>): void {
    const { name } = action.shape;
    const before = this.#entries(name);
    this.#environment.evaluate.count?.(WORDS_PER_ENTRY * before.length);
    const { entries, taken } = runDataAction(action, before, (expression) => this.#value(expression));
    if (entries !== before) this.collections = { ...this.collections, [name]: entries };
    if (this.#readsPayload) this.#namesFromPayload.add(name);
    if (action.kind === 'take' && taken !== undefined) this.#assign(action.into, taken);
  }

  /** Splits an amount among the holders that a map names, by their weights. */
  #distribute({ shape, amount, from, token }: Extract<CompiledDataAction, { kind: 'distribute' }>): void {
    const pairs = pairsOf(this.#entries(shape.name));
    const total = this.#value(amount) as number;
    if (total < 0) throw dataFault('NOT_WHOLE', `${total} ${token} cannot be distributed; 0 or more is expected.`);
    if (total === 0) return;
    const weights = pairs.map(([, weight]) => weight as number);
    const shares = allocate(total, weights);
    this.#pay(token, this.#holder(from), total);
    for (const [i, [holder]] of pairs.entries()) if (shares[i] !== 0) this.#receive(token, holder, shares[i] ?? 0);
  }

  #entries(name: string): Entries {
    if (this.#namesFromPayload.has(name)) this.#readsPayload = true;
    const { collections = {} } = this;
    return Object.hasOwn(collections, name) ? (collections[name] ?? []) : [];
  }

  #assign(name: string, value: Scalar): void {
    if (Object.hasOwn(this.#contract.initialContext, name)) {
      const type = this.#contract.definition.context?.[name]?.type;
      if (type !== undefined && isWholeType(type) && !Number.isSafeInteger(value)) {
        this.#noteFault('a whole number');
        throw new DomainError('VALIDATION_FAILED', `${name} would become ${value}; a whole number is expected.`);
      }
      this.context[name] = value;
    } else {
      this.#scratch[name] = value;
    }
    this.#noteSource(name);
  }

  #noteSource(name: string): void {
    if (this.#readsPayload) this.#namesFromPayload.add(name);
    else this.#namesFromPayload.delete(name);
  }

  /** Names the field that is to blame, if the action has read no other. */
  #noteFault(expected: string): void {
    const [field, ...others] = this.#fieldsRead;
    if (field === undefined || others.length > 0) return;
    this.#fieldAtFault = { path: `payload.${field}`, got: this.#payload[field], expected };
  }

  /** Balances of holders never fall below zero; a transfer without `from` is paid by the contract itself, without limit. */
  #moveTokens({ op, token, amount, to, from }: Extract<CompiledAction, { kind: 'token' }>): void {
    const count = this.#value(amount);
    if (typeof count !== 'number' || !Number.isSafeInteger(count) || count < 0) {
      this.#noteFault('a whole number from 0 on');
      throw new DomainError('VALIDATION_FAILED', `${op} of ${count} ${token}; a whole number from 0 on is expected.`);
    }
    if (from !== undefined && op !== 'mint') {
      this.#pay(token, this.#holder(from), count);
    }
    if (to !== undefined && op !== 'spend') this.#receive(token, this.#holder(to), count);
  }

  #pay(token: string, holder: string, count: number): void {
    const balance = this.#balance(token, holder);
    if (balance < count) {
      throw new DomainError('VALIDATION_FAILED', `${holder} holds ${balance} ${token}; ${count} cannot be taken.`);
    }
    this.#tokens.push({ token, holder, amount: -count });
  }

  #receive(token: string, holder: string, count: number): void {
    if (!Number.isSafeInteger(this.#balance(token, holder) + count)) {
      throw new DomainError('VALIDATION_FAILED', `${holder} would hold more ${token} than can be counted.`);
    }
    this.#tokens.push({ token, holder, amount: count });
  }

  /** The name of a holder: any text that every database can store as a key. */
  #holder(expression: TypedExpression): string {
    const holder = String(this.#value(expression));
    const { holderCharacters: max } = LIMITS.contracts;
    if (holder.length >= 1 && holder.length <= max && holder.isWellFormed() && !/\p{Cc}/u.test(holder)) return holder;
    const shown = JSON.stringify(holder.slice(0, MAX_SHOWN_CHARACTERS));
    throw new DomainError(
      'VALIDATION_FAILED',
      `The holder ${shown} has ${holder.length} characters; 1 to ${max} are expected, none of them a control character.`,
    );
  }

  #balance(token: string, holder: string): number {
    const moves = this.#tokens.filter((move) => move.token === token && move.holder === holder);
    return moves.reduce((sum, { amount }) => sum + amount, this.#environment.balance(token, holder));
  }

  #values(bindings: readonly Binding[]): Record<string, Scalar> {
    return Object.fromEntries(bindings.map(({ name, expression }) => [name, finite(this.#value(expression), name)]));
  }

  #value(expression: TypedExpression): Scalar {
    return evaluateTyped(expression, this.#read, this.#environment.evaluate, this.#readEntries);
  }

  readonly #readEntries = (name: string): Entries => this.#entries(name);

  /** The value of a named expression, with what there was before the transition; evaluated when it is first read. */
  #letValue(name: string, expression: TypedExpression): Scalar {
    const known = this.#lets.get(name) ?? this.#evaluateLet(name, expression);
    if (known.readsPayload) this.#readsPayload = true;
    for (const field of known.fields) this.#fieldsRead.add(field);
    return known.value;
  }

  #evaluateLet(name: string, expression: TypedExpression) {
    const { context, collections } = this;
    const [readsPayload, fieldsRead] = [this.#readsPayload, new Set(this.#fieldsRead)];
    const written = new Set(this.#namesFromPayload);
    this.#readsPayload = false;
    this.#fieldsRead.clear();
    this.#namesFromPayload.clear();
    this.context = { ...this.#state.context };
    this.collections = this.#state.collections;
    try {
      const value = finite(this.#value(expression), name);
      const found = { value, readsPayload: this.#readsPayload, fields: new Set(this.#fieldsRead) };
      this.#lets.set(name, found);
      return found;
    } finally {
      this.context = context;
      this.collections = collections;
      this.#readsPayload ||= readsPayload;
      for (const field of fieldsRead) this.#fieldsRead.add(field);
      for (const other of written) this.#namesFromPayload.add(other);
    }
  }

  readonly #read = (name: string): Scalar => {
    const { tick } = this.#stimulus;
    if (name.startsWith(EVENT)) this.#fieldsRead.add(name.slice(EVENT.length));
    if (name.startsWith(EVENT) || name === 'agg.value' || this.#namesFromPayload.has(name)) this.#readsPayload = true;
    const named = this.#transition.lets.get(name);
    if (named !== undefined) return this.#letValue(name, named);
    if (Object.hasOwn(this.#scratch, name)) return this.#scratch[name] as Scalar;
    if (Object.hasOwn(this.context, name)) return this.context[name] as Scalar;
    const { windows } = this.#contract;
    const window = windows.size === 0 ? undefined : windowOfName(name, windows);
    if (window !== undefined) {
      // What the events sent decides it.
      this.#readsPayload = true;
      return readWindow(this.#windows, window, name);
    }
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
        const { oracle } = this.#environment;
        if (oracle === undefined) throw new DomainError('VALIDATION_FAILED', 'The oracle has no reading.');
        return name === 'oracle.value' ? oracle.value : oracle.age;
      }
      default:
        if (!name.startsWith(EVENT)) {
          return (
            readClock(this.#state.clocks, name, tick) ??
            readAccrual(this.#contract.accruals, name, tick, this.#read) ??
            readStanding(this.#contract, this.#state, name)
          );
        }
        return createNameReader(this.#contract.parameters, this.#payload)(name);
    }
  };
}

/** Resolves parameters and `event.*` names; throws DomainError VALIDATION_FAILED for a name without a value. */
export function createNameReader(
  parameters: Scalars,
  payload: Readonly<Record<string, unknown>>,
): (name: string) => Scalar {
  return (name) => {
    if (name.startsWith(EVENT)) {
      const field = name.slice(EVENT.length);
      const value = Object.hasOwn(payload, field) ? payload[field] : undefined;
      if (isScalar(value)) return value;
      throw new DomainError('VALIDATION_FAILED', `The event has no field ${field}.`);
    }
    const value = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    if (value === undefined) throw new DomainError('VALIDATION_FAILED', `${name} has no value yet.`);
    return value;
  };
}

export const isScalar = (value: unknown): value is Scalar =>
  typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean';

function finite<Value extends Scalar>(value: Value, name: string): Value {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new DomainError('VALIDATION_FAILED', `${name} would become ${value}; a finite number is expected.`);
  }
  return value;
}

/** The payload of an event with its sender, which no payload can state unless the definition declares that field. */
export function withSender(
  { definition }: CompiledContract,
  name: string,
  { payload, actor, party, voter }: Sent,
): Payload {
  if (definition.edition === 2) {
    return { ...payload, actor: party ?? actor, sender: voter?.slice(voter.indexOf(':') + 1) ?? actor };
  }
  return Object.hasOwn(definition.events?.[name]?.payload ?? {}, 'actor') ? payload : { ...payload, actor };
}

function payloadOf(contract: CompiledContract, { trigger }: CompiledTransition, stimulus: Stimulus): Payload {
  if (stimulus.kind !== 'event' && stimulus.kind !== 'manual') return {};
  const { payload = {}, actor, party, voter } = stimulus;
  return 'event' in trigger ? withSender(contract, trigger.event, { payload, actor, party, voter }) : payload;
}

interface Sent extends SentBy {
  readonly payload: Payload;
  readonly actor?: string | undefined;
}

type Payload = Readonly<Record<string, unknown>>;

/** The first field of an event's payload that does not match its declaration; undefined if all match. */
export function payloadFault({ definition }: CompiledContract, name: string, payload: Payload): FieldFault | undefined {
  for (const [field, type] of Object.entries(definition.events?.[name]?.payload ?? {})) {
    const got = Object.hasOwn(payload, field) ? payload[field] : undefined;
    const path = `payload.${field}`;
    if (!isScalar(got) || typeOfValue(got) !== jsonTypeOf(type)) return { path, got, expected: typeWithArticle(type) };
    if (isWholeType(type) && !Number.isSafeInteger(got)) return { path, got, expected: 'a whole number' };
  }
  return undefined;
}

/** A fault as a sentence. */
export function reasonOf(event: string, { path, got, expected }: FieldFault): string {
  const shown = got === undefined ? 'missing' : JSON.stringify(got).slice(0, MAX_SHOWN_CHARACTERS);
  return `${event}: ${path} is ${shown}; ${expected} is expected.`;
}
