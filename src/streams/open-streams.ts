// Registry of open streams: enforces limits per caller and per node, and ends all streams on shutdown.

import { DomainError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import { withResolvers } from '../core/with-resolvers.ts';

export interface StreamLimits {
  readonly perCaller: number;
  readonly perNode: number;
}

/** A slot of an open stream. */
export interface StreamSlot {
  /**
   * Counts the stream for another caller; does nothing after release.
   *
   * @throws DomainError RATE_LIMITED  the slot is then unchanged
   */
  reassign(caller: string): void;
  /** Must be called when the stream has ended. */
  release(): void;
}

interface OpenStream {
  caller: string;
  /** Requests the end of the stream, which then releases its slot. */
  readonly end: (reason: DomainError) => void;
}

export class OpenStreams {
  readonly #limits: StreamLimits;
  readonly #counts = new Map<string, number>();
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
  acquire(caller: string, end: OpenStream['end']): StreamSlot {
    if (this.#isClosing) throw shuttingDown();
    if (this.#streams.size >= this.#limits.perNode) {
      const message = `Limit of ${this.#limits.perNode} open streams on this node reached; try again later.`;
      throw new DomainError('QUEUE_FULL', message, { retryAfterSeconds: 10 });
    }
    this.#increment(caller);
    const stream: OpenStream = { caller, end };
    this.#streams.add(stream);
    return {
      reassign: (newCaller) => {
        if (newCaller === stream.caller || !this.#streams.has(stream)) return;
        this.#increment(newCaller);
        this.#decrement(stream.caller);
        stream.caller = newCaller;
      },
      release: () => {
        if (!this.#streams.delete(stream)) return;
        this.#decrement(stream.caller);
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

  #increment(caller: string): void {
    const count = this.#counts.get(caller) ?? 0;
    if (count >= this.#limits.perCaller) {
      const message = `Limit of ${this.#limits.perCaller} open streams per caller reached; close one first.`;
      throw new DomainError('RATE_LIMITED', message, { retryAfterSeconds: 1 });
    }
    this.#counts.set(caller, count + 1);
  }

  #decrement(caller: string): void {
    const remaining = (this.#counts.get(caller) ?? 1) - 1;
    if (remaining === 0) this.#counts.delete(caller);
    else this.#counts.set(caller, remaining);
  }
}

const shuttingDown = () => new DomainError('SHUTTING_DOWN', 'The service is shutting down.');
