// Speed of a front by a history of its places: its way between two times, and its arrival at a place.

import { at } from '../parts/arrays.ts';

/** The place at a recorded time, linear between samples. */
function placeAt(times: Float64Array, places: Float64Array, time: number): number {
  const next = times.findIndex((t) => t >= time);
  if (next <= 0) return at(places, Math.max(0, next));
  const [a, b] = [at(times, next - 1), at(times, next)];
  return time === b
    ? at(places, next)
    : at(places, next - 1) + ((time - a) / (b - a)) * (at(places, next) - at(places, next - 1));
}

/** Mean speed between two times; undefined if there is no front within the tissue at one of them. */
export function meanSpeed(
  times: Float64Array,
  places: Float64Array,
  [from, to]: readonly [number, number],
  length: number,
): number | undefined {
  const [a, b] = [placeAt(times, places, from), placeAt(times, places, to)];
  return a > 0 && b > 0 && a < length && b < length ? (b - a) / (to - from) : undefined;
}

export interface Arrival {
  readonly time: number;
  /** How far the line between the samples may be off. */
  readonly doubt: number;
}

/** The first time at which a place is reached, linear between samples; undefined if it never is. */
export function arrivalOf(times: Float64Array, places: Float64Array, goal: number): Arrival | undefined {
  const next = places.findIndex((place) => place >= goal);
  if (next < 0) return undefined;
  if (next === 0) return { time: 0, doubt: 0 };
  const [a, b] = [at(times, next - 1), at(times, next)];
  const [p, q] = [at(places, next - 1), at(places, next)];
  // Nothing there at the sample before: it has come up between the two.
  if (p < 0) return { time: b, doubt: b - a };
  const time = a + ((goal - p) / (q - p)) * (b - a);
  const before = at(places, next - 2);
  const bend = next >= 2 && before >= 0 ? Math.abs(q - 2 * p + before) : Math.abs(q - p);
  return { time, doubt: Math.min(b - a, ((b - a) * bend) / (4 * (q - p))) };
}

/** Speed between samples, at their middles; 0 where there is no front at one of them. */
export function speedsOf(times: Float64Array, places: Float64Array): { times: Float64Array; speeds: Float64Array } {
  const count = Math.max(0, times.length - 1);
  const speeds = new Float64Array(count);
  const middles = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    const [a, b] = [at(places, i), at(places, i + 1)];
    middles[i] = 0.5 * (at(times, i) + at(times, i + 1));
    speeds[i] = a >= 0 && b >= 0 ? (b - a) / (at(times, i + 1) - at(times, i)) : 0;
  }
  return { times: middles, speeds };
}
