// The parts of a definition that state times: zones, calendars, stopwatches, deadlines and schedules. Edition 2 only.

import { z } from 'zod';
import { multiLine, singleLine } from '../../core/text-schema.ts';
import { identifier } from '../definition-parts.ts';
import { DAY_COUNTS } from './day-count.ts';
import { HOLIDAY_LISTS, MAX_LIST_YEAR, MIN_LIST_YEAR } from './holiday-lists.ts';

const text = multiLine(400, 1);
const zoneName = singleLine(64).describe('A zone of the IANA Time Zone Database, or the name of a parameter with one.');
const dayOfYear = z.string().regex(/^\d\d-\d\d$/, 'a day such as 12-25 is expected');

export const Zones = singleLine(16).describe(
  'The release of the IANA Time Zone Database by which local times are read, such as 2026f. Needed for zones other than UTC.',
);

const weekday = z.enum(['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']);

export const Calendar = z.strictObject({
  tz: zoneName.optional(),
  weekend: z.array(weekday).max(6).optional().describe('Days without business; Saturday and Sunday by default.'),
  holidays: z
    .union(
      [
        z.literal('none'),
        z
          .record(z.string().regex(/^(19[7-9]\d|2[01]\d\d)$/, 'a year is expected'), z.array(dayOfYear).max(120))
          .refine((years) => Object.keys(years).length <= 60, 'at most 60 years are allowed'),
        z.strictObject({
          list: z.enum(HOLIDAY_LISTS).describe('A list that is part of this program: target2.'),
          from: z.int().min(MIN_LIST_YEAR).max(MAX_LIST_YEAR).describe('The first year that the calendar covers.'),
          to: z.int().min(MIN_LIST_YEAR).max(MAX_LIST_YEAR).describe('The last one.'),
        }),
      ],
      {
        error:
          '"none", a list of days such as 12-25 for each year that the calendar covers, or {"list": "target2", "from": 2026, "to": 2035} is expected',
      },
    )
    .describe('The holidays of each year that the calendar covers; "none" if there are none in any year.'),
  source: singleLine(300).optional().describe('Where the holidays come from.'),
  description: multiLine(300).optional(),
});

export const Stopwatch = z.strictObject({
  runs_in: z.array(identifier).min(1).max(32).describe('The states in which it runs.'),
  description: multiLine(300).optional(),
});

const dateOrName = text.describe(
  'A date such as 2026-12-31, or the name of a context variable or parameter with a date or a tick.',
);

export const Accrual = z.strictObject({
  basis: z.enum(DAY_COUNTS).describe('The day count: act_act is that of ISDA, 30_360 the bond basis.'),
  from: dateOrName,
  to: dateOrName.optional().describe('By default the day on which it is read.'),
  tz: zoneName.describe('The zone whose dates count.'),
  description: multiLine(300).optional(),
});

const place = {
  tz: zoneName.optional(),
  calendar: identifier.optional().describe('A calendar of the definition, or a parameter with the name of one.'),
  roll: z
    .enum(['following', 'modified_following', 'preceding', 'modified_preceding'])
    .optional()
    .describe('Where a date moves that is no business day of the calendar; the modified forms stay in the month.'),
  time: z
    .string()
    .regex(/^\d\d:\d\d(:\d\d)?$/, 'a time of day such as 17:00 is expected')
    .optional()
    .describe('Local time of day of the deadline; by default that from which it counts. 24:00 is the end of the day.'),
  gap: z
    .enum(['end', 'shift'])
    .optional()
    .describe('A local time that is skipped: the end of the gap (default), or as long after it as it lies in the gap.'),
  overlap: z.enum(['first', 'last']).optional().describe('A local time that occurs twice: the first by default.'),
};

const businessDays = (days: string) => z.strictObject({ business: text.describe(days), calendar: identifier });
const anchor = z.enum(['entry', 'deploy']).optional();
const catchUp = z.enum(['one', 'all', 'skip']).optional();

/** Triggers; `ticks` is the schema of a number of ticks. */
export const timeTriggers = <Ticks extends z.ZodType>(ticks: Ticks) =>
  [
    z.strictObject({
      kind: z.literal('deadline'),
      after: z
        .union([text, businessDays('Business days: P3D, or an expression with their number.')], {
          error: 'an ISO duration such as P1M, an expression in ticks, or {"business": "P3D", "calendar"} is expected',
        })
        .optional()
        .describe('How long after the anchor; an expression may read parameters, context, clocks, day, hour, minute.'),
      at: text.optional().describe('An ISO date, local time or instant, or an expression with one or with a tick.'),
      since: text
        .optional()
        .describe('The date, instant or tick from which after counts, or an expression with one; not with anchor.'),
      extended_by: text
        .optional()
        .describe('An expression in ticks that is added to what after gives, such as the time of a stopwatch.'),
      anchor,
      ...place,
      past: z
        .enum(['refuse', 'fire'])
        .optional()
        .describe('A deadline that has passed when it is set: refuse to enter the state (default), or fire at once.'),
      retry_every: ticks.optional(),
      max_retries: z.int().min(0).max(1_000).optional(),
      catch_up: catchUp,
    }),
    z.strictObject({
      kind: z.literal('schedule'),
      every: z.union([text, businessDays('Business days from one occurrence to the next: P1D.')], {
        error: 'an ISO duration of days, weeks, months or years, or {"business": "P1D", "calendar"} is expected',
      }),
      at: text
        .optional()
        .describe('The first occurrence, from which the others count; by default one step after the anchor.'),
      since: text
        .optional()
        .describe(
          'The date, instant or tick from which the occurrences count, the first one step after it; not with at.',
        ),
      until: text.optional().describe('No occurrence after this date, local time or instant.'),
      max_fires: z.int().min(1).max(1_000_000).optional(),
      anchor,
      ...place,
      catch_up: catchUp,
      max_catch_up: z.int().min(1).max(1_000).optional(),
      grace: ticks.optional(),
    }),
  ] as const;
