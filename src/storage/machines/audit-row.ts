// Columns of audit rows as they are read, and the rows of chains that they make.

import type { ROW_VERSION, Row } from '../../chain/row.ts';

/** Content and hashes of a row. Bytes are hex digits. */
export interface AuditColumns {
  readonly type: string;
  readonly source: string;
  readonly actor: string;
  readonly commitment: string;
  readonly prev_hash: string;
  readonly hash: string;
  readonly salt: string | null;
  readonly body: string | null;
  readonly is_sealed: boolean;
}

export interface AuditRow extends AuditColumns {
  readonly seq: number;
  readonly v: typeof ROW_VERSION;
  readonly svcond: number;
}

/** A row with its sealed payload. */
export interface StoredRow extends AuditRow {
  readonly sealed: Uint8Array | null;
}

/** SQL of `AuditColumns`. */
export const AUDIT_COLUMNS = `type, source, actor, encode(commitment, 'hex') as commitment,
  encode(prev_hash, 'hex') as prev_hash, encode(hash, 'hex') as hash, encode(salt, 'hex') as salt, body,
  sealed is not null as is_sealed`;

export interface RowFilter {
  readonly type?: string | undefined;
  readonly types?: readonly string[] | undefined;
  /** Only events, received or emitted, of this name; an erased payload has none. */
  readonly name?: string | undefined;
  /** Only rows whose payload names this contract; an erased or sealed payload names none. */
  readonly contract?: string | undefined;
  /** Only rows whose payload has one of these as its `name`, and those whose payload is sealed or erased. */
  readonly names?: readonly string[] | undefined;
  /** Rows with this number or a higher one. */
  readonly from?: number | undefined;
  /** Rows with a lower number. */
  readonly before?: number | undefined;
  /** Rows of this tick and later. */
  readonly since?: number | undefined;
  readonly order: 'oldest first' | 'newest first';
  readonly limit: number;
}

export function fromRow(row: AuditRow, slug: string): Row {
  const { seq, v, svcond, type, source, actor, commitment, prev_hash, hash, salt, body, is_sealed } = row;
  const head = { v, slug, seq, svcond, type, source, actor, commit: commitment, prev: prev_hash, row_hash: hash };
  if (is_sealed) return { ...head, sealed: true };
  return salt === null || body === null ? head : { ...head, salt, payload_text: body };
}
