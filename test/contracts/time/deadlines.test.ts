// Deadlines: calendar spans, instants, business days, expressions; month ends, summer time, and what is refused.

import { describe, expect, test } from 'vitest';
import { definitionFaults } from '../../../src/contracts/check.ts';
import { Definition } from '../../../src/contracts/definition.ts';
import { begun, firesAfter, run, TARGET, timed } from './time-fixture.ts';

const deadline = (fields: object) => timed({ kind: 'deadline', ...fields });
const onTarget = (fields: object, calendar: object = TARGET) =>
  timed({ kind: 'deadline', ...fields }, { calendars: { target: calendar }, zones: '2026f' });
const faultsOf = (definition: object) =>
  definitionFaults(Definition.parse(definition)).map(({ path, code }) => `${path} ${code}`);
const messagesOf = (definition: object) => definitionFaults(Definition.parse(definition)).map(({ message }) => message);

describe('calendar spans', () => {
  test.each([
    ['P1M', 'UTC', '2026-01-31T12:00:00Z', '2026-02-28T12:00'],
    ['P1M', 'UTC', '2028-01-31T12:00:00Z', '2028-02-29T12:00'],
    ['P1Y', 'UTC', '2024-02-29T12:00:00Z', '2025-02-28T12:00'],
    ['P1M1D', 'UTC', '2026-01-31T12:00:00Z', '2026-03-01T12:00'],
    ['P1Y6M', 'UTC', '2026-08-31T12:00:00Z', '2028-02-29T12:00'],
    // A calendar day keeps the local time, though it has 23 or 25 hours.
    ['P1D', 'Europe/Berlin', '2026-03-28T11:00:00Z', '2026-03-29T10:00'],
    ['P1D', 'Europe/Berlin', '2026-10-24T10:00:00Z', '2026-10-25T11:00'],
    ['P1M', 'Europe/Berlin', '2026-03-15T11:00:00Z', '2026-04-15T10:00'],
    // Hours are elapsed time.
    ['PT24H', 'Europe/Berlin', '2026-03-28T11:00:00Z', '2026-03-29T11:00'],
    ['P1DT2H', 'Europe/Berlin', '2026-03-28T11:00:00Z', '2026-03-29T12:00'],
  ])('%s in %s from %s is %s', (after, tz, from, due) => {
    expect(firesAfter(deadline({ after, tz }), from)).toEqual([due]);
  });

  test('without a zone days have 24 hours, as in every other trigger', () => {
    expect(firesAfter(deadline({ after: 'P1D' }), '2026-03-28T11:00:00Z')).toEqual(['2026-03-29T11:00']);
  });

  test('a skipped local time is the end of the gap, or shifted by it', () => {
    const from = '2026-03-28T01:30:00Z';
    const berlin = (gap: object) => deadline({ after: 'P1D', tz: 'Europe/Berlin', ...gap });
    expect(firesAfter(berlin({}), from)).toEqual(['2026-03-29T01:00']);
    expect(firesAfter(berlin({ gap: 'shift' }), from)).toEqual(['2026-03-29T01:30']);
  });

  test('a repeated local time is the first one, or the last', () => {
    const from = '2026-10-24T00:30:00Z';
    const berlin = (overlap: object) => deadline({ after: 'P1D', tz: 'Europe/Berlin', ...overlap });
    expect(firesAfter(berlin({}), from)).toEqual(['2026-10-25T00:30']);
    expect(firesAfter(berlin({ overlap: 'last' }), from)).toEqual(['2026-10-25T01:30']);
  });

  test('a time of day replaces that of the entry; 24:00 is the end of the day', () => {
    const at = (time: string) => deadline({ after: 'P1M', tz: 'Europe/Berlin', time });
    expect(firesAfter(at('17:00'), '2026-01-31T12:00:00Z')).toEqual(['2026-02-28T16:00']);
    expect(firesAfter(at('24:00'), '2026-01-31T12:00:00Z')).toEqual(['2026-02-28T23:00']);
  });
});

