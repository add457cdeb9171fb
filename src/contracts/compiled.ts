// Compiles a definition for the transition function: parameters are filled in, expressions typed and compiled.

import { DomainError, type ErrorDetail } from '../core/errors.ts';
import { CONDITION_SYNTAX } from '../expressions/parse.ts';
import type { Syntax } from '../expressions/scan.ts';
import { cronFault } from './calendar.ts';
import { resultNamesOf } from './calls/check.ts';
import { type CompiledCall, compileCall } from './calls/compile.ts';
import { isDataAction } from './data/action-shapes.ts';
import { type CompiledDataAction, compileDataAction } from './data/actions.ts';
import { type Collections, emptyCollections } from './data/collections.ts';
import { type Lets, orderOfLets, symbolsIn } from './data/lets.ts';
import { currencyOf, isMoney } from './data/types.ts';
import {
  type Action,
  type Definition,
  listOf,
  type NamedWindow,
  type Scalars,
  type ScalarType,
  sourcesOf,
  type Transition,
  type Trigger,
} from './definition.ts';
import { DURATION_EXPECTED, isDurationText, ticksOfDuration } from './durations.ts';
import { type CompiledOracle, compileOracle } from './oracle.ts';
import { fillParameters, unknownName } from './parameters.ts';
import { machineNamed, machineNameFault, outcomesOf } from './sends/check.ts';
import { collectionNames, standingNames } from './standing-names.ts';
import { type Accruals, accrualName, compileAccruals } from './time/accruals.ts';
import { clockName } from './time/clocks.ts';
import { compileDeadline, compileSchedule, type DeadlineContext, zoneNamed } from './time/compile-deadline.ts';
import type { CompiledDeadline } from './time/deadline.ts';
import type { CompiledSchedule } from './time/schedule.ts';
import { UTC } from './time/zone-table.ts';
import { type CatchUp, isTimed } from './timer-kinds.ts';
import {
  compileTyped,
  DATA_SYNTAX,
  errorAtPath,
  jsonTypeOf,
  type Type,
  type TypedExpression,
  type Types,
  typeOf,
  typeOfValue,
  typeWithArticle,
} from './typed-expressions.ts';
import type { LocalZone } from './wall-clock.ts';
import {
  type CheckedWindow,
  type CompiledWindow,
  NEEDS_SAMPLES,
  WINDOW_FIELDS,
  windowKey,
  windowsInGuard,
} from './windows/declared-windows.ts';
import { compileWithoutValues, type GuardWithout, withLets } from './windows/guard-without-values.ts';

type TriggerOfKind<K extends Trigger['kind']> = Extract<Trigger, { kind: K }>;

/** A trigger with its parameters filled in. */
export type CompiledTrigger =
  | { readonly kind: 'event'; readonly event: string; readonly self: boolean }
  | {
      readonly kind: 'on_aggregate';
      readonly event: string;
      readonly fn: TriggerOfKind<'on_aggregate'>['fn'];
      readonly field: string | undefined;
      readonly within: number;
      readonly filter: TypedExpression | undefined;
      readonly minCount: number;
      readonly since: 'window' | 'entry';
      readonly onExpiry: boolean;
    }
  | {
      readonly kind: 'one_shot';
      readonly after: number;
      readonly anchor: 'entry' | 'deploy';
      readonly retryEvery: number | undefined;
      readonly maxRetries: number;
      readonly catchUp: CatchUp;
    }
  | {
      readonly kind: 'recurring';
      readonly every: number;
      readonly offset: number;
      readonly anchor: 'entry' | 'deploy';
      readonly maxFires: number;
      readonly catchUp: CatchUp;
    }
  | {
      readonly kind: 'cron';
      readonly cron: string;
      readonly tz: string;
      /** By the release that the definition names, otherwise by the host's. */
      readonly zone: LocalZone;
      readonly catchUp: CatchUp;
    }
  | CompiledDeadlineTrigger
  | CompiledSchedule
  | CompiledQuorum
  | {
      readonly kind: 'windows';
      /** The named windows that the guard reads, and the events that they count. */
      readonly windows: readonly string[];
      readonly events: ReadonlySet<string>;
    };

/** A deadline, and what happens when it passes without a fire. */
export interface CompiledDeadlineTrigger extends CompiledDeadline {
  readonly retryEvery: number | undefined;
  readonly maxRetries: number;
  readonly catchUp: CatchUp;
}

export interface CompiledQuorum {
  readonly kind: 'quorum';
  readonly event: string;
  readonly of: ReadonlySet<string>;
  readonly atLeast: TypedExpression;
  readonly distinct: 'voters' | 'parties';
  readonly within: number | undefined;
  readonly filter: TypedExpression | undefined;
  readonly veto: TypedExpression | undefined;
  readonly isChangeable: boolean;
}

