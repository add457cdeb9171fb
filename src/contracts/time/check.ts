// Checks what a definition says of time: its edition, calendars, stopwatches, and names that nothing uses.

import type { ErrorDetail } from '../../core/errors.ts';
import { isMoney } from '../data/types.ts';
import { type Definition, sourcesOf, type Transition, type Trigger } from '../definition.ts';
import { unknownName } from '../parameters.ts';
import { isSpanText } from './calendar-span.ts';
import { parseDay } from './civil.ts';
import { isHolidayList, type NamedHolidays } from './holiday-lists.ts';
import { INSTANT_EXPECTED, isInstantText, parseInstant } from './local-time.ts';
import { ZONE_RELEASES } from './zone-table.ts';

const fault = (path: string, code: string, text: string): ErrorDetail => ({ path, code, message: `${path} ${text}.` });

export function timeFaults(definition: Definition): ErrorDetail[] {
  if (definition.edition !== 2) return editionFaults(definition);
  return [
    ...zoneFaults(definition),
    ...calendarFaults(definition),
    ...clockFaults(definition),
    ...accrualFaults(definition),
    ...rearmFaults(definition),
  ];
}

const EDITION = 'needs "edition": 2 in the definition';

/** What the first edition does not have. */
function editionFaults({ zones, calendars, clocks, accruals, transitions }: Definition): ErrorDetail[] {
  const given = { zones, calendars, clocks, accruals };
  const parts = Object.entries(given).filter(([, part]) => part !== undefined);
  return [
    ...parts.map(([name]) => fault(name, 'EDITION', EDITION)),
    ...transitions
      .filter(({ trigger }) => trigger.kind === 'deadline' || trigger.kind === 'schedule')
      .map(({ id }) => fault(`transitions.${id}.trigger`, 'EDITION', EDITION)),
    ...rearmsOf(transitions).map(({ path }) => fault(path, 'EDITION', EDITION)),
  ];
}

/** An unknown release is told by the compiler, at the zone that needs it. */
function zoneFaults({ zones, calendars = {}, accruals = {}, transitions }: Definition): ErrorDetail[] {
  if (zones === undefined) return [];
  const named = [...Object.values(calendars), ...Object.values(accruals), ...transitions.map(({ trigger }) => trigger)];
  const isUsed = named.some((part) => 'tz' in part && part.tz !== undefined && part.tz !== 'UTC');
  if (isUsed) return [];
  return [
    fault('zones', 'UNUSED', `is unused; it is the release of the zones (${ZONE_RELEASES.join(', ')}) that tz names`),
  ];
}

function calendarFaults({ calendars = {}, parameters = {}, transitions }: Definition): ErrorDetail[] {
  const named = new Set(transitions.flatMap(({ trigger }) => calendarsNamed(trigger)));
  // A parameter may name any of them.
  const isByParameter = [...named].some((name) => Object.hasOwn(parameters, name));
  return Object.entries(calendars).flatMap(([name, { holidays, weekend = [] }]) => {
    const path = `calendars.${name}`;
    const faults: ErrorDetail[] = [];
    if (!named.has(name) && !isByParameter) faults.push(fault(path, 'UNUSED', 'is unused'));
    if (new Set(weekend).size !== weekend.length)
      faults.push(fault(`${path}.weekend`, 'REPEATED', 'names a day twice'));
    if (Object.hasOwn(parameters, name)) faults.push(fault(path, 'TAKEN', 'is already the name of a parameter'));
    return [...faults, ...(holidays === 'none' ? [] : holidayFaults(`${path}.holidays`, holidays))];
  });
}

const MAX_YEARS = 60;

function holidayFaults(
  path: string,
  holidays: NamedHolidays | Readonly<Record<string, readonly string[]>>,
): ErrorDetail[] {
  if (isHolidayList(holidays)) {
    const { from, to } = holidays;
    if (from > to) return [fault(`${path}.to`, 'OUT_OF_RANGE', `is ${to}, before from, which is ${from}`)];
    if (to - from < MAX_YEARS) return [];
    return [fault(path, 'COUNT', `cover ${to - from + 1} years; at most ${MAX_YEARS} are allowed`)];
  }
  if (Object.keys(holidays).length === 0) {
    return [fault(path, 'MISSING', 'cover no year; list the holidays of each year, or write "none"')];
  }
  return Object.entries(holidays).flatMap(([year, days]) => [
    ...days
      .filter((day) => parseDay(`${year}-${day}`) === undefined)
      .map((day) => fault(`${path}.${year}`, 'DATE', `name ${day}, which ${year} does not have`)),
    ...days
      .filter((day, i) => days.indexOf(day) !== i)
      .map((day) => fault(`${path}.${year}`, 'REPEATED', `name ${day} twice`)),
  ]);
}

