// Registry of open streams: enforces limits per caller, tenant and node, and ends all streams on shutdown.

import { DomainError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import { withResolvers } from '../core/with-resolvers.ts';

export interface StreamLimits {
  readonly perCaller: number;
  readonly perTenant: number;
  readonly perNode: number;
}

/** A slot of an open stream. */
export interface StreamSlot {
  /**
   * Counts the stream for another caller and tenant; does nothing after release.
   *
   * @throws DomainError RATE_LIMITED  the slot is then unchanged
   */
  reassign(holder: StreamHolder): void;
  /** Must be called when the stream has ended. */
  release(): void;
}

/** Who holds a stream: a key or an address, and the tenant of all its keys. */
export interface StreamHolder {
  readonly caller: string;
  readonly tenant: string;
}

interface OpenStream {
  holder: StreamHolder;
  /** Requests the end of the stream, which then releases its slot. */
  readonly end: (reason: DomainError) => void;
}

export class OpenStreams {
  readonly #limits: StreamLimits;
  readonly #byCaller = new Map<string, number>();
  readonly #byTenant = new Map<string, number>();
  readonly #streams = new Set<OpenStream>();
  readonly #drained = withResolvers<void>();
  #isClosing = false;

  constructor(limits: StreamLimits = LIMITS.stream) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#streams.size;
  }

  /** @throws DomainError RATE_LIMITED, QUEUE_FULL, SHUTTING_DOWN */
  acquire(holder: StreamHolder, end: OpenStream['end']): StreamSlot {
    if (this.#isClosing) throw shuttingDown();
    if (this.#streams.size >= this.#limits.perNode) {
      const message = `Limit of ${this.#limits.perNode} open streams on this node reached; try again later.`;
      throw new DomainError('QUEUE_FULL', message, { retryAfterSeconds: 10 });
    }
    this.#count(holder);
    const stream: OpenStream = { holder, end };
    this.#streams.add(stream);
    return {
      reassign: (newHolder) => {
        if (!this.#streams.has(stream)) return;
        const { holder } = stream;
        this.#discount(holder);
        try {
          this.#count(newHolder);
          stream.holder = newHolder;
        } catch (error) {
          this.#count(holder);
          throw error;
        }
      },
      release: () => {
        if (!this.#streams.delete(stream)) return;
        this.#discount(stream.holder);
        if (this.#isClosing && this.#streams.size === 0) this.#drained.resolve();
      },
    };
  }

  /** Ends all streams and waits until they are released. */
  async close(): Promise<void> {
    this.#isClosing = true;
    if (this.#streams.size === 0) return;
    for (const { end } of [...this.#streams]) end(shuttingDown());
    await this.#drained.promise;
  }

  #count({ caller, tenant }: StreamHolder): void {
    const { perCaller, perTenant } = this.#limits;
    assertBelow(this.#byCaller, caller, perCaller, 'per caller');
    assertBelow(this.#byTenant, tenant, perTenant, 'of all keys of an account, or of an address,');
    change(this.#byCaller, caller, 1);
    change(this.#byTenant, tenant, 1);
  }

  #discount({ caller, tenant }: StreamHolder): void {
    change(this.#byCaller, caller, -1);
    change(this.#byTenant, tenant, -1);
  }
}

type Counts = Map<string, number>;

/** @throws DomainError RATE_LIMITED */
function assertBelow(counts: Counts, name: string, limit: number, words: string): void {
  if ((counts.get(name) ?? 0) < limit) return;
  const message = `Limit of ${limit} open streams ${words} reached; close one first.`;
  throw new DomainError('RATE_LIMITED', message, { retryAfterSeconds: 1 });
}

function change(counts: Counts, name: string, by: 1 | -1): void {
  const count = (counts.get(name) ?? 0) + by;
  if (count === 0) counts.delete(name);
  else counts.set(name, count);
}

const shuttingDown = () => new DomainError('SHUTTING_DOWN', 'The service is shutting down.');
