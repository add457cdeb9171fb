// A text as rules: what sets each off, what it does, and what may come in between.

import { type Deed, deed, eventOf, type Move } from './actions.ts';
import { type Cadence, cadence } from './cadence.ts';
import { Cursor, words } from './cursor.ts';
import { name } from './names.ts';
import { type Span, span } from './quantities.ts';
import { bareSubject, type Comparison, comparisonOf, happening, nth, type Subject, subject } from './subjects.ts';
import { type Token, tokensOf } from './tokens.ts';
import { adviceFor, weightOf } from './weight.ts';

export type Trigger = Cadence | Subject;

/** A value that a rule looks at besides what set it off: one that was set before. */
export interface Guard {
  readonly name: string;
  readonly comparison: Comparison;
}

export interface Rule {
  readonly trigger: Trigger | undefined;
  readonly deeds: readonly Deed[];
  readonly guards: readonly Guard[];
  /** Events that end the wait. */
  readonly unless: readonly string[];
  readonly until: readonly string[];
  /** It follows what the rule before led to. */
  readonly isNext: boolean;
}

export interface Reading {
  readonly rules: readonly Rule[];
  /** Stretches that mean nothing to the grammar. */
  readonly unparsed: readonly string[];
  /** Those of them without which the text means something else. */
  readonly changing: readonly string[];
  /** How such things are said. */
  readonly advice: string;
  /** Words that were understood, and all. */
  readonly understood: number;
  readonly words: number;
}

const WHEN: ReadonlySet<string> = words('when whenever if on upon once');
const SMALL: ReadonlySet<string> = words(
  ', and a an the also please so that should must shall will it i want would like me to contract',
);
const IS: ReadonlySet<string> = words('is was');
const COMES: ReadonlySet<string> = words('arrives happens occurs');
const ENDS: ReadonlySet<string> = words('. ;');

/** A while after an event: two rules, of which the first listens. */
interface Delayed {
  readonly kind: 'delayed';
  readonly event: string;
  readonly move?: Move;
  readonly span: Span;
}

class Draft {
  trigger: Trigger | Delayed | undefined;
  deeds: Deed[] = [];
  guards: Guard[] = [];
  unless: string[] = [];
  until: string[] = [];
  isNext = false;
  readonly start: number;

  constructor(start: number, isNext: boolean) {
    this.start = start;
    this.isNext = isNext;
  }

  get isWhole(): boolean {
    if (this.trigger?.kind === 'delayed') return this.deeds.some(({ kind }) => kind === 'move');
    return this.deeds.length > 0 && (this.trigger !== undefined || this.isNext);
  }

  /** Something of it was understood. */
  get isBegun(): boolean {
    return this.deeds.length > 0 || this.trigger !== undefined;
  }

  get rules(): readonly Rule[] {
    const { trigger, deeds, guards, unless, until, isNext } = this;
    if (trigger?.kind !== 'delayed') return [{ trigger, deeds, guards, unless, until, isNext }];
    const { event, move } = trigger;
    const listening = move === undefined ? [] : [{ kind: 'move' as const, ...move }];
    return [
      { trigger: { kind: 'event', event }, deeds: listening, guards: [], unless: [], until: [], isNext },
      { trigger: { kind: 'after', ...trigger.span }, deeds, guards, unless, until, isNext: true },
    ];
  }
}

export function readText(text: string): Reading {
  const tokens = tokensOf(text);
  const cursor = new Cursor(tokens);
  const rules: Rule[] = [];
  /** Places whose loss changes the meaning, whatever stands there. */
  const heavy = new Set<number>();
  let draft = new Draft(0, false);
  /** Where the last trigger ended: what follows it at once belongs to it. */
  let behindTrigger = -1;
  const end = (to: number) => {
    if (draft.isWhole) rules.push(...draft.rules);
    else {
      for (let at = draft.start; at < to; at++) {
        cursor.lost.add(at);
        if (draft.isBegun) heavy.add(at);
      }
    }
  };
  const close = (isNext: boolean) => {
    end(cursor.at);
    draft = new Draft(cursor.at, isNext && rules.length > 0);
  };
  while (!cursor.isDone) {
    if (cursor.takeOne(ENDS)) {
      close(cursor.take('then'));
      continue;
    }
    const isThen = cursor.attempt((at) => {
      while (at.take(',') || at.take('and'));
      return at.take('then') || at.take('after', 'that') || at.take('afterwards') ? true : undefined;
    });
    if (isThen && draft.isWhole) {
      close(true);
      continue;
    }
    if (isThen || understand(cursor, draft)) continue;
    const start = cursor.at;
    const trigger = triggerOf(cursor) ?? delayed(cursor, draft);
    if (trigger === undefined) {
      if (start === behindTrigger) heavy.add(start);
      const word = cursor.takeOne(SMALL);
      if (word === undefined) cursor.lose();
      // A second condition: `when the door opens and the alarm sounds`.
      else if (start === behindTrigger && word !== ',' && draft.deeds.length === 0) behindTrigger = cursor.at;
      continue;
    }
    // A second trigger begins a rule of its own.
    if (draft.trigger !== undefined) {
      end(start);
      draft = new Draft(start, false);
    }
    draft.trigger = trigger;
    behindTrigger = cursor.at;
  }
  close(false);
  const { lost, ...reading } = lostIn(text, tokens, cursor.lost, heavy);
  return { rules, ...reading, advice: adviceFor(lost, rules.length > 0) };
}

