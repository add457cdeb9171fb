// Where the hashes of a tree are kept: tiles of 256 complete subtrees, eight levels apart.
//
// Tile (level t, index i) holds the hashes of the subtrees of level 8t with the places 256i up to 256i + 255. The last
// tile of a level grows at its end with each checkpoint, and nothing in a tile ever changes. What lies between the levels
// of tiles is folded when it is read.

import { type Hash, nodeHash, type Subtree, widthOf } from './merkle.ts';

const TILE_HEIGHT = 8;
export const TILE_WIDTH = 256;
export const HASH_BYTES = 32;

export interface TileName {
  readonly level: number;
  readonly index: number;
}

/** The tile that a subtree is read from, and its first hash and how many fold to it. */
export function placeOf({ level, index }: Subtree): TileName & { readonly first: number; readonly count: number } {
  const tileLevel = Math.floor(level / TILE_HEIGHT);
  const count = widthOf(level - tileLevel * TILE_HEIGHT);
  const place = index * count;
  return { level: tileLevel, index: Math.floor(place / TILE_WIDTH), first: place % TILE_WIDTH, count };
}

function hashInTile(tile: Uint8Array, place: number): Hash {
  return tile.subarray(place * HASH_BYTES, (place + 1) * HASH_BYTES);
}

/** The root of a full tile. */
export function tileRoot(tile: Uint8Array): Hash {
  return foldTile(tile, 0, TILE_WIDTH);
}

/** The root over `count` hashes, a power of two, from `first` on. */
export function foldTile(tile: Uint8Array, first: number, count: number): Hash {
  if (count === 1) return hashInTile(tile, first);
  const half = count / 2;
  return nodeHash(foldTile(tile, first, half), foldTile(tile, first + half, half));
}
