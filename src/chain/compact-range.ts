// A Merkle tree built leaf by leaf that stores only its right edge, so that memory stays logarithmic in the chain's
// length.

import { emptyRoot, type Hash, nodeHash } from './merkle.ts';

export class CompactRange {
  /** Roots of the complete subtrees, left to right, each with its level. */
  readonly #subtrees: { readonly level: number; readonly hash: Hash }[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** @param onComplete  called with each subtree that the leaf completes, from the leaf up */
  add(leaf: Hash, onComplete?: (level: number, hash: Hash) => void): void {
    this.#size++;
    let merged = { level: 0, hash: leaf };
    onComplete?.(0, leaf);
    for (let left = this.#subtrees.at(-1); left?.level === merged.level; left = this.#subtrees.at(-1)) {
      this.#subtrees.pop();
      merged = { level: merged.level + 1, hash: nodeHash(left.hash, merged.hash) };
      onComplete?.(merged.level, merged.hash);
    }
    this.#subtrees.push(merged);
  }

  root(): Hash {
    const hashes = this.#subtrees.map(({ hash }) => hash);
    const last = hashes.pop();
    return last === undefined ? emptyRoot() : hashes.reduceRight((right, left) => nodeHash(left, right), last);
  }
}
