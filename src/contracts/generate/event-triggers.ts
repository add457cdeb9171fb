// Parses event triggers: an event, a value in it, a number of events within a time, or none for a time.

import type { Aggregate } from '../window.ts';
import { type Move, parseStateVerb } from './effects.ts';
import { ARTICLES, identifier, PEOPLE, parseName, singular, skipArticles } from './names.ts';
import { parseCount, parseNumber, parseSpan, type Span, skipUnits, spanOf, UNITS } from './quantities.ts';
import { type TokenCursor, words } from './token-cursor.ts';

export type Operator = '>' | '>=' | '<' | '<=' | '==' | '!=';

export interface Comparison {
  readonly operator: Operator;
  readonly value: number | string | boolean;
}

export interface FieldTest {
  readonly field: string;
  readonly comparison: Comparison;
}

export type EventTrigger =
  | { readonly kind: 'event'; readonly event: string; readonly test?: FieldTest | undefined }
  /** An aggregate over a window; `test` filters the events that count. */
  | {
      readonly kind: 'window';
      readonly event: string;
      readonly fn: Aggregate;
      readonly field?: string | undefined;
      readonly within: Span;
      readonly test?: FieldTest | undefined;
      readonly comparison: Comparison;
    }
  /** The n-th event since the state was entered. */
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
/** The field of an event if the text names none. */
const DEFAULT_FIELD = 'value';

const TO_BE: ReadonlySet<string> = words(
  'is are was be gets get goes go rises rise climbs climb falls fall drops drop becomes become stays stay reads has reaches',
);
/** After these a number follows: `rises quickly` says how, not to what. */
const MOTIONS: ReadonlySet<string> = words('goes go rises rise climbs climb falls fall drops drop reaches');
const PASSIVES: ReadonlySet<string> = words('is are was gets get');
const PARTICIPLES: ReadonlySet<string> = words(
  'paid sent lost sold bought broken stolen won withdrawn taken given built',
);
/** What they are is a value: `status is failed`. */
const VALUES: ReadonlySet<string> = words('status state mode phase stage level result flag value kind type');
const THAN: ReadonlySet<string> = words('than');
const COMPARISONS: readonly (readonly [Operator, readonly string[]])[] = [
  ['>=', ['at least', '>=', 'not below', 'not under', 'no less than']],
  ['<=', ['at most', '<=', 'not above', 'not over', 'no more than', 'up to']],
  ['>', ['above', 'over', 'more than', 'greater than', 'higher than', 'exceeds', 'exceed', 'exceeding', '>', 'beyond']],
  ['<', ['below', 'under', 'less than', 'lower than', 'fewer than', '<']],
  ['!=', ['!=', 'not equal to', 'different from', 'not']],
  ['==', ['equal to', 'equals', 'exactly', '=']],
];

const WITHIN: ReadonlySet<string> = words('within in over during per every');
const FOR: ReadonlySet<string> = words('for within in during');
const ARRIVES: ReadonlySet<string> = words('arrives arrive arrived happens happen occurs occur comes appears');
const EVENT_NOUNS: ReadonlySet<string> = words('event events message messages signal signals reading readings');
const SPAN_ARTICLES: ReadonlySet<string> = words('the last past any every a an');

/** The trigger after `when`. */
export function parseEventTrigger(cursor: TokenCursor): EventTrigger | undefined {
  return (
    cursor.attempt(parseSilence) ??
    cursor.attempt(parseCountTrigger) ??
    cursor.attempt(parseAggregate) ??
    cursor.attempt(parsePlainEvent)
  );
}

/** A trigger without `when`: `3 failures within 5 minutes`, `without activity for 30 days`. */
export function parseBareEventTrigger(cursor: TokenCursor): EventTrigger | undefined {
  return cursor.attempt(parseSilence) ?? cursor.attempt(parseCountTrigger);
}

/** `2 reviews`, after the word `after`. */
export function parseNth(cursor: TokenCursor): EventTrigger | undefined {
  return cursor.attempt((at) => {
    const times = parseCount(at);
    const event = times === undefined ? undefined : parseCounted(at);
    if (times === undefined || event === undefined || times > MAX_NTH) return undefined;
    at.takeAny(EVENT_NOUNS);
    return { kind: 'nth', event: singular(event), times };
  });
}
const MAX_NTH = 1_000;

/** `no heartbeat for 30 minutes`, `there is no heartbeat event within 30 minutes`. */
function parseSilence(at: TokenCursor): EventTrigger | undefined {
  at.take('there', TO_BE);
  if (!at.take('no') && !at.take('without')) return undefined;
  const event = parseName(at);
  if (event === undefined) return undefined;
  at.takeAny(EVENT_NOUNS);
  skipArrival(at);
  if (at.takeAny(FOR) === undefined) return undefined;
  while (at.takeAny(SPAN_ARTICLES));
  const within = parseSpan(at);
  const comparison = { operator: '==', value: 0 } as const;
  return within && { kind: 'window', event: singular(event), fn: 'count', within, comparison };
}

