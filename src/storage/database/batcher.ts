// Batcher: requests that arrive while a query is running are sent together in the next one. A single request is sent at
// once. Each is sent after it arrived, so its result was true at some moment since.

interface Pending<Request, Result> {
  readonly request: Request;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

const MAX_BATCH = 512;

export class Batcher<Request, Result> {
  readonly #loadAll: (requests: readonly Request[]) => Promise<readonly Result[]>;
  readonly #maxBatch: number;
  readonly #queue: Pending<Request, Result>[] = [];
  #isRunning = false;

  /** @param loadAll  returns the results in the order of the requests */
  constructor(loadAll: (requests: readonly Request[]) => Promise<readonly Result[]>, maxBatch = MAX_BATCH) {
    this.#loadAll = loadAll;
    this.#maxBatch = maxBatch;
  }

  /** @throws what `loadAll` throws, for every request of its batch */
  load(request: Request): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ request, resolve, reject });
      if (!this.#isRunning) void this.#drain();
    });
  }

  async #drain(): Promise<void> {
    this.#isRunning = true;
    while (this.#queue.length > 0) {
      const batch = this.#queue.splice(0, this.#maxBatch);
      try {
        const results = await this.#loadAll(batch.map(({ request }) => request));
        for (const [i, { resolve }] of batch.entries()) resolve(results[i] as Result);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#isRunning = false;
  }
}
