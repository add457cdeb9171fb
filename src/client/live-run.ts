// Frames of a run on the service, over connections that may be lost: the run goes on, and reading resumes after the last
// frame that arrived.

import type { ApiOutput } from '#api';
import { DomainError } from '../core/errors.ts';
import { parseServerEvents } from './event-stream.ts';
import { errorFromBody } from './request.ts';

/** Row-major data with a name, a unit and a shape. */
export interface LiveArray {
  readonly name: string;
  readonly unit: string;
  readonly shape: readonly number[];
  readonly data: Float64Array;
}

/** An array as it is sent. */
interface SentArray extends Omit<LiveArray, 'data'> {
  readonly data?: readonly (number | null)[];
  /** Of little-endian f64. */
  readonly base64?: string;
}

type Sealed = Extract<ApiOutput<'compute.run'>, { readonly plots: unknown }>;

/** A plot as in an envelope. */
export type LivePlot = Sealed['plots'][number];

/** What a streamed run tells, in this order: `begin`, frames and gaps, `result`. */
export type LiveEvent<Envelope> =
  | { readonly type: 'begin'; readonly run: string; readonly solver: string; readonly href: string }
  | {
      readonly type: 'frame';
      readonly seq: number;
      /** Done of the whole run, 0..1. */
      readonly fraction: number;
      /** Missing if the solver draws nothing at this moment. */
      readonly plot: LivePlot | undefined;
      readonly arrays: readonly LiveArray[];
    }
  /** Frames that were not kept for this reader. */
  | { readonly type: 'gap'; readonly from: number; readonly to: number }
  /** `text` is the exact JSON text of the envelope. */
  | { readonly type: 'result'; readonly envelope: Envelope; readonly text: string };

export interface LiveConnections {
  /** Starts the run; repeated with the same key, it finds the run that was started before. */
  start(idempotencyKey: string): Promise<Response>;
  /** @param since  `seq` of the last frame that arrived */
  resume(run: string, since: number): Promise<Response>;
  readonly signal?: AbortSignal | undefined;
  /** Wait before the first reconnection; 250 ms by default, doubled up to 4 s. */
  readonly retryMs?: number | undefined;
}

/** Connections that fail in a row before reading is given up. */
const MAX_ATTEMPTS = 6;
const MAX_RETRY_MS = 4_000;

/**
 * @throws DomainError  the refusal of the run, with its code and details; RUN_NOT_FOUND if it was lost for longer than
 *   the service keeps it. An unreachable service throws a plain Error.
 */
export async function* readLiveRun<Envelope>(
  { start, resume, signal, retryMs = 250 }: LiveConnections,
  idempotencyKey: string = randomKey(),
): AsyncGenerator<LiveEvent<Envelope>, void, void> {
  let run: string | undefined;
  let seen = 0;
  for (let failures = 0; ; failures++) {
    let lost: unknown = new Error('The service ended the stream without a result.');
    try {
      const response = await (run === undefined ? start(idempotencyKey) : resume(run, seen));
      for await (const { event, id, data } of parseServerEvents(response.body ?? new ReadableStream())) {
        const body = JSON.parse(data);
        if (event === 'refused') throw errorFromBody(body);
        if (event !== 'begin') failures = 0;
        if (event === 'begin' && run !== undefined) continue;
        seen = Number(id ?? seen);
        if (event === 'begin') run = body.run;
        const one = eventOf<Envelope>(event, seen, body, data);
        if (one !== undefined) yield one;
        if (event === 'result') return;
      }
    } catch (error) {
      // The node has said why; a lost connection says nothing.
      if (error instanceof DomainError || signal?.aborted === true) throw error;
      lost = error;
    }
    if (failures + 1 >= MAX_ATTEMPTS) throw lost;
    await pause(Math.min(MAX_RETRY_MS, retryMs * 2 ** failures), signal);
  }
}

/** Unlike `randomUUID`, also on pages without TLS. */
const randomKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

function eventOf<Envelope>(
  type: string,
  seq: number,
  body: Record<string, unknown>,
  text: string,
): LiveEvent<Envelope> | undefined {
  switch (type) {
    case 'begin':
      return { type, run: String(body.run), solver: String(body.solver), href: String(body.href) };
    case 'gap':
      return { type, from: Number(body.from), to: Number(body.to) };
    case 'result':
      return { type, envelope: body as Envelope, text };
    case 'frame': {
      const {
        fraction,
        plot,
        arrays = [],
      } = body as {
        fraction: number;
        plot?: LivePlot;
        arrays?: readonly SentArray[];
      };
      return { type, seq, fraction, plot, arrays: arrays.map(decodedArray) };
    }
    default:
      return undefined;
  }
}

/** The array that was sent; NaN for null. */
export function decodedArray({ name, unit, shape, data, base64 }: SentArray): LiveArray {
  if (base64 === undefined) return { name, unit, shape, data: Float64Array.from(data ?? [], (x) => x ?? Number.NaN) };
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return { name, unit, shape, data: new Float64Array(bytes.buffer) };
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
