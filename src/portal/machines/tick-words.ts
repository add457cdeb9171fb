// Ticks and counts in the words of people.

import { startOfTick, TICK_SECONDS } from '../../core/clock.ts';

const NS_PER_MS = 1_000_000;

/** When a tick begins. */
export const dateOfTick = (tick: number) => new Date(Number(startOfTick(tick) / BigInt(NS_PER_MS)));

const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** `2 d 4 h`, `3 min 20 s`, `0.8 s`: two units are enough. */
export function inTime(ticks: number): string {
  const seconds = ticks * TICK_SECONDS;
  if (seconds < 10) return `${Number(seconds.toFixed(1))} s`;
  // Whole minutes come to no whole number of ticks: what is over by less than a tick is not told.
  const minutes = 60 * Math.floor(seconds / 60);
  let rest = minutes > 0 && seconds - minutes < TICK_SECONDS ? minutes : Math.round(seconds);
  const parts: string[] = [];
  for (const [unit, size] of UNITS) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0 && parts.length < 2) parts.push(`${count} ${unit}`);
    else if (parts.length > 0) break;
  }
  return parts.join(' ');
}

/** The time of day, and the day where it is not the present one. */
export function timeWords(date: Date, now: Date): string {
  const time = date.toLocaleTimeString();
  if (date.toDateString() === now.toDateString()) return time;
  const year = date.getFullYear() === now.getFullYear() ? {} : ({ year: 'numeric' } as const);
  return `${date.toLocaleDateString(undefined, { month: 'short', day: 'numeric', ...year })}, ${time}`;
}

const counted = new Intl.NumberFormat('en', { useGrouping: true });

/** `1,024`. */
export const inThousands = (count: number) => counted.format(count);

export const manyOf = (count: number, one: string, many = `${one}s`) =>
  count === 1 ? `1 ${one}` : `${inThousands(count)} ${many}`;
