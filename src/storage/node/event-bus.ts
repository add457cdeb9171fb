// Event bus: notices that rows were committed, so that followers of a chain need not poll, and that keys were revoked.
//
// A notice only wakes a follower, which then reads the committed rows from the database by their numbers. A lost notice
// costs time, never a row.

/** Rows `first` to `last` of a machine are committed. */
export interface CommitNotice {
  readonly machineId: string;
  readonly first: number;
  readonly last: number;
}

/** `all` in place of notices: some may have been lost, so check every followed machine. A listener never throws. */
export type Listener = (notices: readonly CommitNotice[] | 'all') => void;

export interface EventBus {
  /** Call it after the commit. It neither waits nor throws. */
  publish(notice: CommitNotice): void;
  /** @returns a function that ends the subscription */
  subscribe(listener: Listener): () => void;
  /** Tells the other nodes that keys have changed. Call it after the commit. */
  publishKeyChange(): void;
  /** The listener is called after each key change of another node, and when notices of them may have been lost. */
  onKeyChange(listener: () => void): void;
  close(): Promise<void>;
}

/** Delivers within one process. Notices of one turn of the event loop are delivered together, after that turn. */
export class LocalBus implements EventBus {
  readonly #listeners = new Set<Listener>();
  readonly #keyListeners = new Set<() => void>();
  #pending = new Map<string, CommitNotice>();

  publish(notice: CommitNotice): void {
    if (this.#pending.size === 0) queueMicrotask(() => this.#flush());
    mergeNotice(this.#pending, notice);
  }

  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** One process has no other nodes. */
  publishKeyChange(): void {}

  onKeyChange(listener: () => void): void {
    this.#keyListeners.add(listener);
  }

  notifyKeyChange(): void {
    for (const listener of this.#keyListeners) listener();
  }

  /** @param except  the listener that the notices came from */
  notify(notices: readonly CommitNotice[] | 'all', except?: Listener): void {
    for (const listener of this.#listeners) if (listener !== except) listener(notices);
  }

  async close(): Promise<void> {
    this.#listeners.clear();
    this.#keyListeners.clear();
  }

  #flush(): void {
    const notices = [...this.#pending.values()];
    this.#pending = new Map();
    this.notify(notices);
  }
}

/** Keeps one notice for each machine. Row numbers have no gaps, so the merged range holds no other rows. */
export function mergeNotice(pending: Map<string, CommitNotice>, { machineId, first, last }: CommitNotice): void {
  const before = pending.get(machineId);
  pending.set(machineId, {
    machineId,
    first: before ? Math.min(before.first, first) : first,
    last: before ? Math.max(before.last, last) : last,
  });
}
