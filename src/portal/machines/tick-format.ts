// Formats ticks, durations and times.

import { startOfTick, TICK_SECONDS } from '../../core/clock.ts';

const NS_PER_MS = 1_000_000;

/** Start of a tick. */
export const tickDate = (tick: number) => new Date(Number(startOfTick(tick) / BigInt(NS_PER_MS)));

const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** `2 d 4 h`, `3 min 20 s`, `0.8 s`: at most two units. */
export function formatTickDuration(ticks: number): string {
  const seconds = ticks * TICK_SECONDS;
  if (seconds < 10) return `${Number(seconds.toFixed(1))} s`;
  // Whole minutes are not whole numbers of ticks: drop an excess of less than a tick.
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