export type CompiledAction =
  | { readonly kind: 'emit'; readonly event: string; readonly payload: readonly Binding[] }
  | { readonly kind: 'set'; readonly bindings: readonly Binding[] }
  | {
      readonly kind: 'compute';
      readonly operator: string | undefined;
      readonly solver: string | undefined;
      readonly inputs: readonly Binding[];
      readonly into: string;
    }
  | { readonly kind: 'webhook'; readonly url: string; readonly payload: readonly Binding[] }
  | {
      readonly kind: 'send';
      readonly event: string;
      /** Name of the machine. */
      readonly to: string;
      readonly payload: readonly Binding[];
      readonly onRefused: string | undefined;
    }
  | CompiledCall
  | {
      readonly kind: 'token';
      readonly op: 'mint' | 'spend' | 'transfer';
      readonly token: string;
      readonly amount: TypedExpression;
      readonly to: TypedExpression | undefined;
      readonly from: TypedExpression | undefined;
    }
  | { readonly kind: 'rearm'; readonly transition: string }
  | { readonly kind: 'log'; readonly parts: readonly (string | TypedExpression)[] }
  | CompiledDataAction;

export interface Binding {
  readonly name: string;
  readonly expression: TypedExpression;
}

export interface CompiledTransition {
  readonly id: string;
  readonly from: ReadonlySet<string>;
  readonly to: string;
  readonly operator: string;
  readonly hasProof: boolean;
  readonly trigger: CompiledTrigger;
  readonly condition: TypedExpression | undefined;
  /** On an aggregate: the part of the condition that holds without `agg.value`, for an empty window. */
  readonly conditionWhenEmpty: TypedExpression | undefined;
  /** Of a guard that reads named windows: the part that holds while some of them are empty. */
  readonly conditionWithout: GuardWithout | undefined;
  /** Who may fire it by hand: a role, a party, or `never`. */
  readonly manual: string;
  /** The parties whose event fires it; undefined if any sender's does. */
  readonly by: ReadonlySet<string> | undefined;
  readonly priority: number;
  /** Index in the definition. */
  readonly order: number;
  readonly reenters: boolean;
  /** Named expressions, in an order in which each comes after those that it reads. */
  readonly lets: ReadonlyMap<string, TypedExpression>;
  readonly pre: readonly CompiledAction[];
  readonly post: readonly CompiledAction[];
}

export interface CompiledContract {
  readonly definition: Definition;
  /** Values with defaults; durations and ticks as numbers of ticks. */
  readonly parameters: Scalars;
  readonly initialContext: Scalars;
  /** Empty ones; undefined if the definition has none. */
  readonly initialCollections: Collections | undefined;
  /** By name, in the order of the definition. */
  readonly windows: ReadonlyMap<string, CompiledWindow>;
  /** By state, the windows that are checked there when their samples expire; each once. */
  readonly checkedWindows: ReadonlyMap<string, readonly CheckedWindow[]>;
  /** In the order in which they are tried: by priority, then as in the definition. */
  readonly transitions: readonly CompiledTransition[];
  /** Events that the contract emits, or the engine raises for it, and that callers cannot send to it. */
  readonly reservedEvents: ReadonlySet<string>;
  /** By the names that expressions read. */
  readonly accruals: Accruals;
  /** Who may hold the contract back: a role, a party, or `never`. */
  readonly pause: string;
  /** Undefined for a contract without parties. */
  readonly senders: SenderRules | undefined;
  readonly oracle: CompiledOracle | undefined;
}

/** Who may send which event. */
export interface SenderRules {
  /** Parties, by event; an absent event may be sent by anybody. */
  readonly from: ReadonlyMap<string, ReadonlySet<string>>;
  readonly signed: ReadonlySet<string>;
}

/** Who sent the event, set by the engine; a payload of the first edition that declares a field of this name keeps it. */
const ACTOR = 'event.actor';
const EVENT = 'event.';
/** The account or key that acted for the party, in the second edition. */
const SENDER = 'event.sender';
const DEFAULT_TOKEN = 'token';
const DEFAULT_MAX_CATCH_UP = 100;
const DEFAULT_MAX_RETRIES = 100;

/**
 * @param given  parameters of the deployment
 * @throws DomainError VALIDATION_FAILED with every fault found, at most 20 in its details
 */
export function compileContract(definition: Definition, given: Scalars = {}): CompiledContract {
  const compiler = new Compiler(definition);
  const contract = compiler.compile(given);
  const [first] = compiler.faults;
  if (first) throw new DomainError('VALIDATION_FAILED', first.message, { details: compiler.faults.slice(0, 20) });
  return contract;
}

/** The tokens that a contract moves. */
export const tokensOf = ({ transitions }: CompiledContract): ReadonlySet<string> =>
  new Set(transitions.flatMap(({ post }) => post.flatMap((action) => ('token' in action ? [action.token] : []))));

