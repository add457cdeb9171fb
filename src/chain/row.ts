// A row of an audit chain: what happened, committed to without showing it, and tied to the row before.
//
//   commit   = SHA-256("svc-pc\0" ‖ salt ‖ payload)       payload is canonical JSON, salt 16 random bytes
//   row hash = SHA-256("svc-row\0" ‖ JCS(row))             row holds the commitment and the hash before
//
// The chain holds commitments only: payload and salt may be erased by law and the chain still validates. The salt keeps
// a guess of the payload from being confirmed.

import { concat, fromHex, toHex } from '../core/bits.ts';
import { canonicalJson } from '../core/canonical-json.ts';
import { sha256, utf8 } from '../core/sha256.ts';

export const ROW_VERSION = 1;
export const SALT_BYTES = 16;
/** `prev` of a first row. */
export const NO_HASH = '0'.repeat(64);
/** `actor` of what the service does by itself. */
export const SYSTEM_ACTOR = '0'.repeat(32);

/** The hashed part, in the order in which it is answered. Hashes are 64 lower-case hex digits. */
export interface RowHead {
  readonly v: typeof ROW_VERSION;
  readonly slug: string;
  /** From 0 without gaps. */
  readonly seq: number;
  /** The tick; never less than in the row before. */
  readonly svcond: number;
  readonly type: string;
  readonly source: string;
  /** Who: a ZID, or SYSTEM_ACTOR. */
  readonly actor: string;
  readonly commit: string;
  readonly prev: string;
}

/** A row as it is stored and handed out. Without salt and payload it is erased, or sealed to the owner of the machine. */
export interface Row extends RowHead {
  readonly row_hash: string;
  /** 32 hex digits. */
  readonly salt?: string | undefined;
  /** Canonical JSON, byte for byte as committed to. */
  readonly payload_text?: string | undefined;
  /** Salt and payload are there, for the owner alone. */
  readonly sealed?: true | undefined;
}

/** A row with its payload. */
export interface OpenRow extends Row {
  readonly salt: string;
  readonly payload_text: string;
}

const COMMITMENT = utf8('svc-pc\0');
const ROW = utf8('svc-row\0');

/** @param payloadText  canonical JSON */
export function commitmentOf(salt: Uint8Array, payloadText: string): string {
  return toHex(sha256(concat(COMMITMENT, salt, utf8(payloadText))));
}

export function rowHashOf({ v, slug, seq, svcond, type, source, actor, commit, prev }: RowHead): string {
  const text = canonicalJson({ v, slug, seq, svcond, type, source, actor, commit, prev });
  return toHex(sha256(concat(ROW, utf8(text))));
}

export interface NewRow {
  readonly svcond: number;
  readonly type: string;
  readonly source: string;
  readonly actor: string;
  readonly payload: unknown;
}

/** What the next row of a chain follows. */
export interface Head {
  readonly slug: string;
  /** Of the last row; -1 before the first. */
  readonly seq: number;
  readonly svcond: number;
  readonly row_hash: string;
}

export function emptyHead(slug: string): Head {
  return { slug, seq: -1, svcond: 0, row_hash: NO_HASH };
}

/** The next row. Its tick is that of the head where the clock stands behind it: ticks never fall. */
export function appendRow(head: Head, { svcond, type, source, actor, payload }: NewRow, salt: Uint8Array): OpenRow {
  const payloadText = canonicalJson(payload);
  const row: RowHead = {
    v: ROW_VERSION,
    slug: head.slug,
    seq: head.seq + 1,
    svcond: Math.max(svcond, head.svcond),
    type,
    source,
    actor,
    commit: commitmentOf(salt, payloadText),
    prev: head.row_hash,
  };
  return { ...row, row_hash: rowHashOf(row), salt: toHex(salt), payload_text: payloadText };
}

/** Whether the payload that is shown is the one that was committed to; undefined where there is nothing to compare. */
export function isCommittedPayload({ commit, salt, payload_text }: Row): boolean | undefined {
  if (salt === undefined || payload_text === undefined) return undefined;
  const bytes = fromHex(salt);
  // One way only to write a salt: what is shown is compared as it is shown.
  return bytes?.length === SALT_BYTES && toHex(bytes) === salt && commitmentOf(bytes, payload_text) === commit;
}
