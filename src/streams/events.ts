// Answers over HTTP that go on: channels, and calls that their caller watches.

import type { ServerResponse } from 'node:http';
import { LIMITS } from '../core/limits.ts';
import type { Frame } from '../operations/channel.ts';
import { refusalOf } from '../operations/refusal.ts';
import type { Services } from '../operations/services.ts';
import { EVENT_HEADERS, EventStream } from './event-stream.ts';
import type { OpenStreams } from './open-streams.ts';
import type { Timers } from './timers.ts';

export interface EventsParts {
  readonly services: Pick<Services, 'pulse'>;
  readonly open: OpenStreams;
  readonly timers: Timers;
  readonly onFailed: (requestId: string, error: unknown) => void;
}

export interface Reader {
  readonly requestId: string;
  /** Under which name the caller's streams are counted. */
  readonly countedAs: string;
  /** Aborting it ends the frames. */
  readonly stop: AbortController;
  /** Rejects when the caller may no longer follow; undefined where that cannot happen. */
  readonly recheck: (() => Promise<unknown>) | undefined;
}

export class EventAnswers {
  readonly #parts: EventsParts;

  constructor(parts: EventsParts) {
    this.#parts = parts;
  }

  /**
   * Send frames until they end, the reader leaves, its key ends or the service stops.
   *
   * @throws DomainError RATE_LIMITED, QUEUE_FULL, SHUTTING_DOWN  before the first byte; never later
   */
  async relay(response: ServerResponse, frames: AsyncIterable<Frame>, reader: Reader): Promise<void> {
    const { open, timers, onFailed } = this.#parts;
    const { requestId, countedAs, stop, recheck } = reader;
    let reason: unknown;
    const end = (why?: unknown) => {
      reason ??= why;
      stop.abort();
    };
    const place = open.enter(countedAs, end);
    const stopAsking = recheck ? timers.every(LIMITS.stream.authorityMs, () => void recheck().catch(end)) : () => {};
    response.once('close', () => end());
    const stream = new EventStream(response, timers);
    try {
      stream.open();
      for await (const { seq, type, data } of frames) {
        if (stop.signal.aborted) break;
        stream.send(seq, type, JSON.stringify({ seq, type, ...data }));
        if (stream.isBehind) await stream.caughtUp(stop.signal);
      }
    } catch (error) {
      reason ??= error;
      onFailed(requestId, error);
    } finally {
      stopAsking();
      stream.end(reason === undefined ? undefined : JSON.stringify(refusalOf(reason, requestId)));
      place.leave();
    }
  }

  /** What HEAD answers where GET answers a stream. */
  head(response: ServerResponse): void {
    response.writeHead(200, EVENT_HEADERS).end();
  }

  /**
   * Frames `progress` while the call goes on, then `result` with the very text that would have been the answer. A call
   * that is refused before its first frame is an ordinary refusal; later it is a frame `refused`.
   */
  async watch(
    response: ServerResponse,
    requestId: string,
    call: (onProgress: (fraction: number) => void) => Promise<string>,
  ): Promise<void> {
    const { timers, services, onFailed } = this.#parts;
    const stream = new EventStream(response, timers);
    let seq = 0;
    const onProgress = (fraction: number) => {
      if (stream.isBehind) return;
      const { svcond } = services.pulse;
      stream.send(++seq, 'progress', JSON.stringify({ seq, type: 'progress', svcond, fraction }));
    };
    try {
      const text = await call(onProgress);
      stream.send(seq + 1, 'result', text);
      stream.end();
    } catch (error) {
      stream.release();
      if (!stream.isOpen) throw error;
      onFailed(requestId, error);
      stream.end(JSON.stringify(refusalOf(error, requestId)));
    }
  }
}
