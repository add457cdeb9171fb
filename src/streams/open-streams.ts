// All streams that are open: how many each caller has, and how to end them when the service stops.

import { DomainError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';

export interface StreamCaps {
  readonly perCaller: number;
  readonly perNode: number;
}

/** A place among the open streams. */
export interface Place {
  /** The stream turned out to be somebody else's; one that has left stays away. @throws DomainError RATE_LIMITED; it then keeps its place */
  move(caller: string): void;
  /** Call it when the stream has ended. */
  leave(): void;
}

interface Occupant {
  caller: string;
  /** Asks the stream to end; it leaves when it has. */
  readonly end: (reason: DomainError) => void;
}

export class OpenStreams {
  readonly #caps: StreamCaps;
  readonly #counts = new Map<string, number>();
  readonly #occupants = new Set<Occupant>();
  readonly #emptied = Promise.withResolvers<void>();
  #isClosing = false;

  constructor(caps: StreamCaps = LIMITS.stream) {
    this.#caps = caps;
  }

  get size(): number {
    return this.#occupants.size;
  }

  /** @throws DomainError RATE_LIMITED, QUEUE_FULL, SHUTTING_DOWN */
  enter(caller: string, end: Occupant['end']): Place {
    if (this.#isClosing) throw shuttingDown();
    if (this.#occupants.size >= this.#caps.perNode) {
      const message = `${this.#occupants.size} streams are open here; no more are taken.`;
      throw new DomainError('QUEUE_FULL', message, { retryAfterSeconds: 10 });
    }
    this.#count(caller);
    const occupant: Occupant = { caller, end };
    this.#occupants.add(occupant);
    return {
      move: (next) => {
        if (next === occupant.caller || !this.#occupants.has(occupant)) return;
        this.#count(next);
        this.#uncount(occupant.caller);
        occupant.caller = next;
      },
      leave: () => {
        if (!this.#occupants.delete(occupant)) return;
        this.#uncount(occupant.caller);
        if (this.#isClosing && this.#occupants.size === 0) this.#emptied.resolve();
      },
    };
  }

  /** Ask every stream to end, and wait until all have. */
  async close(): Promise<void> {
    this.#isClosing = true;
    if (this.#occupants.size === 0) return;
    for (const { end } of [...this.#occupants]) end(shuttingDown());
    await this.#emptied.promise;
  }

  #count(caller: string): void {
    const own = this.#counts.get(caller) ?? 0;
    if (own >= this.#caps.perCaller) {
      const message = `${own} streams of this caller are open; ${this.#caps.perCaller} are allowed.`;
      throw new DomainError('RATE_LIMITED', message, { retryAfterSeconds: 1 });
    }
    this.#counts.set(caller, own + 1);
  }

  #uncount(caller: string): void {
    const left = (this.#counts.get(caller) ?? 1) - 1;
    if (left === 0) this.#counts.delete(caller);
    else this.#counts.set(caller, left);
  }
}

const shuttingDown = () => new DomainError('SHUTTING_DOWN', 'The service is shutting down.');
