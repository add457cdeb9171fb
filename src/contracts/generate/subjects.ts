// What a contract listens for: an event, a value in it, how many of them in a while, or none for a while.

import type { Aggregate } from '../window.ts';
import { happened, type Move } from './actions.ts';
import { type Cursor, words } from './cursor.ts';
import { ARTICLES, identifier, name, singular, skipArticles } from './names.ts';
import { count, number, type Span, skipUnits, span, spanOf } from './quantities.ts';

export type Operator = '>' | '>=' | '<' | '<=' | '==' | '!=';

export interface Comparison {
  readonly operator: Operator;
  readonly value: number | string | boolean;
}

export interface Field {
  readonly field: string;
  readonly comparison: Comparison;
}

export type Subject =
  | { readonly kind: 'event'; readonly event: string; readonly test?: Field | undefined }
  /** So many in a window; `test` says which of them count. */
  | {
      readonly kind: 'window';
      readonly event: string;
      readonly fn: Aggregate;
      readonly field?: string | undefined;
      readonly within: Span;
      readonly test?: Field | undefined;
      readonly comparison: Comparison;
    }
  /** The n-th since the state was entered. */
  | { readonly kind: 'nth'; readonly event: string; readonly times: number };

const FUNCTIONS: ReadonlyMap<string, Aggregate> = new Map(
  (
    [
      ['average avg mean', 'avg'],
      ['sum total', 'sum'],
      ['maximum max highest peak', 'max'],
      ['minimum min lowest', 'min'],
      ['last latest', 'last'],
      ['range spread', 'range'],
    ] as const
  ).flatMap(([names, fn]) => names.split(' ').map((word) => [word, fn] as const)),
);
/** The field of an event that is spoken of as a value. */
const VALUE = 'value';

const TO_BE: ReadonlySet<string> = words(
  'is are was be gets get goes go rises rise climbs climb falls fall drops drop becomes become stays stay reads has reaches',
);
const THAN: ReadonlySet<string> = words('than');
const COMPARISONS: readonly (readonly [Operator, readonly string[]])[] = [
  ['>=', ['at least', '>=', 'not below', 'not under', 'no less than']],
  ['<=', ['at most', '<=', 'not above', 'not over', 'no more than', 'up to']],
  ['>', ['above', 'over', 'more than', 'greater than', 'higher than', 'exceeds', 'exceed', 'exceeding', '>', 'beyond']],
  ['<', ['below', 'under', 'less than', 'lower than', 'fewer than', '<']],
  ['!=', ['not equal to', 'different from', 'not']],
  ['==', ['equal to', 'equals', 'exactly', '=']],
];

const WITHIN: ReadonlySet<string> = words('within in over during per every');
const LASTING: ReadonlySet<string> = words('for within in during');
const ARRIVES: ReadonlySet<string> = words('arrives arrive arrived happens happen occurs occur comes appears');
const EVENT: ReadonlySet<string> = words('event events message messages signal signals reading readings');
const REST: ReadonlySet<string> = words('the last past any every a an');

/** What follows `when`. */
export function subject(cursor: Cursor): Subject | undefined {
  return cursor.attempt(silence) ?? cursor.attempt(counted) ?? cursor.attempt(aggregate) ?? cursor.attempt(plain);
}

/** What sets something off without a `when`: `3 failures within 5 minutes`, `without activity for 30 days`. */
export function bareSubject(cursor: Cursor): Subject | undefined {
  return cursor.attempt(silence) ?? cursor.attempt(counted);
}

/** `2 reviews`, as it follows `after`. */
export function nth(cursor: Cursor): Subject | undefined {
  return cursor.attempt((at) => {
    const times = count(at);
    const event = times === undefined ? undefined : name(at);
    if (times === undefined || event === undefined || times > MOST_NTH) return undefined;
    at.takeOne(EVENT);
    return { kind: 'nth', event: singular(event), times };
  });
}
const MOST_NTH = 1_000;

