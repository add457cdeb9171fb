// Rules as a definition: states one after the other, loops for what recurs, a way out of each, and nothing that is not used.

import { CONDITION_SYNTAX, parseExpression } from '../../expressions/parse.ts';
import type { Action, Definition, Scalar, ScalarType, Transition } from '../definition.ts';
import { type Deed, type Outcome, stateOf } from './actions.ts';
import type { Guard, Rule } from './clause.ts';
import type { Comparison, Field, Operator, Subject } from './subjects.ts';

export interface Assembled {
  readonly definition: Definition;
  readonly explanation: readonly string[];
  /** What was understood and cannot stand in one definition with the rest. */
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
/** What ends a contract that would otherwise go on for ever. */
const STOPS = ['stop', 'finish', 'end_for_good'];
const ENDS = ['stopped', 'ended'];
const LAST_END = 'ended_for_good';
const MOST_TRANSITIONS = 40;

type Made<T> = { -readonly [K in keyof T]: T[K] };
type States = Record<string, Made<Definition['states'][string]>>;

export function assemble(rules: readonly Rule[], name: string, description: string): Assembled | undefined {
  return new Assembly().make(rules, name, description);
}

class Assembly {
  readonly #states: States = {};
  readonly #transitions: Transition[] = [];
  readonly #events = new Map<string, Record<string, ScalarType>>();
  readonly #context = new Map<string, { type: ScalarType; initial: Scalar }>();
  readonly #explanation: string[] = [];
  readonly #unparsed: string[] = [];
  #here = '';

