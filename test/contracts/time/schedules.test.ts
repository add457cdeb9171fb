// Schedules: dates that repeat from one origin, moved to business days, missed and skipped.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { definitionFaults } from '../../../src/contracts/check.ts';
import { Definition } from '../../../src/contracts/definition.ts';
import { wake } from '../../../src/contracts/execution.ts';
import { skipTimer } from '../../../src/contracts/lifecycle.ts';
import { addMonths, dayText, parseDay } from '../../../src/contracts/time/civil.ts';
import { begun, environment, firesAfter, TARGET, timed } from './time-fixture.ts';

const schedule = (fields: object) => timed({ kind: 'schedule', ...fields });
const onTarget = (fields: object) => timed({ kind: 'schedule', ...fields }, { calendars: { target: TARGET } });
const faultsOf = (definition: object) =>
  definitionFaults(Definition.parse(definition)).map(({ path, code }) => `${path} ${code}`);
const world = { ...environment, balance: () => 0 };
const days = (instants: readonly string[]) => instants.map((instant) => instant.slice(0, 10));

test('the 31st stays the 31st wherever a month has one', () => {
  const fires = firesAfter(schedule({ every: 'P1M', tz: 'UTC' }), '2026-01-31T12:00:00Z', {}, 5);
  expect(days(fires)).toEqual(['2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31', '2026-06-30']);
});

test('the local time is kept through summer time', () => {
  const fires = firesAfter(schedule({ every: 'P1M', tz: 'Europe/Berlin' }), '2026-02-15T11:00:00Z', {}, 3);
  expect(fires).toEqual(['2026-03-15T11:00', '2026-04-15T10:00', '2026-05-15T10:00']);
});

test('begins at a date, ends at another one', () => {
  const fields = { every: 'P1M', at: '2026-01-31', until: '2026-04-30', tz: 'UTC', time: '09:00' };
  const fires = firesAfter(schedule(fields), '2026-01-10T00:00:00Z', {}, 9);
  expect(fires).toEqual(['2026-01-31T09:00', '2026-02-28T09:00', '2026-03-31T09:00', '2026-04-30T09:00']);
  expect(firesAfter(schedule({ ...fields, until: '2026-01-30' }), '2026-01-10T00:00:00Z', {}, 9)).toEqual([]);
  expect(firesAfter(schedule({ ...fields, max_fires: 2 }), '2026-01-10T00:00:00Z', {}, 9)).toHaveLength(2);
});

test('each date is moved to a business day, and the next one counts from the date that was not moved', () => {
  const fields = { every: 'P1M', at: '2026-01-31', until: '2026-08-31', calendar: 'target', time: '12:00' };
  const fires = (roll: string) => days(firesAfter(onTarget({ ...fields, roll }), '2026-01-10T00:00:00Z', {}, 9));
  expect(fires('following')).toEqual([
    '2026-02-02',
    '2026-03-02',
    '2026-03-31',
    '2026-04-30',
    '2026-06-01',
    '2026-06-30',
    '2026-07-31',
    '2026-08-31',
  ]);
  expect(fires('modified_following').slice(0, 3)).toEqual(['2026-01-30', '2026-02-27', '2026-03-31']);
});

test('dates that are moved to the same day fire once', () => {
  const fields = { every: 'P1D', until: '2026-04-09', calendar: 'target', roll: 'following', time: '12:00' };
  expect(days(firesAfter(onTarget(fields), '2026-04-01T00:00:00Z', {}, 9))).toEqual([
    '2026-04-02',
    '2026-04-07',
    '2026-04-08',
    '2026-04-09',
  ]);
});

test('business days in a row', () => {
  const fields = { every: { business: 'P2D', calendar: 'target' }, max_fires: 3 };
  expect(days(firesAfter(onTarget(fields), '2026-04-01T10:00:00Z', {}, 9))).toEqual([
    '2026-04-07',
    '2026-04-09',
    '2026-04-13',
  ]);
});

test('a schedule whose calendar ends before it is refused when it is set', () => {
  const fields = { every: 'P1M', until: '2028-02-01', calendar: 'target', roll: 'following', time: '12:00' };
  const { running, refused } = begun(onTarget(fields), '2026-04-01T00:00:00Z');
  expect(refused[0]?.reason).toContain('whose holidays cover 2026, 2027; a list for 2028 is needed');
  expect(running.state.state).toBe('idle');
});

test('each occurrence fires once, late ones by catch_up', () => {
  const fields = { every: 'P1M', tz: 'UTC', max_fires: 4 };
  for (const [mode, fires, missed] of [
    ['one', 1, 2],
    ['all', 3, 0],
    ['skip', 0, 3],
  ] as const) {
    const { running, tick } = begun(schedule({ ...fields, catch_up: mode }), '2026-01-31T12:00:00Z');
    const late = tick + Math.round((100 * 86_400) / 0.777000777);
    const steps = wake(running, late, 2, world);
    expect(steps.filter(({ result }) => result.fired !== undefined)).toHaveLength(fires);
    expect(running.state).toMatchObject({ state: 'wait', missed });
    expect(running.state.timers[0]?.due).toBeGreaterThan(late);
  }
});

test('a skipped occurrence is followed by the next date', () => {
  const { running } = begun(schedule({ every: 'P1M', tz: 'UTC' }), '2026-01-31T12:00:00Z');
  const [next] = running.state.timers;
  if (next === undefined) throw new Error('No timer is armed.');
  const skipped = { ...running, state: skipTimer(running, next) };
  const direct = begun(schedule({ every: 'P2M', tz: 'UTC' }), '2026-01-31T12:00:00Z').running;
  expect(skipped.state.timers[0]?.due).toBe(direct.state.timers[0]?.due);
});

test('the next date is found from any tick, as by counting', () => {
  const { running, tick } = begun(schedule({ every: 'P1M', tz: 'UTC' }), '2026-01-31T12:00:00Z');
  const origin = parseDay('2026-01-31') ?? 0;
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 600 }), fc.integer({ min: -3, max: 3 }), (months, offset) => {
      const daysLater = addMonths(origin, months) - origin + offset;
      const now = tick + Math.round((daysLater * 86_400) / 0.777000777) + 5;
      let counted = 1;
      while (addMonths(origin, counted) <= origin + daysLater) counted++;
      const late = { ...running };
      wake(late, now, 2, world);
      const due = late.state.timers[0]?.due ?? 0;
      const day = Math.floor((due * 0.777000777) / 86_400);
      expect(dayText(day)).toBe(dayText(addMonths(origin, counted)));
    }),
    { numRuns: 200 },
  );
});

describe('faults', () => {
  test('a sound one has none', () => expect(faultsOf(schedule({ every: 'P1M', tz: 'UTC' }))).toEqual([]));
  test.each([
    ['hours', schedule({ every: 'PT12H', tz: 'UTC' }), 'transitions.timing.trigger.every DURATION'],
    ['no zone', schedule({ every: 'P1M' }), 'transitions.timing.trigger.every DURATION'],
    ['an expression', schedule({ every: 'term * day', tz: 'UTC' }), 'transitions.timing.trigger.every DURATION'],
    [
      'business days without an end',
      onTarget({ every: 'P1M', calendar: 'target', roll: 'following' }),
      'transitions.timing.trigger MISSING',
    ],
    [
      'an end that is no date',
      schedule({ every: 'P1M', tz: 'UTC', until: '2026-02-30' }),
      'transitions.timing.trigger.until INSTANT',
    ],
  ])('%s', (_, definition, fault) => expect(faultsOf(definition)).toContain(fault));
});
