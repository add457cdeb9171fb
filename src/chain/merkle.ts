// The Merkle tree of RFC 6962 over the row hashes of a chain or the statements of a batch, and its proofs.
//
// A proof is a list of leaf ranges; a range folds complete subtrees. A complete subtree is identified by its level
// (2^level leaves) and its index within the level, so a proof is read from a few tiles.
// Verification follows RFC 9162, sections 2.1.3.2 and 2.1.4.2.

import { sha256 } from '../core/sha256.ts';

export type Hash = Uint8Array;

/** Leaves from `from` (inclusive) to `to` (exclusive). */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** The complete subtree over leaves index · 2^level to (index + 1) · 2^level, exclusive. */
export interface Subtree {
  readonly level: number;
  readonly index: number;
}

/** Returns the hash of a complete subtree; at level 0, the leaf hash of a row hash. */
export type ReadSubtree = (subtree: Subtree) => Hash;

const LEAF_PREFIX = 0;
const NODE_PREFIX = 1;

/** Where short entries and nodes are joined with their prefix; each call leaves nothing behind. */
const scratch = new Uint8Array(2_048);
const NOTHING = new Uint8Array();

/** 2^level by doubling, because `Math.pow` is not guaranteed to be exact. */
export function widthOf(level: number): number {
  let width = 1;
  for (let i = 0; i < level; i++) width *= 2;
  return width;
}

export function emptyRoot(): Hash {
  return sha256('');
}

/** @param entry  any bytes; in a chain, the 32 bytes of a row hash */
export function leafHash(entry: Uint8Array): Hash {
  return prefixedHash(LEAF_PREFIX, entry, NOTHING);
}

export function nodeHash(left: Hash, right: Hash): Hash {
  return prefixedHash(NODE_PREFIX, left, right);
}

function prefixedHash(prefix: number, first: Uint8Array, second: Uint8Array): Hash {
  const size = 1 + first.length + second.length;
  const bytes = size <= scratch.length ? scratch.subarray(0, size) : new Uint8Array(size);
  bytes[0] = prefix;
  bytes.set(first, 1);
  bytes.set(second, 1 + first.length);
  return sha256(bytes);
}

/**
 * The complete subtrees of a range, left to right.
 *
 * The start of the range must be a multiple of the largest power of two that fits in it. Ranges of proofs meet this.
 */
function subtreesOf({ from, to }: Range): Subtree[] {
  const subtrees: Subtree[] = [];
  for (let start = from; start < to; ) {
    let level = 0;
    let width = 1;
    while (start % (2 * width) === 0 && start + 2 * width <= to) {
      level++;
      width *= 2;
    }
    subtrees.push({ level, index: start / width });
    start += width;
  }
  return subtrees;
}

/** The root over a range, folded from its subtrees right to left, as RFC 6962 splits. */
export function rangeHash(range: Range, read: ReadSubtree): Hash {
  const hashes = subtreesOf(range).map(read);
  const last = hashes.pop();
  if (last === undefined) return emptyRoot();
  return hashes.reduceRight((right, left) => nodeHash(left, right), last);
}

/** The complete subtrees of a tree of `size` leaves that, with the leaves of a range, give the root; left to right. */
export function siblingSubtrees(range: Range, size: number): Subtree[] {
  const siblings: Subtree[] = [];
  const visit = (subtree: Subtree) => {
    const { from, to } = leafRange(subtree);
    if (to <= range.from || from >= range.to) siblings.push(subtree);
    else if (from < range.from || to > range.to) for (const child of childrenOf(subtree)) visit(child);
  };
  for (const subtree of subtreesOf({ from: 0, to: size })) visit(subtree);
  return siblings;
}

/**
 * The root of a tree of `size` leaves, from the leaves that start at `from` and the sibling subtrees, which are read.
 */
export function rootFromLeaves(leaves: readonly Hash[], from: number, size: number, read: ReadSubtree): Hash {
  const fold = (subtree: Subtree): Hash => {
    const under = leafRange(subtree);
    if (under.to <= from || under.from >= from + leaves.length) return read(subtree);
    const leaf = subtree.level === 0 ? leaves[under.from - from] : undefined;
    if (leaf !== undefined) return leaf;
    const [left, right] = childrenOf(subtree);
    return nodeHash(fold(left), fold(right));
  };
  return rangeHash({ from: 0, to: size }, fold);
}

function leafRange({ level, index }: Subtree): Range {
  const width = widthOf(level);
  return { from: index * width, to: (index + 1) * width };
}

function childrenOf({ level, index }: Subtree): [Subtree, Subtree] {
  return [
    { level: level - 1, index: 2 * index },
    { level: level - 1, index: 2 * index + 1 },
  ];
}

