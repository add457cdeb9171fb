// Background tasks of a node: start, stop, and periodic repetition.

export interface Lifecycle {
  start(): void;
  /** Waits for the running task. */
  stop(): Promise<void>;
}

/** Runs a task at an interval, without overlap, from start to stop. A run that is due during another one is skipped. */
export function repeat(intervalMs: number, task: () => Promise<unknown>, onError: (error: unknown) => void): Lifecycle {
  let running = Promise.resolve<unknown>(undefined);
  let isIdle = true;
  let timer: NodeJS.Timeout | undefined;
  const run = () => {
    if (!isIdle) return;
    isIdle = false;
    running = task()
      .catch(onError)
      .finally(() => {
        isIdle = true;
      });
  };
  return {
    start: () => {
      timer = setInterval(run, intervalMs).unref();
    },
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}
