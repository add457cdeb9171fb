// Builds a definition from parsed rules: states in sequence, self-transitions for recurring rules, an exit from each state,
// and no unused name.

import { CONDITION_SYNTAX, parseExpression } from '../../expressions/parse.ts';
import type { Action, Definition, Scalar, ScalarType, Transition } from '../definition.ts';
import { type Effect, type Outcome, stateOf } from './effects.ts';
import type { Comparison, EventTrigger, FieldTest, Operator } from './event-triggers.ts';
import type { Guard, Rule } from './parse-text.ts';

export interface BuiltDefinition {
  readonly definition: Definition;
  readonly explanation: readonly string[];
  /** Parts that were parsed but cannot be combined with the rest in one definition. */
  readonly unparsed: readonly string[];
}

const OPPOSITE: Readonly<Record<Operator, Operator>> = {
  '>': '<=',
  '>=': '<',
  '<': '>=',
  '<=': '>',
  '==': '!=',
  '!=': '==',
};
const OPERATOR = 'KO42';
/** Events, and their target states, that end a contract which would otherwise never end. */
const STOP_EVENTS = ['stop', 'finish', 'end_for_good'];
const END_STATES = ['stopped', 'ended'];
const FALLBACK_END = 'ended_for_good';
const MAX_TRANSITIONS = 40;

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type States = Record<string, Mutable<Definition['states'][string]>>;

export function buildDefinition(
  rules: readonly Rule[],
  name: string,
  description: string,
): BuiltDefinition | undefined {
  return new DefinitionBuilder().build(rules, name, description);
}

class DefinitionBuilder {
  readonly #states: States = {};
  readonly #transitions: Transition[] = [];
  readonly #events = new Map<string, Record<string, ScalarType>>();
  readonly #context = new Map<string, { type: ScalarType; initial: Scalar }>();
  readonly #explanation: string[] = [];
  readonly #unparsed: string[] = [];
  #currentState = '';

