import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  consistencyRanges,
  inclusionRanges,
  isConsistent,
  isIncluded,
  isSame,
  leafHash,
  rangeHash,
} from '../../src/chain/merkle.ts';
import { toHex } from '../../src/core/bits.ts';
import { path, proof, readerOf, rowHashes, treeHash } from './trees.ts';

const MOST = 70;
const ROWS = rowHashes(MOST);
const ROOTS = Array.from({ length: MOST + 1 }, (_, n) => treeHash(ROWS.slice(0, n)));
const root = (n: number) => ROOTS[n] ?? new Uint8Array();
const read = readerOf(ROWS);
const hex = (hashes: readonly Uint8Array[]) => hashes.map(toHex);

test('the root of every size is that of the definition', () => {
  for (let n = 0; n <= MOST; n++) expect(isSame(rangeHash({ from: 0, to: n }, read), root(n))).toBe(true);
});

test('every inclusion proof is that of the definition, and holds for its row alone', () => {
  for (let n = 1; n <= MOST; n++) {
    for (let i = 0; i < n; i++) {
      const found = inclusionRanges(i, n).map((range) => rangeHash(range, read));
      expect(hex(found)).toEqual(hex(path(i, ROWS.slice(0, n))));
      expect(isIncluded(leafHash(ROWS[i] ?? new Uint8Array()), i, n, found, root(n))).toBe(true);
      expect(isIncluded(leafHash(ROWS[(i + 1) % MOST] ?? new Uint8Array()), i, n, found, root(n))).toBe(false);
    }
  }
});

test('every consistency proof is that of the definition, and holds', () => {
  for (let n = 1; n <= MOST; n++) {
    for (let m = 1; m <= n; m++) {
      const found = consistencyRanges(m, n).map((range) => rangeHash(range, read));
      expect(hex(found)).toEqual(hex(proof(m, ROWS.slice(0, n))));
      expect(isConsistent(m, n, root(m), root(n), found)).toBe(true);
    }
  }
});

describe('a proof that was tampered with does not hold', () => {
  const hashes = fc.uint8Array({ minLength: 32, maxLength: 32 });
  const change = (found: readonly Uint8Array[], at: number, bit: number) =>
    found.map((hash, i) =>
      i === at % found.length ? hash.map((byte, k) => (k === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte)) : hash,
    );

  test('one bit of an inclusion proof', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: MOST }), fc.nat(), fc.nat(), fc.nat(255), (n, i, at, bit) => {
        const index = i % n;
        const found = inclusionRanges(index, n).map((range) => rangeHash(range, read));
        const leaf = leafHash(ROWS[index] ?? new Uint8Array());
        expect(isIncluded(leaf, index, n, change(found, at, bit), root(n))).toBe(false);
        expect(isIncluded(leaf, index, n, found.slice(1), root(n))).toBe(false);
        expect(isIncluded(leaf, index, n, [...found, found[0] ?? leaf], root(n))).toBe(false);
        expect(isIncluded(leaf, n, n, found, root(n))).toBe(false);
      }),
    );
  });

  test('one bit of a consistency proof, or a rewritten beginning', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: MOST }),
        fc.nat(),
        fc.nat(),
        fc.nat(255),
        hashes,
        (n, m, at, bit, other) => {
          const first = 1 + (m % (n - 1));
          const found = consistencyRanges(first, n).map((range) => rangeHash(range, read));
          expect(isConsistent(first, n, root(first), root(n), change(found, at, bit))).toBe(false);
          expect(isConsistent(first, n, other, root(n), found)).toBe(false);
          expect(isConsistent(first, n, root(first), other, found)).toBe(false);
          expect(isConsistent(first, n, root(first), root(n), found.slice(0, -1))).toBe(false);
        },
      ),
    );
  });

  test('numbers that are no places', () => {
    const leaf = leafHash(ROWS[0] ?? new Uint8Array());
    for (const bad of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(isIncluded(leaf, bad, 1, [], root(1))).toBe(false);
      expect(isIncluded(leaf, 0, bad, [], root(1))).toBe(false);
      expect(isConsistent(bad, 1, root(1), root(1), [])).toBe(false);
    }
  });
});