function clockFaults({ clocks = {}, states }: Definition): ErrorDetail[] {
  return Object.entries(clocks).flatMap(([name, { runs_in: running }]) =>
    running
      .filter((state) => !Object.hasOwn(states, state))
      .map((state) => unknownName(`clocks.${name}.runs_in`, 'state', state, Object.keys(states))),
  );
}

interface Rearm {
  readonly path: string;
  readonly by: Transition;
  readonly target: string;
}

function rearmsOf(transitions: readonly Transition[]): Rearm[] {
  return transitions.flatMap((by) =>
    (by.post ?? []).flatMap((action, i) =>
      'rearm' in action ? [{ path: `transitions.${by.id}.post.${i}.rearm`, by, target: action.rearm }] : [],
    ),
  );
}

/** Only deadlines of a state that is not left can be set again: entering a state sets its own. */
function rearmFaults({ transitions }: Definition): ErrorDetail[] {
  return rearmsOf(transitions).flatMap(({ path, by, target }) => {
    const found = transitions.find(({ id }) => id === target);
    if (found === undefined)
      return [
        unknownName(
          path,
          'transition',
          target,
          transitions.map(({ id }) => id),
        ),
      ];
    if (found.trigger.kind !== 'deadline' && found.trigger.kind !== 'schedule') {
      return [
        fault(path, 'NOT_ALLOWED', `is ${target}, on ${found.trigger.kind}; a deadline or a schedule is expected`),
      ];
    }
    if (by.reenter === true || sourcesOf(by).some((state) => state !== by.to)) {
      return [
        fault(path, 'NOT_ALLOWED', 'is not allowed for a transition that enters a state, which sets its deadlines'),
      ];
    }
    if (!sourcesOf(found).includes(by.to))
      return [fault(path, 'NOT_ALLOWED', `is ${target}, which does not leave ${by.to}`)];
    return [];
  });
}

/** Dates of accruals are read as they stand, or from a value with text or a number. */
function accrualFaults({ accruals = {}, context = {}, parameters = {} }: Definition): ErrorDetail[] {
  const types = new Map(Object.entries({ ...context, ...parameters }).map(([name, { type }]) => [name, type]));
  return Object.entries(accruals).flatMap(([name, { from, to }]) =>
    Object.entries({ from, to }).flatMap(([field, given]) => {
      if (given === undefined || parseInstant(given) !== undefined) return [];
      const path = `accruals.${name}.${field}`;
      if (isInstantText(given)) return [fault(path, 'INSTANT', `is ${given}; ${INSTANT_EXPECTED}`)];
      const type = types.get(given);
      if (type === undefined) return [unknownName(path, 'context variable or parameter', given, types.keys())];
      if (type !== 'boolean' && !isMoney(type)) return [];
      return [fault(path, 'TYPE', `is ${given}, a ${type}; a date or a tick is expected`)];
    }),
  );
}

/** The calendars that a trigger names. */
function calendarsNamed(trigger: Trigger): readonly string[] {
  if (trigger.kind !== 'deadline' && trigger.kind !== 'schedule') return [];
  const length = trigger.kind === 'deadline' ? trigger.after : trigger.every;
  return [trigger.calendar, typeof length === 'object' ? length.calendar : undefined].filter(
    (name) => name !== undefined,
  );
}

/** The expressions of a deadline or schedule, and the names that stand in their place. */
export function timeTexts(trigger: Trigger): readonly string[] {
  if (trigger.kind !== 'deadline' && trigger.kind !== 'schedule') return [];
  const length = trigger.kind === 'deadline' ? trigger.after : trigger.every;
  const texts = [
    typeof length === 'object' ? length.business : length,
    trigger.at,
    trigger.since,
    trigger.kind === 'schedule' ? trigger.until : trigger.extended_by,
  ];
  const isExpression = (text: string | undefined): text is string =>
    text !== undefined && !isSpanText(text) && !isInstantText(text);
  return [...texts.filter(isExpression), ...calendarsNamed(trigger)];
}
