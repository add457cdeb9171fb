// Lists of holidays that follow a rule and are known by a name. A list is never edited: another rule is another name.

import { dayOf } from './civil.ts';

/** The names of the lists. */
export const HOLIDAY_LISTS = ['target2'] as const;
export type HolidayList = (typeof HOLIDAY_LISTS)[number];

/** The first year of the six closing days of TARGET. */
export const MIN_LIST_YEAR = 2002;
export const MAX_LIST_YEAR = 2199;

/** Holidays by the name of a list, for the years of a calendar. */
export interface NamedHolidays {
  readonly list: HolidayList;
  readonly from: number;
  readonly to: number;
}

/** Holidays of a calendar that names a list, not those that it states. */
export const isHolidayList = (
  holidays: NamedHolidays | Readonly<Record<string, readonly string[]>>,
): holidays is NamedHolidays => 'list' in holidays;

/** The holidays of a year, as days since 1970-01-01. */
export function holidaysOf(list: HolidayList, year: number): readonly number[] {
  switch (list) {
    case 'target2':
      return targetClosingDays(year);
  }
}

/**
 * The closing days of TARGET, the payment system of the euro, from 2002 on: New Year's Day, Good Friday, Easter Monday,
 * 1 May, 25 and 26 December. (European Central Bank, decision of 14 December 2000.)
 */
function targetClosingDays(year: number): readonly number[] {
  const easter = easterSunday(year);
  const fixed = [
    [1, 1],
    [5, 1],
    [12, 25],
    [12, 26],
  ] as const;
  return [...fixed.map(([month, day]) => dayOf({ year, month, day })), easter - 2, easter + 1].sort((a, b) => a - b);
}

/** Easter Sunday of the Gregorian calendar. (Meeus, Astronomical Algorithms, 2nd ed., chapter 8.) */
export function easterSunday(year: number): number {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const yearOfCentury = year % 100;
  const moonShift = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const epact = (19 * golden + century - Math.floor(century / 4) - moonShift + 15) % 30;
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor(yearOfCentury / 4) - epact - (yearOfCentury % 4)) % 7;
  const correction = Math.floor((golden + 11 * epact + 22 * weekday) / 451);
  const days = epact + weekday - 7 * correction + 114;
  return dayOf({ year, month: Math.floor(days / 31), day: (days % 31) + 1 });
}
