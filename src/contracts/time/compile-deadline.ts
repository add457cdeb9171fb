// Compiles deadlines and schedules: zones and calendars are looked up, literal times read, expressions typed.

import { canonicalJson } from '../../core/canonical-json.ts';
import type { Definition, Scalars, Trigger } from '../definition.ts';
import type { Type, TypedExpression, Types } from '../typed-expressions.ts';
import { BusinessCalendar } from './business-calendar.ts';
import { isSpanText, parseSpan, SPAN_EXPECTED } from './calendar-span.ts';
import { parseDay } from './civil.ts';
import {
  type CompiledDeadline,
  type DeadlineInstant,
  type DeadlineLength,
  instantFault,
  MAX_BUSINESS_DAYS,
  spanFault,
} from './deadline.ts';
import { holidaysOf, isHolidayList } from './holiday-lists.ts';
import { INSTANT_EXPECTED, isInstantText, type Place, parseInstant, parseTimeOfDay } from './local-time.ts';
import { type CompiledSchedule, type ScheduleStep, usesBusinessDays } from './schedule.ts';
import { UTC, ZONE_RELEASES, zoneOf, zonesLike } from './zone-table.ts';

type DeadlineTrigger = Extract<Trigger, { kind: 'deadline' }>;
type ScheduleTrigger = Extract<Trigger, { kind: 'schedule' }>;
type CalendarDefinition = NonNullable<Definition['calendars']>[string];

/** What the compiler of the definition lends. */
export interface DeadlineContext {
  readonly definition: Definition;
  readonly parameters: Scalars;
  /** Names that a deadline may read: those that have a value whatever the stimulus. */
  readonly names: Types;
  expression(path: string, text: string, expected?: Type): TypedExpression | undefined;
  fault(path: string, code: string, text: string): void;
  unknown(path: string, kind: string, name: string, known: Iterable<string>): void;
}

type DeadlineParts = Omit<CompiledDeadline, 'kind'>;

export function compileDeadline(path: string, trigger: DeadlineTrigger, context: DeadlineContext): DeadlineParts {
  const { after, at, since, extended_by: extendedBy, anchor = 'entry', past = 'refuse' } = trigger;
  const business = typeof after === 'object' ? after : undefined;
  const place = compilePlace(path, trigger, business?.calendar, context);
  if ((after === undefined) === (at === undefined)) context.fault(path, 'ONE_OF', 'needs either after or at');
  checkBeginning(path, trigger, context);
  const isOfWholeDays = business !== undefined || trigger.roll !== undefined || trigger.time !== undefined;
  if (extendedBy !== undefined && (at !== undefined || isOfWholeDays)) {
    const text = 'is elapsed time; it is not allowed with at, business days, roll or time';
    context.fault(`${path}.extended_by`, 'NOT_ALLOWED', text);
  }
  return {
    path,
    content: contentOf(trigger, context),
    after: after === undefined ? undefined : lengthOf(`${path}.after`, after, place, context),
    at: at === undefined ? undefined : instantIn(`${path}.at`, at, place, context),
    since: since === undefined ? undefined : instantIn(`${path}.since`, since, place, context),
    extendedBy: extendedBy === undefined ? undefined : context.expression(`${path}.extended_by`, extendedBy, 'number'),
    anchor,
    place,
    past,
  };
}

/** A deadline or schedule has one beginning. */
function checkBeginning(
  path: string,
  { at, since, anchor }: DeadlineTrigger | ScheduleTrigger,
  { fault }: ZoneContext,
) {
  if (since === undefined) return;
  if (at !== undefined) fault(`${path}.since`, 'NOT_ALLOWED', 'is a beginning; at needs none');
  if (anchor !== undefined) fault(`${path}.since`, 'TWICE', 'is given beside anchor; one beginning is expected');
}

export function compileSchedule(
  path: string,
  trigger: ScheduleTrigger,
  context: DeadlineContext,
): Omit<CompiledSchedule, 'kind' | 'catchUp'> {
  const { every, at, since, until, anchor = 'entry', max_fires: maxFires } = trigger;
  const place = compilePlace(path, trigger, typeof every === 'object' ? every.calendar : undefined, context);
  const step = stepOf(`${path}.every`, every, place, context);
  checkBeginning(path, trigger, context);
  if (usesBusinessDays({ every: step, place }) && until === undefined && maxFires === undefined) {
    const text = 'on business days needs an end, until or max_fires, to which its calendar can be checked';
    context.fault(path, 'MISSING', text);
  }
  return {
    path,
    content: contentOf(trigger, context),
    every: step,
    at: at === undefined ? undefined : instantIn(`${path}.at`, at, place, context),
    since: since === undefined ? undefined : instantIn(`${path}.since`, since, place, context),
    until: until === undefined ? undefined : instantIn(`${path}.until`, until, place, context),
    anchor,
    place,
    maxFires: maxFires ?? Number.MAX_SAFE_INTEGER,
  };
}