  build(rules: readonly Rule[], name: string, description: string): BuiltDefinition | undefined {
    const hasMove = rules.some(({ effects }) => effects.some(({ kind }) => kind === 'move'));
    this.#currentState = this.#state(hasMove ? 'waiting' : 'watching', 'initial');
    const initial = this.#currentState;
    for (const [i, rule] of rules.entries()) {
      if (this.#transitions.length < MAX_TRANSITIONS) this.#rule(rule, rules[i + 1]?.isNext === true);
      else this.#unparsed.push(`rule ${i + 1}`);
    }
    this.#addExits();
    this.#explainOrder();
    if (this.#transitions.length === 0) return undefined;
    const emits = new Set(this.#transitions.flatMap(({ post = [] }) => post.flatMap(emittedBy)));
    const subscribed = [...this.#events].filter(([event]) => this.#hasTrigger(event));
    const events = subscribed.map(([event, payload]) => [event, { payload }] as const);
    const context = [...this.#context].filter(([variable]) => this.#isUsed(variable));
    const definition: Definition = {
      name,
      version: '1.0',
      description,
      operators: [OPERATOR],
      initial,
      ...(context.length === 0 ? {} : { context: Object.fromEntries(context) }),
      ...(events.length === 0 ? {} : { events: Object.fromEntries(events) }),
      ...(emits.size === 0 ? {} : { emits: [...emits] }),
      states: this.#states,
      transitions: this.#transitions,
    };
    return { definition, explanation: this.#explanation, unparsed: this.#unparsed };
  }

  #rule(rule: Rule, hasNext: boolean): void {
    const from = this.#currentState;
    const moves = rule.effects.filter((effect) => effect.kind === 'move');
    const move =
      moves.at(-1) ??
      (hasNext ? { state: `step_${this.#transitions.length + 1}`, outcome: 'success' as const } : undefined);
    const guards = rule.guards.flatMap((guard) => this.#guard(guard) ?? []);
    const post = this.#actions(rule.effects);
    const target = move && !this.#isFull ? move : undefined;
    if (post.length === 0 && target === undefined) return;
    const id = `rule_${this.#transitions.length + 1}`;
    const to = target ? this.#state(target.state, hasNext ? 'intermediate' : 'terminal', target.outcome) : from;
    const when = this.#addTransitions({ id, from, to, post, guards }, rule);
    if (when === undefined) {
      this.#unparsed.push(describeRule(rule));
      return;
    }
    const effects = rule.effects.flatMap((effect) =>
      effect.kind === 'action'
        ? [effect.description]
        : effect.kind === 'set'
          ? [`sets ${effect.name} to ${JSON.stringify(effect.value)}`]
          : [],
    );
    const becomes = to === from ? [] : [`becomes ${to}`];
    const only = guards.length === 0 ? '' : `, only if ${guards.join(' and ')}`;
    this.#explanation.push(`While ${from}, ${when}${only}: ${[...effects, ...becomes].join(', ')}.`);
    for (const event of [...rule.unless, ...rule.until].slice(0, MAX_CANCEL_EVENTS)) {
      const { state, outcome } = stateOf(event);
      if (this.#isFull || !this.#declareEvent(event)) this.#unparsed.push(event);
      else if (this.#addEventTransition(from, event, this.#state(state, 'terminal', outcome))) {
        this.#explanation.push(`While ${from}, the event ${event} ends the wait: becomes ${state}.`);
      }
    }
    if (hasNext) this.#currentState = to;
  }

  /**
   * Adds the transitions of one rule.
   *
   * @returns when they fire, in words; undefined if they conflict with other rules
   */
  #addTransitions({ id, from, to, post, guards }: TransitionDraft, { trigger }: Rule): string | undefined {
    const common = { id, from, to, operator: OPERATOR, proof: false };
    const add = (transition: Pick<Transition, 'trigger' | 'fires_when'>) =>
      this.#transitions.push({ ...common, ...transition, ...(post.length === 0 ? {} : { post: [...post] }) });
    const when = (...conditions: readonly string[]) => {
      const all = [...conditions, ...guards];
      return all.length === 0 ? {} : { fires_when: all.join(' and ') };
    };
    switch (trigger?.kind) {
      case undefined:
        add({ trigger: { kind: 'one_shot', after: 1 }, ...when() });
        return 'a tick later';
      case 'every':
        add({ trigger: { kind: 'recurring', every: trigger.ticks }, ...when() });
        return `every ${trigger.description}`;
      case 'after':
        add({ trigger: { kind: 'one_shot', after: trigger.ticks }, ...when() });
        return `after ${trigger.description}`;
      case 'cron':
        add({ trigger: { kind: 'cron', cron: trigger.cron, tz: trigger.tz }, ...when() });
        return `at the times of ${trigger.description}`;
      case 'event':
        return this.#addEvent({ id, from, to, post, guards }, trigger);
      case 'nth':
        return this.#addNth({ id, from, to, post, guards }, trigger);
      case 'window':
        return this.#addWindow({ id, from, to, post, guards }, trigger);
    }
  }

  #addEvent(draft: TransitionDraft, { event, test }: Extract<EventTrigger, { kind: 'event' }>): string | undefined {
    const { id, from, to, post, guards } = draft;
    const field = test && this.#field(event, test);
    if (!this.#declareEvent(event) || (test !== undefined && field === undefined)) return undefined;
    const conditions = [...(field === undefined ? [] : [field]), ...guards];
    const description = `on the event ${event}${field === undefined ? '' : ` with ${field}`}`;
    if (conditions.length === 0)
      return this.#addEventTransition(from, event, to, { id, post }) ? description : undefined;
    this.#transitions.push({
      ...{ id, from, to, operator: OPERATOR, proof: false },
      trigger: { kind: 'event', event },
      fires_when: conditions.join(' and '),
      priority: CONDITIONAL_PRIORITY,
      ...(post.length === 0 ? {} : { post: [...post] }),
    });
    return description;
  }

  /** Counts events in a context variable; the last of them fires. */
  #addNth(draft: TransitionDraft, { event, times }: Extract<EventTrigger, { kind: 'nth' }>): string | undefined {
    if (times === 1) return this.#addEvent(draft, { kind: 'event', event });
    if (!this.#declareEvent(event)) return undefined;
    const { id, from, to, post, guards } = draft;
    const counter = this.#variable(`${event}_count`, 'integer', 0);
    if (counter === undefined) return undefined;
    const trigger = { kind: 'event', event } as const;
    const common = { from, operator: OPERATOR, proof: false, trigger, priority: CONDITIONAL_PRIORITY };
    const isLast = [`${counter} + 1 >= ${times}`, ...guards].join(' and ');
    this.#transitions.push(
      { ...common, id, to, fires_when: isLast, post: [{ set: { [counter]: '0' } }, ...post] },
      {
        ...common,
        id: `${id}_count`,
        to: from,
        fires_when: `${counter} + 1 < ${times}`,
        post: [{ set: { [counter]: `${counter} + 1` } }],
      },
    );
    return `on event number ${times} of ${event}`;
  }

  /** If the state does not change, a flag prevents a second fire until the condition has been false again. */
  #addWindow(draft: TransitionDraft, subject: Extract<EventTrigger, { kind: 'window' }>): string | undefined {
    const { id, from, to, post, guards } = draft;
    const { event, fn, field, within, test, comparison } = subject;
    const filter = test && this.#field(event, test);
    const read = field === undefined ? undefined : this.#fieldName(event, field, 'number');
    const isDeclared =
      this.#declareEvent(event) &&
      (test === undefined) === (filter === undefined) &&
      (field === undefined) === (read === undefined);
    if (!isDeclared) return undefined;
    const value = fn === 'count' ? 'agg.count' : 'agg.value';
    const condition = comparisonText(value, comparison);
    const opposite = comparisonText(value, { ...comparison, operator: OPPOSITE[comparison.operator] });
    const trigger = {
      kind: 'on_aggregate',
      event,
      fn,
      ...(read === undefined ? {} : { field: read }),
      within: within.ticks,
      ...(filter === undefined ? {} : { filter }),
      evaluate: 'arrival_and_expiry',
    } as const;
    const common = { operator: OPERATOR, proof: false, trigger, priority: CONDITIONAL_PRIORITY, from };
    const description = `when ${fn} of ${event}${read === undefined ? '' : `.${read}`}${filter === undefined ? '' : ` with ${filter}`} over ${within.description} ${comparison.operator} ${comparison.value}`;
    if (to !== from) {
      this.#transitions.push({ ...common, id, to, fires_when: [condition, ...guards].join(' and '), post: [...post] });
      return description;
    }
    const flag = this.#variable(`${id}_holds`, 'boolean', false);
    if (flag === undefined) return undefined;
    this.#transitions.push(
      {
        ...common,
        id,
        to,
        fires_when: [condition, `not ${flag}`, ...guards].join(' and '),
        post: [{ set: { [flag]: 'true' } }, ...post],
      },
      { ...common, id: `${id}_over`, to, fires_when: `${opposite} and ${flag}`, post: [{ set: { [flag]: 'false' } }] },
    );
    return `${description} (once, until the condition is false again)`;
  }

  /**
   * Adds an unconditional transition on an event, or merges it into the existing one from the same state.
   *
   * @returns false if the two conflict
   */
  #addEventTransition(
    from: string,
    event: string,
    to: string,
    options: { readonly id?: string; readonly post?: readonly Action[] } = {},
  ): boolean {
    if (!this.#declareEvent(event)) return false;
    const index = this.#transitions.findIndex(
      (transition) =>
        transition.from === from &&
        transition.trigger.kind === 'event' &&
        transition.trigger.event === event &&
        transition.fires_when === undefined,
    );
    const known = this.#transitions[index];
    const { id = `rule_${this.#transitions.length + 1}`, post = [] } = options;
    if (known === undefined) {
      const trigger = { kind: 'event', event } as const;
      this.#transitions.push({
        id,
        from,
        to,
        operator: OPERATOR,
        proof: false,
        trigger,
        ...(post.length === 0 ? {} : { post: [...post] }),
      });
      return true;
    }
    const all = [...(known.post ?? []), ...post];
    if ((known.to !== from && to !== from && known.to !== to) || all.length > MAX_ACTIONS) return false;
    this.#transitions[index] = {
      ...known,
      to: to === from ? known.to : to,
      ...(all.length === 0 ? {} : { post: all }),
    };
    return true;
  }

  #actions(effects: readonly Effect[]): Action[] {
    const actions = effects.flatMap((effect): Action[] => {
      if (effect.kind === 'move') return [];
      if (effect.kind === 'action') {
        return 'emit' in effect.action && !this.#mayEmit(effect.action) ? [] : [effect.action];
      }
      const type = typeof effect.value as ScalarType;
      const initial = type === 'number' ? 0 : type === 'boolean' ? false : '';
      const variable = this.#variable(effect.name, type, initial, true);
      return variable === undefined ? [] : [{ set: { [variable]: literal(effect.value) } }];
    });
    for (const dropped of actions.slice(MAX_EFFECTS)) this.#unparsed.push(JSON.stringify(dropped));
    return actions.slice(0, MAX_EFFECTS);
  }

  readonly #emitted = new Set<string>();

  #mayEmit(action: Action): boolean {
    const [event = ''] = emittedBy(action);
    if (this.#emitted.size >= MAX_NAMES && !this.#emitted.has(event)) {
      this.#unparsed.push(event);
      return false;
    }
    this.#emitted.add(event);
    return true;
  }

  #guard({ name, comparison }: Guard): string | undefined {
    const variable = readable(name);
    const known = this.#context.get(variable);
    if (known !== undefined && known.type === typeof comparison.value) return comparisonText(variable, comparison);
    this.#unparsed.push(`only if ${name}`);
    return undefined;
  }

  /** @returns false if the limit of events is reached */
  #declareEvent(event: string): boolean {
    if (this.#events.has(event)) return true;
    if (this.#events.size >= MAX_NAMES) return false;
    this.#events.set(event, {});
    return true;
  }

  #field(event: string, { field, comparison }: FieldTest): string | undefined {
    const read = this.#fieldName(event, field, typeof comparison.value as ScalarType);
    return read === undefined ? undefined : comparisonText(`event.${read}`, comparison);
  }

  /** Declares a field of an event; undefined if it is declared with another type. */
  #fieldName(event: string, field: string, type: ScalarType): string | undefined {
    if (!this.#declareEvent(event)) return undefined;
    const payload = this.#events.get(event) ?? {};
    const read = readable(field);
    if (payload[read] !== undefined && payload[read] !== type) return undefined;
    payload[read] = type;
    return read;
  }

  /** @param isShared  the same name means the same variable; otherwise a new name is chosen */
  #variable(requested: string, type: ScalarType, initial: Scalar, isShared = false): string | undefined {
    let variable = readable(requested.slice(0, MAX_NAME_LENGTH));
    for (let n = 2; !isShared && this.#context.has(variable); n++)
      variable = `${readable(requested.slice(0, MAX_NAME_LENGTH))}_${n}`;
    const known = this.#context.get(variable);
    if (known === undefined && this.#context.size >= MAX_NAMES) return undefined;
    if (known !== undefined && known.type !== type) {
      this.#unparsed.push(`set ${requested}`);
      return undefined;
    }
    this.#context.set(variable, { type, initial });
    return variable;
  }

  get #isFull(): boolean {
    return Object.keys(this.#states).length >= MAX_NAMES;
  }

  #state(state: string, role: 'initial' | 'intermediate' | 'terminal', outcome: Outcome = 'success'): string {
    const known = this.#states[state];
    if (known === undefined) this.#states[state] = role === 'terminal' ? { role, outcome } : { role };
    else if (known.role === 'terminal' && role === 'intermediate') this.#states[state] = { role };
    return state;
  }

  /** Adds an exit to every state without one, and removes unreachable states. */
  #addExits(): void {
    for (const [state, { role }] of Object.entries(this.#states)) {
      const isReached = role === 'initial' || this.#transitions.some(({ to, from }) => to === state && from !== state);
      if (!isReached && !this.#transitions.some(({ from }) => from === state)) {
        delete this.#states[state];
        continue;
      }
      if (role === 'terminal' || this.#transitions.some(({ from, to }) => from === state && to !== state)) continue;
      if (!this.#transitions.some(({ from }) => from === state)) {
        if (role !== 'initial') this.#states[state] = { role: 'terminal', outcome: 'success' };
        continue;
      }
      this.#addStop(state);
    }
    for (let state = this.#endlessState(); state !== undefined; state = this.#endlessState()) this.#addStop(state);
  }

  /** Adds an exit by a stop event. */
  #addStop(state: string): void {
    // The text may use the same name for an intermediate state.
    const end = END_STATES.find((name) => (this.#states[name]?.role ?? 'terminal') === 'terminal') ?? FALLBACK_END;
    this.#state(end, 'terminal', 'cancelled');
    const event = STOP_EVENTS.find((name) => this.#addEventTransition(state, name, end));
    this.#explanation.push(`While ${state}, the event ${event} ends it: becomes ${end}.`);
  }

  /** A state that leads neither to a terminal state nor back to the initial one. */
  #endlessState(): string | undefined {
    const ending = new Set(
      Object.entries(this.#states).flatMap(([state, { role }]) => (role === 'intermediate' ? [] : [state])),
    );
    for (const state of ending) {
      for (const { from, to } of this.#transitions) if (to === state && typeof from === 'string') ending.add(from);
    }
    return Object.keys(this.#states).find((state) => !ending.has(state));
  }

  /** Explains the order of rules on the same event, since an event fires at most one transition. */
  #explainOrder(): void {
    const conditional = this.#transitions.filter(
      ({ id, priority }) => priority === CONDITIONAL_PRIORITY && !/_(over|count)$/.test(id),
    );
    const keys = conditional.map(({ from, trigger }) => `${from} ${'event' in trigger ? trigger.event : ''}`);
    for (const key of new Set(keys.filter((candidate, i) => keys.indexOf(candidate) !== i))) {
      const [from, event] = key.split(' ');
      this.#explanation.push(`While ${from}, an event ${event} fires the first of its rules whose condition holds.`);
    }
  }

  #isUsed(variable: string): boolean {
    const pattern = new RegExp(`\\b${variable}\\b`);
    return this.#transitions.some(
      ({ fires_when: condition = '', post = [] }) =>
        pattern.test(condition) || post.some((action) => 'set' in action && Object.hasOwn(action.set, variable)),
    );
  }

  #hasTrigger(event: string): boolean {
    return this.#transitions.some(({ trigger }) => 'event' in trigger && trigger.event === event);
  }
}

