// Parses a text into rules, each with a trigger, effects, guards and the events that cancel it.

import { type Effect, eventOf, type Move, parseEffects, parseStateVerb } from './effects.ts';
import {
  type Comparison,
  type EventTrigger,
  parseBareEventTrigger,
  parseComparison,
  parseDelayOrigin,
  parseEventTrigger,
  parseNth,
} from './event-triggers.ts';
import { parseName } from './names.ts';
import { parseSpan, type Span } from './quantities.ts';
import { adviceFor, TIMES } from './significant-words.ts';
import { parseTimeTrigger, type TimeTrigger } from './time-triggers.ts';
import { TokenCursor, words } from './token-cursor.ts';
import { type Token, tokensOf } from './tokens.ts';

export type Trigger = TimeTrigger | EventTrigger;

/** A condition of a rule on a variable that an earlier rule sets. */
export interface Guard {
  readonly name: string;
  readonly comparison: Comparison;
}

export interface Rule {
  readonly trigger: Trigger | undefined;
  readonly effects: readonly Effect[];
  readonly guards: readonly Guard[];
  /** Events that end the wait for the trigger. */
  readonly unless: readonly string[];
  readonly until: readonly string[];
  /** It starts in the state that the previous rule leads to. */
  readonly isNext: boolean;
}

export interface ParsedText {
  readonly rules: readonly Rule[];
  /** Parts of the text that the grammar does not match. Any of them may change the meaning. */
  readonly unparsed: readonly string[];
  /** How to rephrase the unparsed parts. */
  readonly advice: string;
  /** Number of words that were understood, and of all words. */
  readonly understood: number;
  readonly words: number;
}

const WHEN: ReadonlySet<string> = words('when whenever if on upon once');
const FILLERS: ReadonlySet<string> = words(
  ', and a an the also please so that should must shall will it i want would like me to contract',
);
const IS: ReadonlySet<string> = words('is was');
const ARRIVES: ReadonlySet<string> = words('arrives happens occurs');
/** Triggers by events, from which a delay may be counted. */
const OF_EVENTS: ReadonlySet<string> = words('event window nth delayed');
const SENTENCE_ENDS: ReadonlySet<string> = words('. ;');

/** A delay after an event; it becomes two rules, the first of which waits for the event. */
interface DelayedEvent {
  readonly kind: 'delayed';
  readonly event: string;
  readonly move?: Move;
  readonly span: Span;
}

/** A rule while it is being parsed. */
class RuleDraft {
  trigger: Trigger | DelayedEvent | undefined;
  effects: Effect[] = [];
  guards: Guard[] = [];
  unless: string[] = [];
  until: string[] = [];
  isNext = false;
  readonly start: number;

  constructor(start: number, isNext: boolean) {
    this.start = start;
    this.isNext = isNext;
  }

  get isComplete(): boolean {
    if (this.trigger?.kind === 'delayed') return this.effects.some(({ kind }) => kind === 'move');
    return this.effects.length > 0 && (this.trigger !== undefined || this.isNext);
  }

  get rules(): readonly Rule[] {
    const { trigger, effects, guards, unless, until, isNext } = this;
    if (trigger?.kind !== 'delayed') return [{ trigger, effects, guards, unless, until, isNext }];
    const { event, move } = trigger;
    const moves = move === undefined ? [] : [{ kind: 'move' as const, ...move }];
    return [
      { trigger: { kind: 'event', event }, effects: moves, guards: [], unless: [], until: [], isNext },
      { trigger: { kind: 'after', ...trigger.span }, effects, guards, unless, until, isNext: true },
    ];
  }
}

export function parseText(text: string): ParsedText {
  const tokens = tokensOf(text);
  const cursor = new TokenCursor(tokens);
  const rules: Rule[] = [];
  let draft = new RuleDraft(0, false);
  const endRule = (to: number) => {
    if (draft.isComplete) rules.push(...draft.rules);
    else for (let at = draft.start; at < to; at++) cursor.unparsed.add(at);
  };
  const startRule = (isNext: boolean) => {
    endRule(cursor.position);
    draft = new RuleDraft(cursor.position, isNext && rules.length > 0);
  };
  while (!cursor.isDone) {
    if (cursor.takeAny(SENTENCE_ENDS)) {
      startRule(cursor.take('then'));
      continue;
    }
    const isThen = cursor.attempt((at) => {
      while (at.take(',') || at.take('and'));
      return at.take('then') || at.take('after', 'that') || at.take('afterwards') ? true : undefined;
    });
    if (isThen && draft.isComplete) {
      startRule(true);
      continue;
    }
    if (isThen || parseRulePart(cursor, draft)) continue;
    const start = cursor.position;
    const trigger = parseTrigger(cursor) ?? parseDelayedEvent(cursor, draft);
    if (trigger === undefined) {
      if (cursor.takeAny(FILLERS) === undefined) cursor.skipUnparsed();
      continue;
    }
    // A second trigger starts a new rule.
    if (draft.trigger !== undefined) {
      // `when it arrives emit pack and after a day emit ship`: a day after the arrival, or after the deployment.
      if (trigger.kind === 'after' && OF_EVENTS.has(draft.trigger.kind)) cursor.unparsed.add(start);
      endRule(start);
      draft = new RuleDraft(start, false);
    }
    draft.trigger = trigger;
  }
  startRule(false);
  const { unparsedTokens, ...parsed } = collectUnparsed(text, tokens, cursor.unparsed);
  return { rules, ...parsed, advice: adviceFor(unparsedTokens, rules.length > 0) };
}