/** `more than 100 requests within 1 minute`, `3 failures in 10 minutes`, `number of failures in an hour is above 5`. */
function parseCountTrigger(at: TokenCursor): EventTrigger | undefined {
  at.take('there', TO_BE);
  skipArticles(at);
  if (at.take('number', 'of') || at.take('count', 'of')) return parseWindowCondition(at, 'count');
  const operator = parseOperator(at) ?? '>=';
  const n = parseCount(at);
  if (n === undefined) return undefined;
  const isMore = at.take('or', 'more');
  const event = parseNouns(at);
  if (event === undefined) return undefined;
  at.takeAny(EVENT_NOUNS);
  skipArrival(at);
  const within = parseWindow(at);
  const comparison = { operator: isMore ? '>=' : operator, value: n } as const;
  return within && { kind: 'window', event: singular(event), fn: 'count', within, comparison };
}

/** The events that are counted, in one word or two: `failures`, `login failures`. */
function parseNouns(at: TokenCursor): string | undefined {
  const first = parseCounted(at);
  const { value } = at.peek();
  const second = isVerb(value) || EVENT_NOUNS.has(value) || ARTICLES.has(value) ? undefined : parseName(at);
  return first === undefined || second === undefined ? first : joined(first, second);
}

/** A name of something that can be counted: no money, and no people. */
function parseCounted(at: TokenCursor): string | undefined {
  const name = parseName(at);
  return name === undefined || UNITS.has(name) || PEOPLE.has(singular(name)) ? undefined : name;
}

const joined = (...parts: readonly string[]) => parts.join('_').slice(0, MAX_EVENT_LENGTH).replace(/_+$/, '');
const MAX_EVENT_LENGTH = 48;

/** `the average temperature over 10 minutes is above 8`, `sum of order amount in a day exceeds 1000`. */
function parseAggregate(at: TokenCursor): EventTrigger | undefined {
  skipArticles(at);
  const fn = FUNCTIONS.get(at.next().value);
  if (fn === undefined) return undefined;
  at.take('of');
  return parseWindowCondition(at, fn);
}

function parseWindowCondition(at: TokenCursor, fn: Aggregate): EventTrigger | undefined {
  const target = parseEventField(at);
  if (target === undefined) return undefined;
  const windowBefore = parseWindow(at);
  const comparison = parseComparison(at);
  const within = windowBefore ?? parseWindow(at);
  if (comparison === undefined || typeof comparison.value !== 'number' || within === undefined) return undefined;
  return {
    kind: 'window',
    event: singular(target.event),
    fn,
    ...(fn === 'count' ? {} : { field: target.field }),
    within,
    comparison,
  };
}

/** `temperature above 80`, `order amount exceeds 1000 for 3 times within 10 minutes`, `payment arrives`. */
function parsePlainEvent(at: TokenCursor): EventTrigger | undefined {
  const target = parseEventField(at);
  if (target === undefined) return undefined;
  const passive = target.isNamed || VALUES.has(target.event) ? undefined : at.attempt(parsePassive);
  if (passive !== undefined) {
    const event = joined(target.event, passive);
    return parseRepetition(at, event, undefined) ?? { kind: 'event', event };
  }
  const before = at.position;
  skipArrival(at);
  const hasArrived = at.position > before;
  const comparison = parseComparison(at);
  const test = comparison && { field: target.field, comparison };
  // A second name is a field, and a field without a comparison is no trigger.
  if (test === undefined && target.isNamed) return undefined;
  if (test === undefined && !hasArrived) {
    const event = parseVerbEvent(at, target.event);
    if (event !== undefined) return parseRepetition(at, event, undefined) ?? { kind: 'event', event };
  }
  return parseRepetition(at, target.event, test) ?? { kind: 'event', event: target.event, test };
}

/** `is filed`, of a claim: what is done to it is an event, claim_filed, as it is for `unless it is filed`. */
function parsePassive(at: TokenCursor): string | undefined {
  if (at.takeAny(PASSIVES) === undefined) return undefined;
  const { kind, value } = at.next();
  const isDone = kind === 'word' && value !== 'received' && (/^[a-z]{2,}ed$/.test(value) || PARTICIPLES.has(value));
  return isDone ? identifier(value) : undefined;
}

/** `for 3 times within 10 minutes`, `3 times within an hour`. */
function parseRepetition(cursor: TokenCursor, event: string, test: FieldTest | undefined): EventTrigger | undefined {
  return cursor.attempt((at) => {
    const isFor = at.take('for');
    at.take('at', 'least');
    const n = parseCount(at);
    const isTimes = at.take('times') || at.take('time');
    if (n === undefined || (!isTimes && (!isFor || n > 3))) return undefined;
    const within = parseWindow(at);
    return within && { kind: 'window', event, fn: 'count', within, test, comparison: { operator: '>=', value: n } };
  });
}

