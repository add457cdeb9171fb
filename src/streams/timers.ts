// Timers of streams: heartbeats, reauthorization and timeouts.

export interface Timers {
  /** @returns a function that cancels the timer */
  every(ms: number, callback: () => void): () => void;
  /** @returns a function that cancels the timer */
  after(ms: number, callback: () => void): () => void;
}

/** Timers that do not keep the process alive. */
export const systemTimers: Timers = {
  every(ms, callback) {
    const timer = setInterval(callback, ms).unref();
    return () => clearInterval(timer);
  },
  after(ms, callback) {
    const timer = setTimeout(callback, ms).unref();
    return () => clearTimeout(timer);
  },
};
