// Cron times around changes to and from summer time, written as local times with their offset from UTC.

import { describe, expect, test } from 'vitest';
import { cronFault, cronTicks, nextCronTick, tickOfInstant } from '../../src/contracts/calendar.ts';
import { startOfTick } from '../../src/core/clock.ts';

/** The minute in which a tick begins: the occurrence rounded down, since ticks are shorter than a minute. */
const minuteOf = (tick: number) =>
  new Date(Math.floor(Number(startOfTick(tick) / 1_000_000n) / 60_000) * 60_000).toISOString();

function between(cron: string, tz: string, from: string, to: string): string[] {
  const [first, last] = [tickOfInstant(from), tickOfInstant(to)];
  const found: number[] = [];
  for (let next = nextCronTick(cron, tz, first); next !== undefined && next <= last; ) {
    found.push(next);
    next = nextCronTick(cron, tz, next);
  }
  // cronTicks must give the same occurrences in one call.
  expect(cronTicks(cron, tz, { first: first + 1, last, max: 1_000 })).toEqual({ count: found.length, newest: found });
  return found.map(minuteOf);
}

const instants = (...times: string[]) => times.map((time) => new Date(time).toISOString());
const every = (minutes: number, from: string, to: string) => {
  const count = (Date.parse(to) - Date.parse(from)) / 60_000 / minutes;
  return Array.from({ length: count }, (_, i) => new Date(Date.parse(from) + i * minutes * 60_000).toISOString());
};

describe('Berlin, 28 March 2027: 02:00 to 03:00 is skipped', () => {
  const day = (cron: string) => between(cron, 'Europe/Berlin', '2027-03-28T00:10+01:00', '2027-03-28T23:10+02:00');
  const end = '2027-03-28T03:00:00+02:00';

  test.each(['30 2 * * *', '0,20,40 2 * * *', '10-12 2 * * *', '*/20 2 * * *', '0 2,3 * * *', '* 2 28 3 *'])(
    '%s fires once, at the end of the gap',
    (cron) => {
      expect(day(cron)).toEqual(instants(end));
    },
  );

  test('times outside the gap are unchanged', () => {
    expect(day('30 1,2,3 * * *')).toEqual(instants('2027-03-28T01:30+01:00', end, '2027-03-28T03:30+02:00'));
  });

  test.each(['*/20 * * * *', '*/20 0-23 * * *'])('%s follows elapsed time', (cron) => {
    expect(day(cron)).toEqual(every(20, '2027-03-28T00:20+01:00', '2027-03-28T23:20+02:00'));
  });

  test('every second hour omits the skipped one', () => {
    expect(day('0 */2 * * *').slice(0, 2)).toEqual(instants('2027-03-28T04:00+02:00', '2027-03-28T06:00+02:00'));
  });
});

describe('Berlin, 31 October 2027: 02:00 to 03:00 is repeated', () => {
  const day = (cron: string) => between(cron, 'Europe/Berlin', '2027-10-31T00:10+02:00', '2027-10-31T23:10+01:00');

  test.each([
    ['30 2 * * *', instants('2027-10-31T02:30+02:00')],
    ['0,20,40 2 * * *', instants('2027-10-31T02:00+02:00', '2027-10-31T02:20+02:00', '2027-10-31T02:40+02:00')],
    ['10-12 2 * * *', instants('2027-10-31T02:10+02:00', '2027-10-31T02:11+02:00', '2027-10-31T02:12+02:00')],
    ['*/30 2 * * *', instants('2027-10-31T02:00+02:00', '2027-10-31T02:30+02:00')],
    ['0 1-3 * * *', instants('2027-10-31T01:00+02:00', '2027-10-31T02:00+02:00', '2027-10-31T03:00+01:00')],
  ])('%s fires the first time only', (cron, expected) => {
    expect(day(cron)).toEqual(expected);
  });

  test('*/20 * * * * follows elapsed time', () => {
    expect(day('*/20 * * * *')).toEqual(every(20, '2027-10-31T00:20+02:00', '2027-10-31T23:20+01:00'));
  });

  test('every second hour includes the repeated one twice', () => {
    expect(day('0 */2 * * *').slice(0, 3)).toEqual(
      instants('2027-10-31T02:00+02:00', '2027-10-31T02:00+01:00', '2027-10-31T04:00+01:00'),
    );
  });
});

describe('other zones', () => {
  test.each([
    // A change by half an hour.
    ['Australia/Lord_Howe', '15 2 * * *', '2027-10-03T00:00+10:30', instants('2027-10-03T02:30+11:00')],
    ['Australia/Lord_Howe', '45 1 * * *', '2027-04-04T00:00+11:00', instants('2027-04-04T01:45+11:00')],
    // A change at midnight.
    ['America/Sao_Paulo', '30 0 * * *', '2018-11-03T12:00-03:00', instants('2018-11-04T01:00-02:00')],
    ['America/Sao_Paulo', '30 23 * * *', '2019-02-16T12:00-02:00', instants('2019-02-16T23:30-02:00')],
    // A skipped day.
    ['Pacific/Apia', '0 9 30 * *', '2011-12-29T12:00-10:00', []],
  ])('%s, %s', (tz, cron, from, expected) => {
    const to = new Date(Date.parse(from) + 23 * 3_600_000).toISOString();
    expect(between(cron, tz, from, to)).toEqual(expected);
  });
});

test('days by month, weekday, L, W and # are local days of the zone', () => {
  const days = (cron: string) => between(cron, 'Asia/Tokyo', '2027-05-01T00:10+09:00', '2027-06-30T23:00+09:00');
  expect(days('0 9 L * *')).toEqual(instants('2027-05-31T09:00+09:00', '2027-06-30T09:00+09:00'));
  expect(days('0 9 15W * *')).toEqual(instants('2027-05-14T09:00+09:00', '2027-06-15T09:00+09:00'));
  expect(days('0 9 * * FRI#2')).toEqual(instants('2027-05-14T09:00+09:00', '2027-06-11T09:00+09:00'));
  expect(days('0 9 2 6 MON')).toHaveLength(5);
  expect(days('@monthly')).toEqual(instants('2027-06-01T00:00+09:00'));
});

test.each([
  ['0 0 31 2 *', 'UTC', 'it never fires'],
  ['* * * *', 'UTC', 'five fields'],
  ['* * * * * *', 'UTC', 'five fields'],
  ['2027-01-01T00:00:00', 'UTC', 'five fields'],
  ['0 9 * * *', 'Europe/Nowhere', 'Europe/Nowhere'],
])('%s in %s is rejected: %s', (cron, tz, message) => {
  expect(cronFault(cron, tz)).toContain(message);
});
