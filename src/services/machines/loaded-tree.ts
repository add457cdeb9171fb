// Tiles of one tree in memory, and the subtrees that a computation reads from them.

import type { Hash, ReadSubtree, Subtree } from '../../chain/merkle.ts';
import { foldTile, HASH_BYTES, tileRangeOf } from '../../chain/tiles.ts';
import type { Tile } from '../../storage/machines/trees.ts';

/** A computation needs a subtree that is not loaded. */
export class MissingSubtreeError extends Error {
  readonly subtree: Subtree;
  constructor(subtree: Subtree) {
    super('Subtree not loaded.');
    this.subtree = subtree;
  }
}

const PLACEHOLDER: Hash = new Uint8Array(HASH_BYTES);

/** The subtrees that a computation reads. */
export function subtreesOf(compute: (read: ReadSubtree) => unknown): Subtree[] {
  const read: Subtree[] = [];
  compute((subtree) => {
    read.push(subtree);
    return PLACEHOLDER;
  });
  return read;
}

/** Tiles loaded so far. */
export class LoadedTree {
  readonly #tiles = new Map<string, Uint8Array>();

  /** Replaces a tile of the same place. */
  add({ level, index, hashes }: Tile): void {
    this.#tiles.set(`${level} ${index}`, hashes);
  }

  readonly read: ReadSubtree = (subtree) => {
    const { level, index, first, count } = tileRangeOf(subtree);
    const tile = this.#tiles.get(`${level} ${index}`);
    if (tile && tile.length >= HASH_BYTES * (first + count)) return foldTile(tile, first, count);
    throw new MissingSubtreeError(subtree);
  };
}