/**
 * How missed occurrences are treated may change without another deadline. Other holidays and other rules of zones hold
 * for what is set from then on.
 */
function contentOf(trigger: DeadlineTrigger | ScheduleTrigger, { parameters }: DeadlineContext): string {
  const when: Record<string, unknown> = { ...trigger };
  for (const name of ['past', 'retry_every', 'max_retries', 'catch_up', 'max_catch_up', 'grace', 'max_fires']) {
    delete when[name];
  }
  const texts = Object.values({ ...when, ...(typeof when.after === 'object' ? when.after : {}) });
  const read = Object.fromEntries(
    Object.entries(parameters).filter(([name]) =>
      texts.some((value) => typeof value === 'string' && wordsOf(value).includes(name)),
    ),
  );
  return canonicalJson([when, read]);
}

const wordsOf = (text: string): readonly string[] => text.match(/[a-z][a-z0-9_.]*/g) ?? [];

function lengthOf(
  path: string,
  after: NonNullable<DeadlineTrigger['after']>,
  place: Place,
  context: DeadlineContext,
): DeadlineLength | undefined {
  if (typeof after === 'object') {
    const count = businessDays(`${path}.business`, after.business, context);
    return count === undefined ? undefined : { kind: 'business', count };
  }
  if (isSpanText(after)) {
    const span = parseSpan(after);
    const fault = span === undefined ? SPAN_EXPECTED : spanFault(span, place);
    if (fault !== undefined) context.fault(path, 'DURATION', `is ${after}; ${fault}`);
    return span && { kind: 'span', span };
  }
  const expression = context.expression(path, after);
  if (expression !== undefined && expression.type !== 'number' && expression.type !== 'string') {
    context.fault(path, 'TYPE', `is a ${expression.type}; ticks or the text of a duration are expected`);
  }
  return expression && { kind: 'expression', expression };
}

function businessDays(path: string, text: string, context: DeadlineContext): number | TypedExpression | undefined {
  if (!isSpanText(text)) return context.expression(path, text, 'number');
  const count = Number(/^P(\d{1,4})D$/.exec(text)?.[1]);
  if (count >= 1 && count <= MAX_BUSINESS_DAYS) return count;
  context.fault(path, 'DURATION', `is ${text}; P1D to P${MAX_BUSINESS_DAYS}D are expected`);
  return undefined;
}

function stepOf(path: string, every: ScheduleTrigger['every'], place: Place, context: DeadlineContext): ScheduleStep {
  if (typeof every === 'object') {
    const count = businessDays(`${path}.business`, every.business, context);
    if (typeof count === 'object') context.fault(`${path}.business`, 'DURATION', 'is an expression; P1D is expected');
    return { kind: 'business', count: typeof count === 'number' ? count : 1 };
  }
  const named = Object.hasOwn(context.parameters, every) ? context.parameters[every] : undefined;
  const text = typeof named === 'string' ? named : every;
  const span = isSpanText(text) ? parseSpan(text) : undefined;
  const isWhole = span !== undefined && span.ns === 0n;
  const fault = !isWhole
    ? 'whole days, weeks, months or years such as P1M are expected, or a parameter with them'
    : !place.hasZone
      ? 'a schedule needs tz, such as "UTC", or a calendar with one'
      : undefined;
  if (fault !== undefined) context.fault(path, 'DURATION', `is ${text}; ${fault}`);
  return { kind: 'span', span: isWhole ? span : { months: 0, days: 1, ns: 0n } };
}

function instantIn(path: string, text: string, place: Place, context: DeadlineContext): DeadlineInstant | undefined {
  if (isInstantText(text)) {
    const instant = parseInstant(text);
    const fault = instant === undefined ? INSTANT_EXPECTED : instantFault(instant, place);
    if (fault !== undefined) context.fault(path, 'INSTANT', `is ${text}; ${fault}`);
    return instant;
  }
  const expression = context.expression(path, text);
  if (expression !== undefined && expression.type !== 'number' && expression.type !== 'string') {
    context.fault(path, 'TYPE', `is a ${expression.type}; a tick, a date or an instant is expected`);
  }
  return expression;
}

