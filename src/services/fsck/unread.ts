// What the checks of rights have in common: tables that are read page by page, and rows of the chain that cannot be read.

import type { Row } from '../../chain/row.ts';

const AT_ONCE = 500;

/** All that `read` gives, a page at a time. @param keyOf  what the next page comes after */
export async function* inPages<One>(
  read: (after: string | undefined, limit: number) => Promise<readonly One[]>,
  keyOf: (one: One) => string,
): AsyncGenerator<One, void, void> {
  let page: readonly One[];
  let after: string | undefined;
  do {
    page = await read(after, AT_ONCE);
    yield* page;
    const last = page.at(-1);
    after = last === undefined ? undefined : keyOf(last);
  } while (page.length === AT_ONCE);
}

/** Rows of one type whose payload is gone or sealed: each of them may explain one difference from what the others say. */
export class UnreadRows {
  readonly #explained: (() => void)[] = [];
  #count = 0;
  #newest = -1;

  get count(): number {
    return this.#count;
  }

  see({ seq }: Row): void {
    this.#count++;
    this.#newest = seq;
  }

  /** Told at once unless one of these rows came after row `seq`, which says otherwise, or -1 where none says anything. */
  difference(seq: number, tell: () => void): void {
    if (this.#newest > seq) this.#explained.push(tell);
    else tell();
  }

  /** Tells of all differences that were left open if there are more of them than rows. @returns how many there are */
  settle(): number {
    if (this.#explained.length > this.#count) for (const tell of this.#explained) tell();
    return this.#explained.length;
  }
}
