import { expect, test } from 'vitest';
import { leafHash, rangeHash, type Subtree } from '../../src/chain/merkle.ts';
import { foldTile, placeOf, TILE_WIDTH, tileRoot } from '../../src/chain/tiles.ts';
import { concat, toHex } from '../../src/core/bits.ts';
import { rowHashes, treeHash } from './trees.ts';

const ROWS = rowHashes(2 * TILE_WIDTH);
const tiles = [0, 1].map((i) => concat(...ROWS.slice(i * TILE_WIDTH, (i + 1) * TILE_WIDTH).map(leafHash)));

test('every subtree below a tile’s top is folded from the tile', () => {
  for (let level = 0; level < 8; level++) {
    for (let index = 0; index < ROWS.length / 2 ** level; index += 3) {
      const place = placeOf({ level, index });
      const tile = tiles[place.index];
      if (tile === undefined) throw new Error('no tile');
      const rows = ROWS.slice(index * 2 ** level, (index + 1) * 2 ** level);
      expect(toHex(foldTile(tile, place.first, place.count))).toBe(toHex(treeHash(rows)));
    }
  }
});

test('the root of a whole tile stands in the tile above', () => {
  expect(placeOf({ level: 8, index: 300 })).toEqual({ level: 1, index: 1, first: 44, count: 1 });
  expect(placeOf({ level: 9, index: 3 })).toEqual({ level: 1, index: 0, first: 6, count: 2 });
  const above = concat(...tiles.map(tileRoot));
  const read = ({ level, index }: Subtree) => {
    const { first, count } = placeOf({ level, index });
    return foldTile(above, first, count);
  };
  expect(toHex(rangeHash({ from: 0, to: 512 }, read))).toBe(toHex(treeHash(ROWS)));
});