  make(rules: readonly Rule[], name: string, description: string): Assembled | undefined {
    const isMoving = rules.some(({ deeds }) => deeds.some(({ kind }) => kind === 'move'));
    this.#here = this.#state(isMoving ? 'waiting' : 'watching', 'initial');
    const first = this.#here;
    for (const [i, rule] of rules.entries()) {
      if (this.#transitions.length < MOST_TRANSITIONS) this.#rule(rule, rules[i + 1]?.isNext === true);
      else this.#unparsed.push(`rule ${i + 1}`);
    }
    this.#close();
    this.#explainOrder();
    if (this.#transitions.length === 0) return undefined;
    const emits = new Set(this.#transitions.flatMap(({ post = [] }) => post.flatMap(emittedBy)));
    const heard = [...this.#events].filter(([event]) => this.#isHeard(event));
    const events = heard.map(([event, payload]) => [event, { payload }] as const);
    const context = [...this.#context].filter(([variable]) => this.#isUsed(variable));
    const definition: Definition = {
      name,
      version: '1.0',
      description,
      operators: [OPERATOR],
      initial: first,
      ...(context.length === 0 ? {} : { context: Object.fromEntries(context) }),
      ...(events.length === 0 ? {} : { events: Object.fromEntries(events) }),
      ...(emits.size === 0 ? {} : { emits: [...emits] }),
      states: this.#states,
      transitions: this.#transitions,
    };
    return { definition, explanation: this.#explanation, unparsed: this.#unparsed };
  }

  #rule(rule: Rule, hasNext: boolean): void {
    const from = this.#here;
    const moves = rule.deeds.filter((one) => one.kind === 'move');
    const move =
      moves.at(-1) ??
      (hasNext ? { state: `step_${this.#transitions.length + 1}`, outcome: 'success' as const } : undefined);
    const guards = rule.guards.flatMap((guard) => this.#guard(guard) ?? []);
    const post = this.#actions(rule.deeds);
    const target = move && !this.#isFull ? move : undefined;
    if (post.length === 0 && target === undefined) return;
    const id = `rule_${this.#transitions.length + 1}`;
    const to = target ? this.#state(target.state, hasNext ? 'intermediate' : 'terminal', target.outcome) : from;
    const said = this.#trigger({ id, from, to, post, guards }, rule);
    if (said === undefined) {
      this.#unparsed.push(sentence(rule));
      return;
    }
    const does = rule.deeds.flatMap((one) =>
      one.kind === 'action'
        ? [one.said]
        : one.kind === 'set'
          ? [`sets ${one.name} to ${JSON.stringify(one.value)}`]
          : [],
    );
    const becomes = to === from ? [] : [`becomes ${to}`];
    const only = guards.length === 0 ? '' : `, only if ${guards.join(' and ')}`;
    this.#explanation.push(`While ${from}, ${said}${only}: ${[...does, ...becomes].join(', ')}.`);
    for (const event of [...rule.unless, ...rule.until].slice(0, MOST_ENDS)) {
      const { state, outcome } = stateOf(event);
      if (this.#isFull || !this.#hear(event)) this.#unparsed.push(event);
      else if (this.#leave(from, event, this.#state(state, 'terminal', outcome))) {
        this.#explanation.push(`While ${from}, the event ${event} ends the wait: becomes ${state}.`);
      }
    }
    if (hasNext) this.#here = to;
  }

  /** The transitions of one rule. @returns when they fire, in words; undefined if they cannot stand beside the others */
  #trigger({ id, from, to, post, guards }: Draft, { trigger }: Rule): string | undefined {
    const plain = { id, from, to, operator: OPERATOR, proof: false };
    const add = (more: Pick<Transition, 'trigger' | 'fires_when'>) =>
      this.#transitions.push({ ...plain, ...more, ...(post.length === 0 ? {} : { post: [...post] }) });
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
        return `every ${trigger.said}`;
      case 'after':
        add({ trigger: { kind: 'one_shot', after: trigger.ticks }, ...when() });
        return `after ${trigger.said}`;
      case 'cron':
        add({ trigger: { kind: 'cron', cron: trigger.cron, tz: trigger.tz }, ...when() });
        return `at the times of ${trigger.said}`;
      case 'event':
        return this.#event({ id, from, to, post, guards }, trigger);
      case 'nth':
        return this.#nth({ id, from, to, post, guards }, trigger);
      case 'window':
        return this.#window({ id, from, to, post, guards }, trigger);
    }
  }

  #event(draft: Draft, { event, test }: Extract<Subject, { kind: 'event' }>): string | undefined {
    const { id, from, to, post, guards } = draft;
    const field = test && this.#field(event, test);
    if (!this.#hear(event) || (test !== undefined && field === undefined)) return undefined;
    const conditions = [...(field === undefined ? [] : [field]), ...guards];
    const said = `on the event ${event}${field === undefined ? '' : ` with ${field}`}`;
    if (conditions.length === 0) return this.#leave(from, event, to, { id, post }) ? said : undefined;
    this.#transitions.push({
      ...{ id, from, to, operator: OPERATOR, proof: false },
      trigger: { kind: 'event', event },
      fires_when: conditions.join(' and '),
      priority: FIRST,
      ...(post.length === 0 ? {} : { post: [...post] }),
    });
    return said;
  }

  /** Counts in the context; the last one fires. */
  #nth(draft: Draft, { event, times }: Extract<Subject, { kind: 'nth' }>): string | undefined {
    if (times === 1) return this.#event(draft, { kind: 'event', event });
    if (!this.#hear(event)) return undefined;
    const { id, from, to, post, guards } = draft;
    const counter = this.#variable(`${event}_count`, 'integer', 0);
    if (counter === undefined) return undefined;
    const trigger = { kind: 'event', event } as const;
    const plain = { from, operator: OPERATOR, proof: false, trigger, priority: FIRST };
    const isLast = [`${counter} + 1 >= ${times}`, ...guards].join(' and ');
    this.#transitions.push(
      { ...plain, id, to, fires_when: isLast, post: [{ set: { [counter]: '0' } }, ...post] },
      {
        ...plain,
        id: `${id}_count`,
        to: from,
        fires_when: `${counter} + 1 < ${times}`,
        post: [{ set: { [counter]: `${counter} + 1` } }],
      },
    );
    return `on event number ${times} of ${event}`;
  }

  /** Where the state stays, a flag keeps it from firing again before the condition has been false. */
  #window(draft: Draft, subject: Extract<Subject, { kind: 'window' }>): string | undefined {
    const { id, from, to, post, guards } = draft;
    const { event, fn, field, within, test, comparison } = subject;
    const filter = test && this.#field(event, test);
    const read = field === undefined ? undefined : this.#fieldName(event, field, 'number');
    const isWhole =
      this.#hear(event) &&
      (test === undefined) === (filter === undefined) &&
      (field === undefined) === (read === undefined);
    if (!isWhole) return undefined;
    const value = fn === 'count' ? 'agg.count' : 'agg.value';
    const condition = comparing(value, comparison);
    const opposite = comparing(value, { ...comparison, operator: OPPOSITE[comparison.operator] });
    const trigger = {
      kind: 'on_aggregate',
      event,
      fn,
      ...(read === undefined ? {} : { field: read }),
      within: within.ticks,
      ...(filter === undefined ? {} : { filter }),
      evaluate: 'arrival_and_expiry',
    } as const;
    const plain = { operator: OPERATOR, proof: false, trigger, priority: FIRST, from };
    const said = `when ${fn} of ${event}${read === undefined ? '' : `.${read}`}${filter === undefined ? '' : ` with ${filter}`} over ${within.said} ${comparison.operator} ${comparison.value}`;
    if (to !== from) {
      this.#transitions.push({ ...plain, id, to, fires_when: [condition, ...guards].join(' and '), post: [...post] });
      return said;
    }
    const flag = this.#variable(`${id}_holds`, 'boolean', false);
    if (flag === undefined) return undefined;
    this.#transitions.push(
      {
        ...plain,
        id,
        to,
        fires_when: [condition, `not ${flag}`, ...guards].join(' and '),
        post: [{ set: { [flag]: 'true' } }, ...post],
      },
      { ...plain, id: `${id}_over`, to, fires_when: `${opposite} and ${flag}`, post: [{ set: { [flag]: 'false' } }] },
    );
    return `${said} (once, until it is so no longer)`;
  }

