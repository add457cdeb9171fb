// Describes deadlines and schedules as text.

import type { Trigger } from '../../contracts/definition.ts';

type TimeTrigger = Extract<Trigger, { kind: 'deadline' | 'schedule' }>;

/** `P1M after entry, following in works, at 17:00, Europe/Berlin`. */
export function timeText(trigger: TimeTrigger): string {
  const { tz, calendar, roll, time, at, anchor } = trigger;
  const from = anchor === 'deploy' ? 'deployment' : 'entry';
  const when =
    trigger.kind === 'schedule'
      ? `every ${lengthText(trigger.every)} from ${at ?? from}${trigger.until === undefined ? '' : ` until ${trigger.until}`}`
      : at === undefined
        ? `${lengthText(trigger.after)} after ${from}`
        : `at ${at}`;
  const move = roll === undefined ? [] : [`${roll.replaceAll('_', ' ')} business day of ${calendar ?? 'the calendar'}`];
  return [when, ...move, ...(time === undefined ? [] : [`at ${time}`]), ...(tz === undefined ? [] : [tz])].join(', ');
}

function lengthText(length: string | { readonly business: string; readonly calendar: string } | undefined): string {
  if (typeof length !== 'object') return length ?? '';
  return `${length.business} of business days of ${length.calendar}`;
}
