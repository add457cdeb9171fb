// A poll that runs at an interval, and at once when something is known to be due.

export interface WakingPollOptions {
  readonly intervalMs: number;
  /** Does what is due. @returns whether there is more to do at once */
  readonly work: () => Promise<boolean>;
  readonly onError: (error: unknown) => void;
}

export class WakingPoll {
  readonly #options: WakingPollOptions;
  #timer: NodeJS.Timeout | undefined;
  #polling: Promise<void> | undefined;
  #isRequested = false;
  #isStopped = false;

  constructor(options: WakingPollOptions) {
    this.#options = options;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  start(): void {
    this.#timer = setInterval(() => this.wake(), this.#options.intervalMs).unref();
  }

  /** Polls soon, since something may be due. */
  wake(): void {
    void this.poll();
  }

  /** Does what is due; a poll in progress goes on until this is done too. Never rejects. */
  poll(): Promise<void> {
    this.#isRequested = true;
    this.#polling ??= this.#pollWhileRequested();
    return this.#polling;
  }

  /** Ends after the work in progress. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await this.#polling;
  }

  async #pollWhileRequested(): Promise<void> {
    const { work, onError } = this.#options;
    try {
      while (this.#isRequested && !this.#isStopped) {
        this.#isRequested = false;
        while ((await work()) && !this.#isStopped);
      }
    } catch (error) {
      onError(error);
    } finally {
      // In the turn of the last look at the request, so that none is missed between them.
      this.#polling = undefined;
    }
  }
}
