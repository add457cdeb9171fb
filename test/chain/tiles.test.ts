import { expect, test } from 'vitest';
import { leafHash, rangeHash, type Subtree } from '../../src/chain/merkle.ts';
import { foldTile, TILE_WIDTH, tileRangeOf, tileRoot } from '../../src/chain/tiles.ts';
import { concat, toHex } from '../../src/core/bits.ts';
import { rowHashes, treeHash } from './reference-tree.ts';

const ROWS = rowHashes(2 * TILE_WIDTH);
const tiles = [0, 1].map((i) => concat(...ROWS.slice(i * TILE_WIDTH, (i + 1) * TILE_WIDTH).map(leafHash)));

test('subtrees below the top of a tile are folded from the tile', () => {
  for (let level = 0; level < 8; level++) {
    for (let index = 0; index < ROWS.length / 2 ** level; index += 3) {
      const range = tileRangeOf({ level, index });
      const tile = tiles[range.index];
      if (tile === undefined) throw new Error('tile not found');
      const rows = ROWS.slice(index * 2 ** level, (index + 1) * 2 ** level);
      expect(toHex(foldTile(tile, range.first, range.count))).toBe(toHex(treeHash(rows)));
    }
  }
});

test('the root of a full tile is stored in the parent tile', () => {
  expect(tileRangeOf({ level: 8, index: 300 })).toEqual({ level: 1, index: 1, first: 44, count: 1 });
  expect(tileRangeOf({ level: 9, index: 3 })).toEqual({ level: 1, index: 0, first: 6, count: 2 });
  const parent = concat(...tiles.map(tileRoot));
  const read = ({ level, index }: Subtree) => {
    const { first, count } = tileRangeOf({ level, index });
    return foldTile(parent, first, count);
  };
  expect(toHex(rangeHash({ from: 0, to: 512 }, read))).toBe(toHex(treeHash(ROWS)));
});
