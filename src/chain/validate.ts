// Validation of a range of chain rows: hashes, links, ticks, payloads, and inclusion in the tree of a checkpoint.
//
// A self-consistent chain proves little: someone who can rewrite one row can rewrite all that follow. Rows are
// therefore also compared with the tree of a signed checkpoint. CVE-2022-36111 came from verifying a chain but not its
// tree.

import { fromHex } from '../core/bits.ts';
import { type Hash, isSameBytes, leafHash, type ReadSubtree, rootFromLeaves } from './merkle.ts';
import { isCommittedPayload, NO_HASH, type Row, rowHashOf } from './row.ts';

export type RowFault = 'HASH' | 'LINK' | 'GAP' | 'TICK' | 'COMMIT' | 'TREE';

export interface BadRow {
  readonly seq: number;
  readonly reason: RowFault;
}

export interface Validation {
  readonly valid: boolean;
  readonly from: number;
  readonly to: number;
  readonly checked: number;
  /** Rows without a payload to compare. */
  readonly erased: number;
  /** Rows whose payload is sealed to the owner and cannot be compared here. */
  readonly sealed: number;
  readonly first_bad?: BadRow;
}

/** Hash and tick of the row before the range. */
export interface PreviousRow {
  readonly row_hash: string;
  readonly svcond: number;
}

export const CHAIN_START: PreviousRow = { row_hash: NO_HASH, svcond: 0 };

/** The tree that rows are compared with: complete subtrees of a checkpoint of this size and root. */
export interface CheckedTree {
  readonly size: number;
  readonly root: Hash;
  readonly read: ReadSubtree;
}

/**
 * @param rows  in order, the first with the number `from`
 * @param start  of the row before, or undefined if unknown: then the first link and tick are not checked
 */
export function validateRows(
  rows: readonly Row[],
  slug: string,
  from: number,
  start: PreviousRow | undefined,
  tree?: CheckedTree,
): Validation {
  let previous = start;
  let erased = 0;
  let sealed = 0;
  const result = (checked: number, bad?: BadRow): Validation => ({
    valid: bad === undefined,
    from,
    to: from + rows.length - 1,
    checked,
    erased,
    sealed,
    ...(bad === undefined ? {} : { first_bad: bad }),
  });
  for (const [i, row] of rows.entries()) {
    const [reason] = rowFaults(row, slug, from + i, previous);
    if (reason !== undefined) return result(i, { seq: from + i, reason });
    if (row.sealed) sealed++;
    else if (row.payload_text === undefined) erased++;
    previous = row;
  }
  const missing = tree && firstNotInTree(rows, from, tree);
  return missing === undefined ? result(rows.length) : result(missing - from, { seq: missing, reason: 'TREE' });
}

/** All faults of one row, most basic first, except TREE. */
export function rowFaults(row: Row, slug: string, seq: number, previous: PreviousRow | undefined): RowFault[] {
  const checks: [RowFault, boolean][] = [
    ['GAP', row.seq !== seq],
    ['HASH', row.slug !== slug || !hasValidHash(row)],
    ['LINK', previous !== undefined && row.prev !== previous.row_hash],
    ['TICK', previous !== undefined && row.svcond < previous.svcond],
    ['COMMIT', isCommittedPayload(row) === false],
  ];
  return checks.flatMap(([fault, isFaulty]) => (isFaulty ? [fault] : []));
}

function hasValidHash(row: Row): boolean {
  try {
    return rowHashOf(row) === row.row_hash;
  } catch {
    return false; // a field that canonical JSON cannot represent
  }
}

/**
 * The number of the first row that is not in the tree, or undefined. Rows newer than the checkpoint are skipped.
 *
 * The root is computed once from the rows' leaves and the stored subtrees beside them. If it differs from the signed
 * root, each leaf is compared with the stored one.
 */
function firstNotInTree(rows: readonly Row[], from: number, { size, root, read }: CheckedTree): number | undefined {
  const end = Math.min(from + rows.length, size);
  if (end <= from) return undefined;
  const leaves = rows.slice(0, end - from).map((row) => leafHash(fromHex(row.row_hash) ?? new Uint8Array()));
  if (isSameBytes(rootFromLeaves(leaves, from, size, read), root)) return undefined;
  for (let seq = from; seq < end; seq++) {
    const leaf = leaves[seq - from];
    if (leaf === undefined || !isSameBytes(leaf, read({ level: 0, index: seq }))) return seq;
  }
  return from; // the rows match the stored leaves, but those do not lead to the signed root
}
