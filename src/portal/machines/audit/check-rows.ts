// Rows as they were handed out, checked against themselves and against a signed checkpoint. Pure; it runs in the worker.

import { isConsistent, isIncluded, leafHash, treeRoot } from '../../../chain/merkle.ts';
import { isCheckpointSignedBy, parseCheckpoint } from '../../../chain/note.ts';
import { ROW_VERSION, type Row } from '../../../chain/row.ts';
import { type Anchor, BEGINNING, type Fault, faultsOf } from '../../../chain/validate.ts';
import { fromBase64Url, fromHex, toHex } from '../../../core/bits.ts';
import { canonicalJson } from '../../../core/canonical-json.ts';
import type { PublicJwk } from '../../../protocol/seal.ts';
import type { RowRecord } from '../records.ts';

export interface Stretch {
  readonly slug: string;
  /** In order, oldest first. */
  readonly rows: readonly RowRecord[];
  /** The row before them; undefined where it is not known, or where there is none. */
  readonly before?: Anchor | undefined;
  /** The number that the first of them must have. */
  readonly from: number;
}

export interface RowFault {
  readonly seq: number;
  readonly reason: Fault;
}

export interface RowsChecked {
  readonly faults: readonly RowFault[];
  /** Rows whose payload is not there to be compared: erased, or sealed to the owner. */
  readonly unread: number;
}

/** Each row for itself, so that all that do not hold are named, not the first alone; of one row the first thing only. */
export function checkRows({ slug, rows, before, from }: Stretch): RowsChecked {
  const faults: RowFault[] = [];
  let anchor = from === 0 ? BEGINNING : before;
  let unread = 0;
  for (const [at, record] of rows.entries()) {
    const row = rowOf(slug, record);
    const [reason] = faultsOf(row, slug, from + at, anchor);
    if (reason !== undefined) faults.push({ seq: from + at, reason });
    if (row.payload_text === undefined) unread++;
    anchor = row;
  }
  return { faults, unread };
}

function rowOf(
  slug: string,
  { seq, svcond, type, source, actor, commit, prev, row_hash, salt, payload }: RowRecord,
): Row {
  const row = { v: ROW_VERSION, slug, seq, svcond, type, source, actor, commit, prev, row_hash } as const;
  return salt === null ? row : { ...row, salt, payload_text: textOf(payload) };
}

/** What canonical JSON cannot say was committed to by nobody. */
function textOf(payload: unknown): string {
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
  /** Of the key that signed it; undefined if none of the node's keys did, or it is a checkpoint of another machine. */
  readonly kid: string | undefined;
}

/** @returns undefined for what is no checkpoint at all */
export function readNote(note: string, slug: string, keys: readonly PublicJwk[]): SignedCheckpoint | undefined {
  const parsed = parseCheckpoint(note);
  if (parsed === undefined) return undefined;
  const { origin, size, root } = parsed.checkpoint;
  const signer = keys.find(({ x }) => {
    const publicKey = fromBase64Url(x);
    return publicKey?.length === 32 && isCheckpointSignedBy(parsed, origin, publicKey);
  });
  return { origin, size, root: toHex(root), kid: origin.endsWith(`/m/${slug}`) ? signer?.kid : undefined };
}

export interface Inclusion {
  readonly seq: number;
  readonly size: number;
  readonly rowHash: string;
  /** Hex. */
  readonly path: readonly string[];
  readonly root: string;
}

/** Whether the row stands in the tree, whatever whoever gave the path says. */
export function isInTree({ seq, size, rowHash, path, root }: Inclusion): boolean {
  const hashes = path.map(bytesOf);
  return isIncluded(leafHash(bytesOf(rowHash)), seq, size, hashes, bytesOf(root));
}

export type Tree = Pick<SignedCheckpoint, 'size' | 'root'>;

/** Whether the one tree begins with the other. @param path  hex */
export function isBeginning(before: Tree, after: Tree, path: readonly string[]): boolean {
  const hashes = path.map(bytesOf);
  return isConsistent(before.size, after.size, bytesOf(before.root), bytesOf(after.root), hashes);
}

/** The root over all rows, hex. */
export const rootOf = (rowHashes: readonly string[]): string => toHex(treeRoot(rowHashes.map(bytesOf)));

/** What is no hex is no hash of anything. */
const bytesOf = (hex: string) => fromHex(hex) ?? new Uint8Array();
