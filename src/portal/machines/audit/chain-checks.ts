// Pure checks of rows, checkpoints and Merkle proofs; they run in the worker.

import { isConsistent, isIncluded, leafHash, treeRoot } from '../../../chain/merkle.ts';
import { isCheckpointSignedBy, parseCheckpoint } from '../../../chain/note.ts';
import { ROW_VERSION, type Row } from '../../../chain/row.ts';
import { CHAIN_START, type PreviousRow, type RowFault, rowFaults } from '../../../chain/validate.ts';
import { fromBase64Url, fromHex, toHex } from '../../../core/bits.ts';
import { canonicalJson } from '../../../core/canonical-json.ts';
import type { PublicJwk } from '../../../protocol/signing.ts';
import type { RowRecord } from '../records.ts';

export interface RowRange {
  readonly slug: string;
  /** Oldest first. */
  readonly rows: readonly RowRecord[];
  /** The previous row; undefined if unknown, or at the start of the chain. */
  readonly before?: PreviousRow | undefined;
  /** Expected number of the first row. */
  readonly from: number;
}

export interface FaultyRow {
  readonly seq: number;
  readonly reason: RowFault;
}

export interface RowCheckResult {
  readonly faults: readonly FaultyRow[];
  /** Rows whose payload could not be compared: erased, or sealed to the owner. */
  readonly unreadable: number;
}

/** Checks every row by itself, so that all faulty rows are reported; reports the first fault of each row. */
export function checkRows({ slug, rows, before, from }: RowRange): RowCheckResult {
  const faults: FaultyRow[] = [];
  let anchor = from === 0 ? CHAIN_START : before;
  let unreadable = 0;
  for (const [at, record] of rows.entries()) {
    const row = rowOf(slug, record);
    const [reason] = rowFaults(row, slug, from + at, anchor);
    if (reason !== undefined) faults.push({ seq: from + at, reason });
    if (row.payload_text === undefined) unreadable++;
    anchor = row;
  }
  return { faults, unreadable };
}

function rowOf(
  slug: string,
  { seq, svcond, type, source, actor, commit, prev, row_hash, salt, payload }: RowRecord,
): Row {
  const row = { v: ROW_VERSION, slug, seq, svcond, type, source, actor, commit, prev, row_hash } as const;
  return salt === null ? row : { ...row, salt, payload_text: canonicalText(payload) };
}

/** A payload without a canonical form cannot match any commitment. */
function canonicalText(payload: unknown): string {
  try {
    return canonicalJson(payload);
  } catch {
    return '';
  }
}

export interface SignedCheckpoint {
  readonly origin: string;
  readonly size: number;
  /** Hex. */
  readonly root: string;
  /** Key id of the signer; undefined if no key of the node signed it, or for a checkpoint of another machine. */
  readonly kid: string | undefined;
}

/** @returns undefined if the note is not a checkpoint */
export function openCheckpoint(note: string, slug: string, keys: readonly PublicJwk[]): SignedCheckpoint | undefined {
  const parsed = parseCheckpoint(note);
  if (parsed === undefined) return undefined;
  const { origin, size, root } = parsed.checkpoint;
  const signer = keys.find(({ x }) => {
    const publicKey = fromBase64Url(x);
    return publicKey?.length === 32 && isCheckpointSignedBy(parsed, origin, publicKey);
  });
  return { origin, size, root: toHex(root), kid: origin.endsWith(`/m/${slug}`) ? signer?.kid : undefined };
}

export interface InclusionProof {
  readonly seq: number;
  readonly size: number;
  readonly rowHash: string;
  /** Hex. */
  readonly path: readonly string[];
  readonly root: string;
}

/** Verifies that the row is in the tree; the path is untrusted. */
export function verifyInclusion({ seq, size, rowHash, path, root }: InclusionProof): boolean {
  const hashes = path.map(bytesOf);
  return isIncluded(leafHash(bytesOf(rowHash)), seq, size, hashes, bytesOf(root));
}

export type TreeHead = Pick<SignedCheckpoint, 'size' | 'root'>;

/** Verifies that `after` extends `before`. @param path  hex, untrusted */
export function verifyConsistency(before: TreeHead, after: TreeHead, path: readonly string[]): boolean {
  const hashes = path.map(bytesOf);
  return isConsistent(before.size, after.size, bytesOf(before.root), bytesOf(after.root), hashes);
}

/** Merkle root over all rows, hex. */
export const rootHash = (rowHashes: readonly string[]): string => toHex(treeRoot(rowHashes.map(bytesOf)));

/** Invalid hex becomes an empty array, which matches no hash. */
const bytesOf = (hex: string) => fromHex(hex) ?? new Uint8Array();
