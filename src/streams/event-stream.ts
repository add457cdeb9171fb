// One answer as server-sent events: the frames of a text/event-stream, its heartbeat and its end.
//
// WHATWG HTML, Server-sent events: https://html.spec.whatwg.org/multipage/server-sent-events.html

import type { ServerResponse } from 'node:http';
import { LIMITS } from '../core/limits.ts';
import { EVENT_STREAM } from '../operations/channel.ts';
import type { Timers } from './timers.ts';

/** When a browser comes back after its stream broke off. */
const RETRY_MS = 3_000;

export const EVENT_HEADERS: Readonly<Record<string, string>> = {
  'content-type': EVENT_STREAM,
  'cache-control': 'no-store',
  // The connection ends with its stream, so that it cannot keep a stopping service waiting.
  connection: 'close',
  // nginx and its kind would keep frames back until a buffer is full.
  'x-accel-buffering': 'no',
};

export class EventStream {
  readonly #response: ServerResponse;
  readonly #timers: Timers;
  readonly #stopBeating: () => void;
  #wasBehind = false;

  constructor(response: ServerResponse, timers: Timers) {
    this.#response = response;
    this.#timers = timers;
    this.#stopBeating = timers.every(LIMITS.stream.heartbeatMs, () => this.#beat());
    response.on('drain', () => {
      this.#wasBehind = false;
    });
    response.once('close', this.#stopBeating);
  }

  /** The head of the answer is out: it can no longer become another one. */
  get isOpen(): boolean {
    return this.#response.headersSent;
  }

  /** What was sent waits for the reader; more would fill our memory. */
  get isBehind(): boolean {
    return this.#response.writableNeedDrain;
  }

  open(): void {
    if (this.isOpen || this.#response.destroyed) return;
    this.#response.writeHead(200, EVENT_HEADERS);
    this.#response.write(`retry: ${RETRY_MS}\n\n`);
  }

  /** @param json  without line breaks, as JSON.stringify makes it */
  send(seq: number, type: string, json: string): void {
    this.open();
    if (!this.#response.destroyed) this.#response.write(`id: ${seq}\nevent: ${type}\ndata: ${json}\n\n`);
  }

  /** Settles when the reader has caught up, has left, or the signal aborts. */
  caughtUp(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const settle = () => resolve();
    this.#response.once('drain', settle);
    this.#response.once('close', settle);
    signal.addEventListener('abort', settle);
    if (signal.aborted || this.#response.destroyed || !this.isBehind) resolve();
    return promise.finally(() => {
      this.#response.off('drain', settle);
      this.#response.off('close', settle);
      signal.removeEventListener('abort', settle);
    });
  }

  /** No frames any more, and the answer is left to somebody else. */
  release(): void {
    this.#stopBeating();
  }

  /** @param farewell  JSON of a last frame `refused`, which has no id: a reader resumes after what it saw before */
  end(farewell?: string): void {
    this.#stopBeating();
    const { destroyed } = this.#response;
    if (destroyed) return;
    this.#response.end(farewell === undefined ? undefined : `event: refused\ndata: ${farewell}\n\n`);
    // A reader who takes nothing would hold the connection, and with it the stop of the service.
    const stopWaiting = this.#timers.after(LIMITS.stream.graceMs, () => this.#response.destroy());
    this.#response.once('close', stopWaiting);
  }

  /** A reader who takes nothing between two heartbeats is gone. */
  #beat(): void {
    this.open();
    if (!this.isBehind) this.#response.write(':\n\n');
    else if (this.#wasBehind) this.#response.destroy();
    else this.#wasBehind = true;
  }
}
