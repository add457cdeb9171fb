// Reference implementation of Merkle trees, directly from the definition in RFC 6962, section 2.1.

import { emptyRoot, type Hash, leafHash, nodeHash, type ReadSubtree } from '../../src/chain/merkle.ts';
import { sha256 } from '../../src/core/sha256.ts';

export const rowHashes = (count: number, salt = '') =>
  Array.from({ length: count }, (_, i) => sha256(`${salt}row ${i}`));

function split(n: number): number {
  let k = 1;
  while (k * 2 < n) k *= 2;
  return k;
}

export function treeHash(rows: readonly Uint8Array[]): Hash {
  const [first] = rows;
  if (first === undefined) return emptyRoot();
  if (rows.length === 1) return leafHash(first);
  const k = split(rows.length);
  return nodeHash(treeHash(rows.slice(0, k)), treeHash(rows.slice(k)));
}

export function inclusionPath(index: number, rows: readonly Uint8Array[]): Hash[] {
  if (rows.length <= 1) return [];
  const k = split(rows.length);
  return index < k
    ? [...inclusionPath(index, rows.slice(0, k)), treeHash(rows.slice(k))]
    : [...inclusionPath(index - k, rows.slice(k)), treeHash(rows.slice(0, k))];
}

export function consistencyProof(first: number, rows: readonly Uint8Array[], isWhole = true): Hash[] {
  if (first === rows.length) return isWhole ? [] : [treeHash(rows)];
  const k = split(rows.length);
  return first <= k
    ? [...consistencyProof(first, rows.slice(0, k), isWhole), treeHash(rows.slice(k))]
    : [...consistencyProof(first - k, rows.slice(k), false), treeHash(rows.slice(0, k))];
}

export function readerOf(rows: readonly Uint8Array[]): ReadSubtree {
  return ({ level, index }) => treeHash(rows.slice(index * 2 ** level, (index + 1) * 2 ** level));
}
