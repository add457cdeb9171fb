// Sends server-sent event responses: the frames of a channel, or the progress and result of a call.

import type { ServerResponse } from 'node:http';
import { LIMITS } from '../core/limits.ts';
import type { Frame } from '../operations/channel.ts';
import { errorResponseOf } from '../operations/error-response.ts';
import type { Services } from '../operations/services.ts';
import { EVENT_HEADERS, EventStream } from './event-stream.ts';
import type { OpenStreams, StreamHolder } from './open-streams.ts';
import type { Rechecks } from './rechecks.ts';
import type { Timers } from './timers.ts';

export interface EventResponderOptions {
  readonly services: Pick<Services, 'pulse'>;
  readonly open: OpenStreams;
  readonly timers: Timers;
  readonly rechecks: Pick<Rechecks, 'add'>;
  readonly onError: (requestId: string, error: unknown) => void;
}

export interface SendFramesOptions {
  readonly requestId: string;
  readonly holder: StreamHolder;
  /** Aborting it ends the frames. */
  readonly controller: AbortController;
  /** Rejects when the caller loses access; undefined if access cannot be lost. */
  readonly reauthorize: (() => Promise<unknown>) | undefined;
}

export class EventResponder {
  readonly #options: EventResponderOptions;

  constructor(options: EventResponderOptions) {
    this.#options = options;
  }

  /**
   * Sends frames until they end, the reader disconnects, loses access, or the service stops.
   *
   * @throws DomainError RATE_LIMITED, QUEUE_FULL, SHUTTING_DOWN  before the first byte, never later
   */
  async sendFrames(response: ServerResponse, frames: AsyncIterable<Frame>, options: SendFramesOptions): Promise<void> {
    const { open, timers, rechecks, onError } = this.#options;
    const { requestId, holder, controller, reauthorize } = options;
    let endError: unknown;
    const end = (error?: unknown) => {
      endError ??= error;
      controller.abort();
    };
    // Before anything is waited for: a reader may leave meanwhile.
    response.once('close', () => end());
    if (response.closed) end();
    const slot = await open.acquire(holder, end);
    const check = () => reauthorize?.().catch(end) ?? Promise.resolve();
    const stops = reauthorize
      ? [timers.every(LIMITS.stream.reauthorizeMs, () => void check()), rechecks.add(check)]
      : [];
    const stream = new EventStream(response, timers);
    try {
      stream.start();
      for await (const frame of frames) {
        const { seq, type } = frame;
        if (controller.signal.aborted) break;
        stream.send(seq, type, sseDataOf(frame));
        if (stream.hasBackpressure) await stream.drained(controller.signal);
      }
    } catch (error) {
      endError ??= error;
      onError(requestId, error);
    } finally {
      for (const stop of stops) stop();
      if (endError === undefined && !controller.signal.aborted) stream.finish();
      else stream.end(endError === undefined ? undefined : JSON.stringify(errorResponseOf(endError, requestId)));
      slot.release();
    }
  }

  /** Responds to HEAD for a route whose GET returns a stream. */
  sendHead(response: ServerResponse): void {
    response.writeHead(200, EVENT_HEADERS).end();
  }

  /**
   * Sends frames `progress` during the call, then `result` with the exact text of the JSON response. An error before
   * the first frame is thrown and becomes an ordinary error response; later it is sent as a frame `refused`.
   */
  async sendWithProgress(
    response: ServerResponse,
    requestId: string,
    call: (onProgress: (fraction: number) => void) => Promise<string>,
  ): Promise<void> {
    const { timers, services, onError } = this.#options;
    const stream = new EventStream(response, timers);
    let seq = 0;
    const onProgress = (fraction: number) => {
      if (stream.hasBackpressure) return;
      const { svcond } = services.pulse;
      stream.send(++seq, 'progress', JSON.stringify({ seq, type: 'progress', svcond, fraction }));
    };
    try {
      const text = await call(onProgress);
      stream.send(seq + 1, 'result', text);
      stream.finish();
    } catch (error) {
      stream.detach();
      if (!stream.hasStarted) throw error;
      onError(requestId, error);
      stream.end(JSON.stringify(errorResponseOf(error, requestId)));
    }
  }
}

/** A `result` is the exact text of the JSON answer. */
function sseDataOf({ seq, type, data, json }: Frame): string {
  if (json === undefined) return JSON.stringify({ seq, type, ...data });
  return type === 'result' ? json : `{"seq":${seq},"type":${JSON.stringify(type)},${json.slice(1)}`;
}