function compilePlace(
  path: string,
  trigger: DeadlineTrigger | ScheduleTrigger,
  businessCalendar: string | undefined,
  context: DeadlineContext,
): Place {
  const { definition, parameters } = context;
  const { tz, calendar, roll, time, gap = 'end', overlap = 'first' } = trigger;
  const need = (field: string, isMet: boolean, text: string) => {
    if (!isMet) context.fault(`${path}.${field}`, 'MISSING', text);
  };
  if (calendar !== undefined && businessCalendar !== undefined) {
    context.fault(`${path}.calendar`, 'TWICE', 'is named at the business days, too; name it once');
  }
  const given = businessCalendar ?? calendar;
  const { calendars = {} } = definition;
  const held = given !== undefined && Object.hasOwn(parameters, given) ? parameters[given] : undefined;
  const named = typeof held === 'string' ? held : given;
  const found = named !== undefined && Object.hasOwn(calendars, named) ? calendars[named] : undefined;
  if (named !== undefined && found === undefined) {
    context.unknown(`${path}.calendar`, 'calendar', named, Object.keys(calendars));
  }
  const zoneName = tz ?? found?.tz;
  const zone =
    zoneName === undefined
      ? undefined
      : zoneNamed(tz === undefined ? `calendars.${named}.tz` : `${path}.tz`, zoneName, context);
  need('tz', named === undefined || zoneName !== undefined, 'is missing; the calendar names no zone either');
  need('calendar', roll === undefined || named !== undefined, 'is missing; roll moves dates to its business days');
  const hasZone = zoneName !== undefined;
  for (const field of ['time', 'gap', 'overlap'] as const) {
    need('tz', trigger[field] === undefined || hasZone, `is missing; ${field} is about local time`);
  }
  const ofDay = time === undefined ? undefined : parseTimeOfDay(time);
  if (time !== undefined && ofDay === undefined) {
    context.fault(`${path}.time`, 'TIME', `is ${time}; 00:00 to 24:00 are expected`);
  }
  return {
    zone: zone ?? UTC,
    hasZone,
    calendar: found === undefined || named === undefined ? undefined : compileCalendar(named, found),
    roll,
    time: ofDay,
    gap,
    overlap,
  };
}

/** A zone, given by its name or by a parameter that holds it. */
export function zoneNamed(path: string, given: string, { definition, parameters, fault }: ZoneContext) {
  const parameter = Object.hasOwn(parameters, given) ? parameters[given] : undefined;
  const name = typeof parameter === 'string' ? parameter : given;
  const { zones } = definition;
  const zone = zoneOf(zones, name);
  if (zone !== undefined) return zone;
  const releases = ZONE_RELEASES.join(', ');
  if (zones === undefined) {
    fault(
      'zones',
      'MISSING',
      `is missing; ${path} names ${name}, whose rules need the release of the zones: ${releases}`,
    );
  } else if (!ZONE_RELEASES.includes(zones)) {
    fault('zones', 'UNKNOWN_RELEASE', `is ${zones}; ${releases} is known`);
  } else {
    const [nearest] = zonesLike(zones, name);
    fault(
      path,
      'UNKNOWN_ZONE',
      `is ${name}, which ${zones} does not have${nearest === undefined ? '' : `; did you mean ${nearest}`}`,
    );
  }
  return undefined;
}

type ZoneContext = Pick<DeadlineContext, 'definition' | 'parameters' | 'fault'>;

const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

/** A calendar whose days were checked. */
function compileCalendar(name: string, { weekend = ['sat', 'sun'], holidays }: CalendarDefinition): BusinessCalendar {
  return new BusinessCalendar(name, new Set(weekend.map((day) => WEEKDAYS.indexOf(day))), yearsOf(holidays));
}

/** The holidays of each year; undefined if there are none. */
function yearsOf(holidays: CalendarDefinition['holidays']): ReadonlyMap<number, ReadonlySet<number>> | undefined {
  if (holidays === 'none') return undefined;
  if (isHolidayList(holidays)) {
    const { list, from, to } = holidays;
    const years = Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);
    return new Map(years.map((year) => [year, new Set(holidaysOf(list, year))]));
  }
  return new Map(
    Object.entries(holidays).map(([year, days]) => [
      Number(year),
      new Set(days.flatMap((day) => parseDay(`${year}-${day}`) ?? [])),
    ]),
  );
}
