import { expect, test } from 'vitest';
import { dateTimeText, shortDateTimeText } from '../../src/portal/kit/date-text.ts';

test('times are in UTC and without a locale; the day is left out today', () => {
  const date = new Date('2026-02-03T23:04:05.678Z');
  expect(dateTimeText(date)).toBe('3 Feb 2026, 23:04:05 UTC');
  expect(shortDateTimeText(date, new Date('2026-02-03T00:00:00Z'))).toBe('23:04:05 UTC');
  expect(shortDateTimeText(date, new Date('2026-02-04T00:00:00Z'))).toBe('3 Feb 2026, 23:04:05 UTC');
  expect(shortDateTimeText(date, new Date('2025-02-03T23:00:00Z'))).toBe('3 Feb 2026, 23:04:05 UTC');
});
