// Who is told that rows were committed, so that nobody has to ask.
//
// News only wakes: the committed rows are the truth, and whoever follows a chain reads them from the database by their
// numbers. News that is lost costs time, never a row.

/** Rows `first` to `last` of a machine are committed. */
export interface News {
  readonly machineId: string;
  readonly first: number;
  readonly last: number;
}

/** `all` instead of news: some may have been missed, so look at what you follow. A listener does not throw. */
export type Listener = (news: readonly News[] | 'all') => void;

export interface EventBus {
  /** After the commit. It neither waits nor throws. */
  publish(news: News): void;
  /** @returns call it to hear no more */
  subscribe(listener: Listener): () => void;
  close(): Promise<void>;
}

/** Within one process. What is published in one turn is heard together, once that turn is over. */
export class LocalBus implements EventBus {
  readonly #listeners = new Set<Listener>();
  #waiting = new Map<string, News>();

  publish(news: News): void {
    if (this.#waiting.size === 0) queueMicrotask(() => this.#flush());
    addNews(this.#waiting, news);
  }

  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** @param except  is not told what it says itself */
  tell(news: readonly News[] | 'all', except?: Listener): void {
    for (const listener of this.#listeners) if (listener !== except) listener(news);
  }

  async close(): Promise<void> {
    this.#listeners.clear();
  }

  #flush(): void {
    const news = [...this.#waiting.values()];
    this.#waiting = new Map();
    this.tell(news);
  }
}

/** Of one machine one piece of news is kept: rows have no gaps, so from the first to the last all are there. */
export function addNews(kept: Map<string, News>, { machineId, first, last }: News): void {
  const before = kept.get(machineId);
  kept.set(machineId, {
    machineId,
    first: before ? Math.min(before.first, first) : first,
    last: before ? Math.max(before.last, last) : last,
  });
}