describe('instants', () => {
  test.each([
    [{ at: '2026-12-31T17:00Z' }, '2026-12-31T17:00'],
    [{ at: '2026-12-31T17:00+05:30' }, '2026-12-31T11:30'],
    [{ at: '2026-12-31', tz: 'Europe/Berlin' }, '2026-12-30T23:00'],
    [{ at: '2026-12-31', tz: 'Europe/Berlin', time: '18:00' }, '2026-12-31T17:00'],
    [{ at: '2026-07-31T12:00', tz: 'Europe/Berlin' }, '2026-07-31T10:00'],
  ])('%j', (fields, due) => expect(firesAfter(deadline(fields), '2026-01-01T00:00:00Z')).toEqual([due]));

  test('a date in the context', () => {
    const definition = deadline({ at: 'date', tz: 'Europe/Berlin' });
    expect(firesAfter(definition, '2026-01-01T00:00:00Z', { date: '2026-06-01' })).toEqual(['2026-05-31T22:00']);
    const [bad] = firesAfter(definition, '2026-01-01T00:00:00Z', { date: '2026-02-30' });
    expect(bad).toMatch(/^transitions\.timing\.trigger\.at is "2026-02-30"; a date such as/);
  });
});

describe('business days', () => {
  const friday = '2026-04-02T10:00:00Z'; // the Thursday before Good Friday 2026

  test('skip weekends and holidays', () => {
    expect(firesAfter(onTarget({ after: { business: 'P1D', calendar: 'target' } }), friday)).toEqual([
      '2026-04-07T10:00',
    ]);
    expect(firesAfter(onTarget({ after: { business: 'P3D', calendar: 'target' } }), friday)).toEqual([
      '2026-04-09T10:00',
    ]);
    const number = onTarget({ after: { business: 'days', calendar: 'target' } });
    expect(firesAfter(number, friday, { days: 2 })).toEqual(['2026-04-08T10:00']);
    expect(firesAfter(number, friday, { days: 0 })[0]).toContain('is 0; 1 to 2600 business days are expected');
  });

  test.each([
    ['following', '2026-05-01', '2026-05-04'],
    ['preceding', '2026-05-01', '2026-04-30'],
    ['modified_following', '2026-05-30', '2026-05-29'],
    ['modified_following', '2026-05-02', '2026-05-04'],
    ['modified_preceding', '2026-05-01', '2026-05-04'],
    ['following', '2026-12-25', '2026-12-28'],
    ['following', '2027-03-26', '2027-03-30'],
  ])('%s moves %s to %s', (roll, date, moved) => {
    const definition = onTarget({ at: date, calendar: 'target', roll, time: '12:00' });
    expect(firesAfter(definition, '2026-01-02T00:00:00Z')[0]?.slice(0, 10)).toBe(moved);
  });

  test('a year without a list is a named error, and the transition is refused', () => {
    const [reason] = firesAfter(onTarget({ after: { business: 'P5D', calendar: 'target' } }), '2027-12-30T10:00:00Z');
    expect(reason).toBe(
      '2028-01-01 is outside the calendar target, whose holidays cover 2026, 2027; a list for 2028 is needed.',
    );
  });

  test('a weekend of other days, and a calendar without holidays', () => {
    const gulf = { tz: 'Asia/Dubai', weekend: ['fri'], holidays: 'none' };
    const definition = onTarget({ after: { business: 'P1D', calendar: 'target' } }, gulf);
    expect(firesAfter(definition, '2026-01-01T06:00:00Z')).toEqual(['2026-01-03T06:00']);
  });

  test('a calendar that never opens is told', () => {
    const days = Array.from({ length: 31 }, (_, i) => String(i + 1).padStart(2, '0'));
    const closed = [...days.map((day) => `01-${day}`), ...days.slice(0, 28).map((day) => `02-${day}`), '03-02'];
    const calendar = { tz: 'UTC', weekend: [], holidays: { '2026': [...closed, '03-01', '03-03'] } };
    const definition = timed(
      { kind: 'deadline', after: { business: 'P1D', calendar: 'target' } },
      { calendars: { target: calendar } },
    );
    expect(firesAfter(definition, '2026-01-01T10:00:00Z')[0]).toContain('no business day within 60 days of');
  });
});

