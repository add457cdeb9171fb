// Hook that keeps a machine record up to date.
//
// Events of the explorer stream trigger a read. Without a stream, the machine is polled every tick, or less often if
// the rate limit is low or the page is hidden. Hidden pages close their stream: browsers allow six connections a host.

import { useEffect, useState } from 'preact/hooks';
import { eventData } from '../../client/event-stream.ts';
import { TICK_SECONDS } from '../../core/clock.ts';
import { DomainError } from '../../core/errors.ts';
import { withResolvers } from '../../core/with-resolvers.ts';
import { currentKey, openApi, rateLimit } from '../session.ts';
import { getMachine } from './machine-api.ts';
import type { MachineRecord } from './records.ts';

const TICK_MS = TICK_SECONDS * 1_000;
/** Polling interval of hidden pages, and while the rate limit is low. */
const SLOW_POLL_TICKS = 6;
/** Remaining share of the rate limit that counts as low. */
const LOW_RATE_LIMIT = 0.3;
/** Delay before reopening a failed stream. */
const STREAM_RETRY_MS = 60_000;

/** Source of updates; offline while the node does not respond. */
export type LiveSource = 'stream' | 'polling' | 'offline';

export interface LiveMachine {
  readonly machine: MachineRecord | undefined;
  readonly error: unknown;
  readonly source: LiveSource;
  readonly retry: () => void;
}

/** @param slug  starts over when it changes */
export function useLiveMachine(slug: string): LiveMachine {
  const [state, setState] = useState<Omit<LiveMachine, 'retry'>>({
    machine: undefined,
    error: undefined,
    source: 'polling',
  });
  const [attempt, setAttempt] = useState(0);
  const apiKey = currentKey.value?.key;
  useEffect(() => {
    const watcher = new MachineWatcher(slug, (next) => setState((before) => ({ ...before, ...next })));
    return () => watcher.stop();
  }, [slug, attempt, apiKey]);
  const retry = () => {
    setState((before) => ({ ...before, error: undefined }));
    setAttempt(attempt + 1);
  };
  return { ...state, retry };
}

type OnChange = (next: Partial<Omit<LiveMachine, 'retry'>>) => void;

class MachineWatcher {
  readonly #slug: string;
  readonly #onChange: OnChange;
  readonly #controller = new AbortController();
  /** Ends a pause. `#hasUpdate` remembers a notification that comes between two pauses. */
  #wake: () => void = () => {};
  #hasUpdate = false;
  #hasStream = false;

  constructor(slug: string, onChange: OnChange) {
    this.#slug = slug;
    this.#onChange = onChange;
    void this.#poll();
  }

  stop(): void {
    this.#controller.abort();
  }

  async #poll(): Promise<void> {
    const { signal } = this.#controller;
    let last = '';
    let isFirst = true;
    while (!signal.aborted) {
      this.#hasUpdate = false;
      try {
        const machine = await getMachine(this.#slug, signal);
        const text = JSON.stringify(machine);
        if (text !== last)
          this.#onChange({ machine, error: undefined, source: this.#hasStream ? 'stream' : 'polling' });
        last = text;
        if (isFirst) void this.#keepStreaming();
        isFirst = false;
      } catch (error) {
        if (signal.aborted) return;
        // A later error keeps the shown machine, unless the machine is no longer readable.
        if (isFirst || (error instanceof DomainError && error.code === 'NOT_FOUND')) {
          this.#onChange({ machine: undefined, error });
          return;
        }
        // Clearing `last` reports the next response even if it is unchanged.
        if (!(error instanceof DomainError)) this.#onChange({ source: 'offline' });
        last = '';
      }
      await this.#pause();
    }
  }

  #notify(): void {
    this.#hasUpdate = true;
    this.#wake();
  }

  /** Waits one polling interval; with a stream, then until the next event. */
  async #pause(): Promise<void> {
    const { signal } = this.#controller;
    const { promise, resolve } = withResolvers<void>();
    this.#wake = resolve;
    await sleep(isRateLimitLow() || document.hidden ? SLOW_POLL_TICKS * TICK_MS : TICK_MS, signal);
    if (this.#hasStream && !this.#hasUpdate) await Promise.race([promise, sleep(STREAM_RETRY_MS, signal)]);
  }

  async #keepStreaming(): Promise<void> {
    const { signal } = this.#controller;
    while (!signal.aborted) {
      if (!document.hidden) await this.#readStream().catch(() => {});
      this.#hasStream = false;
      if (signal.aborted) return;
      this.#onChange({ source: 'polling' });
      this.#notify();
      if (document.hidden) await waitForVisibility('visible', signal);
      else await sleep(STREAM_RETRY_MS, signal);
    }
  }

  /** Every event, of any content, triggers a read; the first one covers changes before the stream opened. */
  async #readStream(): Promise<void> {
    const { signal } = this.#controller;
    const hidden = new AbortController();
    void waitForVisibility('hidden', signal).then(() => hidden.abort());
    const options = { headers: { accept: 'text/event-stream' }, signal: hidden.signal };
    const response = await openApi('explorer.stream', { slug: this.#slug }, options);
    if (!response.body || !response.headers.get('content-type')?.startsWith('text/event-stream')) return;
    this.#hasStream = true;
    this.#onChange({ source: 'stream' });
    for await (const _ of eventData(response.body)) this.#notify();
  }
}

/** Resolves once the page has this visibility, or on abort. */
function waitForVisibility(state: DocumentVisibilityState, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = withResolvers<void>();
  const listeners = new AbortController();
  const check = () => {
    if (document.visibilityState !== state && !signal.aborted) return;
    listeners.abort();
    resolve();
  };
  document.addEventListener('visibilitychange', check, { signal: listeners.signal });
  signal.addEventListener('abort', check, { signal: listeners.signal });
  check();
  return promise;
}

function isRateLimitLow(): boolean {
  const current = rateLimit.value;
  return current !== undefined && current.resetsAtMs > Date.now() && current.remaining < current.limit * LOW_RATE_LIMIT;
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = withResolvers<void>();
  const end = () => {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
    resolve();
  };
  const timer = setTimeout(end, ms);
  signal.addEventListener('abort', end);
  return promise;
}