  /** A transition on an event whatever it carries: there is one of each state and event, which does what all ask for. */
  #leave(
    from: string,
    event: string,
    to: string,
    more: { readonly id?: string; readonly post?: readonly Action[] } = {},
  ): boolean {
    if (!this.#hear(event)) return false;
    const at = this.#transitions.findIndex(
      (one) =>
        one.from === from &&
        one.trigger.kind === 'event' &&
        one.trigger.event === event &&
        one.fires_when === undefined,
    );
    const known = this.#transitions[at];
    const { id = `rule_${this.#transitions.length + 1}`, post = [] } = more;
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
    if ((known.to !== from && to !== from && known.to !== to) || all.length > MOST_ACTIONS) return false;
    this.#transitions[at] = { ...known, to: to === from ? known.to : to, ...(all.length === 0 ? {} : { post: all }) };
    return true;
  }

  #actions(deeds: readonly Deed[]): Action[] {
    const actions = deeds.flatMap((one): Action[] => {
      if (one.kind === 'move') return [];
      if (one.kind === 'action') return 'emit' in one.action && !this.#mayEmit(one.action) ? [] : [one.action];
      const type = typeof one.value as ScalarType;
      const initial = type === 'number' ? 0 : type === 'boolean' ? false : '';
      const variable = this.#variable(one.name, type, initial, true);
      return variable === undefined ? [] : [{ set: { [variable]: literal(one.value) } }];
    });
    for (const left of actions.slice(MOST_DEEDS)) this.#unparsed.push(JSON.stringify(left));
    return actions.slice(0, MOST_DEEDS);
  }

  readonly #emitted = new Set<string>();

  #mayEmit(action: Action): boolean {
    const [event = ''] = emittedBy(action);
    if (this.#emitted.size >= MOST_NAMES && !this.#emitted.has(event)) {
      this.#unparsed.push(event);
      return false;
    }
    this.#emitted.add(event);
    return true;
  }

  #guard({ name, comparison }: Guard): string | undefined {
    const variable = readable(name);
    const known = this.#context.get(variable);
    if (known !== undefined && known.type === typeof comparison.value) return comparing(variable, comparison);
    this.#unparsed.push(`only if ${name}`);
    return undefined;
  }

  /** @returns false where there is no room for one more */
  #hear(event: string): boolean {
    if (this.#events.has(event)) return true;
    if (this.#events.size >= MOST_NAMES) return false;
    this.#events.set(event, {});
    return true;
  }

  #field(event: string, { field, comparison }: Field): string | undefined {
    const read = this.#fieldName(event, field, typeof comparison.value as ScalarType);
    return read === undefined ? undefined : comparing(`event.${read}`, comparison);
  }

  /** A field of an event has one type. */
  #fieldName(event: string, field: string, type: ScalarType): string | undefined {
    if (!this.#hear(event)) return undefined;
    const payload = this.#events.get(event) ?? {};
    const read = readable(field);
    if (payload[read] !== undefined && payload[read] !== type) return undefined;
    payload[read] = type;
    return read;
  }

  /** @param isShared  the same name means the same variable; otherwise each rule has one of its own */
  #variable(wanted: string, type: ScalarType, initial: Scalar, isShared = false): string | undefined {
    let variable = readable(wanted.slice(0, LONGEST));
    for (let n = 2; !isShared && this.#context.has(variable); n++)
      variable = `${readable(wanted.slice(0, LONGEST))}_${n}`;
    const known = this.#context.get(variable);
    if (known === undefined && this.#context.size >= MOST_NAMES) return undefined;
    if (known !== undefined && known.type !== type) {
      this.#unparsed.push(`set ${wanted}`);
      return undefined;
    }
    this.#context.set(variable, { type, initial });
    return variable;
  }

  get #isFull(): boolean {
    return Object.keys(this.#states).length >= MOST_NAMES;
  }

  #state(state: string, role: 'initial' | 'intermediate' | 'terminal', outcome: Outcome = 'success'): string {
    const known = this.#states[state];
    if (known === undefined) this.#states[state] = role === 'terminal' ? { role, outcome } : { role };
    else if (known.role === 'terminal' && role === 'intermediate') this.#states[state] = { role };
    return state;
  }

  /** States that nothing leads out of get a way out; those that nothing leads into go. */
  #close(): void {
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
      this.#end(state);
    }
    for (let lost = this.#endless(); lost !== undefined; lost = this.#endless()) this.#end(lost);
  }

  /** A way out by an event of its own. */
  #end(state: string): void {
    // A state of that name may be one that the text goes through.
    const end = ENDS.find((one) => (this.#states[one]?.role ?? 'terminal') === 'terminal') ?? LAST_END;
    this.#state(end, 'terminal', 'cancelled');
    const event = STOPS.find((one) => this.#leave(state, one, end));
    this.#explanation.push(`While ${state}, the event ${event} ends it: becomes ${end}.`);
  }

  /** A state from which neither an end nor the beginning is reached. */
  #endless(): string | undefined {
    const good = new Set(
      Object.entries(this.#states).flatMap(([state, { role }]) => (role === 'intermediate' ? [] : [state])),
    );
    for (const state of good) {
      for (const { from, to } of this.#transitions) if (to === state && typeof from === 'string') good.add(from);
    }
    return Object.keys(this.#states).find((state) => !good.has(state));
  }

  /** One event fires one transition at most, which is worth a sentence where several listen. */
  #explainOrder(): void {
    const read = this.#transitions.filter(({ id, priority }) => priority === FIRST && !/_(over|count)$/.test(id));
    const heard = read.map(({ from, trigger }) => `${from} ${'event' in trigger ? trigger.event : ''}`);
    for (const place of new Set(heard.filter((one, i) => heard.indexOf(one) !== i))) {
      const [from, event] = place.split(' ');
      this.#explanation.push(`While ${from}, an event ${event} fires the first of its rules whose condition holds.`);
    }
  }

  #isUsed(variable: string): boolean {
    const read = new RegExp(`\\b${variable}\\b`);
    return this.#transitions.some(
      ({ fires_when: condition = '', post = [] }) =>
        read.test(condition) || post.some((action) => 'set' in action && Object.hasOwn(action.set, variable)),
    );
  }

  #isHeard(event: string): boolean {
    return this.#transitions.some(({ trigger }) => 'event' in trigger && trigger.event === event);
  }
}

interface Draft {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly post: readonly Action[];
  readonly guards: readonly string[];
}

/** Rules that read what an event carries come before those that do not. */
const FIRST = 10;
const MOST_NAMES = 28;
const MOST_DEEDS = 8;
const MOST_ACTIONS = 16;
const MOST_ENDS = 4;
const LONGEST = 36;

/** A name that an expression can read. */
function readable(name: string): string {
  try {
    return parseExpression(name, CONDITION_SYNTAX).kind === 'symbol' ? name : `${name}_value`;
  } catch {
    return `${name}_value`;
  }
}

function comparing(left: string, { operator, value }: Comparison): string {
  return `${left} ${operator} ${literal(value)}`;
}

/** A value as an expression writes it. */
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

const sentence = ({ trigger }: Rule) =>
  `the rule on ${trigger && 'event' in trigger ? trigger.event : (trigger?.kind ?? 'what follows')}`;