describe('expressions', () => {
  test('are ticks, rounded up; units of time make them readable', () => {
    expect(firesAfter(deadline({ after: 'term * day' }), '2026-03-28T11:00:00Z', { term: 2 })).toEqual([
      '2026-03-30T11:00',
    ]);
    const { running, tick } = begun(deadline({ after: 'term' }), '2026-01-01T00:00:00Z', { term: 1.2 });
    expect(running.state.timers[0]?.due).toBe(tick + 2);
  });

  test('n days in an expression are the ticks of the ISO duration, for every n', () => {
    const dueOf = (fields: object, payload: object) => begun(deadline(fields), '2026-01-01T00:00:00Z', payload);
    for (let days = 1; days <= 400; days++) {
      const [a, b] = [dueOf({ after: 'term * day' }, { term: days }), dueOf({ after: `P${days}D` }, {})];
      expect(a.running.state.timers[0]?.due).toBe(b.running.state.timers[0]?.due);
    }
  });

  test.each([
    [0, 'is 0 ticks, so that it has passed'],
    [-5, 'is -5 ticks, so that it has passed'],
    [3e9, 'is 3000000000; a number of ticks from 1 to 2000000000 is expected'],
  ])('%d ticks are refused by name, and nothing changes', (term, text) => {
    const { running, refused } = begun(deadline({ after: 'term' }), '2026-01-01T00:00:00Z', { term });
    expect(refused).toMatchObject([{ transition: 'begin', code: 'ACTION_FAILED' }]);
    expect(refused[0]?.reason).toContain(`transitions.timing.trigger.after ${text}`);
    expect(running.state).toMatchObject({ state: 'idle', entries: 1, timers: [], failures: 0, context: { term: 0 } });
  });

  test.each(['(term - term) / (term - term)', 'log(0 - term)', '1 / (term - term)'])('%s has no value', (after) => {
    const [reason] = firesAfter(deadline({ after }), '2026-01-01T00:00:00Z', { term: 1 });
    expect(reason).toMatch(/trigger\.after is (NaN|Infinity); a number of ticks from 1 to 2000000000 is expected/);
  });

  test('an instant that has passed is refused, unless the deadline says that it fires at once', () => {
    const fields = { at: '2026-01-01T00:00Z' };
    const [reason] = firesAfter(deadline(fields), '2026-06-01T00:00:00Z');
    expect(reason).toMatch(
      /^transitions\.timing\.trigger\.at is tick \d+, which has passed at tick \d+; "past": "fire"/,
    );
    expect(firesAfter(deadline({ ...fields, past: 'fire' }), '2026-06-01T00:00:00Z')).toHaveLength(1);
    const now = begun(deadline({ at: 'now' }), '2026-06-01T00:00:00Z');
    expect(now.refused[0]?.reason).toContain('which has passed');
  });

  test('the initial state cannot begin with a deadline that has passed', () => {
    const initial = {
      ...deadline({ at: '2026-01-01T00:00Z' }),
      initial: 'wait',
      states: { idle: { role: 'intermediate' }, wait: { role: 'initial' }, over: { role: 'terminal' } },
    };
    const start = () => run(initial, { start: '2026-06-01T00:00:00Z', steps: [{ at: 1 }] });
    expect(start).toThrow(/transitions\.timing\.trigger\.at is tick \d+, which has passed/);
  });

  test('zones, calendars and spans may be parameters', () => {
    const parameters = {
      place: { type: 'string', default: 'Europe/Berlin' },
      works: { type: 'string', default: 'target' },
      span: { type: 'string', default: 'P1M' },
    };
    const definition = timed(
      { kind: 'deadline', after: 'span', tz: 'place', calendar: 'works', roll: 'following' },
      { parameters, calendars: { target: TARGET } },
    );
    expect(faultsOf(definition)).toEqual([]);
    expect(firesAfter(definition, '2026-01-31T11:00:00Z')).toEqual(['2026-03-02T11:00']);
  });
});

