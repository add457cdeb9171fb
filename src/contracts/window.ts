// A rolling window over the samples of one trigger: (now - within, now] in ticks, each aggregate in constant time a sample.
//
// Minimum and maximum keep a monotone queue, distinct a count for each value, sum an exact accumulator: what a window says
// depends on the samples in it and on nothing that has left it.

import type { Scalar } from './definition.ts';
import { ExactSum } from './exact-sum.ts';

export type Aggregate = 'count' | 'sum' | 'avg' | 'min' | 'max' | 'last' | 'distinct' | 'range';

interface Sample {
  readonly tick: number;
  readonly value: Scalar;
}

/** Samples a window holds at most: beyond it the oldest go early, and the window says so. */
export const MOST_SAMPLES = 100_000;
const COMPACT_AT = 1_024;

export class Window {
  readonly #fn: Aggregate;
  readonly #within: number;
  #samples: Sample[] = [];
  /** The samples before this place have left. */
  #first = 0;
  readonly #sum = new ExactSum();
  /** Numbers of samples (counted from the beginning of time) whose values only rise, or only fall. */
  #least: number[] = [];
  #most: number[] = [];
  #gone = 0;
  readonly #times = new Map<Scalar, number>();
  #isOverfull = false;

  constructor(fn: Aggregate, within: number) {
    this.#fn = fn;
    this.#within = within;
  }

  get count(): number {
    return this.#samples.length - this.#first;
  }

  /** Samples were dropped before their time. */
  get isOverfull(): boolean {
    return this.#isOverfull;
  }

  /** When the oldest sample leaves. */
  get nextExpiry(): number | undefined {
    const oldest = this.#samples[this.#first];
    return oldest && oldest.tick + this.#within;
  }

  /** @param value  of the field; anything for `count` */
  add(tick: number, value: Scalar): void {
    if (this.count >= MOST_SAMPLES) {
      this.#drop();
      this.#isOverfull = true;
    }
    const number = this.#gone + this.count;
    this.#samples.push({ tick, value });
    if (this.#fn === 'distinct') this.#times.set(value, (this.#times.get(value) ?? 0) + 1);
    if (typeof value !== 'number') return;
    if (this.#fn === 'sum' || this.#fn === 'avg') this.#sum.add(value);
    if (this.#fn === 'min' || this.#fn === 'range') this.#line(this.#least, number, (other) => other >= value);
    if (this.#fn === 'max' || this.#fn === 'range') this.#line(this.#most, number, (other) => other <= value);
  }

  /** Lets go of the samples that have left the window at the end of a tick. */
  expire(now: number): void {
    for (let next = this.nextExpiry; next !== undefined && next <= now; next = this.nextExpiry) this.#drop();
    if (this.#first > COMPACT_AT && this.#first * 2 > this.#samples.length) {
      this.#samples = this.#samples.slice(this.#first);
      this.#first = 0;
    }
  }

  /** The same samples in a window of its own. */
  copy(): Window {
    const twin = new Window(this.#fn, this.#within);
    for (const { tick, value } of this.#samples.slice(this.#first)) twin.add(tick, value);
    twin.#isOverfull = this.#isOverfull;
    return twin;
  }

  clear(): void {
    while (this.count > 0) this.#drop();
    this.#samples = [];
    this.#first = 0;
    this.#isOverfull = false;
  }

  /** Undefined where an empty window has no value: all but count, sum and distinct. */
  get value(): number | undefined {
    return this.#read();
  }

  #read(): number | undefined {
    switch (this.#fn) {
      case 'count':
        return this.count;
      case 'distinct':
        return this.#times.size;
      case 'sum':
        return this.#sum.value;
      case 'avg':
        return this.count === 0 ? undefined : this.#sum.value / this.count;
      case 'min':
        return this.#numberAt(this.#least[0]);
      case 'max':
        return this.#numberAt(this.#most[0]);
      case 'range': {
        const least = this.#numberAt(this.#least[0]);
        const most = this.#numberAt(this.#most[0]);
        return least === undefined || most === undefined ? undefined : most - least;
      }
      case 'last': {
        const last = this.#samples.at(-1)?.value;
        return this.count > 0 && typeof last === 'number' ? last : undefined;
      }
    }
  }

  #line(queue: number[], number: number, isBeaten: (other: number) => boolean): void {
    while (queue.length > 0 && isBeaten(this.#numberAt(queue.at(-1)) ?? Number.NaN)) queue.pop();
    queue.push(number);
  }

  #numberAt(number: number | undefined): number | undefined {
    const value = number === undefined ? undefined : this.#samples[this.#first + number - this.#gone]?.value;
    return typeof value === 'number' ? value : undefined;
  }

  #drop(): void {
    const sample = this.#samples[this.#first];
    if (sample === undefined) return;
    if (this.#least[0] === this.#gone) this.#least = this.#least.slice(1);
    if (this.#most[0] === this.#gone) this.#most = this.#most.slice(1);
    this.#first++;
    this.#gone++;
    const { value } = sample;
    if (this.#fn === 'distinct') {
      const times = (this.#times.get(value) ?? 1) - 1;
      if (times === 0) this.#times.delete(value);
      else this.#times.set(value, times);
    } else if (typeof value === 'number' && (this.#fn === 'sum' || this.#fn === 'avg')) {
      this.#sum.remove(value);
    }
  }
}