/** The event that a verb names: `payment fails` is payment_failed, `login failure happens` is login_failure. */
function parseVerbEvent(at: TokenCursor, noun: string): string | undefined {
  const move = parseStateVerb(at);
  if (move !== undefined) return joined(noun, move.state);
  const second = at.attempt((rest) => {
    const found = isVerb(rest.peek().value) || ARTICLES.has(rest.peek().value) ? undefined : parseName(rest);
    return found !== undefined && rest.takeAny(ARRIVES) ? found : undefined;
  });
  return second && joined(noun, second);
}

/**
 * The event that a delay counts from: `the door opens`, `order arrives`, `it opens`.
 *
 * @param antecedent  the noun that `it` refers to
 */
export function parseDelayOrigin(
  cursor: TokenCursor,
  antecedent: string | undefined,
): { event: string; move?: Move } | undefined {
  return cursor.attempt((at) => {
    const isIt = at.take('it');
    const noun = isIt ? antecedent : parseName(at);
    const move = parseStateVerb(at);
    if (move !== undefined) return { event: noun === undefined ? move.state : joined(noun, move.state), move };
    return !isIt && noun !== undefined && at.takeAny(ARRIVES) ? { event: noun } : undefined;
  });
}

interface EventField {
  readonly event: string;
  readonly field: string;
  readonly isNamed: boolean;
}

/** `temperature`, `order amount`, `amount of the order`, `temperature event`. */
function parseEventField(at: TokenCursor): EventField | undefined {
  const first = parseName(at);
  if (first === undefined) return undefined;
  if (at.takeAny(EVENT_NOUNS)) {
    const field = at.attempt((rest) => (rest.take('with') ? parseName(rest) : undefined));
    return { event: first, field: field ?? DEFAULT_FIELD, isNamed: field !== undefined };
  }
  const whole = at.attempt((rest) => (rest.take('of') ? parseName(rest) : undefined));
  if (whole !== undefined) {
    at.takeAny(EVENT_NOUNS);
    return { event: whole, field: first, isNamed: true };
  }
  const second = at.attempt((rest) => {
    const found = rest.peek().kind === 'word' && !isVerb(rest.peek().value) ? parseName(rest) : undefined;
    return found !== undefined && isFollowedByComparison(rest) ? found : undefined;
  });
  return { event: first, field: second ?? DEFAULT_FIELD, isNamed: second !== undefined };
}

const isVerb = (word: string) => TO_BE.has(word) || ARRIVES.has(word);

/** Whether a comparison or a window follows. */
function isFollowedByComparison(at: TokenCursor): boolean {
  const before = at.attempt((rest) => (parseComparison(rest) || parseWindow(rest) ? undefined : true));
  return before === undefined;
}

export function parseComparison(cursor: TokenCursor): Comparison | undefined {
  return cursor.attempt((at) => {
    const verb = at.takeAny(TO_BE);
    const operator = parseOperator(at);
    // `reaches 5`, `drops 5`: not that it is 5.
    if (operator === undefined && (verb === undefined || MOTIONS.has(verb))) return undefined;
    const value = parseOperand(at);
    if (value === undefined) return undefined;
    if (typeof value !== 'number' && verb !== undefined && MOTIONS.has(verb)) return undefined;
    if (typeof value !== 'number' && operator !== undefined && operator !== '==' && operator !== '!=') return undefined;
    return { operator: operator ?? '==', value };
  });
}

function parseOperator(cursor: TokenCursor): Operator | undefined {
  for (const [operator, phrases] of COMPARISONS) {
    if (phrases.some((phrase) => cursor.take(...phrase.split(' ')))) {
      cursor.takeAny(THAN);
      return operator;
    }
  }
  return undefined;
}

function parseOperand(at: TokenCursor): number | string | boolean | undefined {
  const found = parseNumber(at);
  if (found !== undefined) {
    skipUnits(at);
    return found;
  }
  const { kind, value } = at.peek();
  if (kind === 'text') return at.next().value.slice(1, -1);
  if (value === 'true' || value === 'false') return at.next().value === 'true';
  if (ARRIVES.has(value) || value === 'received') return undefined;
  return parseName(at);
}

/** `within 10 minutes`, `in the last hour`, `per minute`. */
function parseWindow(cursor: TokenCursor): Span | undefined {
  return cursor.attempt((at) => {
    const word = at.takeAny(WITHIN);
    if (word === undefined) return undefined;
    while (at.takeAny(WINDOW_ARTICLES));
    return parseSpan(at) ?? at.attempt((rest) => parseUnit(rest));
  });
}
const WINDOW_ARTICLES: ReadonlySet<string> = words('the last past any');

/** A unit without a number: `per minute`, `in the last hour`. */
function parseUnit(at: TokenCursor): Span | undefined {
  const { kind, value } = at.next();
  return kind === 'word' ? spanOf(1, identifier(value)) : undefined;
}

/** Skips `arrives`, `is received`, `comes in`. */
function skipArrival(at: TokenCursor): void {
  if (!at.take(TO_BE, 'received') && at.takeAny(ARRIVES) !== undefined) at.take('in');
}
