// Work under one name waits for the work before it under that name.

export class OneAtATime {
  readonly #last = new Map<string, Promise<unknown>>();

  /** What failed before does not keep back what comes after. */
  run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(name) ?? Promise.resolve();
    const mine = before.then(work, work);
    this.#last.set(name, mine);
    const leave = () => {
      if (this.#last.get(name) === mine) this.#last.delete(name);
    };
    mine.then(leave, leave);
    return mine;
  }
}