/** `no heartbeat for 30 minutes`, `there is no heartbeat event within 30 minutes`. */
function silence(at: Cursor): Subject | undefined {
  at.take('there', TO_BE);
  if (!at.take('no') && !at.take('without')) return undefined;
  const event = name(at);
  if (event === undefined) return undefined;
  at.takeOne(EVENT);
  arrival(at);
  if (at.takeOne(LASTING) === undefined) return undefined;
  while (at.takeOne(REST));
  const within = span(at);
  const comparison = { operator: '==', value: 0 } as const;
  return within && { kind: 'window', event: singular(event), fn: 'count', within, comparison };
}

/** `more than 100 requests within 1 minute`, `3 failures in 10 minutes`, `number of failures in an hour is above 5`. */
function counted(at: Cursor): Subject | undefined {
  at.take('there', TO_BE);
  skipArticles(at);
  if (at.take('number', 'of') || at.take('count', 'of')) return ofWindow(at, 'count');
  const operator = operatorOf(at) ?? '>=';
  const n = count(at);
  if (n === undefined) return undefined;
  const isMore = at.take('or', 'more');
  const event = nouns(at);
  if (event === undefined) return undefined;
  at.takeOne(EVENT);
  arrival(at);
  const within = window(at);
  const comparison = { operator: isMore ? '>=' : operator, value: n } as const;
  return within && { kind: 'window', event: singular(event), fn: 'count', within, comparison };
}

/** `failures`, `login failures`: what is counted, in one word or two. */
function nouns(at: Cursor): string | undefined {
  const first = name(at);
  const { value } = at.peek();
  const second = isVerb(value) || EVENT.has(value) || ARTICLES.has(value) ? undefined : name(at);
  return first === undefined || second === undefined ? first : joined(first, second);
}

const joined = (...parts: readonly string[]) => parts.join('_').slice(0, LONGEST_EVENT).replace(/_+$/, '');
const LONGEST_EVENT = 48;

/** `the average temperature over 10 minutes is above 8`, `sum of order amount in a day exceeds 1000`. */
function aggregate(at: Cursor): Subject | undefined {
  skipArticles(at);
  const fn = FUNCTIONS.get(at.next().value);
  if (fn === undefined) return undefined;
  at.take('of');
  return ofWindow(at, fn);
}

function ofWindow(at: Cursor, fn: Aggregate): Subject | undefined {
  const place = eventField(at);
  if (place === undefined) return undefined;
  const early = window(at);
  const comparison = comparisonOf(at);
  const within = early ?? window(at);
  if (comparison === undefined || typeof comparison.value !== 'number' || within === undefined) return undefined;
  const event = fn === 'count' ? singular(place.event) : place.event;
  return { kind: 'window', event, fn, ...(fn === 'count' ? {} : { field: place.field }), within, comparison };
}

/** `temperature above 80`, `order amount exceeds 1000 for 3 times within 10 minutes`, `payment arrives`. */
function plain(at: Cursor): Subject | undefined {
  const place = eventField(at);
  if (place === undefined) return undefined;
  const before = at.at;
  arrival(at);
  const hasArrived = at.at > before;
  const comparison = comparisonOf(at);
  const test = comparison && { field: place.field, comparison };
  // A second name says which field is compared; with nothing to compare there is none.
  if (test === undefined && place.isNamed) return undefined;
  if (test === undefined && !hasArrived) {
    const event = does(at, place.event);
    if (event !== undefined) return repeated(at, event, undefined) ?? { kind: 'event', event };
  }
  return repeated(at, place.event, test) ?? { kind: 'event', event: place.event, test };
}

/** `for 3 times within 10 minutes`, `3 times within an hour`. */
function repeated(cursor: Cursor, event: string, test: Field | undefined): Subject | undefined {
  return cursor.attempt((at) => {
    const isFor = at.take('for');
    at.take('at', 'least');
    const n = count(at);
    const isTimes = at.take('times') || at.take('time');
    if (n === undefined || (!isTimes && (!isFor || n > 3))) return undefined;
    const within = window(at);
    return within && { kind: 'window', event, fn: 'count', within, test, comparison: { operator: '>=', value: n } };
  });
}

