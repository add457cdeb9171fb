// Converts ISO 8601 durations to ticks of the clock.

import { TICK_NS } from '../core/clock.ts';

const DURATION = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.(\d{1,9}))?S)?)?$/;
/** What a text must be, in words. */
export const DURATION_EXPECTED =
  'a duration of weeks, days, hours, minutes and seconds such as PT30S or P7D, of at most 2000000000 ticks, is expected (months and years have no fixed length)';
const SECOND_NS = 1_000_000_000n;
const MINUTE_NS = 60n * SECOND_NS;
const HOUR_NS = 60n * MINUTE_NS;
const DAY_NS = 24n * HOUR_NS;

/** The longest duration in a contract: about 50 years, so that the sum of two is still an exact integer. */
export const MAX_TICKS = 2_000_000_000;

/**
 * Accepts no years and months, whose length depends on the calendar. Rounded up, so that no deadline comes early.
 *
 * @returns undefined for any other text, for an empty duration (`P`) and for more than MAX_TICKS
 */
export function ticksOfDuration(text: string): number | undefined {
  const parts = DURATION.exec(text);
  if (parts === null || text.endsWith('P') || text.endsWith('T')) return undefined;
  const [, weeks, days, hours, minutes, seconds, fraction = ''] = parts;
  const part = (digits: string | undefined, unit: bigint) => BigInt(digits ?? '0') * unit;
  const ns =
    part(weeks, 7n * DAY_NS) +
    part(days, DAY_NS) +
    part(hours, HOUR_NS) +
    part(minutes, MINUTE_NS) +
    part(seconds, SECOND_NS) +
    BigInt(fraction.padEnd(9, '0'));
  const ticks = (ns + TICK_NS - 1n) / TICK_NS;
  return ticks >= 1n && ticks <= BigInt(MAX_TICKS) ? Number(ticks) : undefined;
}

/** Whether a text is meant as a duration: names of parameters begin with a small letter. */
export const isDurationText = (text: string): boolean => text.startsWith('P');