/** `30 seconds after it opens`: `it` is what the rule moves. */
function delayed(cursor: Cursor, { deeds }: Draft): Delayed | undefined {
  const moved = deeds.findLast((one) => one.kind === 'move');
  return cursor.attempt((at) => {
    const found = span(at);
    const since = found && at.take('after') ? happening(at, moved?.of) : undefined;
    return found && since && { kind: 'delayed', span: found, ...since };
  });
}

function triggerOf(cursor: Cursor): Trigger | undefined {
  return (
    cadence(cursor) ??
    cursor.attempt((at) => (at.take('after') ? (bareSubject(at) ?? nth(at)) : undefined)) ??
    cursor.attempt((at) => {
      const isEach = at.take('as', 'soon', 'as') || at.take('each', 'time') || at.take('every', 'time');
      return isEach || at.takeOne(WHEN) ? subject(at) : undefined;
    }) ??
    bareSubject(cursor)
  );
}

/** Reads one part that is no trigger into the rule. */
function understand(cursor: Cursor, draft: Draft): boolean {
  const unless = cursor.attempt((at) => (at.take('unless') ? eventName(at) : undefined));
  if (unless !== undefined) {
    draft.unless.push(unless);
    return true;
  }
  const until = cursor.attempt((at) => (at.take('until') ? eventName(at) : undefined));
  if (until !== undefined) {
    draft.until.push(until);
    return true;
  }
  const guard = cursor.attempt((at) => {
    if (!at.take('only', 'if') && !at.take('only', 'while') && !at.take('provided', 'that') && !at.take('provided'))
      return undefined;
    const variable = name(at);
    const comparison = variable === undefined ? undefined : comparisonOf(at);
    return variable !== undefined && comparison !== undefined ? { name: variable, comparison } : undefined;
  });
  if (guard !== undefined) {
    draft.guards.push(guard);
    return true;
  }
  const deeds = deed(cursor);
  if (deeds === undefined) return false;
  draft.deeds.push(...deeds);
  return true;
}

/** `paid`, `it is paid`, `the payment arrives`. */
function eventName(at: Cursor): string | undefined {
  if (at.take('it')) at.takeOne(IS);
  const found = name(at);
  if (found === undefined) return undefined;
  if (!at.take('is', 'received')) at.takeOne(COMES);
  return eventOf(found);
}

function lostIn(text: string, tokens: readonly Token[], lost: ReadonlySet<number>, heavy: ReadonlySet<number>) {
  const stretches: { start: number; end: number; isChanging: boolean }[] = [];
  let stretch: (typeof stretches)[number] | undefined;
  let understood = 0;
  let all = 0;
  for (const [at, { kind, value, start, end }] of tokens.entries()) {
    if (kind === 'end') break;
    const isWord = kind !== 'sign' || !/^[.,;-]$/.test(value);
    if (isWord) all++;
    if (!lost.has(at)) {
      if (isWord) understood++;
      if (isWord) stretch = undefined;
      continue;
    }
    const isChanging = heavy.has(at) || weightOf({ kind, value, start, end }) !== undefined;
    if (stretch) {
      stretch.end = end;
      stretch.isChanging ||= isChanging;
    } else if (isWord) {
      stretch = { start, end, isChanging };
      stretches.push(stretch);
    }
  }
  const said = ({ start, end }: { readonly start: number; readonly end: number }) => text.slice(start, end);
  return {
    unparsed: stretches.map(said),
    changing: stretches.filter(({ isChanging }) => isChanging).map(said),
    lost: tokens.filter((_, at) => lost.has(at)),
    understood,
    words: all,
  };
}
