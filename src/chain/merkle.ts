// The Merkle tree of RFC 6962 over the row hashes of a chain, and its proofs.
//
// A proof is a list of ranges of leaves; a range is a fold of complete subtrees, and a complete subtree is named by its
// level (2^level leaves) and its place among those of its level. So whoever keeps tiles reads only what a proof needs.
// Checking follows RFC 9162, sections 2.1.3.2 and 2.1.4.2.

import { concat } from '../core/bits.ts';
import { sha256 } from '../core/sha256.ts';

export type Hash = Uint8Array;

/** Leaves `from` up to, not including, `to`. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** The complete subtree over leaves index · 2^level up to (index + 1) · 2^level. */
export interface Subtree {
  readonly level: number;
  readonly index: number;
}

/** The hash of a complete subtree; a leaf (level 0) is the hash of its row hash. */
export type ReadSubtree = (subtree: Subtree) => Hash;

const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

/** 2^level, by doubling: the host's power function is not trusted with exactness. */
export function widthOf(level: number): number {
  let width = 1;
  for (let i = 0; i < level; i++) width *= 2;
  return width;
}

export function emptyRoot(): Hash {
  return sha256('');
}

/** @param rowHash  the 32 bytes of a row hash */
export function leafHash(rowHash: Uint8Array): Hash {
  return sha256(concat(LEAF, rowHash));
}

export function nodeHash(left: Hash, right: Hash): Hash {
  return sha256(concat(NODE, left, right));
}

/**
 * The complete subtrees that a range consists of, from left to right.
 *
 * The range must be one that the tree of some size splits off: its start a multiple of the largest power of two that
 * fits in it. Those of proofs are.
 */
function subtreesOf({ from, to }: Range): Subtree[] {
  const found: Subtree[] = [];
  for (let at = from; at < to; ) {
    let level = 0;
    let width = 1;
    while (at % (2 * width) === 0 && at + 2 * width <= to) {
      level++;
      width *= 2;
    }
    found.push({ level, index: at / width });
    at += width;
  }
  return found;
}

/** The root over a range, folded from its subtrees: the last two first, as RFC 6962 splits. */
export function rangeHash(range: Range, read: ReadSubtree): Hash {
  const hashes = subtreesOf(range).map(read);
  const last = hashes.pop();
  if (last === undefined) return emptyRoot();
  return hashes.reduceRight((right, left) => nodeHash(left, right), last);
}

/** The complete subtrees of a tree of `size` leaves that a stretch needs beside itself to lead to the root, from left to right. */
export function subtreesBeside(stretch: Range, size: number): Subtree[] {
  const found: Subtree[] = [];
  const look = (subtree: Subtree) => {
    const { from, to } = leavesUnder(subtree);
    if (to <= stretch.from || from >= stretch.to) found.push(subtree);
    else if (from < stretch.from || to > stretch.to) for (const half of halvesOf(subtree)) look(half);
  };
  for (const subtree of subtreesOf({ from: 0, to: size })) look(subtree);
  return found;
}

/** The root of a tree of `size` leaves: those from `from` on are at hand, and only what lies beside them is read. */
export function rootWith(leaves: readonly Hash[], from: number, size: number, read: ReadSubtree): Hash {
  const fold = (subtree: Subtree): Hash => {
    const under = leavesUnder(subtree);
    if (under.to <= from || under.from >= from + leaves.length) return read(subtree);
    const leaf = subtree.level === 0 ? leaves[under.from - from] : undefined;
    if (leaf !== undefined) return leaf;
    const [left, right] = halvesOf(subtree);
    return nodeHash(fold(left), fold(right));
  };
  return rangeHash({ from: 0, to: size }, fold);
}

function leavesUnder({ level, index }: Subtree): Range {
  const width = widthOf(level);
  return { from: index * width, to: (index + 1) * width };
}

function halvesOf({ level, index }: Subtree): [Subtree, Subtree] {
  return [
    { level: level - 1, index: 2 * index },
    { level: level - 1, index: 2 * index + 1 },
  ];
}

