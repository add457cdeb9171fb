// Fields: large results, little-endian doubles stored by SHA-256, which envelopes link to. They expire.

import { createHash } from 'node:crypto';
import { type Executor, rows, stamp } from '../database/sql.ts';

const SHA256 = /^[0-9a-f]{64}$/;

export class FieldRepository {
  readonly #knex: Executor;

  constructor(knex: Executor) {
    this.#knex = knex;
  }

  /**
   * Stores the bytes, or extends their expiry if they are stored.
   *
   * @param owner  whose bytes they are, if they are not stored yet
   * @param known  their SHA-256, hex, if a worker has computed it: that of a megabyte takes a millisecond
   * @returns their SHA-256, hex
   */
  async put(
    bytes: Uint8Array,
    expiresMs: number,
    owner: string | undefined = undefined,
    on: Executor = this.#knex,
    known?: string,
  ): Promise<string> {
    const sha256 = known === undefined ? createHash('sha256').update(bytes).digest() : Buffer.from(known, 'hex');
    const expires = stamp(expiresMs);
    const kept = await rows(
      on,
      'update field set expires_at = greatest(expires_at, ?::timestamptz) where sha256 = ? returning 1',
      [expires, sha256],
    );
    if (kept.length === 0) {
      await rows(
        on,
        `insert into field (sha256, bytes, expires_at, owner) values (?, ?, ?, ?)
         on conflict (sha256) do update set expires_at = greatest(field.expires_at, excluded.expires_at)`,
        [sha256, bytes, expires, owner ?? null],
      );
    }
    return sha256.toString('hex');
  }

  /** Bytes of an owner that have not expired. */
  async bytesOf(owner: string, nowMs: number, on: Executor = this.#knex): Promise<number> {
    const [row] = await rows<{ bytes: number }>(
      on,
      'select coalesce(sum(octet_length(bytes)), 0)::bigint as bytes from field where owner = ? and expires_at > ?',
      [owner, stamp(nowMs)],
    );
    return row?.bytes ?? 0;
  }

  /** Bytes of all that is stored. */
  async totalBytes(on: Executor = this.#knex): Promise<number> {
    const sum = 'select coalesce(sum(octet_length(bytes)), 0)::bigint as bytes from field';
    return (await rows<{ bytes: number }>(on, sum))[0]?.bytes ?? 0;
  }

  /** Undefined when unknown or expired. */
  async get(sha256: string, nowMs: number, on: Executor = this.#knex): Promise<Uint8Array | undefined> {
    if (!SHA256.test(sha256)) return undefined;
    const [row] = await rows<{ bytes: Uint8Array }>(on, 'select bytes from field where sha256 = ? and expires_at > ?', [
      Buffer.from(sha256, 'hex'),
      stamp(nowMs),
    ]);
    return row?.bytes;
  }

  /** @returns number of removed fields; call again while it is `limit` */
  async removeExpired(nowMs: number, limit: number, on: Executor = this.#knex): Promise<number> {
    const now = stamp(nowMs);
    // The expiry is checked again outside the subquery, since a field may be extended between selection and deletion.
    const removed = await rows(
      on,
      `delete from field where expires_at <= ? and sha256 in (
         select sha256 from field where expires_at <= ? order by expires_at limit ?
       ) returning 1`,
      [now, now, limit],
    );
    return removed.length;
  }
}
