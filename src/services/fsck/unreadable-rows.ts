// Shared by the checks of access rights: pagination of tables, and chain rows that cannot be read.

import type { Row } from '../../chain/row.ts';

const PAGE_SIZE = 500;

/** Reads all records, a page at a time. @param keyOf  the cursor: the next page starts after this key */
export async function* paginate<Item>(
  read: (after: string | undefined, limit: number) => Promise<readonly Item[]>,
  keyOf: (item: Item) => string,
): AsyncGenerator<Item, void, void> {
  let page: readonly Item[];
  let after: string | undefined;
  do {
    page = await read(after, PAGE_SIZE);
    yield* page;
    const last = page.at(-1);
    after = last === undefined ? undefined : keyOf(last);
  } while (page.length === PAGE_SIZE);
}

/**
 * Rows of one type whose payload is erased or sealed. Each may explain one difference between the tables and the
 * readable rows, so such differences are held back until it is known that there are too many of them.
 */
export class UnreadableRows {
  readonly #deferred: (() => void)[] = [];
  #count = 0;
  #newestSeq = -1;

  get count(): number {
    return this.#count;
  }

  add({ seq }: Row): void {
    this.#count++;
    this.#newestSeq = seq;
  }

  /**
   * Reports a difference, or defers it if an unreadable row after `seq` may explain it.
   *
   * @param seq  number of the readable row that the table contradicts; -1 if there is none
   */
  reportUnlessExplained(seq: number, report: () => void): void {
    if (this.#newestSeq > seq) this.#deferred.push(report);
    else report();
  }

  /** Reports the deferred differences if there are more of them than rows. @returns the number deferred */
  flush(): number {
    if (this.#deferred.length > this.#count) for (const report of this.#deferred) report();
    return this.#deferred.length;
  }
}
