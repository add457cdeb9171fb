// Local times of zones by the tables in the repository, against changes that are known.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addMonths, dateOf, dayOf, dayText, parseDay, weekdayOf } from '../../../src/contracts/time/civil.ts';
import { offsetAt, resolveLocalTime, type Zone } from '../../../src/contracts/time/zone.ts';
import { ZONE_RELEASES, zoneOf } from '../../../src/contracts/time/zone-table.ts';
import table from '../../../src/contracts/time/zones-2026f.json' with { type: 'json' };

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const zone = (name: string): Zone => {
  const found = zoneOf('2026f', name);
  if (found === undefined) throw new Error(`${name} is missing.`);
  return found;
};
const hoursAt = (name: string, instant: string) => offsetAt(zone(name), Date.parse(instant)) / HOUR;
const resolved = (name: string, local: string) =>
  resolveLocalTime(zone(name), Date.parse(`${local}Z`)).instants.map((ms) => new Date(ms).toISOString().slice(0, 16));

describe('dates', () => {
  test('are those of the Gregorian calendar, for every day of four centuries', () => {
    for (let day = -60_000; day < 90_000; day++) {
      const iso = new Date(day * DAY).toISOString().slice(0, 10);
      expect(dayText(day)).toBe(iso);
      expect(dayOf(dateOf(day))).toBe(day);
      expect(parseDay(iso)).toBe(day);
      expect(weekdayOf(day)).toBe(new Date(day * DAY).getUTCDay());
    }
  });

  test.each([
    ['2026-01-31', 1, '2026-02-28'],
    ['2028-01-31', 1, '2028-02-29'],
    ['2026-01-31', 2, '2026-03-31'],
    ['2026-03-31', 1, '2026-04-30'],
    ['2024-02-29', 12, '2025-02-28'],
    ['2024-02-29', 48, '2028-02-29'],
    ['2026-12-31', 14, '2028-02-29'],
  ])('%s and %d months are %s', (from, months, to) => {
    expect(dayText(addMonths(parseDay(from) ?? 0, months))).toBe(to);
  });

  test.each(['2026-02-29', '2026-13-01', '2026-00-10', '2026-04-31', '26-01-01', '2026-1-1', ''])(
    '%j is none',
    (text) => expect(parseDay(text)).toBeUndefined(),
  );
});

describe('zones', () => {
  test.each([
    ['Europe/Berlin', '2026-03-29T00:59:59Z', 1],
    ['Europe/Berlin', '2026-03-29T01:00:00Z', 2],
    ['Europe/Berlin', '2026-10-25T00:59:59Z', 2],
    ['Europe/Berlin', '2026-10-25T01:00:00Z', 1],
    ['Europe/Berlin', '2075-07-01T00:00:00Z', 2],
    ['America/New_York', '2026-03-08T06:59:59Z', -5],
    ['America/New_York', '2026-03-08T07:00:00Z', -4],
    ['America/New_York', '2006-03-20T12:00:00Z', -5],
    ['Australia/Lord_Howe', '2026-01-01T00:00:00Z', 11],
    ['Australia/Lord_Howe', '2026-06-01T00:00:00Z', 10.5],
    ['Asia/Kathmandu', '2026-06-01T00:00:00Z', 5.75],
    ['Asia/Kolkata', '2026-06-01T00:00:00Z', 5.5],
    ['Pacific/Apia', '2011-12-30T09:59:59Z', -10],
    ['Pacific/Apia', '2011-12-30T10:00:00Z', 14],
    ['Europe/Dublin', '2026-01-01T00:00:00Z', 0],
    ['Europe/Dublin', '2026-07-01T00:00:00Z', 1],
    ['America/Sao_Paulo', '2026-01-01T00:00:00Z', -3],
    ['UTC', '2026-07-01T00:00:00Z', 0],
  ])('%s at %s is %d hours from UTC', (name, instant, hours) => expect(hoursAt(name, instant)).toBe(hours));

  test('a skipped time has no instant, a repeated one two', () => {
    expect(resolved('Europe/Berlin', '2026-03-29T02:30')).toEqual([]);
    expect(resolved('Europe/Berlin', '2026-10-25T02:30')).toEqual(['2026-10-25T00:30', '2026-10-25T01:30']);
    expect(resolved('Pacific/Apia', '2011-12-30T12:00')).toEqual([]);
    expect(resolved('Europe/Berlin', '2026-03-29T03:00')).toEqual(['2026-03-29T01:00']);
  });

  test('every instant is found again from its local time', () => {
    const names = Object.keys(table.zones);
    const instants = fc.integer({ min: 2 * DAY, max: 36_500 * DAY });
    fc.assert(
      fc.property(fc.constantFrom(...names), instants, (name, instant) => {
        const rules = zone(name);
        const { instants, change } = resolveLocalTime(rules, instant + offsetAt(rules, instant));
        // Two changes within two days, which a few zones have had, are beyond what is promised.
        expect(instants.length > 0 ? instants : [change?.at]).toContain(instant);
      }),
      { numRuns: 3_000 },
    );
  });

  test('releases and zones that are unknown are told apart from UTC', () => {
    expect(ZONE_RELEASES).toContain('2026f');
    expect(zoneOf(undefined, 'UTC')).toBeDefined();
    expect(zoneOf(undefined, 'Europe/Berlin')).toBeUndefined();
    expect(zoneOf('1999a', 'Europe/Berlin')).toBeUndefined();
    expect(zoneOf('2026f', 'Europe/Berln')).toBeUndefined();
    expect(zoneOf('2026f', 'toString')).toBeUndefined();
  });
});