/** Who may send which event; undefined without parties. */
function senderRules({ parties, events = {} }: Definition): SenderRules | undefined {
  if (parties === undefined) return undefined;
  const declared = Object.entries(events);
  return {
    from: new Map(declared.flatMap(([name, { from }]) => (from === undefined ? [] : [[name, new Set(listOf(from))]]))),
    signed: new Set(declared.flatMap(([name, { signed }]) => (signed === true ? [name] : []))),
  };
}

/** Names without a value while a window is empty. */
const withoutAggregate = (lets: ReadonlyMap<string, TypedExpression>) => withLets(['agg.value'], lets);

function checkedWindows(
  { states }: Definition,
  transitions: readonly CompiledTransition[],
  windows: ReadonlyMap<string, CompiledWindow>,
): CompiledContract['checkedWindows'] {
  const inState = (state: string): CheckedWindow[] => {
    const checked = transitions.flatMap(({ id, from, trigger }): CheckedWindow[] => {
      if (!from.has(state)) return [];
      if (trigger.kind === 'on_aggregate') return trigger.onExpiry ? [{ key: id, within: trigger.within }] : [];
      if (trigger.kind !== 'windows') return [];
      return trigger.windows.map((name) => ({ key: windowKey(name), within: windows.get(name)?.within ?? 0 }));
    });
    return [...new Map(checked.map((window) => [window.key, window])).values()];
  };
  return new Map(Object.keys(states).map((state) => [state, inState(state)]));
}

/** The fault of the first failed name that an expression reads. */
function faultOfFailed(text: string, failed: ReadonlyMap<string, ErrorDetail>): ErrorDetail | undefined {
  if (failed.size === 0) return undefined;
  const name = symbolsIn(text).find((symbol) => failed.has(symbol));
  return name === undefined ? undefined : failed.get(name);
}

class Compiler {
  readonly faults: ErrorDetail[] = [];
  readonly #definition: Definition;
  readonly #syntax: Syntax;
  /** Events that only the engine raises: what became of activities, and of events to other machines. */
  readonly #raised: ReadonlySet<string>;
  #parameters: Scalars = {};
  /** Named expressions that do not compile in the present transition, which is a fault only if it reads them. */
  #failedLets: ReadonlyMap<string, ErrorDetail> = new Map();
  /** Named expressions of the present transition. */
  #letNames: ReadonlySet<string> = new Set();

  constructor(definition: Definition) {
    this.#definition = definition;
    this.#raised = new Set([...outcomesOf(definition), ...resultNamesOf(definition)]);
    this.#syntax = definition.edition === 2 ? DATA_SYNTAX : CONDITION_SYNTAX;
  }

