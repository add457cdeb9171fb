// Instances of one contract in memory: those that changes have named lately.
//
// An instance is dropped when no change in progress can have read it before its last commit. So what a change reads from
// the database agrees with what is in memory, without a transaction around both.

import { byDue } from '../../contracts/instances/route.ts';
import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import type { StoredVersion } from '../../storage/contracts/versions.ts';

/** A change needs an instance that is not in memory. */
export class InstanceMissing extends DomainError {
  readonly contract: string;
  readonly key: string;

  constructor(contract: string, key: string) {
    super('CONFLICT', `The instance ${key} of contract ${contract} is not in memory.`);
    this.contract = contract;
    this.key = key;
  }
}

interface Loaded<Live> {
  /** Undefined if there is no instance with this key. */
  live: Live | undefined;
  /** The newest reading that may not have seen what it is now. */
  usedAt: number;
  /** Changes that are not yet committed. */
  uncommitted: number;
}

/** The timers of the instances that are not in memory. */
interface EarliestRead {
  /** The first of those that were not read. */
  readonly next: number | undefined;
}

/** What of an instance decides how long it stays. */
interface Timed {
  readonly stored: { readonly nextFire: number | undefined };
}

export class Instances<Live extends Timed> {
  /** The tick of the first timer of all instances, or an earlier one. */
  bound: number | undefined;
  /** Earlier versions of the contract that some of them still have. */
  readonly versions = new Map<number, StoredVersion>();
  readonly #contractId: string;
  readonly #loaded = new Map<string, Loaded<Live>>();
  readonly #reading = new Set<number>();
  #readings = 0;
  #earliest: EarliestRead | undefined;

  constructor(contractId: string, bound: number | undefined) {
    this.#contractId = contractId;
    this.bound = bound;
  }

  /** Number of keys in memory. */
  get size(): number {
    return this.#loaded.size;
  }

  has(key: string): boolean {
    return this.#loaded.has(key);
  }

  /** The instances in memory. */
  *values(): Generator<Live> {
    for (const { live } of this.#loaded.values()) if (live !== undefined) yield live;
  }

  /** Undefined if there is none with this key. @throws InstanceMissing */
  get(key: string): Live | undefined {
    const loaded = this.#loaded.get(key);
    if (loaded === undefined) throw new InstanceMissing(this.#contractId, key);
    return loaded.live;
  }

  /** Keeps in memory what is read from now on, until the returned function is called. */
  beginReading(): () => void {
    const reading = ++this.#readings;
    this.#reading.add(reading);
    return () => {
      this.#reading.delete(reading);
      this.#shrink();
    };
  }

  /** Adds what was read, unless it is in memory. */
  addRead(key: string, live: Live | undefined): void {
    const loaded = this.#loaded.get(key);
    this.#loaded.delete(key);
    this.#loaded.set(key, { live, uncommitted: 0, ...loaded, usedAt: this.#readings });
  }

  /** Adds a new instance. */
  add(key: string, live: Live): void {
    const { uncommitted = 0 } = this.#loaded.get(key) ?? {};
    this.#loaded.set(key, { live, usedAt: this.#readings, uncommitted });
  }

  /** Notes the timers that were read: all up to `next` are in memory. */
  noteEarliest(next: number | undefined): void {
    this.#earliest = { next };
  }

  /** Instances that are due, in the order in which they are woken. @throws InstanceMissing if they were not read */
  due(tick: number): Live[] {
    if (this.#earliest === undefined) throw new InstanceMissing(this.#contractId, '');
    const due = [...this.#loaded].flatMap(([key, { live }]) => {
      const nextFire = live?.stored.nextFire;
      return live === undefined || nextFire === undefined || nextFire > tick ? [] : [{ key, due: nextFire, live }];
    });
    return due.sort(byDue).map(({ live }) => live);
  }

  /** Notes a change that is about to be written. */
  changed(key: string, nextFire: number | undefined): void {
    const loaded = this.#loaded.get(key);
    if (loaded !== undefined) loaded.uncommitted++;
    if (nextFire !== undefined) this.bound = Math.min(this.bound ?? nextFire, nextFire);
  }

  /** Sets the bound after a wake. */
  settleBound(): void {
    const times = [this.#earliest?.next, ...[...this.values()].map(({ stored }) => stored.nextFire)];
    const known = times.filter((time) => time !== undefined);
    this.bound = known.length === 0 ? undefined : known.reduce((first, time) => Math.min(first, time));
    this.#earliest = undefined;
  }

  committed(key: string): void {
    const loaded = this.#loaded.get(key);
    if (loaded === undefined) return;
    loaded.uncommitted--;
    loaded.usedAt = this.#readings;
    this.#loaded.delete(key);
    this.#loaded.set(key, loaded);
    this.#shrink();
  }

  #shrink(): void {
    const { inMemory } = LIMITS.contracts.instances;
    if (this.#loaded.size <= inMemory) return;
    const [oldest = this.#readings + 1] = this.#reading;
    for (const [key, { usedAt, uncommitted }] of this.#loaded) {
      if (uncommitted === 0 && usedAt < oldest) this.#loaded.delete(key);
      if (this.#loaded.size <= inMemory) return;
    }
  }
}
