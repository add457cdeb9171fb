// Finds the first row outside a signed tree by binary search. A rewritten row changes the hash of every later row, so
// among linked rows the ones inside the tree come first.

import { callApiAsVisitor } from '../../session.ts';
import { workerClient } from '../../worker/worker-client.ts';
import type { RowRecord } from '../records.ts';
import type { SignedCheckpoint } from './chain-checks.ts';

/** The path comes from the node and is untrusted; the root is signed. */
export async function isRowInTree(
  slug: string,
  { seq, row_hash }: Pick<RowRecord, 'seq' | 'row_hash'>,
  { size, root }: SignedCheckpoint,
): Promise<boolean> {
  const proof = await callApiAsVisitor('chain.inclusion', { slug, seq, size });
  return workerClient.request('verifyInclusion', {
    inclusion: { seq, size, rowHash: row_hash, path: proof.path, root },
  });
}

/**
 * @param rows  oldest first, linked, and covered by the checkpoint
 * @returns the row's number, or undefined if all rows are in the tree
 */
export async function findFirstRowOutsideTree(
  slug: string,
  rows: readonly RowRecord[],
  checkpoint: SignedCheckpoint,
): Promise<number | undefined> {
  const newest = rows.at(-1);
  if (newest === undefined || (await isRowInTree(slug, newest, checkpoint))) return undefined;
  let inside = -1;
  let outside = rows.length - 1;
  while (outside - inside > 1) {
    const middle = Math.floor((inside + outside) / 2);
    const row = rows[middle];
    if (row !== undefined && (await isRowInTree(slug, row, checkpoint))) inside = middle;
    else outside = middle;
  }
  return rows[outside]?.seq;
}
