// A machine as it is now: asked again whenever its chain may have grown.
//
// The stream of the explorer rings; without one the machine is asked each tick, and seldom while few requests are left or
// nobody looks. A page that is out of sight gives its stream back: a browser has six connections to a host, over all tabs.

import { useEffect, useState } from 'preact/hooks';
import { eventData } from '../../client/event-stream.ts';
import { TICK_SECONDS } from '../../core/clock.ts';
import { DomainError } from '../../core/errors.ts';
import { key, usage } from '../session.ts';
import { chainOf, readMachine } from './node.ts';
import type { MachineRecord } from './records.ts';

const TICK_MS = TICK_SECONDS * 1_000;
/** While few requests of the minute are left. */
const SPARING_TICKS = 6;
const FEW_LEFT = 0.3;
/** A stream that could not be had is asked for again. */
const RETRY_MS = 60_000;

/** How the page hears of what is new; nothing while the node does not answer. */
export type Hearing = 'stream' | 'asking' | 'nothing';

export interface Live {
  readonly machine: MachineRecord | undefined;
  readonly error: unknown;
  readonly by: Hearing;
  readonly again: () => void;
}

/** @param slug  another one begins anew */
export function useLiveMachine(slug: string): Live {
  const [state, setState] = useState<Omit<Live, 'again'>>({ machine: undefined, error: undefined, by: 'asking' });
  const [round, setRound] = useState(0);
  const mine = key.value?.key;
  useEffect(() => {
    const watch = new Watch(slug, (next) => setState((before) => ({ ...before, ...next })));
    return () => watch.stop();
  }, [slug, round, mine]);
  const again = () => {
    setState((before) => ({ ...before, error: undefined }));
    setRound(round + 1);
  };
  return { ...state, again };
}

type Tell = (next: Partial<Omit<Live, 'again'>>) => void;

class Watch {
  readonly #slug: string;
  readonly #tell: Tell;
  readonly #controller = new AbortController();
  /** Ends a pause; what rang while nobody paused is remembered. */
  #wake: () => void = () => {};
  #isRung = false;
  #hasStream = false;

  constructor(slug: string, tell: Tell) {
    this.#slug = slug;
    this.#tell = tell;
    void this.#follow();
  }

  stop(): void {
    this.#controller.abort();
  }

  async #follow(): Promise<void> {
    const { signal } = this.#controller;
    let last = '';
    let isFirst = true;
    while (!signal.aborted) {
      this.#isRung = false;
      try {
        const machine = await readMachine(this.#slug, signal);
        const text = JSON.stringify(machine);
        if (text !== last) this.#tell({ machine, error: undefined, by: this.#hasStream ? 'stream' : 'asking' });
        last = text;
        if (isFirst) void this.#listen();
        isFirst = false;
      } catch (error) {
        if (signal.aborted) return;
        // What is there stays in sight; only a machine that is not there, or not for this reader, ends it.
        if (isFirst || (error instanceof DomainError && error.code === 'NOT_FOUND')) {
          this.#tell({ machine: undefined, error });
          return;
        }
        // The next answer, whatever it says, is told again.
        if (!(error instanceof DomainError)) this.#tell({ by: 'nothing' });
        last = '';
      }
      await this.#pause();
    }
  }

  #ring(): void {
    this.#isRung = true;
    this.#wake();
  }

  /** A tick, or several to be sparing; with a stream, then until it rings. */
  async #pause(): Promise<void> {
    const { signal } = this.#controller;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    await wait(isShort() || document.hidden ? SPARING_TICKS * TICK_MS : TICK_MS, signal);
    if (this.#hasStream && !this.#isRung) await Promise.race([promise, wait(RETRY_MS, signal)]);
  }

  async #listen(): Promise<void> {
    const { signal } = this.#controller;
    while (!signal.aborted) {
      if (!document.hidden) await this.#stream().catch(() => {});
      this.#hasStream = false;
      if (signal.aborted) return;
      this.#tell({ by: 'asking' });
      this.#ring();
      if (document.hidden) await turnOf('visible', signal);
      else await wait(RETRY_MS, signal);
    }
  }

  /** Every message rings, whatever it says: what is shown is always read by its own route. The first rings for what came before. */
  async #stream(): Promise<void> {
    const { signal } = this.#controller;
    const mine = key.value;
    const hidden = new AbortController();
    void turnOf('hidden', signal).then(() => hidden.abort());
    const answer = await fetch(`${chainOf(this.#slug)}/explore/sse`, {
      headers: { accept: 'text/event-stream', ...(mine ? { authorization: `Bearer ${mine.key}` } : {}) },
      signal: hidden.signal,
    });
    if (!answer.ok || !answer.body || !answer.headers.get('content-type')?.startsWith('text/event-stream')) return;
    this.#hasStream = true;
    this.#tell({ by: 'stream' });
    for await (const _ of eventData(answer.body)) this.#ring();
  }
}

/** Once the page is so, or nobody waits for it any more. */
function turnOf(state: DocumentVisibilityState, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const over = new AbortController();
  const look = () => {
    if (document.visibilityState !== state && !signal.aborted) return;
    over.abort();
    resolve();
  };
  document.addEventListener('visibilitychange', look, { signal: over.signal });
  signal.addEventListener('abort', look, { signal: over.signal });
  look();
  return promise;
}

function isShort(): boolean {
  const left = usage.value;
  return left !== undefined && left.resetsAtMs > Date.now() && left.remaining < left.limit * FEW_LEFT;
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = () => {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
    resolve();
  };
  const timer = setTimeout(end, ms);
  signal.addEventListener('abort', end);
  return promise;
}