/** The root over entries that are all at hand. */
export function treeRoot(entries: readonly Uint8Array[]): Hash {
  const leaves = entries.map(leafHash);
  const read: ReadSubtree = ({ level, index }) =>
    level === 0
      ? (leaves[index] ?? emptyRoot())
      : nodeHash(read({ level: level - 1, index: 2 * index }), read({ level: level - 1, index: 2 * index + 1 }));
  return rangeHash({ from: 0, to: leaves.length }, read);
}

/** The largest power of two below n, for n > 1. */
function split(n: number): number {
  let k = 1;
  while (k * 2 < n) k *= 2;
  return k;
}

/** The ranges beside the way from leaf `index` to the root of a tree of `size` leaves, leaf first. */
export function inclusionRanges(index: number, size: number): Range[] {
  const ranges: Range[] = [];
  let from = 0;
  let to = size;
  while (to - from > 1) {
    const middle = from + split(to - from);
    if (index < middle) {
      ranges.push({ from: middle, to });
      to = middle;
    } else {
      ranges.push({ from, to: middle });
      from = middle;
    }
  }
  return ranges.reverse();
}

/** The ranges that show the tree of `first` leaves as the beginning of that of `second`; none if one of them is trivial. */
export function consistencyRanges(first: number, second: number): Range[] {
  if (first === 0 || first === second) return [];
  const ranges: Range[] = [];
  let from = 0;
  let to = second;
  let isWhole = true;
  while (first !== to) {
    const middle = from + split(to - from);
    if (first <= middle) {
      ranges.push({ from: middle, to });
      to = middle;
    } else {
      ranges.push({ from, to: middle });
      from = middle;
      isWhole = false;
    }
  }
  if (!isWhole) ranges.push({ from, to });
  return ranges.reverse();
}

/** Whether a row with this leaf hash stands at `index` in the tree of this root. */
export function isIncluded(leaf: Hash, index: number, size: number, proof: readonly Hash[], root: Hash): boolean {
  if (!isPlace(index) || !isPlace(size) || index >= size) return false;
  const isLeft = sidesOf(index, size - 1);
  if (isLeft.length !== proof.length) return false;
  const found = proof.reduce(
    (hash, sibling, i) => (isLeft[i] ? nodeHash(sibling, hash) : nodeHash(hash, sibling)),
    leaf,
  );
  return isSame(found, root);
}

/** Whether the tree of `second` leaves begins with that of `first`: nothing in between was rewritten. */
export function isConsistent(
  first: number,
  second: number,
  firstRoot: Hash,
  secondRoot: Hash,
  proof: readonly Hash[],
): boolean {
  if (!isPlace(first) || !isPlace(second) || first > second) return false;
  if (first === second) return proof.length === 0 && isSame(firstRoot, secondRoot);
  if (first === 0) return proof.length === 0;
  let place = first - 1;
  let last = second - 1;
  while (place % 2 === 1) {
    place = (place - 1) / 2;
    last = Math.floor(last / 2);
  }
  // A tree of a power of two is itself the first subtree, and its root need not be told.
  const [seed, ...siblings] = place === 0 ? [firstRoot, ...proof] : proof;
  const isLeft = sidesOf(place, last);
  if (seed === undefined || isLeft.length !== siblings.length) return false;
  let old = seed;
  let whole = seed;
  for (const [i, sibling] of siblings.entries()) {
    if (isLeft[i]) old = nodeHash(sibling, old);
    whole = isLeft[i] ? nodeHash(sibling, whole) : nodeHash(whole, sibling);
  }
  return isSame(old, firstRoot) && isSame(whole, secondRoot);
}

/** For each sibling on the way from `place` to the root of a tree whose last leaf is `last`: whether it stands left. */
function sidesOf(place: number, last: number): boolean[] {
  const sides: boolean[] = [];
  let at = place;
  let end = last;
  while (end > 0) {
    const isRightEdge = at === end;
    const isLeft = at % 2 === 1 || isRightEdge;
    // At the right edge there is no sibling where the count is odd: those levels are passed over.
    while (isLeft && at % 2 === 0 && at !== 0) {
      at /= 2;
      end = Math.floor(end / 2);
    }
    if (end === 0) break;
    sides.push(isLeft);
    at = Math.floor(at / 2);
    end = Math.floor(end / 2);
  }
  return sides;
}

const isPlace = (n: number) => Number.isSafeInteger(n) && n >= 0;

export function isSame(a: Hash, b: Hash): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}
