// A stretch of a chain checked from outside: hashes, links, ticks, payloads, and its place in the tree of a checkpoint.
//
// A chain that agrees with itself proves little: whoever can rewrite one row can rewrite all that follow. Rows are
// therefore compared with the tree of a signed checkpoint as well; an unchecked tree beside a checked chain is how
// CVE-2022-36111 came about.

import { fromHex } from '../core/bits.ts';
import { type Hash, isSame, leafHash, type ReadSubtree, rootWith } from './merkle.ts';
import { isCommittedPayload, NO_HASH, type Row, rowHashOf } from './row.ts';

export type Fault = 'HASH' | 'LINK' | 'GAP' | 'TICK' | 'COMMIT' | 'TREE';

export interface BadRow {
  readonly seq: number;
  readonly reason: Fault;
}

export interface Validation {
  readonly valid: boolean;
  readonly from: number;
  readonly to: number;
  readonly checked: number;
  /** Rows whose payload is not there to be compared. */
  readonly erased: number;
  /** Rows whose payload is sealed to the owner: it cannot be compared here. */
  readonly sealed: number;
  readonly first_bad?: BadRow;
}

/** What a stretch must follow: the hash and the tick of the row before it. */
export interface Anchor {
  readonly row_hash: string;
  readonly svcond: number;
}

export const BEGINNING: Anchor = { row_hash: NO_HASH, svcond: 0 };

/** The tree that rows are held against: complete subtrees of a checkpoint of this size and root. */
export interface CheckedTree {
  readonly size: number;
  readonly root: Hash;
  readonly read: ReadSubtree;
}

/**
 * @param rows  in order, the first with the number `from`
 * @param anchor  of the row before, or undefined if it is not known: then the first link and tick are taken as they are
 */
export function validateRows(
  rows: readonly Row[],
  slug: string,
  from: number,
  anchor: Anchor | undefined,
  tree?: CheckedTree,
): Validation {
  let before = anchor;
  let erased = 0;
  let sealed = 0;
  const answer = (checked: number, bad?: BadRow): Validation => ({
    valid: bad === undefined,
    from,
    to: from + rows.length - 1,
    checked,
    erased,
    sealed,
    ...(bad === undefined ? {} : { first_bad: bad }),
  });
  for (const [i, row] of rows.entries()) {
    const [reason] = faultsOf(row, slug, from + i, before);
    if (reason !== undefined) return answer(i, { seq: from + i, reason });
    if (row.sealed) sealed++;
    else if (row.payload_text === undefined) erased++;
    before = row;
  }
  const outside = tree && firstOutside(rows, from, tree);
  return outside === undefined ? answer(rows.length) : answer(outside - from, { seq: outside, reason: 'TREE' });
}

/** Everything that is wrong with one row, the first thing first; all but its place in a tree. */
export function faultsOf(row: Row, slug: string, seq: number, before: Anchor | undefined): Fault[] {
  const faults: [Fault, boolean][] = [
    ['GAP', row.seq !== seq],
    ['HASH', row.slug !== slug || !hasOwnHash(row)],
    ['LINK', before !== undefined && row.prev !== before.row_hash],
    ['TICK', before !== undefined && row.svcond < before.svcond],
    ['COMMIT', isCommittedPayload(row) === false],
  ];
  return faults.flatMap(([fault, isFound]) => (isFound ? [fault] : []));
}

function hasOwnHash(row: Row): boolean {
  try {
    return rowHashOf(row) === row.row_hash;
  } catch {
    return false; // a field that canonical JSON cannot say
  }
}

/**
 * The number of the first row that is not in the tree, or undefined. Rows behind the checkpoint are not looked at.
 *
 * The subtrees of the whole tree are folded to its root once with what is stored; those that the rows cover are then
 * compared with what the rows themselves give, from the largest down to the leaf that differs.
 */
function firstOutside(rows: readonly Row[], from: number, { size, root, read }: CheckedTree): number | undefined {
  const end = Math.min(from + rows.length, size);
  if (end <= from) return undefined;
  const leaves = rows.slice(0, end - from).map((row) => leafHash(fromHex(row.row_hash) ?? new Uint8Array()));
  if (isSame(rootWith(leaves, from, size, read), root)) return undefined;
  for (let at = from; at < end; at++) {
    const leaf = leaves[at - from];
    if (leaf === undefined || !isSame(leaf, read({ level: 0, index: at }))) return at;
  }
  return from; // the rows agree with the stored leaves, and those do not lead to the signed root
}
