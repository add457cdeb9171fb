// Deadlines and schedules: compiled forms, and the ticks that they stand for. Nothing here reads the clock, the host's
// time zones or its language; a deadline is a function of the definition, the context and the tick from which it counts.

import { DomainError } from '../../core/errors.ts';
import type { Entries } from '../data/collections.ts';
import type { Scalar } from '../definition.ts';
import { MAX_TICKS } from '../durations.ts';
import { type Evaluate, evaluateTyped, type TypedExpression } from '../typed-expressions.ts';
import { type CalendarSpan, isSpanText, parseSpan, SPAN_EXPECTED } from './calendar-span.ts';
import {
  addBusinessDays,
  addSpan,
  INSTANT_EXPECTED,
  type InstantText,
  type Place,
  parseInstant,
  tickOfInstantText,
} from './local-time.ts';

export type DeadlineLength =
  | { readonly kind: 'span'; readonly span: CalendarSpan }
  | { readonly kind: 'expression'; readonly expression: TypedExpression }
  | { readonly kind: 'business'; readonly count: number | TypedExpression };

export type DeadlineInstant = InstantText | TypedExpression;

export interface CompiledDeadline {
  readonly kind: 'deadline';
  /** In the definition, for messages. */
  readonly path: string;
  /** What the deadline depends on in the definition, as text: deadlines with equal texts are the same. */
  readonly content: string;
  readonly after: DeadlineLength | undefined;
  readonly at: DeadlineInstant | undefined;
  /** From which `after` counts, in place of the anchor. */
  readonly since: DeadlineInstant | undefined;
  /** Ticks that are added to `after`. */
  readonly extendedBy: TypedExpression | undefined;
  readonly anchor: 'entry' | 'deploy';
  readonly place: Place;
  readonly past: 'refuse' | 'fire';
}

/** What deadlines are computed from. */
export interface DeadlineReader {
  read(name: string): Scalar;
  /** The entries of a collection. */
  entries(name: string): Entries;
  readonly evaluate: Evaluate;
}

export interface DeadlineAnchors {
  readonly entry: number;
  readonly deploy: number;
}

const evaluateWith = ({ read, evaluate, entries }: DeadlineReader, expression: TypedExpression): Scalar =>
  evaluateTyped(expression, read, evaluate, entries);

/** Business days that one deadline may count. */
export const MAX_BUSINESS_DAYS = 2_600;

/**
 * The tick at which a deadline is due.
 *
 * @param now  the tick at which it is set: a deadline that is not later has passed
 * @param soonest  the first tick at which it may be due
 * @throws DomainError VALIDATION_FAILED if it has no value, has passed and must not, or is too far ahead
 */
export function dueOf(
  deadline: CompiledDeadline,
  anchors: DeadlineAnchors,
  { now, soonest }: { readonly now: number; readonly soonest: number },
  reader: DeadlineReader,
): number {
  const { at, after, since, anchor, place, path, past } = deadline;
  const unmoved = { ...place, roll: undefined, time: undefined };
  const from = since === undefined ? anchors[anchor] : instantOf(`${path}.since`, since, unmoved, reader);
  const due =
    at === undefined
      ? lengthAfter(deadline, after, from, reader) + extensionOf(deadline, reader)
      : instantOf(`${path}.at`, at, place, reader);
  const field = at === undefined ? `${path}.after` : `${path}.at`;
  if (due <= now && past === 'refuse') {
    const text = at === undefined ? `counts from tick ${from} and ends at tick ${due}` : `is tick ${due}`;
    throw deadlineFault(field, 'PAST', `${text}, which has passed at tick ${now}; "past": "fire" fires it at once`);
  }
  if (due - now > MAX_TICKS) {
    throw deadlineFault(field, 'OUT_OF_RANGE', `is ${due - now} ticks ahead; at most ${MAX_TICKS} are allowed`);
  }
  return Math.max(due, soonest);
}

/** Whole ticks by which a deadline is extended. */
function extensionOf({ path, extendedBy }: CompiledDeadline, reader: DeadlineReader): number {
  if (extendedBy === undefined) return 0;
  const value = evaluateWith(reader, extendedBy);
  if (typeof value === 'number' && value >= 0 && value <= MAX_TICKS) return Math.ceil(value);
  throw deadlineFault(`${path}.extended_by`, 'NO_VALUE', `is ${value}; 0 to ${MAX_TICKS} ticks are expected`);
}

