import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  consistencyRanges,
  inclusionRanges,
  isConsistent,
  isIncluded,
  isSameBytes,
  leafHash,
  nodeHash,
  rangeHash,
} from '../../src/chain/merkle.ts';
import { toHex } from '../../src/core/bits.ts';
import { consistencyProof, inclusionPath, readerOf, rowHashes, treeHash } from './reference-tree.ts';

const MAX_SIZE = 70;
const ROWS = rowHashes(MAX_SIZE);
const ROOTS = Array.from({ length: MAX_SIZE + 1 }, (_, n) => treeHash(ROWS.slice(0, n)));
const root = (n: number) => ROOTS[n] ?? new Uint8Array();
const read = readerOf(ROWS);
const hex = (hashes: readonly Uint8Array[]) => hashes.map(toHex);

test('roots match the reference for every size', () => {
  for (let n = 0; n <= MAX_SIZE; n++) expect(isSameBytes(rangeHash({ from: 0, to: n }, read), root(n))).toBe(true);
});

test('leaf and node hashes are SHA-256 of prefix and bytes, for bytes of any length', () => {
  for (const length of [0, 1, 32, 2046, 2047, 2048, 5000, 7]) {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 31) % 256);
    const hashOf = (prefix: number, ...parts: Uint8Array[]) =>
      createHash('sha256')
        .update(Buffer.concat([Uint8Array.of(prefix), ...parts]))
        .digest('hex');
    expect(toHex(leafHash(bytes))).toBe(hashOf(0, bytes));
    expect(toHex(nodeHash(bytes, ROOTS[1] ?? bytes))).toBe(hashOf(1, bytes, ROOTS[1] ?? bytes));
  }
});

test('inclusion proofs match the reference and verify only for their row', () => {
  for (let n = 1; n <= MAX_SIZE; n++) {
    for (let i = 0; i < n; i++) {
      const proof = inclusionRanges(i, n).map((range) => rangeHash(range, read));
      expect(hex(proof)).toEqual(hex(inclusionPath(i, ROWS.slice(0, n))));
      expect(isIncluded(leafHash(ROWS[i] ?? new Uint8Array()), i, n, proof, root(n))).toBe(true);
      expect(isIncluded(leafHash(ROWS[(i + 1) % MAX_SIZE] ?? new Uint8Array()), i, n, proof, root(n))).toBe(false);
    }
  }
});

test('consistency proofs match the reference and verify', () => {
  for (let n = 1; n <= MAX_SIZE; n++) {
    for (let m = 1; m <= n; m++) {
      const proof = consistencyRanges(m, n).map((range) => rangeHash(range, read));
      expect(hex(proof)).toEqual(hex(consistencyProof(m, ROWS.slice(0, n))));
      expect(isConsistent(m, n, root(m), root(n), proof)).toBe(true);
    }
  }
});

describe('a tampered proof does not verify', () => {
  const hashArbitrary = fc.uint8Array({ minLength: 32, maxLength: 32 });
  const flipBit = (hashes: readonly Uint8Array[], at: number, bit: number) =>
    hashes.map((hash, i) =>
      i === at % hashes.length ? hash.map((byte, k) => (k === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte)) : hash,
    );

  test('with one changed bit in an inclusion proof', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: MAX_SIZE }), fc.nat(), fc.nat(), fc.nat(255), (n, i, at, bit) => {
        const index = i % n;
        const proof = inclusionRanges(index, n).map((range) => rangeHash(range, read));
        const leaf = leafHash(ROWS[index] ?? new Uint8Array());
        expect(isIncluded(leaf, index, n, flipBit(proof, at, bit), root(n))).toBe(false);
        expect(isIncluded(leaf, index, n, proof.slice(1), root(n))).toBe(false);
        expect(isIncluded(leaf, index, n, [...proof, proof[0] ?? leaf], root(n))).toBe(false);
        expect(isIncluded(leaf, n, n, proof, root(n))).toBe(false);
      }),
    );
  });

  test('with one changed bit in a consistency proof, or a changed root', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: MAX_SIZE }),
        fc.nat(),
        fc.nat(),
        fc.nat(255),
        hashArbitrary,
        (n, m, at, bit, other) => {
          const first = 1 + (m % (n - 1));
          const proof = consistencyRanges(first, n).map((range) => rangeHash(range, read));
          expect(isConsistent(first, n, root(first), root(n), flipBit(proof, at, bit))).toBe(false);
          expect(isConsistent(first, n, other, root(n), proof)).toBe(false);
          expect(isConsistent(first, n, root(first), other, proof)).toBe(false);
          expect(isConsistent(first, n, root(first), root(n), proof.slice(0, -1))).toBe(false);
        },
      ),
    );
  });

  test('with an invalid index or size', () => {
    const leaf = leafHash(ROWS[0] ?? new Uint8Array());
    for (const bad of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(isIncluded(leaf, bad, 1, [], root(1))).toBe(false);
      expect(isIncluded(leaf, 0, bad, [], root(1))).toBe(false);
      expect(isConsistent(bad, 1, root(1), root(1), [])).toBe(false);
    }
  });
});