interface TransitionDraft {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly post: readonly Action[];
  readonly guards: readonly string[];
}

/** Priority of rules that read the payload of an event: they come before those that do not. */
const CONDITIONAL_PRIORITY = 10;
const MAX_NAMES = 28;
const MAX_EFFECTS = 8;
const MAX_ACTIONS = 16;
const MAX_CANCEL_EVENTS = 4;
const MAX_NAME_LENGTH = 36;

/** The name, changed if expressions reserve it. */
function readable(name: string): string {
  try {
    return parseExpression(name, CONDITION_SYNTAX).kind === 'symbol' ? name : `${name}_value`;
  } catch {
    return `${name}_value`;
  }
}

function comparisonText(left: string, { operator, value }: Comparison): string {
  return `${left} ${operator} ${literal(value)}`;
}

/** A value in the syntax of expressions. */
function literal(value: Scalar): string {
  if (typeof value === 'number') return value < 0 ? `(0 - ${-value})` : String(value);
  return typeof value === 'boolean'
    ? String(value)
    : JSON.stringify(value.replaceAll(/[^\w .:@/+-]/g, '').slice(0, 80));
}

function emittedBy(action: Action): string[] {
  if (!('emit' in action)) return [];
  return [typeof action.emit === 'string' ? action.emit : action.emit.event];
}

const describeRule = ({ trigger }: Rule) =>
  `the rule on ${trigger && 'event' in trigger ? trigger.event : (trigger?.kind ?? 'what follows')}`;
