// Business days: which days of a calendar are worked on, how many of them lie between two dates, and how a date that is
// none of them moves.

import { DomainError } from '../../core/errors.ts';
import { dateOf, dayText, weekdayOf } from './civil.ts';

/** Where a date that is no business day moves. The modified forms stay within the month. */
export type RollConvention = 'following' | 'modified_following' | 'preceding' | 'modified_preceding';

/** No calendar closes for longer; beyond it a list of holidays is a mistake. */
const MAX_CLOSED_DAYS = 60;

export class BusinessCalendar {
  readonly name: string;
  readonly #weekend: ReadonlySet<number>;
  readonly #holidays: ReadonlyMap<number, ReadonlySet<number>> | undefined;

  /**
   * @param weekend  0 for Sunday to 6 for Saturday
   * @param holidays  the days of each year that the calendar covers; undefined if it has none, in any year
   */
  constructor(
    name: string,
    weekend: ReadonlySet<number>,
    holidays: ReadonlyMap<number, ReadonlySet<number>> | undefined,
  ) {
    this.name = name;
    this.#weekend = weekend;
    this.#holidays = holidays;
  }

  /** @throws DomainError VALIDATION_FAILED if the calendar does not cover the year of the day */
  isBusinessDay(day: number): boolean {
    if (this.#holidays === undefined) return !this.#weekend.has(weekdayOf(day));
    const { year } = dateOf(day);
    const holidays = this.#holidays.get(year);
    if (holidays !== undefined) return !this.#weekend.has(weekdayOf(day)) && !holidays.has(day);
    const covered = [...this.#holidays.keys()].join(', ') || 'no year';
    throw new DomainError(
      'VALIDATION_FAILED',
      `${dayText(day)} is outside the calendar ${this.name}, whose holidays cover ${covered}; a list for ${year} is needed.`,
    );
  }

  /** The count-th business day after a day, which may be none itself. */
  add(day: number, count: number): number {
    let current = day;
    for (let left = count; left > 0; left--) current = this.#next(current + 1, 1);
    return current;
  }

  roll(day: number, convention: RollConvention): number {
    const direction = convention === 'following' || convention === 'modified_following' ? 1 : -1;
    const rolled = this.#next(day, direction);
    const isKept = convention === 'following' || convention === 'preceding';
    return isKept || dateOf(rolled).month === dateOf(day).month ? rolled : this.#next(day, direction === 1 ? -1 : 1);
  }

  /** The first business day from a day on, forwards or backwards. */
  #next(day: number, direction: 1 | -1): number {
    for (let i = 0; i <= MAX_CLOSED_DAYS; i++) {
      const current = day + i * direction;
      if (this.isBusinessDay(current)) return current;
    }
    const message = `The calendar ${this.name} has no business day within ${MAX_CLOSED_DAYS} days of ${dayText(day)}.`;
    throw new DomainError('VALIDATION_FAILED', message);
  }
}
