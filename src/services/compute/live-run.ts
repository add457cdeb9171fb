// A run whose frames are streamed: a bounded ring of frames, its readers, and its end.
//
// A reader takes frames at its own pace, so that a slow one costs no memory: what it missed is a `gap`. A run without
// readers is cancelled after a while, and its end is kept for readers that come back.

import { DomainError } from '../../core/errors.ts';
import { type WithResolvers, withResolvers } from '../../core/with-resolvers.ts';
import type { Frame } from '../node/tail-log.ts';

export interface LiveRunOptions {
  readonly id: string;
  /** The key that started it, which alone may read it. */
  readonly keyId: string;
  readonly tenant: string;
  readonly solver: string;
  readonly limits: { readonly ringFrames: number; readonly ringBytes: number; readonly abandonedMs: number };
}

type End = { readonly kind: 'result'; readonly frame: Frame } | { readonly kind: 'failed'; readonly error: unknown };

interface KeptFrame {
  readonly seq: number;
  readonly json: string;
}

export class LiveRun {
  readonly id: string;
  readonly keyId: string;
  readonly tenant: string;
  readonly solver: string;
  readonly #limits: LiveRunOptions['limits'];
  readonly #controller = new AbortController();
  readonly #ring: KeptFrame[] = [];
  #ringBytes = 0;
  #seq = 0;
  #readers = 0;
  #end: End | undefined;
  #growth: WithResolvers<void> = withResolvers();
  #abandonment: NodeJS.Timeout | undefined;

  constructor({ id, keyId, tenant, solver, limits }: LiveRunOptions) {
    this.id = id;
    this.keyId = keyId;
    this.tenant = tenant;
    this.solver = solver;
    this.#limits = limits;
    this.#startAbandonment();
  }

  /** Aborts when the run is cancelled. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get hasEnded(): boolean {
    return this.#end !== undefined;
  }

  get readers(): number {
    return this.#readers;
  }

  /** Bytes of the frames, and of the result once there is one. */
  get bytes(): number {
    const { json = '' } = this.#end?.kind === 'result' ? this.#end.frame : {};
    return this.#ringBytes + bytesOf(json);
  }

  /** Adds a frame, in place of the oldest ones if there is no room. */
  push(data: Readonly<Record<string, unknown>>): void {
    if (this.hasEnded || this.signal.aborted) return;
    let json = asciiJson(data);
    // A picture that would displace all others is not kept.
    if (json.length > this.#limits.ringBytes) json = asciiJson({ fraction: data.fraction });
    this.#ring.push({ seq: ++this.#seq, json });
    this.#ringBytes += json.length;
    while (this.#ring.length > this.#limits.ringFrames || this.#ringBytes > this.#limits.ringBytes)
      this.#ringBytes -= this.#ring.shift()?.json.length ?? 0;
    this.#grow();
  }

  /** @param json  the exact text of the JSON answer */
  finish(json: string): void {
    this.#endWith({ kind: 'result', frame: { seq: this.#seq + 1, type: 'result', data: {}, json } });
  }

  fail(error: unknown): void {
    this.#endWith({ kind: 'failed', error: (this.signal.aborted ? this.signal.reason : undefined) ?? error });
  }

  /** Ends it at once for its readers; its kernel stops within a chunk. */
  cancel(reason: DomainError): void {
    if (this.hasEnded) return;
    this.#controller.abort(reason);
    this.fail(reason);
  }

  /**
   * `begin`, frames after `since`, then the end: the result, or what it failed with is thrown. Without `since`, from the oldest
   * frame that is kept.
   */
  async *read(since: number | undefined, signal: AbortSignal, begin: Frame['data']): AsyncGenerator<Frame, void, void> {
    this.#enter();
    try {
      let seen = Math.min(since ?? (this.#ring[0]?.seq ?? 1) - 1, this.#seq);
      yield { seq: seen, type: 'begin', data: begin };
      while (!signal.aborted) {
        const next = this.#after(seen);
        if (next !== undefined) {
          seen = next.seq;
          yield next;
        } else if (this.#end === undefined) {
          await settled(this.#growth.promise, signal);
        } else if (this.#end.kind === 'result') {
          yield this.#end.frame;
          return;
        } else throw this.#end.error;
      }
    } finally {
      this.#leave();
    }
  }

  /** The frame after `seen`, or the gap before the oldest. */
  #after(seen: number): Frame | undefined {
    const oldest = this.#ring[0]?.seq ?? this.#seq + 1;
    if (oldest > seen + 1) {
      const to = oldest - 1;
      return { seq: to, type: 'gap', data: { from: seen + 1, to } };
    }
    const kept = this.#ring[seen + 1 - oldest];
    return kept && { ...kept, type: 'frame', data: {} };
  }

  #enter(): void {
    this.#readers++;
    clearTimeout(this.#abandonment);
  }

  #leave(): void {
    this.#readers--;
    if (this.#readers === 0) this.#startAbandonment();
  }

  #startAbandonment(): void {
    if (this.hasEnded) return;
    const { abandonedMs } = this.#limits;
    const message = `The run was cancelled: it had no reader for ${abandonedMs / 1000} s.`;
    this.#abandonment = setTimeout(() => this.cancel(new DomainError('CANCELLED', message)), abandonedMs).unref();
  }

  #endWith(end: End): void {
    if (this.hasEnded) return;
    clearTimeout(this.#abandonment);
    this.#end = end;
    this.#grow();
  }

  #grow(): void {
    this.#growth.resolve();
    this.#growth = withResolvers();
  }
}

const WIDE = /[^\0-\x7f]/;
const EACH_WIDE = new RegExp(WIDE, 'g');

/** JSON in which every character is one byte, also in memory. */
const asciiJson = (data: Readonly<Record<string, unknown>>) => withoutWide(JSON.stringify(data));

function withoutWide(json: string): string {
  if (!WIDE.test(json)) return json;
  return json.replaceAll(EACH_WIDE, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** In memory, where a text with one wide character has two bytes for each. */
const bytesOf = (text: string) => 2 * text.length;

function settled(growth: Promise<void>, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = withResolvers<void>();
  const settle = () => resolve();
  void growth.then(settle);
  signal.addEventListener('abort', settle, { once: true });
  if (signal.aborted) settle();
  return promise.finally(() => signal.removeEventListener('abort', settle));
}
