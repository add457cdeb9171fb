// The readings of an oracle that conditions can use. They can be rebuilt from the rows of the chain.

import { DomainError } from '../core/errors.ts';
import { CURRENT_ENGINE, type EngineEdition } from './engine-edition.ts';
import { ExactSum } from './exact-sum.ts';
import type { CompiledOracle, Reading } from './oracle.ts';

/** The oracle as conditions read it at one tick. */
export interface OracleView {
  /** @throws DomainError VALUE_UNDEFINED if no reading is in the window, the newest is too old, or sources are too few */
  readonly value: number;
  /** Ticks since the newest reading, regardless of `max_age`. */
  readonly age: number;
}

/** Maximum number of readings; beyond it the oldest in the window are dropped early. */
export const MAX_READINGS = 10_000;
const COMPACT_AT = 1_024;

const READINGS_BYTES = 200;
const READING_BYTES = 155;

export class OracleReadings {
  readonly #oracle: CompiledOracle;
  #readings: Reading[] = [];
  /** Index of the oldest reading; those before it have expired. */
  #first = 0;

  constructor(oracle: CompiledOracle) {
    this.#oracle = oracle;
  }

  get count(): number {
    return this.#readings.length - this.#first;
  }

  /** Estimate of its memory. */
  get bytes(): number {
    return READINGS_BYTES + READING_BYTES * this.#readings.length;
  }

  /** Call in the order of the rows. Readings out of range or stale are ignored. */
  add(reading: Reading): void {
    if (reading.status !== 'ok') return;
    this.#readings.push(reading);
    const { within = 0 } = this.#oracle;
    // The newest reading is kept regardless of its age.
    while (this.count > 1 && (this.count > MAX_READINGS || this.#isBefore(reading.tick - within))) this.#first++;
    if (this.#first > COMPACT_AT && this.#first * 2 > this.#readings.length) {
      this.#readings = this.#readings.slice(this.#first);
      this.#first = 0;
    }
  }

  #isBefore(end: number): boolean {
    const oldest = this.#readings[this.#first];
    return oldest !== undefined && oldest.tick <= end;
  }

  /** An independent series with the same readings. */
  copy(): OracleReadings {
    const copy = new OracleReadings(this.#oracle);
    copy.#readings = this.#readings.slice(this.#first);
    return copy;
  }

  /** The same readings, kept by the rules of another oracle on the same subject. */
  copyFor(oracle: CompiledOracle): OracleReadings {
    const other = new OracleReadings(oracle);
    for (const reading of this.#readings.slice(this.#first)) other.add(reading);
    return other;
  }

  /** Undefined before the first reading. */
  viewAt(now: number, edition: EngineEdition = CURRENT_ENGINE): OracleView | undefined {
    let last = this.#readings.length - 1;
    while (last >= this.#first && (this.#readings[last]?.tick ?? 0) > now) last--;
    const newest = last < this.#first ? undefined : this.#readings[last];
    if (newest === undefined) return undefined;
    const age = now - newest.tick;
    const read = () => this.#value(now, newest, age, edition);
    return {
      age,
      get value() {
        return read();
      },
    };
  }

  #value(now: number, newest: Reading, age: number, edition: EngineEdition): number {
    const { within, maxAge, fn, minSources } = this.#oracle;
    if (maxAge !== undefined && age > maxAge) {
      throw noValue(`its newest reading is ${age} ticks old; ${maxAge} are allowed`);
    }
    const counted =
      within === undefined
        ? [newest]
        : this.#readings.slice(this.#first).filter(({ tick }) => tick > now - within && tick <= now);
    if (counted.length === 0) throw noValue(`no reading lies within the last ${within} ticks`);
    if (minSources === 1) return aggregate(fn, counted);
    const sourceOf = edition === 1 ? ({ source }: Reading) => source : sourcesBySender(counted);
    const bySource = new Map<string, Reading>();
    for (const reading of counted) {
      // Sources are ordered by their newest reading, so that `last` is the newest of all.
      const source = sourceOf(reading);
      bySource.delete(source);
      bySource.set(source, reading);
    }
    if (bySource.size < minSources) {
      throw noValue(`${bySource.size} of ${minSources} sources have a reading within the last ${within} ticks`);
    }
    return aggregate(fn, [...bySource.values()]);
  }
}

/** The source of each reading. Names that one sender has used are one source, since a name is only a claim. */
function sourcesBySender(readings: readonly Reading[]): (reading: Reading) => string {
  const parents = new Map<string, string>();
  const find = (source: string): string => {
    let root = source;
    for (let parent = parents.get(root); parent !== undefined; parent = parents.get(root)) root = parent;
    if (root !== source) parents.set(source, root);
    return root;
  };
  const firstNames = new Map<string, string>();
  for (const { source, actor } of readings) {
    if (actor === undefined) continue;
    const first = find(firstNames.get(actor) ?? source);
    firstNames.set(actor, first);
    if (find(source) !== first) parents.set(find(source), first);
  }
  return ({ source }) => find(source);
}

function aggregate(fn: CompiledOracle['fn'], readings: readonly Reading[]): number {
  const values = readings.map(({ value }) => value);
  switch (fn) {
    case 'last':
      return values.at(-1) as number;
    case 'avg': {
      const sum = new ExactSum();
      for (const value of values) sum.add(value);
      if (!Number.isFinite(sum.value)) throw noValue('the sum of its readings is too large');
      return sum.value / values.length;
    }
    case 'median': {
      const sorted = values.toSorted((a, b) => a - b);
      const middle = sorted.length >> 1;
      const upper = sorted[middle] as number;
      // Halves are added because the sum of two large numbers may overflow.
      return sorted.length % 2 === 1 ? upper : (sorted[middle - 1] as number) / 2 + upper / 2;
    }
    case 'min':
      return Math.min(...values);
    case 'max':
      return Math.max(...values);
  }
}

const noValue = (reason: string) => new DomainError('VALUE_UNDEFINED', `The oracle has no value: ${reason}.`);
