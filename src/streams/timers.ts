// Time passing, as streams need it: heartbeats, questions that are asked again, and patience that ends.

export interface Timers {
  /** @returns call it to stop */
  every(ms: number, call: () => void): () => void;
  /** @returns call it to stop */
  after(ms: number, call: () => void): () => void;
}

/** These keep no process alive. */
export const systemTimers: Timers = {
  every(ms, call) {
    const timer = setInterval(call, ms).unref();
    return () => clearInterval(timer);
  },
  after(ms, call) {
    const timer = setTimeout(call, ms).unref();
    return () => clearTimeout(timer);
  },
};
