// Which row is the first that does not stand in a signed tree. Of rows with whole links those that do come first: a row
// that was written anew changes the hash of every row after it.

import { desk } from '../../work/desk.ts';
import { chainOf, read } from '../node.ts';
import type { RowRecord } from '../records.ts';
import type { SignedCheckpoint } from './check-rows.ts';

/** The path is the node's, the root is the signed one: a wrong path convinces nobody. */
export async function isInside(
  slug: string,
  { seq, row_hash }: Pick<RowRecord, 'seq' | 'row_hash'>,
  { size, root }: SignedCheckpoint,
): Promise<boolean> {
  const proof = await read<{ readonly path: readonly string[] }>(
    `${chainOf(slug)}/proof/inclusion?seq=${seq}&size=${size}`,
  );
  return desk.ask('inclusion', { inclusion: { seq, size, rowHash: row_hash, path: proof.path, root } });
}

/**
 * @param rows  oldest first, with whole links, all of them covered by the checkpoint
 * @returns its number, or undefined if all stand in the tree
 */
export async function firstOutside(
  slug: string,
  rows: readonly RowRecord[],
  checkpoint: SignedCheckpoint,
): Promise<number | undefined> {
  const newest = rows.at(-1);
  if (newest === undefined || (await isInside(slug, newest, checkpoint))) return undefined;
  let inside = -1;
  let outside = rows.length - 1;
  while (outside - inside > 1) {
    const middle = Math.floor((inside + outside) / 2);
    const row = rows[middle];
    if (row !== undefined && (await isInside(slug, row, checkpoint))) inside = middle;
    else outside = middle;
  }
  return rows[outside]?.seq;
}
