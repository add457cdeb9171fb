// Numbers and durations of answered requests, for monitoring. Recording one costs two additions and two lookups.

import type { Sample } from './metric.ts';

/** Upper ends of the buckets, in seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

interface Times {
  /** Requests whose duration falls in the bucket, the last one without an end. */
  readonly buckets: number[];
  seconds: number;
}

export class RequestTimes {
  /** By operation, then by the first digit of the status. */
  readonly #counts = new Map<string, number[]>();
  readonly #times = new Map<string, Times>();

  /** @param effect  of the operation: what a fast answer is depends on it */
  record(operation: string, effect: string, status: number, seconds: number): void {
    const counts = ownOf(this.#counts, operation, () => [0, 0, 0, 0, 0, 0]);
    const family = Math.floor(status / 100);
    counts[family] = (counts[family] ?? 0) + 1;
    const times = ownOf(this.#times, effect, () => ({ buckets: BUCKETS.map(() => 0).concat(0), seconds: 0 }));
    const found = BUCKETS.findIndex((end) => seconds <= end);
    const bucket = found === -1 ? BUCKETS.length : found;
    times.buckets[bucket] = (times.buckets[bucket] ?? 0) + 1;
    times.seconds += seconds;
  }

  readCounts(): Sample[] {
    return [...this.#counts].flatMap(([operation, counts]) =>
      counts.flatMap((value, family) => (value === 0 ? [] : [{ labels: { operation, status: `${family}xx` }, value }])),
    );
  }

  readTimes(): Sample[] {
    return [...this.#times].flatMap(([effect, { buckets, seconds }]) => {
      let count = 0;
      const cumulative = buckets.map((value, i): Sample => {
        count += value;
        return { suffix: '_bucket', labels: { effect, le: String(BUCKETS[i] ?? '+Inf') }, value: count };
      });
      return [
        ...cumulative,
        { suffix: '_sum', labels: { effect }, value: seconds },
        { suffix: '_count', labels: { effect }, value: count },
      ];
    });
  }
}

function ownOf<Value>(all: Map<string, Value>, key: string, make: () => Value): Value {
  const known = all.get(key);
  if (known !== undefined) return known;
  const made = make();
  all.set(key, made);
  return made;
}