describe('faults of a definition', () => {
  test('a sound one has none', () => {
    expect(faultsOf(onTarget({ after: { business: 'P3D', calendar: 'target' } }))).toEqual([]);
    expect(faultsOf(deadline({ after: 'P1M', tz: 'Europe/Berlin' }))).toEqual([]);
  });

  test('calendar time needs edition 2', () => {
    const { edition: _, ...first } = onTarget({ after: 'P1D', calendar: 'target' }) as { edition: number };
    expect(faultsOf(first)).toEqual(
      expect.arrayContaining(['zones EDITION', 'calendars EDITION', 'transitions.timing.trigger EDITION']),
    );
  });

  test.each([
    ['months without a zone', deadline({ after: 'P1M' }), 'transitions.timing.trigger.after DURATION'],
    ['a local time without a zone', deadline({ at: '2026-12-31T17:00' }), 'transitions.timing.trigger.at INSTANT'],
    ['a date that does not exist', deadline({ at: '2026-02-29', tz: 'UTC' }), 'transitions.timing.trigger.at INSTANT'],
    ['an unknown zone', deadline({ after: 'P1M', tz: 'Europe/Berln' }), 'transitions.timing.trigger.tz UNKNOWN_ZONE'],
    ['no release', { ...deadline({ after: 'P1M', tz: 'Asia/Tokyo' }) }, 'zones MISSING'],
    [
      'an unknown release',
      { ...deadline({ after: 'P1M', tz: 'Asia/Tokyo' }), zones: '1999a' },
      'zones UNKNOWN_RELEASE',
    ],
    ['a release for nothing', { ...deadline({ after: 'P1M', tz: 'UTC' }), zones: '2026f' }, 'zones UNUSED'],
    ['both after and at', deadline({ after: 'P1D', at: '2026-12-31T17:00Z' }), 'transitions.timing.trigger ONE_OF'],
    ['neither', deadline({}), 'transitions.timing.trigger ONE_OF'],
    [
      'a roll without a calendar',
      deadline({ after: 'P1D', tz: 'UTC', roll: 'following' }),
      'transitions.timing.trigger.calendar MISSING',
    ],
    ['a time without a zone', deadline({ after: 'P1D', time: '17:00' }), 'transitions.timing.trigger.tz MISSING'],
    [
      'a time that no day has',
      deadline({ after: 'P1D', tz: 'UTC', time: '24:30' }),
      'transitions.timing.trigger.time TIME',
    ],
    [
      'an unknown calendar',
      onTarget({ after: { business: 'P1D', calendar: 'taget' } }),
      'transitions.timing.trigger.calendar UNKNOWN_NAME',
    ],
    [
      'a calendar without a year',
      onTarget({ after: 'P1D', calendar: 'target' }, { ...TARGET, holidays: {} }),
      'calendars.target.holidays MISSING',
    ],
    [
      'a holiday that its year lacks',
      onTarget({ after: 'P1D', calendar: 'target' }, { ...TARGET, holidays: { '2026': ['02-29'] } }),
      'calendars.target.holidays.2026 DATE',
    ],
    ['an unused calendar', onTarget({ after: 'P1D', tz: 'Europe/Berlin' }), 'calendars.target UNUSED'],
    [
      'a calendar without a zone',
      onTarget({ after: 'P1D', calendar: 'target' }, { holidays: 'none' }),
      'transitions.timing.trigger.tz MISSING',
    ],
    [
      'half business days',
      onTarget({ after: { business: 'PT12H', calendar: 'target' } }),
      'transitions.timing.trigger.after.business DURATION',
    ],
    [
      'an event in a deadline',
      deadline({ after: 'event.term' }),
      'transitions.timing.trigger.after EXPRESSION_INVALID',
    ],
    ['a condition in place of a deadline', deadline({ after: '1 < 2' }), 'transitions.timing.trigger.after TYPE'],
    ['a span that is too long', deadline({ after: 'P51Y', tz: 'UTC' }), 'transitions.timing.trigger.after DURATION'],
    ['an empty span', deadline({ after: 'PT' }), 'transitions.timing.trigger.after DURATION'],
  ])('%s', (_, definition, fault) => expect(faultsOf(definition)).toContain(fault));

  test('faults say what is allowed', () => {
    expect(messagesOf(deadline({ after: 'P1M' }))).toContain(
      'transitions.timing.trigger.after is P1M; months and years need tz, such as "UTC", or a calendar with one.',
    );
    expect(messagesOf(deadline({ after: 'P1M', tz: 'Europe/Berln' }))).toContain(
      'transitions.timing.trigger.tz is Europe/Berln, which 2026f does not have; did you mean Europe/Berlin.',
    );
  });
});
