// A tree that takes in leaves one by one and keeps only its right edge, so that a chain of any length can be walked.

import { emptyRoot, type Hash, nodeHash } from './merkle.ts';

export class GrowingTree {
  /** Roots of the complete subtrees from left to right, each with its level. */
  readonly #edge: { readonly level: number; readonly hash: Hash }[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(leaf: Hash): void {
    let grown = { level: 0, hash: leaf };
    for (let left = this.#edge.at(-1); left?.level === grown.level; left = this.#edge.at(-1)) {
      this.#edge.pop();
      grown = { level: grown.level + 1, hash: nodeHash(left.hash, grown.hash) };
    }
    this.#edge.push(grown);
    this.#size++;
  }

  root(): Hash {
    const hashes = this.#edge.map(({ hash }) => hash);
    const last = hashes.pop();
    return last === undefined ? emptyRoot() : hashes.reduceRight((right, left) => nodeHash(left, right), last);
  }
}