/** The root over a complete list of entries. */
export function treeRoot(entries: readonly Uint8Array[]): Hash {
  return rangeHash({ from: 0, to: entries.length }, subtreeReader(entries.map(leafHash)));
}

/** Reads complete subtrees of a list of leaf hashes; hashes each subtree once. */
export function subtreeReader(leaves: readonly Hash[]): ReadSubtree {
  const levels = [leaves];
  for (let below = leaves; below.length > 1; ) {
    const pairs = Array.from({ length: Math.floor(below.length / 2) }, (_, i) =>
      nodeHash(below[2 * i] ?? emptyRoot(), below[2 * i + 1] ?? emptyRoot()),
    );
    levels.push(pairs);
    below = pairs;
  }
  return ({ level, index }) => levels[level]?.[index] ?? emptyRoot();
}

/** The largest power of two below n, for n > 1. */
function split(n: number): number {
  let k = 1;
  while (k * 2 < n) k *= 2;
  return k;
}

/** The sibling ranges on the path from leaf `index` to the root of a tree of `size` leaves, leaf first. */
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

/** The ranges that prove the tree of `first` leaves a prefix of that of `second`; none if the proof is trivial. */
export function consistencyRanges(first: number, second: number): Range[] {
  if (first === 0 || first === second) return [];
  const ranges: Range[] = [];
  let from = 0;
  let to = second;
  let isWholeFirstTree = true;
  while (first !== to) {
    const middle = from + split(to - from);
    if (first <= middle) {
      ranges.push({ from: middle, to });
      to = middle;
    } else {
      ranges.push({ from, to: middle });
      from = middle;
      isWholeFirstTree = false;
    }
  }
  if (!isWholeFirstTree) ranges.push({ from, to });
  return ranges.reverse();
}

/** Whether the tree with this root has this leaf hash at `index`. */
export function isIncluded(leaf: Hash, index: number, size: number, proof: readonly Hash[], root: Hash): boolean {
  if (!isIndex(index) || !isIndex(size) || index >= size) return false;
  const isLeft = siblingSides(index, size - 1);
  if (isLeft.length !== proof.length) return false;
  const computed = proof.reduce(
    (hash, sibling, i) => (isLeft[i] ? nodeHash(sibling, hash) : nodeHash(hash, sibling)),
    leaf,
  );
  return isSameBytes(computed, root);
}

/** Whether the tree of `second` leaves starts with that of `first`, so that no earlier leaf was rewritten. */
export function isConsistent(
  first: number,
  second: number,
  firstRoot: Hash,
  secondRoot: Hash,
  proof: readonly Hash[],
): boolean {
  if (!isIndex(first) || !isIndex(second) || first > second) return false;
  if (first === second) return proof.length === 0 && isSameBytes(firstRoot, secondRoot);
  if (first === 0) return proof.length === 0;
  let index = first - 1;
  let last = second - 1;
  while (index % 2 === 1) {
    index = (index - 1) / 2;
    last = Math.floor(last / 2);
  }
  // If `first` is a power of two, its tree is the first subtree, and the proof omits its root.
  const [seed, ...siblings] = index === 0 ? [firstRoot, ...proof] : proof;
  const isLeft = siblingSides(index, last);
  if (seed === undefined || isLeft.length !== siblings.length) return false;
  let oldRoot = seed;
  let newRoot = seed;
  for (const [i, sibling] of siblings.entries()) {
    if (isLeft[i]) oldRoot = nodeHash(sibling, oldRoot);
    newRoot = isLeft[i] ? nodeHash(sibling, newRoot) : nodeHash(newRoot, sibling);
  }
  return isSameBytes(oldRoot, firstRoot) && isSameBytes(newRoot, secondRoot);
}

/** For each sibling on the path from `leaf` to the root of a tree with last leaf `last`: whether it is on the left. */
function siblingSides(leaf: number, last: number): boolean[] {
  const sides: boolean[] = [];
  let index = leaf;
  let end = last;
  while (end > 0) {
    const isRightEdge = index === end;
    const isLeft = index % 2 === 1 || isRightEdge;
    // On the right edge, levels with an odd count have no sibling and are skipped.
    while (isLeft && index % 2 === 0 && index !== 0) {
      index /= 2;
      end = Math.floor(end / 2);
    }
    if (end === 0) break;
    sides.push(isLeft);
    index = Math.floor(index / 2);
    end = Math.floor(end / 2);
  }
  return sides;
}

const isIndex = (n: number) => Number.isSafeInteger(n) && n >= 0;

export function isSameBytes(a: Hash, b: Hash): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}