function lengthAfter(
  { path, place, past, extendedBy }: CompiledDeadline,
  after: DeadlineLength | undefined,
  from: number,
  reader: DeadlineReader,
): number {
  const field = `${path}.after`;
  switch (after?.kind) {
    case 'span':
      return addSpan(from, after.span, place);
    case 'business':
      return addBusinessDays(from, businessCount(`${field}.business`, after.count, reader), place);
    case 'expression': {
      const value = evaluateWith(reader, after.expression);
      if (typeof value === 'string') return addSpan(from, spanOf(field, value, place), place);
      if (typeof value !== 'number' || !Number.isFinite(value) || Math.abs(value) > MAX_TICKS) {
        throw deadlineFault(field, 'NO_VALUE', `is ${value}; a number of ticks from 1 to ${MAX_TICKS} is expected`);
      }
      if (value <= 0 && past === 'refuse' && extendedBy === undefined) {
        const text = `is ${value} ticks, so that it has passed; 1 to ${MAX_TICKS} are expected, or "past": "fire"`;
        throw deadlineFault(field, 'PAST', text);
      }
      return from + Math.ceil(value);
    }
    case undefined:
      throw new Error(`${path} has neither after nor at.`);
  }
}

function spanOf(field: string, text: string, place: Place): CalendarSpan {
  const span = isSpanText(text) ? parseSpan(text) : undefined;
  if (span === undefined) throw deadlineFault(field, 'DURATION', `is ${shown(text)}; ${SPAN_EXPECTED}`);
  const fault = spanFault(span, place);
  if (fault !== undefined) throw deadlineFault(field, 'DURATION', `is ${shown(text)}; ${fault}`);
  return span;
}

/** Why a span cannot be added in a place. */
export const spanFault = ({ months }: CalendarSpan, { hasZone }: Place): string | undefined =>
  months > 0 && !hasZone ? 'months and years need tz, such as "UTC", or a calendar with one' : undefined;

function businessCount(field: string, count: number | TypedExpression, reader: DeadlineReader): number {
  if (typeof count === 'number') return count;
  const value = evaluateWith(reader, count);
  if (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_BUSINESS_DAYS) return Number(value);
  throw deadlineFault(field, 'NO_VALUE', `is ${value}; 1 to ${MAX_BUSINESS_DAYS} business days are expected`);
}

/** The tick of an instant in a definition or in the context. @throws DomainError VALIDATION_FAILED */
export function instantOf(field: string, at: DeadlineInstant, place: Place, reader: DeadlineReader): number {
  if (!('program' in at)) return tickOfInstantText(at, place);
  const value = evaluateWith(reader, at);
  if (typeof value === 'string') {
    const parsed = parseInstant(value);
    if (parsed === undefined) throw deadlineFault(field, 'NO_VALUE', `is ${shown(value)}; ${INSTANT_EXPECTED}`);
    const fault = instantFault(parsed, place);
    if (fault !== undefined) throw deadlineFault(field, 'NO_VALUE', `is ${shown(value)}; ${fault}`);
    return tickOfInstantText(parsed, place);
  }
  if (typeof value === 'number' && Number.isFinite(value)) return Math.ceil(value);
  throw deadlineFault(field, 'NO_VALUE', `is ${value}; a tick, a date or an instant is expected`);
}

/** Why an instant cannot be read in a place. */
export const instantFault = ({ offset }: InstantText, { hasZone }: Place): string | undefined =>
  offset === undefined && !hasZone ? 'a local time needs tz, such as "UTC", or a calendar with one' : undefined;

const MAX_SHOWN = 60;
const shown = (text: string) => JSON.stringify(text.slice(0, MAX_SHOWN));

/** A fault of a deadline that is only known when it is set. */
export function deadlineFault(path: string, code: string, text: string): DomainError {
  const message = `${path} ${text}.`;
  return new DomainError('VALIDATION_FAILED', message, { details: [{ path, code, message }] });
}
