// A rolling window over the samples of one trigger: (now - within, now] in ticks, in amortized constant time per sample.
//
// Minimum and maximum use a monotone queue, distinct a count for each value, sum an exact accumulator. The value therefore
// depends only on the samples in the window, never on those that have expired.

import type { Scalar } from './definition.ts';
import { ExactSum } from './exact-sum.ts';

export type Aggregate = 'count' | 'sum' | 'avg' | 'min' | 'max' | 'last' | 'distinct' | 'range';

export interface Sample {
  readonly tick: number;
  readonly value: Scalar;
}

/** What a window holds of an event, from which it can be filled again. */
export interface HeldEvent extends Sample {
  /** The fields that the filter reads, of a window whose filter reads values that change. */
  readonly fields?: Readonly<Record<string, unknown>> | undefined;
}

/** Maximum number of samples in a window of a contract without a key; beyond it `isOverfull` is set. */
export const MAX_SAMPLES = 100_000;
const COMPACT_AT = 1_024;

const WINDOW_BYTES = 700;
const SAMPLE_BYTES = 82;
const QUEUED_BYTES = 10;
const OCCURRENCE_BYTES = 60;

export class Window {
  readonly #fn: Aggregate;
  readonly #within: number;
  readonly #max: number;
  #samples: Sample[] = [];
  /** Index of the oldest sample; those before it have expired. */
  #first = 0;
  readonly #sum = new ExactSum();
  /** Monotone queues of sample numbers, counted from the first sample ever added: values rise, or fall, along them. */
  #minimums: number[] = [];
  #maximums: number[] = [];
  #dropped = 0;
  readonly #occurrences = new Map<Scalar, number>();
  #isOverfull = false;

  /** @param max  samples, beyond which the oldest are dropped early */
  constructor(fn: Aggregate, within: number, max: number = MAX_SAMPLES) {
    this.#fn = fn;
    this.#within = within;
    this.#max = max;
  }

  get count(): number {
    return this.#samples.length - this.#first;
  }

  /** Estimate of its memory. */
  get bytes(): number {
    const { length } = this.#samples;
    const queued = this.#minimums.length + this.#maximums.length;
    return WINDOW_BYTES + SAMPLE_BYTES * length + QUEUED_BYTES * queued + OCCURRENCE_BYTES * this.#occurrences.size;
  }

  /** Samples were dropped before they expired. */
  get isOverfull(): boolean {
    return this.#isOverfull;
  }

  /** Number of events held so far, also of those that have left. */
  get end(): number {
    return this.#dropped + this.count;
  }

  /** The events that it still holds, from a number on: the first ever held has number 0. */
  heldFrom(number: number): readonly HeldEvent[] {
    return this.#samples.slice(this.#first + Math.max(0, number - this.#dropped));
  }

  /** Adds an event that it held before. */
  restore({ tick, value }: HeldEvent): void {
    this.add(tick, value);
  }

  /** Remembers that samples were dropped before they expired. */
  markOverfull(): void {
    this.#isOverfull = true;
  }

  /** The tick at which the oldest sample expires. */
  get nextExpiry(): number | undefined {
    return this.#oldestExpiry();
  }

  #oldestExpiry(): number | undefined {
    const oldest = this.#samples[this.#first];
    return oldest && oldest.tick + this.#within;
  }

  /** @param value  of the aggregated field; ignored by `count` */
  add(tick: number, value: Scalar): void {
    if (this.count >= this.#max) {
      this.#drop();
      this.#isOverfull = true;
    }
    const number = this.#dropped + this.count;
    this.#samples.push({ tick, value });
    if (this.#fn === 'distinct') this.#occurrences.set(value, (this.#occurrences.get(value) ?? 0) + 1);
    if (typeof value !== 'number') return;
    if (this.#fn === 'sum' || this.#fn === 'avg') this.#sum.add(value);
    if (this.#fn === 'min' || this.#fn === 'range') this.#enqueue(this.#minimums, number, (other) => other >= value);
    if (this.#fn === 'max' || this.#fn === 'range') this.#enqueue(this.#maximums, number, (other) => other <= value);
  }

  /** Drops the samples that have expired by the end of tick `now`. */
  expire(now: number): void {
    for (let next = this.#oldestExpiry(); next !== undefined && next <= now; next = this.#oldestExpiry()) this.#drop();
    if (this.#first > COMPACT_AT && this.#first * 2 > this.#samples.length) {
      this.#samples = this.#samples.slice(this.#first);
      this.#first = 0;
    }
  }

  /** An independent window with the same samples. */
  copy(): Window {
    const copy = new Window(this.#fn, this.#within, this.#max);
    for (const { tick, value } of this.#samples.slice(this.#first)) copy.add(tick, value);
    copy.#isOverfull = this.#isOverfull;
    return copy;
  }

  /** Drops the oldest sample before it expires. */
  dropOldest(): void {
    this.#drop();
  }

  clear(): void {
    while (this.count > 0) this.#drop();
    this.#samples = [];
    this.#first = 0;
    this.#isOverfull = false;
  }

  /** Undefined for an empty window, except for count, sum and distinct. */
  get value(): number | undefined {
    return this.#aggregate();
  }

  #aggregate(): number | undefined {
    switch (this.#fn) {
      case 'count':
        return this.count;
      case 'distinct':
        return this.#occurrences.size;
      case 'sum':
        return this.#sum.value;
      case 'avg':
        return this.count === 0 ? undefined : this.#sum.value / this.count;
      case 'min':
        return this.#numberAt(this.#minimums[0]);
      case 'max':
        return this.#numberAt(this.#maximums[0]);
      case 'range': {
        const min = this.#numberAt(this.#minimums[0]);
        const max = this.#numberAt(this.#maximums[0]);
        return min === undefined || max === undefined ? undefined : max - min;
      }
      case 'last': {
        const last = this.#samples.at(-1)?.value;
        return this.count > 0 && typeof last === 'number' ? last : undefined;
      }
    }
  }

  #enqueue(queue: number[], number: number, isSuperseded: (other: number) => boolean): void {
    while (queue.length > 0 && isSuperseded(this.#numberAt(queue.at(-1)) ?? Number.NaN)) queue.pop();
    queue.push(number);
  }

  #numberAt(number: number | undefined): number | undefined {
    const value = number === undefined ? undefined : this.#samples[this.#first + number - this.#dropped]?.value;
    return typeof value === 'number' ? value : undefined;
  }

  #drop(): void {
    const sample = this.#samples[this.#first];
    if (sample === undefined) return;
    if (this.#minimums[0] === this.#dropped) this.#minimums = this.#minimums.slice(1);
    if (this.#maximums[0] === this.#dropped) this.#maximums = this.#maximums.slice(1);
    this.#first++;
    this.#dropped++;
    const { value } = sample;
    if (this.#fn === 'distinct') {
      const occurrences = (this.#occurrences.get(value) ?? 1) - 1;
      if (occurrences === 0) this.#occurrences.delete(value);
      else this.#occurrences.set(value, occurrences);
    } else if (typeof value === 'number' && (this.#fn === 'sum' || this.#fn === 'avg')) {
      this.#sum.remove(value);
    }
  }
}
