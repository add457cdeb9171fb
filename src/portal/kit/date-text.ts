// Dates and times as text: in UTC, as contracts and audit logs count, and the same for every reader.

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** `24 Nov 2026`. */
const dayText = (date: Date) => `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;

/** `04:20:37 UTC`. */
const timeText = (date: Date) => `${date.toISOString().slice(-13, -5)} UTC`;

/** `24 Nov 2026, 04:20:37 UTC`. */
export const dateTimeText = (date: Date): string => `${dayText(date)}, ${timeText(date)}`;

/** The time alone on the day of `now`. */
export const shortDateTimeText = (date: Date, now: Date): string =>
  dayText(date) === dayText(now) ? timeText(date) : dateTimeText(date);
