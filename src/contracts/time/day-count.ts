// Day counts: the part of a year between two dates, by the conventions of the 2006 ISDA Definitions, section 4.16.

import { dateOf, dayOf, isLeapYear } from './civil.ts';

/** act_act is that of ISDA (b), act_365 the fixed one (d), act_360 (e), 30_360 the bond basis (f), 30e_360 the Eurobond basis (g). */
export const DAY_COUNTS = ['act_act', 'act_365', 'act_360', '30_360', '30e_360'] as const;
export type DayCount = (typeof DAY_COUNTS)[number];

/** Years from one day to a later one; the first day counts and the last one does not. */
export function yearFraction(basis: DayCount, from: number, to: number): number {
  switch (basis) {
    case 'act_365':
      return (to - from) / 365;
    case 'act_360':
      return (to - from) / 360;
    case 'act_act':
      return daysInLeapYears(from, to) / 366 + (to - from - daysInLeapYears(from, to)) / 365;
    case '30_360':
    case '30e_360': {
      const [start, end] = [dateOf(from), dateOf(to)];
      const firstDay = Math.min(start.day, 30);
      const isCut = basis === '30e_360' || firstDay === 30;
      const lastDay = isCut ? Math.min(end.day, 30) : end.day;
      return (360 * (end.year - start.year) + 30 * (end.month - start.month) + (lastDay - firstDay)) / 360;
    }
  }
}

function daysInLeapYears(from: number, to: number): number {
  let days = 0;
  for (let { year } = dateOf(from); dayOf({ year, month: 1, day: 1 }) < to; year++) {
    if (!isLeapYear(year)) continue;
    const [first, next] = [year, year + 1].map((one) => dayOf({ year: one, month: 1, day: 1 })) as [number, number];
    days += Math.max(0, Math.min(to, next) - Math.max(from, first));
  }
  return days;
}
