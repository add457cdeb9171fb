// Serializes tasks by key: tasks with equal keys run one after another, in the order of their calls.

export class KeyedMutex {
  readonly #last = new Map<string, Promise<unknown>>();

  /** A failed task does not block the next one. */
  runExclusive<T>(key: string, task: () => Promise<T>): Promise<T> {
    const previous = this.#last.get(key) ?? Promise.resolve();
    const current = previous.then(task, task);
    this.#last.set(key, current);
    const release = () => {
      if (this.#last.get(key) === current) this.#last.delete(key);
    };
    current.then(release, release);
    return current;
  }
}
