// Registry of open streams: enforces limits per caller and tenant, on this node and on all nodes of its database, and per
// node. Ends all streams on shutdown.

import { DomainError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import { withResolvers } from '../core/with-resolvers.ts';

export interface StreamLimits {
  readonly perCaller: number;
  readonly perTenant: number;
  readonly perNode: number;
}

/** Counts that all nodes of a database share. */
export interface SharedCounts {
  /** Counts one more of the name, if all nodes together have less than `limit`. */
  enter(name: string, limit: number): Promise<boolean>;
  leave(name: string): void;
}

/** A slot of an open stream. */
export interface StreamSlot {
  /**
   * Counts the stream for another caller and tenant; does nothing after release.
   *
   * @throws DomainError RATE_LIMITED  the slot is then unchanged
   */
  reassign(holder: StreamHolder): Promise<void>;
  /** Must be called when the stream has ended. */
  release(): void;
}

/** Who holds a stream: a key or an address, and the tenant of all its keys. */
export interface StreamHolder {
  readonly caller: string;
  readonly tenant: string;
}

interface OpenStream {
  /** Undefined until it is counted. */
  holder: StreamHolder | undefined;
  /** Requests the end of the stream, which then releases its slot. */
  readonly end: (reason: DomainError) => void;
}

export class OpenStreams {
  readonly #shared: SharedCounts | undefined;
  readonly #limits: StreamLimits;
  /** By caller and tenant, of this node. */
  readonly #counts = new Map<string, number>();
  readonly #streams = new Set<OpenStream>();
  readonly #drained = withResolvers<void>();
  #isClosing = false;

  /** @param shared  the counts of all nodes together; those of this node are limited in any case */
  constructor(shared?: SharedCounts, limits: StreamLimits = LIMITS.stream) {
    this.#shared = shared;
    this.#limits = limits;
  }

  get size(): number {
    return this.#streams.size;
  }

  /** @throws DomainError RATE_LIMITED, QUEUE_FULL, SHUTTING_DOWN */
  async acquire(holder: StreamHolder, end: OpenStream['end']): Promise<StreamSlot> {
    if (this.#isClosing) throw shuttingDown();
    if (this.#streams.size >= this.#limits.perNode) {
      const message = `Limit of ${this.#limits.perNode} open streams on this node reached; try again later.`;
      throw new DomainError('QUEUE_FULL', message, { retryAfterSeconds: 10 });
    }
    const stream: OpenStream = { holder: undefined, end };
    this.#streams.add(stream);
    const release = () => this.#release(stream);
    try {
      await this.#enterAll(this.#namesOf(holder));
      stream.holder = holder;
      if (this.#isClosing) throw shuttingDown();
    } catch (error) {
      release();
      throw error;
    }
    return { reassign: (next) => this.#reassign(stream, next), release };
  }

  /** Counts the stream for both holders for a moment, so that no other stream can take its place. */
  async #reassign(stream: OpenStream, next: StreamHolder): Promise<void> {
    const before = stream.holder;
    if (before === undefined || !this.#streams.has(stream)) return;
    const kept = new Set(this.#namesOf(before).map(({ name }) => name));
    const added = this.#namesOf(next).filter(({ name }) => !kept.has(name));
    await this.#enterAll(added);
    if (!this.#streams.has(stream)) {
      for (const { name } of added) this.#leave(name);
      return;
    }
    const held = new Set(this.#namesOf(next).map(({ name }) => name));
    for (const name of kept) if (!held.has(name)) this.#leave(name);
    stream.holder = next;
  }

  #release(stream: OpenStream): void {
    if (!this.#streams.delete(stream)) return;
    if (stream.holder !== undefined) for (const { name } of this.#namesOf(stream.holder)) this.#leave(name);
    if (this.#isClosing && this.#streams.size === 0) this.#drained.resolve();
  }

  /** Ends all streams and waits until they are released. */
  async close(): Promise<void> {
    this.#isClosing = true;
    if (this.#streams.size === 0) return;
    for (const { end } of [...this.#streams]) end(shuttingDown());
    await this.#drained.promise;
  }

  #namesOf({ caller, tenant }: StreamHolder): readonly CountedName[] {
    const { perCaller, perTenant } = this.#limits;
    return [
      { name: `caller ${caller}`, limit: perCaller, words: 'per caller' },
      { name: `tenant ${tenant}`, limit: perTenant, words: 'of all keys of an account, or of an address,' },
    ];
  }

  /** Counts all names, or none. @throws DomainError RATE_LIMITED */
  async #enterAll(names: readonly CountedName[]): Promise<void> {
    const entered: string[] = [];
    try {
      // On this node first: it costs nothing and refuses most.
      for (const one of names) this.#assertBelow(one);
      for (const { name } of names) {
        this.#change(name, 1);
        entered.push(name);
      }
      await this.#enterShared(names);
    } catch (error) {
      for (const name of entered) this.#change(name, -1);
      throw error;
    }
  }

  async #enterShared(names: readonly CountedName[]): Promise<void> {
    const shared = this.#shared;
    if (shared === undefined) return;
    const entered = await Promise.all(names.map(({ name, limit }) => shared.enter(name, limit)));
    const refused = entered.indexOf(false);
    if (refused < 0) return;
    for (const [i, { name }] of names.entries()) if (entered[i] === true) shared.leave(name);
    const one = names[refused];
    if (one !== undefined) throw limitReached(one);
  }

  #assertBelow(one: CountedName): void {
    if ((this.#counts.get(one.name) ?? 0) >= one.limit) throw limitReached(one);
  }

  #leave(name: string): void {
    this.#change(name, -1);
    this.#shared?.leave(name);
  }

  #change(name: string, by: 1 | -1): void {
    const count = (this.#counts.get(name) ?? 0) + by;
    if (count === 0) this.#counts.delete(name);
    else this.#counts.set(name, count);
  }
}

interface CountedName {
  readonly name: string;
  readonly limit: number;
  readonly words: string;
}

const limitReached = ({ limit, words }: CountedName) =>
  new DomainError('RATE_LIMITED', `Limit of ${limit} open streams ${words} reached; close one first.`, {
    retryAfterSeconds: 1,
  });

const shuttingDown = () => new DomainError('SHUTTING_DOWN', 'The service is shutting down.');
