// What the clocks of a time zone show, and when they show it. Instants are milliseconds since the Unix epoch; what clocks
// show is written alike, as the instant at which UTC shows the same.

export const MINUTE_MS = 60_000;
export const DAY_MS = 86_400_000;

/** The midnight with which the day begins that clocks show at an instant. */
export function dayAt(tz: string, instant: number): number {
  return floorDay(instant + offsetAt(tz, instant));
}

/** The instants at which clocks show what they show: none in a gap, two in a repeated hour. */
export interface Showing {
  readonly instants: readonly number[];
  /** The end of the gap that it lies in. */
  readonly gapEnd: number | undefined;
}

/** How the clocks of a zone go through one day. */
export interface DayOfClocks {
  /** Milliseconds ahead of UTC on the whole day; undefined where the clocks are changed about then. */
  readonly offset: number | undefined;
  showing(wall: number): Showing;
}

/** Clocks are changed once in three days at most. @param day  midnight */
export function dayOfClocks(tz: string, day: number): DayOfClocks {
  const [before, after] = [offsetAt(tz, day - DAY_MS), offsetAt(tz, day + 2 * DAY_MS)];
  if (before === after) {
    return { offset: before, showing: (wall) => ({ instants: [wall - before], gapEnd: undefined }) };
  }
  const change = changeBetween(tz, day - DAY_MS, day + 2 * DAY_MS);
  const showing = (wall: number): Showing => {
    const instants = [
      ...(wall - before < change ? [wall - before] : []),
      ...(wall - after >= change ? [wall - after] : []),
    ];
    return { instants, gapEnd: instants.length === 0 ? change : undefined };
  };
  return { offset: undefined, showing };
}

/** The first instant with the offset of `last`. */
function changeBetween(tz: string, first: number, last: number): number {
  const before = offsetAt(tz, first);
  let [low, high] = [first, last];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(tz, middle) === before) low = middle;
    else high = middle;
  }
  return high;
}

const floorDay = (ms: number) => Math.floor(ms / DAY_MS) * DAY_MS;

const formats = new Map<string, Intl.DateTimeFormat>();
const KEPT_FORMATS = 1_000;

/** Milliseconds that the clocks are ahead of UTC. @throws RangeError if there is no such zone */
function offsetAt(tz: string, instant: number): number {
  const [, sign, hours = 0, minutes = 0, seconds = 0] = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(
    formatOf(tz).format(instant),
  ) as RegExpExecArray;
  const ms = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000;
  return sign === '-' ? -ms : ms;
}

function formatOf(tz: string): Intl.DateTimeFormat {
  const known = formats.get(tz);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-US', { timeZone: tz, timeZoneName: 'longOffset' });
  if (formats.size >= KEPT_FORMATS) formats.clear();
  formats.set(tz, format);
  return format;
}