/** What something does is an event of its own: `payment fails` is payment_failed, `login failure happens` is login_failure. */
function does(at: Cursor, thing: string): string | undefined {
  const move = happened(at);
  if (move !== undefined) return joined(thing, move.state);
  const second = at.attempt((one) => {
    const found = isVerb(one.peek().value) || ARTICLES.has(one.peek().value) ? undefined : name(one);
    return found !== undefined && one.takeOne(ARRIVES) ? found : undefined;
  });
  return second && joined(thing, second);
}

/** `the door opens`, `order arrives`, `it opens` where `it` is known: what a delay is counted from. */
export function happening(cursor: Cursor, it: string | undefined): { event: string; move?: Move } | undefined {
  return cursor.attempt((at) => {
    const isIt = at.take('it');
    const thing = isIt ? it : name(at);
    const move = happened(at);
    if (move !== undefined) return { event: thing === undefined ? move.state : joined(thing, move.state), move };
    return !isIt && thing !== undefined && at.takeOne(ARRIVES) ? { event: thing } : undefined;
  });
}

interface Place {
  readonly event: string;
  readonly field: string;
  readonly isNamed: boolean;
}

/** `temperature`, `order amount`, `amount of the order`, `temperature event`. */
function eventField(at: Cursor): Place | undefined {
  const first = name(at);
  if (first === undefined) return undefined;
  if (at.takeOne(EVENT)) {
    const field = at.attempt((one) => (one.take('with') ? name(one) : undefined));
    return { event: first, field: field ?? VALUE, isNamed: field !== undefined };
  }
  const whole = at.attempt((one) => (one.take('of') ? name(one) : undefined));
  if (whole !== undefined) {
    at.takeOne(EVENT);
    return { event: whole, field: first, isNamed: true };
  }
  const second = at.attempt((one) => {
    const found = one.peek().kind === 'word' && !isVerb(one.peek().value) ? name(one) : undefined;
    return found !== undefined && isCompared(one) ? found : undefined;
  });
  return { event: first, field: second ?? VALUE, isNamed: second !== undefined };
}

const isVerb = (word: string) => TO_BE.has(word) || ARRIVES.has(word);

/** A comparison or a window follows. */
function isCompared(at: Cursor): boolean {
  const before = at.attempt((one) => (comparisonOf(one) || window(one) ? undefined : true));
  return before === undefined;
}

export function comparisonOf(cursor: Cursor): Comparison | undefined {
  return cursor.attempt((at) => {
    const isBeing = at.takeOne(TO_BE) !== undefined;
    const operator = operatorOf(at);
    if (operator === undefined && !isBeing) return undefined;
    const value = comparedWith(at);
    if (value === undefined) return undefined;
    if (typeof value !== 'number' && operator !== undefined && operator !== '==' && operator !== '!=') return undefined;
    return { operator: operator ?? '==', value };
  });
}

function operatorOf(cursor: Cursor): Operator | undefined {
  for (const [operator, phrases] of COMPARISONS) {
    if (phrases.some((phrase) => cursor.take(...phrase.split(' ')))) {
      cursor.takeOne(THAN);
      return operator;
    }
  }
  return undefined;
}

function comparedWith(at: Cursor): number | string | boolean | undefined {
  const found = number(at);
  if (found !== undefined) {
    skipUnits(at);
    return found;
  }
  const { kind, value } = at.peek();
  if (kind === 'text') return at.next().value.slice(1, -1);
  if (value === 'true' || value === 'false') return at.next().value === 'true';
  if (ARRIVES.has(value) || value === 'received') return undefined;
  return name(at);
}

/** `within 10 minutes`, `in the last hour`, `per minute`. */
function window(cursor: Cursor): Span | undefined {
  return cursor.attempt((at) => {
    const word = at.takeOne(WITHIN);
    if (word === undefined) return undefined;
    while (at.takeOne(LAST));
    return span(at) ?? at.attempt((one) => oneOf(one));
  });
}
const LAST: ReadonlySet<string> = words('the last past any');

/** The unit alone: `per minute`, `in the last hour`. */
function oneOf(at: Cursor): Span | undefined {
  const { kind, value } = at.next();
  return kind === 'word' ? spanOf(1, identifier(value)) : undefined;
}

function arrival(at: Cursor): void {
  if (!at.take(TO_BE, 'received') && at.takeOne(ARRIVES) !== undefined) at.take('in');
}
