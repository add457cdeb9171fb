// A text/event-stream response: its frames, heartbeat and end.
//
// WHATWG HTML, Server-sent events: https://html.spec.whatwg.org/multipage/server-sent-events.html

import type { ServerResponse } from 'node:http';
import { LIMITS } from '../core/limits.ts';
import { withResolvers } from '../core/with-resolvers.ts';
import { EVENT_STREAM } from '../operations/channel.ts';
import type { Timers } from './timers.ts';

/** Delay before a browser reconnects. */
const RETRY_MS = 3_000;

export const EVENT_HEADERS: Readonly<Record<string, string>> = {
  'content-type': EVENT_STREAM,
  'cache-control': 'no-store',
  // Closes the connection with its stream, so that it does not delay shutdown.
  connection: 'close',
  // Otherwise proxies such as nginx buffer frames.
  'x-accel-buffering': 'no',
};

export class EventStream {
  readonly #response: ServerResponse;
  readonly #timers: Timers;
  readonly #stopHeartbeat: () => void;
  #wasStalled = false;

  constructor(response: ServerResponse, timers: Timers) {
    this.#response = response;
    this.#timers = timers;
    this.#stopHeartbeat = timers.every(LIMITS.stream.heartbeatMs, () => this.#heartbeat());
    response.on('drain', () => {
      this.#wasStalled = false;
    });
    response.once('close', this.#stopHeartbeat);
  }

  /** The response head is sent, so the response can no longer be replaced. */
  get hasStarted(): boolean {
    return this.#response.headersSent;
  }

  /** The reader is behind; sending more would fill memory. */
  get hasBackpressure(): boolean {
    return this.#response.writableNeedDrain;
  }

  start(): void {
    if (this.hasStarted || this.#response.destroyed) return;
    this.#response.writeHead(200, EVENT_HEADERS);
    this.#response.write(`retry: ${RETRY_MS}\n\n`);
  }

  /** @param json  without line breaks, as from JSON.stringify */
  send(seq: number, type: string, json: string): void {
    this.start();
    if (!this.#response.destroyed) this.#response.write(`id: ${seq}\nevent: ${type}\ndata: ${json}\n\n`);
  }

  /** Resolves when the reader has caught up or disconnected, or the signal aborts. */
  drained(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = withResolvers<void>();
    const settle = () => resolve();
    this.#response.once('drain', settle);
    this.#response.once('close', settle);
    signal.addEventListener('abort', settle);
    if (signal.aborted || this.#response.destroyed || !this.hasBackpressure) resolve();
    return promise.finally(() => {
      this.#response.off('drain', settle);
      this.#response.off('close', settle);
      signal.removeEventListener('abort', settle);
    });
  }

  /** Stops the heartbeat and leaves the response to the caller. */
  detach(): void {
    this.#stopHeartbeat();
  }

  /** Ends after all frames; a reader has the time of an answer for those that it has not taken. */
  finish(): void {
    const { graceMs, bytesPerSecond } = LIMITS.answer;
    this.#end(undefined, graceMs + Math.ceil((this.#response.writableLength / bytesPerSecond) * 1_000));
  }

  /**
   * Ends soon, as when the service stops.
   *
   * @param errorJson  sent as a last frame `refused` without an id, so that a reader resumes after the frame before it
   */
  end(errorJson?: string): void {
    this.#end(errorJson, LIMITS.stream.closeMs);
  }

  #end(errorJson: string | undefined, withinMs: number): void {
    this.#stopHeartbeat();
    const { destroyed } = this.#response;
    if (destroyed) return;
    this.#response.end(errorJson === undefined ? undefined : `event: refused\ndata: ${errorJson}\n\n`);
    // A stalled reader would keep the connection open and delay shutdown.
    const cancelTimeout = this.#timers.after(withinMs, () => this.#response.destroy());
    this.#response.once('close', cancelTimeout);
  }

  /** Disconnects a reader that has read nothing between two heartbeats. */
  #heartbeat(): void {
    this.start();
    if (!this.hasBackpressure) this.#response.write(':\n\n');
    else if (this.#wasStalled) this.#response.destroy();
    else this.#wasStalled = true;
  }
}
