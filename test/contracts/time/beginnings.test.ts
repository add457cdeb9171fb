// Deadlines that count from a date of the context (since), that a stopwatch extends (extended_by), and named holidays.

import { describe, expect, test } from 'vitest';
import { definitionFaults } from '../../../src/contracts/check.ts';
import { Definition } from '../../../src/contracts/definition.ts';
import { dayText } from '../../../src/contracts/time/civil.ts';
import { easterSunday, holidaysOf } from '../../../src/contracts/time/holiday-lists.ts';
import { firesAfter, run, TARGET, timed } from './time-fixture.ts';

const deadline = (fields: object, more: object = {}) => timed({ kind: 'deadline', ...fields }, more);
const messagesOf = (definition: object) => definitionFaults(Definition.parse(definition)).map(({ message }) => message);
const onCalendar = (holidays: object, fields: object = { after: { business: 'P1D', calendar: 'bank' } }) =>
  deadline(fields, { zones: '2026f', calendars: { bank: { tz: 'Europe/Berlin', holidays } } });

describe('since', () => {
  test.each([
    [{ after: 'P1M', tz: 'UTC' }, '2026-01-31', '2026-02-28T00:00'],
    [{ after: 'P1Y', tz: 'Europe/Berlin' }, '2026-07-01T12:00Z', '2027-07-01T12:00'],
    [{ after: '40 * day' }, '2026-01-31T06:00Z', '2026-03-12T06:00'],
  ])('%j since %s ends at %s, whenever the state is entered', (fields, date, due) => {
    const definition = deadline({ ...fields, since: 'date', ...('tz' in fields ? {} : { tz: 'UTC' }) });
    for (const from of ['2026-02-01T09:00:00Z', '2026-02-20T21:00:00Z'])
      expect(firesAfter(definition, from, { date })).toEqual([due]);
  });

  test('a tick of the context counts, too', () => {
    const definition = deadline({ after: '2 * day', since: 'now - term * hour' });
    expect(firesAfter(definition, '2026-03-01T12:00:00Z', { term: 6 })).toEqual(['2026-03-03T06:00']);
  });

  test('business days count from its date: presented on Thursday, 2 April 2026, the fifth day is the 13th', () => {
    const fields = { after: { business: 'P5D', calendar: 'bank' }, time: '17:00', since: 'date' };
    const definition = onCalendar({ list: 'target2', from: 2026, to: 2026 }, fields);
    expect(firesAfter(definition, '2026-04-09T08:00:00Z', { date: '2026-04-02' })).toEqual(['2026-04-13T15:00']);
  });

  test('roll and time move the deadline, not the date from which it counts', () => {
    const fields = { after: 'P1D', since: 'date', calendar: 'bank', roll: 'following', time: '09:00' };
    // Saturday and one day are Sunday, which rolls to Monday; a beginning that rolls would give Tuesday.
    expect(firesAfter(onCalendar(TARGET.holidays, fields), '2026-03-06T08:00:00Z', { date: '2026-03-07' })).toEqual([
      '2026-03-09T08:00',
    ]);
  });

  test('what has passed is refused or fires at once; a text that is no date is refused by name', () => {
    const fields = { after: 'P1M', since: 'date', tz: 'UTC' };
    const [passed] = firesAfter(deadline(fields), '2026-06-01T00:00:00Z', { date: '2026-01-01' });
    expect(passed).toMatch(/^transitions\.timing\.trigger\.after counts from tick \d+ and ends at tick \d+, which has/);
    const [fired] = firesAfter(deadline({ ...fields, past: 'fire' }), '2026-06-01T00:00:00Z', { date: '2026-01-01' });
    expect(fired).toBe('2026-06-01T00:00');
    const [bad] = firesAfter(deadline(fields), '2026-06-01T00:00:00Z', { date: 'soon' });
    expect(bad).toMatch(/^transitions\.timing\.trigger\.since is "soon"; a date such as/);
  });

  test.each([
    ['with at', { at: '2026-12-31', since: '2026-01-01', tz: 'UTC' }, 'since is a beginning; at needs none'],
    ['with anchor', { after: 'P1D', anchor: 'entry', since: '2026-01-01', tz: 'UTC' }, 'one beginning is expected'],
    ['of a local date without a zone', { after: 'P1D', since: '2026-01-01' }, 'a local time needs tz'],
    ['of an unknown name', { after: 'P1D', since: 'datum' }, 'datum'],
  ])('%s is a fault', (_, fields, text) => expect(messagesOf(deadline(fields)).join()).toContain(text));
});

describe('since, of a schedule', () => {
  const monthly = (fields: object) =>
    timed(
      { kind: 'schedule', every: 'P1M', calendar: 'bank', roll: 'modified_following', time: '09:00', ...fields },
      { zones: '2026f', calendars: { bank: TARGET } },
    );

  test('dates count from it, the first one step after it, also once the state is entered again', () => {
    const definition = monthly({ since: 'date', max_fires: 6 });
    const dates = ['2026-02-27T08:00', '2026-03-31T07:00', '2026-04-30T07:00'];
    // Saturday, 31 January, rolls to Friday, the 30th: the beginning itself is no occurrence.
    expect(firesAfter(definition, '2026-01-30T07:00:00Z', { date: '2026-01-31' }, 3)).toEqual(dates);
    expect(firesAfter(definition, '2026-03-05T10:00:00Z', { date: '2026-01-31' }, 2)).toEqual(dates.slice(1));
  });

  test('beside at or anchor it is a fault', () => {
    const faults = (fields: object) => messagesOf(monthly({ since: '2026-01-31', max_fires: 2, ...fields })).join();
    expect(faults({})).toBe('');
    expect(faults({ at: '2026-01-31' })).toContain('since is a beginning; at needs none');
    expect(faults({ anchor: 'deploy' })).toContain('one beginning is expected');
  });
});

