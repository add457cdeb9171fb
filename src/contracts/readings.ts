// The readings of an oracle that conditions can see. They follow from the rows of the chain and can be built anew from them.

import { DomainError } from '../core/errors.ts';
import { ExactSum } from './exact-sum.ts';
import type { CompiledOracle, Reading } from './oracle.ts';

/** What conditions see at one tick. */
export interface OracleView {
  /** @throws DomainError VALUE_UNDEFINED if no reading counts, the newest is too old, or too few sources have spoken */
  readonly value: number;
  /** Ticks since the newest reading, however old it is. */
  readonly age: number;
}

/** Readings kept at most: beyond it the oldest of the window go early. */
export const MOST_READINGS = 10_000;
const COMPACT_AT = 1_024;

export class Readings {
  readonly #oracle: CompiledOracle;
  #kept: Reading[] = [];
  /** The readings before this place have left. */
  #first = 0;

  constructor(oracle: CompiledOracle) {
    this.#oracle = oracle;
  }

  get count(): number {
    return this.#kept.length - this.#first;
  }

  /** In the order of the rows. What is out of range or came too late is not for conditions. */
  add(reading: Reading): void {
    if (reading.status !== 'ok') return;
    this.#kept.push(reading);
    const { within = 0 } = this.#oracle;
    // The newest stays, whatever its age.
    while (this.count > 1 && (this.count > MOST_READINGS || this.#isBefore(reading.tick - within))) this.#first++;
    if (this.#first > COMPACT_AT && this.#first * 2 > this.#kept.length) {
      this.#kept = this.#kept.slice(this.#first);
      this.#first = 0;
    }
  }

  #isBefore(end: number): boolean {
    const oldest = this.#kept[this.#first];
    return oldest !== undefined && oldest.tick <= end;
  }

  /** The same readings in a series of its own. */
  copy(): Readings {
    const twin = new Readings(this.#oracle);
    twin.#kept = this.#kept.slice(this.#first);
    return twin;
  }

  /** The same readings as another oracle on the same subject sees them. */
  seenBy(oracle: CompiledOracle): Readings {
    const other = new Readings(oracle);
    for (const reading of this.#kept.slice(this.#first)) other.add(reading);
    return other;
  }

  /** Undefined where there has been no reading. */
  at(now: number): OracleView | undefined {
    let last = this.#kept.length - 1;
    while (last >= this.#first && (this.#kept[last]?.tick ?? 0) > now) last--;
    const newest = last < this.#first ? undefined : this.#kept[last];
    if (newest === undefined) return undefined;
    const age = now - newest.tick;
    const read = () => this.#value(now, newest, age);
    return {
      age,
      get value() {
        return read();
      },
    };
  }

  #value(now: number, newest: Reading, age: number): number {
    const { within, maxAge, fn, minSources } = this.#oracle;
    if (maxAge !== undefined && age > maxAge) {
      throw none(`its newest reading is ${age} ticks old; ${maxAge} are allowed`);
    }
    const counted =
      within === undefined
        ? [newest]
        : this.#kept.slice(this.#first).filter(({ tick }) => tick > now - within && tick <= now);
    if (counted.length === 0) throw none(`no reading lies within the last ${within} ticks`);
    if (minSources === 1) return aggregate(fn, counted);
    const bySource = new Map<string, Reading>();
    for (const reading of counted) {
      // The order is that of the newest readings, so that `last` is the newest of all.
      bySource.delete(reading.source);
      bySource.set(reading.source, reading);
    }
    if (bySource.size < minSources) {
      throw none(`${bySource.size} of ${minSources} sources have a reading within the last ${within} ticks`);
    }
    return aggregate(fn, [...bySource.values()]);
  }
}

function aggregate(fn: CompiledOracle['fn'], readings: readonly Reading[]): number {
  const values = readings.map(({ value }) => value);
  switch (fn) {
    case 'last':
      return values.at(-1) as number;
    case 'avg': {
      const sum = new ExactSum();
      for (const value of values) sum.add(value);
      if (!Number.isFinite(sum.value)) throw none('the sum of its readings is too large');
      return sum.value / values.length;
    }
    case 'median': {
      const sorted = values.toSorted((a, b) => a - b);
      const middle = sorted.length >> 1;
      const upper = sorted[middle] as number;
      // Half of each: the sum of two large numbers need not be a number.
      return sorted.length % 2 === 1 ? upper : (sorted[middle - 1] as number) / 2 + upper / 2;
    }
    case 'min':
      return Math.min(...values);
    case 'max':
      return Math.max(...values);
  }
}

const none = (reason: string) => new DomainError('VALUE_UNDEFINED', `The oracle has no value: ${reason}.`);