/** `30 seconds after it opens`: `it` is the object of the rule's verb. */
function parseDelayedEvent(cursor: TokenCursor, { effects }: RuleDraft): DelayedEvent | undefined {
  const moved = effects.findLast((effect) => effect.kind === 'move');
  return cursor.attempt((at) => {
    const span = parseSpan(at);
    const origin = span && at.take('after') ? parseDelayOrigin(at, moved?.of) : undefined;
    return span && origin && { kind: 'delayed', span, ...origin };
  });
}

function parseTrigger(cursor: TokenCursor): Trigger | undefined {
  return (
    parseTimeTrigger(cursor) ??
    cursor.attempt((at) => (at.take('after') ? (parseBareEventTrigger(at) ?? parseNth(at)) : undefined)) ??
    cursor.attempt((at) => {
      const isWhenever = at.take('as', 'soon', 'as') || at.take('each', 'time') || at.take('every', 'time');
      return isWhenever || at.takeAny(WHEN) ? parseEventTrigger(at) : undefined;
    }) ??
    parseBareEventTrigger(cursor)
  );
}

/** Parses one part of a rule other than its trigger. @returns false if none matches */
function parseRulePart(cursor: TokenCursor, draft: RuleDraft): boolean {
  const unless = cursor.attempt((at) => (at.take('unless') ? parseCancelling(at) : undefined));
  if (unless !== undefined) {
    draft.unless.push(unless);
    return true;
  }
  const until = cursor.attempt((at) => (at.take('until') ? parseCancelling(at) : undefined));
  if (until !== undefined) {
    draft.until.push(until);
    return true;
  }
  const guard = cursor.attempt((at) => {
    if (!at.take('only', 'if') && !at.take('only', 'while') && !at.take('provided', 'that') && !at.take('provided'))
      return undefined;
    const variable = parseName(at);
    const comparison = variable === undefined ? undefined : parseComparison(at);
    return variable !== undefined && comparison !== undefined ? { name: variable, comparison } : undefined;
  });
  if (guard !== undefined) {
    draft.guards.push(guard);
    return true;
  }
  const effects = parseEffects(cursor);
  if (effects === undefined) return false;
  draft.effects.push(...effects);
  return true;
}

/** One event that cancels: of `paid and confirmed` neither does alone, and `confirmed` is no effect of the rule. */
function parseCancelling(at: TokenCursor): string | undefined {
  const event = parseEventName(at);
  const isJoined = at.attempt((rest) => {
    while (rest.take(','));
    return rest.takeAny(JOINTS) && parseStateVerb(rest);
  });
  return isJoined === undefined ? event : undefined;
}
const JOINTS: ReadonlySet<string> = words('and or');

/** `paid`, `it is paid`, `the payment arrives`. */
function parseEventName(at: TokenCursor): string | undefined {
  if (at.take('it')) at.takeAny(IS);
  const found = parseName(at);
  if (found === undefined || TIMES.has(found)) return undefined;
  if (!at.take('is', 'received')) at.takeAny(ARRIVES);
  return eventOf(found);
}

/** Joins unparsed tokens into parts of the text, and counts words. */
function collectUnparsed(text: string, tokens: readonly Token[], unparsed: ReadonlySet<number>) {
  const parts: { start: number; end: number }[] = [];
  let part: (typeof parts)[number] | undefined;
  let understood = 0;
  let wordCount = 0;
  for (const [index, { kind, value, start, end }] of tokens.entries()) {
    if (kind === 'end') break;
    const isWord = kind !== 'sign' || !/^[.,;-]$/.test(value);
    if (isWord) wordCount++;
    if (!unparsed.has(index)) {
      if (isWord) understood++;
      if (isWord) part = undefined;
      continue;
    }
    if (part) part.end = end;
    else if (isWord) {
      part = { start, end };
      parts.push(part);
    }
  }
  return {
    unparsed: parts.map(({ start, end }) => text.slice(start, end)),
    unparsedTokens: tokens.filter((_, index) => unparsed.has(index)),
    understood,
    words: wordCount,
  };
}
