// Tiles: the stored hashes of a tree, 256 complete subtrees per tile, eight levels apart.
//
// Tile (level t, index i) holds the hashes of the subtrees of level 8t with the indexes 256i to 256i + 255. A tile is
// append-only: the last one of a level grows with each checkpoint, and stored hashes never change. Levels between those
// of tiles are computed on read.

import { type Hash, nodeHash, type Subtree, widthOf } from './merkle.ts';

export const TILE_HEIGHT = 8;
export const TILE_WIDTH = 256;
export const HASH_BYTES = 32;

export interface TileName {
  readonly level: number;
  readonly index: number;
}

/** The tile that stores a subtree, with its first hash in it and the number of hashes that fold to it. */
export function tileRangeOf({ level, index }: Subtree): TileName & { readonly first: number; readonly count: number } {
  const tileLevel = Math.floor(level / TILE_HEIGHT);
  const count = widthOf(level - tileLevel * TILE_HEIGHT);
  const start = index * count;
  return { level: tileLevel, index: Math.floor(start / TILE_WIDTH), first: start % TILE_WIDTH, count };
}

function hashInTile(tile: Uint8Array, index: number): Hash {
  return tile.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES);
}

/** The root of a full tile. */
export function tileRoot(tile: Uint8Array): Hash {
  return foldTile(tile, 0, TILE_WIDTH);
}

/** The root over `count` hashes from `first` on; `count` is a power of two. */
export function foldTile(tile: Uint8Array, first: number, count: number): Hash {
  if (count === 1) return hashInTile(tile, first);
  const half = count / 2;
  return nodeHash(foldTile(tile, first, half), foldTile(tile, first + half, half));
}
