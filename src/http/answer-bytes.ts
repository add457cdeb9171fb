// Bytes of long answers: counted against the rate of their caller, and until they have left the process.
//
// A client that asks and does not read makes the node hold its answers: 18 connections cost 6 GB. So a caller with many
// unread bytes is refused, and a connection that reads too slowly is closed.

import type { ServerResponse } from 'node:http';
import { DomainError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import type { Services } from '../operations/services.ts';
import type { Principal } from '../services/access/access.ts';
import type { Timers } from '../streams/timers.ts';

export type AnswerLimits = Readonly<Record<keyof typeof LIMITS.answer, number>>;

/** Who reads an answer. */
export interface Reader {
  /** Whose share of unread bytes it uses. */
  readonly tenant: string;
  readonly principal: Principal | undefined;
  readonly address: string;
}

export class AnswerBytes {
  readonly #rateLimit: Pick<Services['rateLimit'], 'countBytes'>;
  readonly #timers: Pick<Timers, 'after'>;
  readonly #limits: AnswerLimits;
  /** Unread bytes by tenant. */
  readonly #unread = new Map<string, number>();
  #total = 0;

  constructor(
    rateLimit: Pick<Services['rateLimit'], 'countBytes'>,
    timers: Pick<Timers, 'after'>,
    limits: AnswerLimits = LIMITS.answer,
  ) {
    this.#rateLimit = rateLimit;
    this.#timers = timers;
    this.#limits = limits;
  }

  /** Bytes that no client has read. */
  get unread(): number {
    return this.#total;
  }

  /** @throws DomainError RATE_LIMITED, QUEUE_FULL  while too many bytes of this caller, or of all, are unread */
  assertRoom({ tenant }: Pick<Reader, 'tenant'>): void {
    if (this.#total === 0) return;
    const { callerBytes, nodeBytes } = this.#limits;
    const own = this.#unread.get(tenant) ?? 0;
    if (own > callerBytes) {
      const message = `Limit of ${callerBytes} unread bytes of answers exceeded; read them first.`;
      throw new DomainError('RATE_LIMITED', message, { retryAfterSeconds: 1 });
    }
    if (this.#total > nodeBytes) {
      const message = `Limit of ${nodeBytes} unread bytes of answers on this node exceeded; try again.`;
      throw new DomainError('QUEUE_FULL', message, { retryAfterSeconds: 1 });
    }
  }

  /** Counts an answer until it has left the process, and closes its connection if that takes too long. */
  track(response: ServerResponse, bytes: number, { tenant, principal, address }: Reader): void {
    if (bytes < this.#limits.longBytes) return;
    const release = this.#hold(response, bytes, tenant);
    response.once('finish', release);
    response.once('close', release);
    if (response.destroyed || response.writableFinished) release();
    this.#rateLimit.countBytes(principal, address, bytes);
  }

  /** The same for each chunk of a streamed answer, until the next one is asked for. */
  async *meter(
    response: ServerResponse,
    chunks: AsyncIterable<string>,
    { tenant, principal, address }: Reader,
  ): AsyncGenerator<Buffer, void, void> {
    for await (const text of chunks) {
      const chunk = Buffer.from(text);
      const release = this.#hold(response, chunk.length, tenant);
      try {
        this.#rateLimit.countBytes(principal, address, chunk.length);
        yield chunk;
        // The next one is asked for as soon as this one is in the buffer of the response.
        await drained(response);
      } finally {
        release();
      }
      if (response.req.socket.destroyed) return;
    }
  }

  /** @returns what ends the count; may be called twice */
  #hold(response: ServerResponse, bytes: number, tenant: string): () => void {
    const { graceMs, bytesPerSecond, callerBytes } = this.#limits;
    const own = (this.#unread.get(tenant) ?? 0) + bytes;
    this.#unread.set(tenant, own);
    this.#total += bytes;
    const ms = graceMs + Math.ceil((bytes * 1_000) / bytesPerSecond);
    const cancel = this.#timers.after(ms, () => {
      response.destroy();
      release();
    });
    // Many requests may be sent at once and pass `assertRoom` together.
    if (own > 2 * callerBytes) response.destroy();
    let isHeld = true;
    const release = () => {
      if (!isHeld) return;
      isHeld = false;
      cancel();
      this.#total -= bytes;
      const rest = (this.#unread.get(tenant) ?? 0) - bytes;
      if (rest > 0) this.#unread.set(tenant, rest);
      else this.#unread.delete(tenant);
    };
    return release;
  }
}

/** Waits until the bytes of a response have left the process, or its connection has closed. */
async function drained(response: ServerResponse): Promise<void> {
  if (!response.writableNeedDrain) return;
  // A response that waits for those before it on its connection has no socket of its own, and never closes.
  const { socket } = response.req;
  if (socket.destroyed) return;
  await new Promise<void>((resolve) => {
    const done = () => {
      response.off('drain', done);
      socket.off('close', done);
      resolve();
    };
    response.once('drain', done);
    socket.once('close', done);
  });
}