  compile(given: Scalars): CompiledContract {
    const { parameters = {}, context = {}, events = {}, transitions } = this.#definition;
    const filled = fillParameters(parameters, given);
    this.#parameters = filled.values;
    this.faults.push(...filled.faults);
    for (const [name, { type, initial }] of Object.entries(context)) {
      if (jsonTypeOf(type) !== typeOfValue(initial)) {
        this.#fault(
          `context.${name}.initial`,
          'TYPE',
          `is ${JSON.stringify(initial)}; ${typeWithArticle(type)} is expected`,
        );
      }
      if (Object.hasOwn(parameters, name))
        this.#fault(`context.${name}`, 'TAKEN', 'is already the name of a parameter');
    }
    const compiled = transitions.map((transition, order) => this.#transition(transition, order));
    compiled.sort((a, b) => b.priority - a.priority || a.order - b.order);
    const windows = this.#windows();
    const initialContext = Object.fromEntries(Object.entries(context).map(([name, { initial }]) => [name, initial]));
    const { oracle, faults } = compileOracle(this.#definition, (path, given) => this.#ticks(path, given));
    this.faults.push(...faults);
    return {
      definition: this.#definition,
      parameters: this.#parameters,
      initialContext,
      initialCollections: emptyCollections(this.#definition),
      windows,
      checkedWindows: checkedWindows(this.#definition, compiled, windows),
      transitions: compiled,
      reservedEvents: new Set([
        ...(this.#definition.emits ?? []).filter((name) => events[name]?.open !== true),
        ...this.#raised,
      ]),
      accruals: compileAccruals(this.#definition, (path, name) => zoneNamed(path, name, this.#deadlineContext()), UTC),
      pause: this.#definition.pause ?? this.#defaultPause(compiled),
      senders: senderRules(this.#definition),
      oracle,
    };
  }

  #transition(transition: Transition, order: number): CompiledTransition {
    const path = `transitions.${transition.id}`;
    const { operators, states } = this.#definition;
    for (const state of [...sourcesOf(transition), transition.to]) {
      if (!Object.hasOwn(states, state)) this.#unknown(path, 'state', state, Object.keys(states));
    }
    if (!operators.includes(transition.operator)) {
      this.#unknown(`${path}.operator`, 'declared operator', transition.operator, operators);
    }
    const names = this.#names(transition);
    const lets = this.#lets(transition, names);
    const trigger = this.#trigger(`${path}.trigger`, transition, names);
    const pre = (transition.pre ?? []).map((action, i) => this.#action(`${path}.pre.${i}`, action, names, true));
    const condition = this.#expression(`${path}.fires_when`, transition.fires_when, names, 'boolean');
    if (transition.trigger.kind === 'on_aggregate' && transition.fires_when === undefined) {
      this.#fault(`${path}.fires_when`, 'MISSING', 'is missing; a transition on an aggregate needs a condition');
    }
    const conditionWhenEmpty =
      condition && transition.trigger.kind === 'on_aggregate'
        ? compileTyped(condition.text, names, 'boolean', withoutAggregate(lets), this.#syntax)
        : undefined;
    const conditionWithout = condition && this.#conditionWithout(transition, condition, names, lets);
    const post = (transition.post ?? []).map((action, i) => this.#action(`${path}.post.${i}`, action, names, false));
    return {
      id: transition.id,
      from: new Set(sourcesOf(transition)),
      to: transition.to,
      operator: transition.operator,
      hasProof: transition.proof,
      trigger,
      condition,
      conditionWhenEmpty,
      conditionWithout,
      manual: transition.manual ?? this.#defaultManual(transition),
      by: transition.by === undefined ? undefined : new Set(listOf(transition.by)),
      priority: transition.priority ?? 0,
      order,
      reenters: transition.reenter === true,
      lets,
      pre,
      post,
    };
  }

  /** Compiles the named expressions that have a meaning in this transition, and adds them to the names. */
  #lets({ id, let: own = {} }: Transition, names: Map<string, Type>): ReadonlyMap<string, TypedExpression> {
    const { let: shared = {} } = this.#definition;
    const lets: Lets = { ...shared, ...own };
    const compiled = new Map<string, TypedExpression>();
    const failed = new Map<string, ErrorDetail>();
    this.#failedLets = failed;
    this.#letNames = new Set(Object.keys(lets));
    for (const name of orderOfLets(lets).order) {
      const path = Object.hasOwn(own, name) ? `transitions.${id}.let.${name}` : `let.${name}`;
      const text = lets[name] ?? '';
      const cause = symbolsIn(text).find((symbol) => failed.has(symbol));
      try {
        if (cause !== undefined) failed.set(name, failed.get(cause) as ErrorDetail);
        else compiled.set(name, compileTyped(text, names, undefined, undefined, this.#syntax));
      } catch (error) {
        const detail = errorAtPath(path, error);
        failed.set(name, { ...detail, message: `${detail.message} It is read by ${id}.` });
      }
      const type = compiled.get(name)?.type;
      if (type !== undefined) names.set(name, type);
    }
    return compiled;
  }

  /** In the second edition nobody fires deadlines by hand, nor what is for parties to do, nor invents what the engine tells. */
  #defaultManual(transition: Transition): string {
    const { trigger, by } = transition;
    const { edition, events = {} } = this.#definition;
    if (edition !== 2) return isTimed(trigger) ? 'admin' : 'operator';
    const causes = this.#eventsOf(transition).map((event) => events[event] ?? {});
    const isRestricted = causes.some(({ from, signed }) => from !== undefined || signed === true);
    const isOfParties = by !== undefined || isRestricted || trigger.kind === 'quorum';
    return isTimed(trigger) || isOfParties || this.#isRaised(trigger) ? 'never' : 'operator';
  }

  /** In the second edition nobody holds back what nobody fires by hand. */
  #defaultPause(transitions: readonly CompiledTransition[]): string {
    const held = transitions.filter(({ manual, trigger }) => manual === 'never' && !this.#isRaised(trigger));
    return this.#definition.edition === 2 && held.length > 0 ? 'never' : 'operator';
  }

  /** Whether only the engine raises the event. It waits while the contract is paused. */
  #isRaised(trigger: Trigger | CompiledTrigger): boolean {
    return 'event' in trigger && trigger.event !== undefined && this.#raised.has(trigger.event);
  }

  /** The names that the expressions of a transition may read, with their types. */
  #names({ trigger }: Transition): Map<string, Type> {
    const { events = {}, oracle, edition } = this.#definition;
    const names = this.#standingNames();
    for (const name of ['now', 'state.age', 'state.entries', ...this.#clockNames(), ...this.#accrualNames()]) {
      names.set(name, 'number');
    }
    this.#addCollections(names);
    for (const window of Object.keys(this.#definition.windows ?? {}))
      for (const [part, type] of Object.entries(WINDOW_FIELDS)) names.set(`${window}.${part}`, type);
    if ('event' in trigger && trigger.event !== undefined && Object.hasOwn(events, trigger.event)) {
      for (const [field, type] of Object.entries(events[trigger.event]?.payload ?? {})) {
        names.set(`event.${field}`, typeOf(type));
      }
      if (!names.has(ACTOR)) names.set(ACTOR, 'string');
      if (edition === 2) names.set(SENDER, 'string');
    }
    if (trigger.kind === 'quorum') names.set('quorum.count', 'number');
    if (trigger.kind === 'on_aggregate') for (const name of ['agg.value', 'agg.count']) names.set(name, 'number');
    if (oracle) for (const name of ['oracle.value', 'oracle.age']) names.set(name, 'number');
    return names;
  }

  #standingNames(): Map<string, Type> {
    return standingNames(this.#definition, this.#parameters);
  }

  #addCollections(names: Map<string, Type>): void {
    for (const [name, type] of collectionNames(this.#definition)) names.set(name, type);
  }

  #clockNames(): string[] {
    return Object.keys(this.#definition.clocks ?? {}).map(clockName);
  }

  #accrualNames(): string[] {
    return Object.keys(this.#definition.accruals ?? {}).map(accrualName);
  }

  /** Names whose values can be recovered from the log when a window is rebuilt: parameters and event fields. */
  #replayableNames(names: Types): Types {
    return new Map([...names].filter(([name]) => name.startsWith('event.') || Object.hasOwn(this.#parameters, name)));
  }

  #trigger(path: string, transition: Transition, names: Types): CompiledTrigger {
    const { trigger } = transition;
    const { events = {} } = this.#definition;
    if ('event' in trigger && !Object.hasOwn(events, trigger.event)) {
      this.#unknown(`${path}.event`, 'event', trigger.event, Object.keys(events));
    }
    const catchUp = (given: {
      catch_up?: string | undefined;
      max_catch_up?: number | undefined;
      grace?: number | string | undefined;
    }) => ({
      mode: (given.catch_up ?? 'one') as CatchUp['mode'],
      maxFires: given.max_catch_up ?? DEFAULT_MAX_CATCH_UP,
      grace: given.grace === undefined ? Number.MAX_SAFE_INTEGER : this.#ticks(`${path}.grace`, given.grace),
    });
    switch (trigger.kind) {
      case 'event':
        return { kind: 'event', event: trigger.event, self: trigger.self === true };
      case 'windows':
        return {
          kind: 'windows',
          windows: this.#windowsRead(transition),
          events: new Set(this.#eventsOf(transition)),
        };
      case 'on_aggregate': {
        const { fn, field, event } = trigger;
        this.#checkField(path, trigger);
        return {
          kind: 'on_aggregate',
          event,
          fn,
          field,
          within: this.#ticks(`${path}.within`, trigger.within),
          filter: this.#expression(`${path}.filter`, trigger.filter, this.#replayableNames(names), 'boolean'),
          minCount: trigger.min_count === undefined ? 0 : this.#count(`${path}.min_count`, trigger.min_count),
          since: trigger.since ?? 'window',
          onExpiry: trigger.evaluate === 'arrival_and_expiry',
        };
      }
      case 'one_shot':
        return {
          kind: 'one_shot',
          after: this.#ticks(`${path}.after`, trigger.after),
          anchor: trigger.anchor ?? 'entry',
          ...this.#retries(path, trigger),
          catchUp: catchUp(trigger),
        };
      case 'deadline':
        return {
          kind: 'deadline',
          ...compileDeadline(path, trigger, this.#deadlineContext()),
          ...this.#retries(path, trigger),
          catchUp: catchUp(trigger),
        };
      case 'schedule':
        return {
          kind: 'schedule',
          ...compileSchedule(path, trigger, this.#deadlineContext()),
          catchUp: catchUp(trigger),
        };
      case 'recurring':
        return {
          kind: 'recurring',
          every: this.#ticks(`${path}.every`, trigger.every),
          offset: trigger.offset === undefined ? 0 : this.#ticks(`${path}.offset`, trigger.offset),
          anchor: trigger.anchor ?? 'entry',
          maxFires: trigger.max_fires ?? Number.MAX_SAFE_INTEGER,
          catchUp: catchUp(trigger),
        };
      case 'cron': {
        const named = this.#definition.parameters?.[trigger.cron];
        const cron = named?.type === 'cron' ? String(this.#parameters[trigger.cron]) : trigger.cron;
        const tz = trigger.tz ?? 'UTC';
        const zone = this.#definition.zones === undefined ? tz : zoneNamed(`${path}.tz`, tz, this.#deadlineContext());
        const fault = zone && cronFault(cron, zone);
        if (fault !== undefined) this.#fault(`${path}.cron`, 'CRON', `is ${JSON.stringify(cron)} in ${tz}; ${fault}`);
        return { kind: 'cron', cron, tz, zone: zone ?? tz, catchUp: catchUp(trigger) };
      }
      case 'quorum': {
        // Votes are counted before the transition is tried: only what holds then may be read.
        const read = new Map([...names].filter(([name]) => name.startsWith('event.')));
        for (const [name, type] of this.#standingNames()) read.set(name, type);
        const { event, of, at_least: atLeast, within, distinct = 'voters', filter, veto, changes } = trigger;
        return {
          kind: 'quorum',
          event,
          of: new Set(listOf(of)),
          atLeast:
            this.#expression(`${path}.at_least`, String(atLeast), this.#standingNames(), 'number') ??
            this.#placeholder(),
          distinct,
          within: within === undefined ? undefined : this.#ticks(`${path}.within`, within),
          filter: this.#expression(`${path}.filter`, filter, read, 'boolean'),
          veto: this.#expression(`${path}.veto`, veto, read, 'boolean'),
          isChangeable: changes === true,
        };
      }
    }
  }

  /** A function needs a field of the event, and most need a number. */
  #checkField(path: string, { event, fn, field }: Pick<NamedWindow, 'event' | 'fn' | 'field'>): void {
    const { edition, events = {} } = this.#definition;
    const sender: Readonly<Record<string, ScalarType>> = edition === 2 ? { sender: 'string' } : {};
    const payload: Readonly<Record<string, ScalarType>> = { actor: 'string', ...sender, ...events[event]?.payload };
    if (fn !== 'count' && field === undefined) {
      this.#fault(`${path}.field`, 'MISSING', `is missing; ${fn} needs the field to aggregate`);
    }
    if (field === undefined) return;
    const type = Object.hasOwn(payload, field) ? payload[field] : undefined;
    if (type === undefined) this.#unknown(`${path}.field`, `field of ${event}`, field, Object.keys(payload));
    else if (fn !== 'distinct' && fn !== 'count' && typeOf(type) !== 'number')
      this.#fault(`${path}.field`, 'TYPE', `is ${field}, ${typeWithArticle(type)}; ${fn} needs a number`);
  }

  #windows(): ReadonlyMap<string, CompiledWindow> {
    const { windows = {}, events = {}, context = {} } = this.#definition;
    const compiled = Object.entries(windows).map(([name, window]): [string, CompiledWindow] => {
      const path = `windows.${name}`;
      const { event, fn, field, filter } = window;
      if (!Object.hasOwn(events, event)) this.#unknown(`${path}.event`, 'event', event, Object.keys(events));
      else this.#checkField(path, window);
      const names = new Map([...this.#standingNames()].filter(([known]) => !known.endsWith('.count')));
      for (const [known, type] of Object.entries(events[event]?.payload ?? {}))
        names.set(`event.${known}`, typeOf(type));
      for (const known of [ACTOR, SENDER]) names.set(known, 'string');
      const read = filter === undefined ? [] : symbolsIn(filter);
      return [
        name,
        {
          event,
          fn,
          field,
          within: this.#ticks(`${path}.within`, window.within),
          filter: this.#expression(`${path}.filter`, filter, names, 'boolean'),
          contextRead: read.filter((known) => Object.hasOwn(context, known)).sort(),
          fieldsRead: read.flatMap((known) => (known.startsWith(EVENT) ? [known.slice(EVENT.length)] : [])),
        },
      ];
    });
    return new Map(compiled);
  }

  /** The named windows that the guard of a transition reads. */
  #windowsRead(transition: Transition): readonly string[] {
    const { windows = {}, let: shared = {} } = this.#definition;
    return windowsInGuard(transition, shared, Object.keys(windows));
  }

  /** The events that a transition waits for. */
  #eventsOf(transition: Transition): readonly string[] {
    const { trigger } = transition;
    if ('event' in trigger) return [trigger.event];
    const { windows = {} } = this.#definition;
    return trigger.kind === 'windows' ? this.#windowsRead(transition).map((name) => windows[name]?.event ?? '') : [];
  }

  #conditionWithout(
    transition: Transition,
    condition: TypedExpression,
    names: Types,
    lets: ReadonlyMap<string, TypedExpression>,
  ): GuardWithout | undefined {
    const { windows = {} } = this.#definition;
    const read = this.#windowsRead(transition);
    if (read.length === 0) return undefined;
    const lacking = read.filter((name) => NEEDS_SAMPLES.has(windows[name]?.fn ?? ''));
    return compileWithoutValues({ text: condition.text, read, lacking, names, lets, syntax: this.#syntax });
  }

  #retries(
    path: string,
    {
      retry_every: every,
      max_retries: max,
    }: { retry_every?: number | string | undefined; max_retries?: number | undefined },
  ) {
    if (every === undefined) return { retryEvery: undefined, maxRetries: 0 };
    return { retryEvery: this.#ticks(`${path}.retry_every`, every), maxRetries: max ?? DEFAULT_MAX_RETRIES };
  }

  /** Deadlines are set on entry: they read what has a value then. */
  #deadlineContext(): DeadlineContext {
    const names = this.#standingNames();
    for (const name of ['now', 'state.entries', ...this.#clockNames()]) names.set(name, 'number');
    this.#addCollections(names);
    return {
      definition: this.#definition,
      parameters: this.#parameters,
      names,
      expression: (path, text, expected) => this.#deadlineExpression(path, text, names, expected),
      fault: (path, code, text) => this.#fault(path, code, text),
      unknown: (path, kind, name, known) => this.#unknown(path, kind, name, known),
    };
  }

  /** Names of `let` hold values from before a transition, which a deadline has not. */
  #deadlineExpression(path: string, text: string, names: Types, expected?: Type): TypedExpression | undefined {
    const named = symbolsIn(text).find((symbol) => this.#letNames.has(symbol));
    if (named === undefined) return this.#expression(path, text, names, expected);
    this.#fault(path, 'NOT_ALLOWED', `reads ${named}, a name of let, which deadlines cannot; write out its expression`);
    return undefined;
  }

  /** @param names  names that may be read; values computed or set before the condition are added to it */
  #action(path: string, action: Action, names: Map<string, Type>, isPre: boolean): CompiledAction {
    if (isPre && !('compute' in action) && !('set' in action)) {
      this.#fault(path, 'NOT_ALLOWED', 'is not allowed in pre; only compute and set are allowed before the condition');
    }
    if (isDataAction(action)) {
      return compileDataAction(path, action, names, this.#definition, {
        expression: (at, text, known, expected) => this.#expression(at, text, known, expected) ?? this.#placeholder(),
        fault: (at, code, text) => this.#fault(at, code, text),
        unknown: (at, kind, name, known) => this.#unknown(at, kind, name, known),
      });
    }
    if ('emit' in action) {
      const { event, payload } =
        typeof action.emit === 'string' ? { event: action.emit, payload: undefined } : action.emit;
      return { kind: 'emit', event, payload: this.#bindings(`${path}.emit.payload`, payload, names) };
    }
    if ('set' in action) {
      const { context = {} } = this.#definition;
      const bindings = Object.entries(action.set).map(([name, text]) => {
        // Zero is an amount of the currency of its variable.
        const type = Object.hasOwn(context, name) ? (context[name]?.type ?? '') : '';
        const expected = isMoney(type) && text.trim() === '0' ? type : undefined;
        return {
          name,
          expression: this.#expression(`${path}.set.${name}`, text, names, expected) ?? this.#placeholder(),
        };
      });
      for (const { name, expression } of bindings) {
        const variable = Object.hasOwn(context, name) ? context[name] : undefined;
        if (variable === undefined && isPre) names.set(name, expression.type);
        else if (variable === undefined) this.#unknown(`${path}.set`, 'context name', name, Object.keys(context));
        else if (typeOf(variable.type) !== expression.type) {
          this.#fault(
            `${path}.set.${name}`,
            'TYPE',
            `is a ${expression.type}; ${name} is ${typeWithArticle(variable.type)}`,
          );
        }
      }
      return { kind: 'set', bindings };
    }
    if ('compute' in action) {
      const { operator, solver, inputs, into } = action.compute;
      if ((operator === undefined) === (solver === undefined)) {
        this.#fault(`${path}.compute`, 'ONE_OF', 'must name either an operator or a solver');
      }
      if (operator !== undefined && !this.#definition.operators.includes(operator)) {
        this.#unknown(`${path}.compute.operator`, 'declared operator', operator, this.#definition.operators);
      }
      const bindings = this.#bindings(`${path}.compute.inputs`, inputs, names, 'number');
      const { context = {} } = this.#definition;
      const variable = Object.hasOwn(context, into) ? context[into] : undefined;
      if (variable !== undefined && typeOf(variable.type) !== 'number') {
        this.#fault(
          `${path}.compute.into`,
          'TYPE',
          `is ${into}, ${typeWithArticle(variable.type)}; a number is computed`,
        );
      }
      names.set(into, 'number');
      names.set('op.value', 'number');
      return { kind: 'compute', operator, solver, inputs: bindings, into };
    }
    if ('rearm' in action) return { kind: 'rearm', transition: action.rearm };
    if ('webhook' in action) {
      const { url, payload } = action.webhook;
      if (!/^https?:/.test(url)) this.#fault(`${path}.webhook.url`, 'URL', `is ${url}; http or https is expected`);
      return { kind: 'webhook', url, payload: this.#bindings(`${path}.webhook.payload`, payload, names) };
    }
    if ('send' in action) {
      const { event, to: named, payload, on_refused: onRefused } = action.send;
      const isParameter = Object.hasOwn(this.#parameters, named);
      const text = isParameter ? String(this.#parameters[named]) : named;
      const to = machineNamed(text) ?? '';
      // A name in the definition is checked with it; one in a parameter is known only here.
      if (to === '' && isParameter) this.faults.push(machineNameFault(`parameters.${named}`, text));
      return { kind: 'send', event, to, payload: this.#bindings(`${path}.send.payload`, payload, names), onRefused };
    }
    if ('call' in action) {
      return compileCall(`${path}.call`, action.call, this.#definition, {
        bindings: (at, given, expected) => this.#bindings(at, given, names, expected),
        ticks: (at, given) => this.#ticks(at, given),
        fault: (at, code, text) => this.#fault(at, code, text),
        unknown: (at, kind, name, known) => this.#unknown(at, kind, name, known),
      });
    }
    if ('token' in action) {
      const { op, token: named, amount, to, from } = action.token;
      if (op === 'mint' && to === undefined)
        this.#fault(`${path}.token.to`, 'MISSING', 'is missing; mint needs a holder');
      if (op === 'spend' && from === undefined)
        this.#fault(`${path}.token.from`, 'MISSING', 'is missing; spend needs a holder');
      if (op === 'transfer' && to === undefined)
        this.#fault(`${path}.token.to`, 'MISSING', 'is missing; transfer needs a holder');
      const compiled = this.#amount(`${path}.token.amount`, amount, names) ?? this.#placeholder();
      const currency = currencyOf(compiled.type);
      if (currency !== undefined && named !== undefined && named !== currency)
        this.#fault(`${path}.token.token`, 'CURRENCY', `is ${named}; the amount is in ${currency}`);
      return {
        kind: 'token',
        op,
        token: named ?? currency ?? DEFAULT_TOKEN,
        amount: compiled,
        to: this.#expression(`${path}.token.to`, to, names, 'string'),
        from: this.#expression(`${path}.token.from`, from, names, 'string'),
      };
    }
    const parts = action.log.split(/\{([^{}]*)\}/).map((part, i) => {
      if (i % 2 === 0) return part;
      return this.#expression(`${path}.log`, part, names) ?? part;
    });
    return { kind: 'log', parts };
  }

  #bindings(
    path: string,
    bindings: Readonly<Record<string, string>> | undefined,
    names: Types,
    expected?: Type,
  ): Binding[] {
    return Object.entries(bindings ?? {}).map(([name, text]) => ({
      name,
      expression: this.#expression(`${path}.${name}`, text, names, expected) ?? this.#placeholder(),
    }));
  }

  #expression(path: string, text: string | undefined, names: Types, expected?: Type): TypedExpression | undefined {
    if (text === undefined) return undefined;
    const failed = faultOfFailed(text, this.#failedLets);
    if (failed !== undefined) {
      if (!this.faults.includes(failed)) this.faults.push(failed);
      return undefined;
    }
    try {
      return compileTyped(text, names, expected, undefined, this.#syntax);
    } catch (error) {
      this.faults.push(errorAtPath(path, error));
      return undefined;
    }
  }

  /** A number of tokens, or money of which the token is the currency. */
  #amount(path: string, text: string, names: Types): TypedExpression | undefined {
    const compiled = this.#expression(path, text, names);
    if (compiled === undefined || currencyOf(compiled.type) !== undefined) return compiled;
    return this.#expression(path, text, names, 'number');
  }

  /** Replaces an expression with a fault; never run, because any fault makes the compilation throw. */
  #placeholder(): TypedExpression {
    return compileTyped('0', new Map());
  }

  #ticks(path: string, given: number | string): number {
    if (typeof given === 'number') return given;
    if (isDurationText(given)) {
      const ticks = ticksOfDuration(given);
      if (ticks === undefined) this.#fault(path, 'DURATION', `is ${given}; ${DURATION_EXPECTED}`);
      return ticks ?? 1;
    }
    const type = this.#definition.parameters?.[given]?.type;
    if (type === 'ticks' || type === 'duration') return Number(this.#parameters[given]);
    this.#fault(
      path,
      'UNKNOWN_NAME',
      `is ${given}; a number of ticks, an ISO duration or a parameter of type ticks or duration is expected`,
    );
    return 1;
  }

  #count(path: string, given: number | string): number {
    if (typeof given === 'number') return given;
    if (this.#definition.parameters?.[given]?.type === 'integer') return Number(this.#parameters[given]);
    this.#fault(path, 'UNKNOWN_NAME', `is ${given}; a number or a parameter of type integer is expected`);
    return 1;
  }

  #unknown(path: string, kind: string, name: string, known: Iterable<string>): void {
    this.faults.push(unknownName(path, kind, name, known));
  }

  #fault(path: string, code: string, text: string): void {
    this.faults.push({ path, code, message: `${path} ${text}.` });
  }
}