describe('extended_by', () => {
  const repairs = deadline(
    { after: 'P1M', since: 'date', tz: 'UTC', extended_by: 'clock.repair', past: 'fire' },
    {
      clocks: { repair: { runs_in: ['away'] } },
      states: {
        idle: { role: 'initial' },
        wait: { role: 'intermediate' },
        away: { role: 'intermediate' },
        over: { role: 'terminal' },
      },
    },
  ) as { transitions: object[]; events: object };
  const common = { operator: 'KO42', proof: false };
  const definition = {
    ...repairs,
    events: { ...repairs.events, leave: {}, back: {} },
    transitions: [
      ...repairs.transitions,
      { ...common, id: 'leave', from: 'wait', to: 'away', trigger: { kind: 'event', event: 'leave' } },
      { ...common, id: 'back', from: 'away', to: 'wait', trigger: { kind: 'event', event: 'back' } },
    ],
  };

  test('ten days of repair are ten days more', () => {
    expect(messagesOf(definition)).toEqual([]);
    const reports = run(definition, {
      start: '2026-01-31T00:00:00Z',
      steps: [
        { after: 1, send: 'begin', payload: { date: '2026-01-31' } },
        { to: '2026-02-10T00:00:00Z', send: 'leave' },
        { to: '2026-02-20T00:00:00Z', send: 'back' },
        { to: '2026-03-09T23:58:00Z', expect: { state: 'wait' } },
        { to: '2026-03-10T00:02:00Z', expect: { state: 'over' } },
      ],
    });
    expect(reports.flatMap(({ mismatches }) => mismatches)).toEqual([]);
  });

  test.each(['-1', 'log(0 - term)', '3000000000', '1 / (term - 1)'])('%s ticks are refused by name', (ticks) => {
    const [reason] = firesAfter(
      deadline({ after: 'P1D', extended_by: `${ticks} + 0 * term` }),
      '2026-06-01T00:00:00Z',
      { term: 1 },
    );
    expect(reason).toMatch(/trigger\.extended_by is \S+; 0 to 2000000000 ticks are expected/);
  });

  test.each([
    { at: '2026-12-31T00:00Z', extended_by: 'hour' },
    { after: 'P1D', tz: 'UTC', time: '17:00', extended_by: 'hour' },
  ])('%j is a fault', (fields) => expect(messagesOf(deadline(fields)).join()).toContain('extended_by is elapsed time'));
});

describe('named holidays', () => {
  test('Easter Sunday is that of the almanacs, and of the algorithm of Gauss as Lichtenberg mended it', () => {
    const published = '2002-03-31 2008-03-23 2024-03-31 2025-04-20 2026-04-05 2027-03-28 2028-04-16 2038-04-25';
    for (const date of published.split(' ')) expect(dayText(easterSunday(Number(date.slice(0, 4))))).toBe(date);
    for (let year = 2002; year <= 2199; year++) {
      const [k, a] = [Math.floor(year / 100), year % 19];
      const m = 15 + Math.floor((3 * k + 3) / 4) - Math.floor((8 * k + 13) / 25);
      const s = 2 - Math.floor((3 * k + 3) / 4);
      const d = (19 * a + m) % 30;
      const og = 21 + d - Math.floor((d + Math.floor(a / 11)) / 29);
      const sz = 7 - ((((year + Math.floor(year / 4) + s) % 7) + 7) % 7);
      const march = og + 7 - ((((og - sz) % 7) + 7) % 7);
      const date = march <= 31 ? [3, march] : [4, march - 31];
      expect(dayText(easterSunday(year)).slice(5)).toBe(date.map((part) => String(part).padStart(2, '0')).join('-'));
    }
  });

  test('the closing days of TARGET are those that are listed by hand', () => {
    for (const year of ['2026', '2027'] as const) {
      const days = holidaysOf('target2', Number(year)).map((day) => dayText(day));
      expect(days).toEqual(TARGET.holidays[year].map((day) => `${year}-${day}`));
    }
  });

  test('a calendar of a list is that of its days, and ends with its years', () => {
    const named = onCalendar({ list: 'target2', from: 2026, to: 2027 });
    for (const from of ['2026-04-02T10:00:00Z', '2026-12-24T10:00:00Z', '2026-12-31T10:00:00Z', '2027-03-25T10:00:00Z'])
      expect(firesAfter(named, from)).toEqual(firesAfter(onCalendar(TARGET.holidays), from));
    expect(firesAfter(named, '2027-12-31T10:00:00Z')[0]).toContain('2028-01-01 is outside the calendar bank');
  });

  test('years are checked', () => {
    const of = (from: number, to: number) => messagesOf(onCalendar({ list: 'target2', from, to }));
    expect(of(2026, 2085)).toEqual([]);
    expect(of(2026, 2086)).toEqual(['calendars.bank.holidays cover 61 years; at most 60 are allowed.']);
    expect(of(2027, 2026)[0]).toContain('calendars.bank.holidays.to is 2026, before from, which is 2027.');
    const refused = (holidays: object) => Definition.safeParse(onCalendar(holidays)).error?.issues[0]?.message;
    expect(refused({ list: 'target', from: 2026, to: 2026 })).toContain('"list": "target2"');
    expect(refused({ list: 'target2', from: 2001, to: 2026 })).toBe('Too small: expected number to be >=2002');
  });
});
