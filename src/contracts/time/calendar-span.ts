// ISO 8601 durations with years and months, whose length depends on the date from which they count.

import { DAY_MS } from './civil.ts';

/** A span: months and days of local dates, then elapsed time. */
export interface CalendarSpan {
  readonly months: number;
  readonly days: number;
  readonly ns: bigint;
}

/** The longest span. */
const MAX_SPAN_YEARS = 50;
const SPAN =
  /^P(?:(\d{1,5})Y)?(?:(\d{1,5})M)?(?:(\d{1,5})W)?(?:(\d{1,5})D)?(?:T(?:(\d{1,7})H)?(?:(\d{1,7})M)?(?:(\d{1,9})(?:\.(\d{1,9}))?S)?)?$/;
const SECOND_NS = 1_000_000_000n;
const DAY_NS = BigInt(DAY_MS) * 1_000_000n;

export const SPAN_EXPECTED = `an ISO 8601 duration such as P1M, P10D or P1Y6M of at most ${MAX_SPAN_YEARS} years is expected`;

/** Whether a text is a duration and no expression, in which nothing begins with P and a digit or T. */
export const isSpanText = (text: string): boolean => /^P[\dT]/.test(text) || text === 'P';

/** Undefined for any other text, for an empty duration and for more than MAX_SPAN_YEARS. */
export function parseSpan(text: string): CalendarSpan | undefined {
  const parts = SPAN.exec(text);
  if (parts === null || text.endsWith('T')) return undefined;
  const [years, months, weeks, days, hours, minutes, seconds] = parts.slice(1, 8).map((digits) => Number(digits ?? 0));
  const elapsed = BigInt((hours ?? 0) * 3_600 + (minutes ?? 0) * 60 + (seconds ?? 0)) * SECOND_NS;
  const span = {
    months: (years ?? 0) * 12 + (months ?? 0),
    days: (weeks ?? 0) * 7 + (days ?? 0),
    ns: elapsed + BigInt((parts[8] ?? '').padEnd(9, '0')),
  };
  const inDays = span.months * 31 + span.days + Number(span.ns / DAY_NS);
  const isEmpty = span.months === 0 && span.days === 0 && span.ns === 0n;
  return isEmpty || inDays > MAX_SPAN_YEARS * 372 ? undefined : span;
}
