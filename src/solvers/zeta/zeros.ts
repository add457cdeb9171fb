// The zeros that a run found, by number.

import { at } from '../parts/arrays.ts';

export interface Zero {
  /** From 1, at 14.13. */
  readonly number: number;
  /** An interval that is proved to hold it. */
  readonly low: number;
  readonly high: number;
  /** If it was located. */
  readonly place: number | undefined;
  /** Of the interval about `place`. */
  readonly halfWidth: number;
}

/** @param rows  low, zero, high each. @param first  the number of the first */
export function zerosOf(rows: Float64Array, first: number): readonly Zero[] {
  return Array.from({ length: rows.length / 3 }, (_, i) => {
    const [low, place, high] = [at(rows, 3 * i), at(rows, 3 * i + 1), at(rows, 3 * i + 2)];
    return {
      number: first + i,
      low,
      high,
      place: place === 0 ? undefined : place,
      halfWidth: place === 0 ? (high - low) / 2 : Math.max(high - place, place - low),
    };
  });
}
