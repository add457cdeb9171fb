// A row of an audit chain: a commitment to what happened, linked to the previous row by its hash.
//
//   commit   = SHA-256("svc-pc\0" ‖ salt ‖ payload)       payload is canonical JSON, salt 16 random bytes
//   row hash = SHA-256("svc-row\0" ‖ JCS(row))             row holds the commitment and the previous hash
//
// The chain holds commitments only: payload and salt may be erased by law and the chain still validates. The salt
// prevents confirming a guessed payload.

import { concat, fromHex, toHex } from '../core/bits.ts';
import { canonicalJson } from '../core/canonical-json.ts';
import { sha256Hex, utf8 } from '../core/sha256.ts';

export const ROW_VERSION = 1;
export const SALT_BYTES = 16;
/** `prev` of the first row. */
export const NO_HASH = '0'.repeat(64);
/** `actor` of rows that the service itself writes. */
export const SYSTEM_ACTOR = '0'.repeat(32);

/** The hashed fields, in response order. Hashes are 64 lower-case hex digits. */
export interface RowHead {
  readonly v: typeof ROW_VERSION;
  readonly slug: string;
  /** From 0 without gaps. */
  readonly seq: number;
  /** The tick; never less than in the previous row. */
  readonly svcond: number;
  readonly type: string;
  readonly source: string;
  /** A ZID, or SYSTEM_ACTOR. */
  readonly actor: string;
  readonly commit: string;
  readonly prev: string;
}

/** A row as stored and returned. Without salt and payload it is erased, or sealed to the owner of the machine. */
export interface Row extends RowHead {
  readonly row_hash: string;
  /** 32 hex digits. */
  readonly salt?: string | undefined;
  /** Canonical JSON, byte for byte as committed to. */
  readonly payload_text?: string | undefined;
  /** Salt and payload exist, but only the owner can read them. */
  readonly sealed?: true | undefined;
}

/** A row with its payload. */
export interface OpenRow extends Row {
  readonly salt: string;
  readonly payload_text: string;
}

const COMMITMENT_PREFIX = utf8('svc-pc\0');
const ROW_PREFIX = 'svc-row\0';

/** @param payloadText  canonical JSON */
export function commitmentOf(salt: Uint8Array, payloadText: string): string {
  return sha256Hex(concat(COMMITMENT_PREFIX, salt, utf8(payloadText)));
}

/** The hashed fields in the order of canonical JSON: to sort them anew took most of the time of a long validation. */
const HASHED = ['actor', 'commit', 'prev', 'seq', 'slug', 'source', 'svcond', 'type', 'v'] as const;

export function rowHashOf(row: RowHead): string {
  const fields = HASHED.filter((name) => row[name] !== undefined);
  return sha256Hex(`${ROW_PREFIX}{${fields.map((name) => `"${name}":${canonicalJson(row[name])}`).join()}}`);
}

export interface NewRow {
  readonly svcond: number;
  readonly type: string;
  readonly source: string;
  readonly actor: string;
  readonly payload: unknown;
}

/** The head of a chain, to which the next row is appended. */
export interface Head {
  readonly slug: string;
  /** Number of the last row; -1 for an empty chain. */
  readonly seq: number;
  readonly svcond: number;
  readonly row_hash: string;
}

export function emptyHead(slug: string): Head {
  return { slug, seq: -1, svcond: 0, row_hash: NO_HASH };
}

/** The next row. Its tick is at least that of the head, even if the clock is behind: ticks never decrease. */
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

/** Whether the payload matches its commitment; undefined if the payload or salt is missing. */
export function isCommittedPayload({ commit, salt, payload_text }: Row): boolean | undefined {
  if (salt === undefined || payload_text === undefined) return undefined;
  const bytes = fromHex(salt);
  // A salt has exactly one valid encoding: lower-case hex.
  return bytes?.length === SALT_BYTES && toHex(bytes) === salt && commitmentOf(bytes, payload_text) === commit;
}
