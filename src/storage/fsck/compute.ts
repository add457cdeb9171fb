// Filed runs, linked arrays and archived kernels, read for inspection: see machines.ts.

import { type Executor, rows } from '../database/sql.ts';

export interface InspectedRun {
  readonly account_id: string;
  readonly id: string;
  readonly folder: string | null;
  readonly solver: string;
  readonly law_id: string | null;
  readonly law_title: string | null;
  readonly envelope: string;
  readonly value_text: string | null;
  readonly unit: string;
  readonly svcond: string;
  /** Milliseconds since 1970. */
  readonly created_ms: number;
  /** Number among the runs of the account. */
  readonly no: string | null;
  readonly mac: Uint8Array | null;
  /** Whether the account has a key with the prefix that the envelope names. */
  readonly is_of_account: boolean;
}

export interface RunCursor {
  readonly account_id: string;
  readonly id: string;
}

export interface InspectedKernel {
  /** Hex, as the hash of its bytes. */
  readonly sha256: string;
  readonly actual: string;
  readonly slug: string;
}

export class ComputeInspection {
  readonly #on: Executor;

  constructor(on: Executor) {
    this.#on = on;
  }

  /** Ordered by account and id, after the given one. */
  runs(after: RunCursor | undefined, limit: number): Promise<InspectedRun[]> {
    return rows(
      this.#on,
      `select account_id, id, folder, no::text, mac, solver, law_id, law_title, envelope, value_text, unit, svcond::text,
         (extract(epoch from created_at) * 1000)::float8 as created_ms,
         exists (select 1 from api_key where api_key.account_id = run.account_id
           and strpos(envelope, '"keyPrefix":"' || key_prefix || '"') > 0) as is_of_account
       from run where (account_id, id) > (?::uuid, ?::uuid) or ?::uuid is null order by account_id, id limit ?`,
      [after?.account_id ?? null, after?.id ?? null, after?.id ?? null, limit],
    );
  }

  /** Which of the arrays are stored at least until a time, by their hashes. */
  async fieldsUntil(hashes: readonly string[], ms: number): Promise<ReadonlySet<string>> {
    const found = await rows<{ sha256: string }>(
      this.#on,
      `select encode(sha256, 'hex') as sha256 from field
       where encode(sha256, 'hex') = any(?::text[]) and expires_at >= to_timestamp(?::float8 / 1000)`,
      [hashes, String(ms)],
    );
    return new Set(found.map(({ sha256 }) => sha256));
  }

  /** Arrays whose bytes have another hash; the bytes stay in the database. */
  async brokenFields(limit: number): Promise<{ readonly sha256: string }[]> {
    return rows(this.#on, `select encode(sha256, 'hex') as sha256 from field where sha256 <> sha256(bytes) limit ?`, [
      limit,
    ]);
  }

  /** Numbers from 1 to `count` that no run of an account has. */
  async missingRuns(accountId: string, count: string, limit: number): Promise<number[]> {
    const [stored] = await rows<{ count: number }>(
      this.#on,
      'select count(*) as count from run where account_id = ? and no between 1 and ?',
      [accountId, count],
    );
    if (String(stored?.count) === count) return [];
    const missing = await rows<{ no: number }>(
      this.#on,
      `select no from generate_series(1::bigint, least(?::bigint, ?::bigint + ?::bigint)) as no
       where not exists (select 1 from run where account_id = ? and run.no = no.no) order by no limit ?`,
      [count, stored?.count ?? 0, limit, accountId, limit],
    );
    return missing.map(({ no }) => no);
  }

  kernels(): Promise<InspectedKernel[]> {
    return rows(
      this.#on,
      `select encode(sha256, 'hex') as sha256, encode(sha256(bytes), 'hex') as actual, slug from kernel order by kernel.sha256`,
    );
  }

  async kernelBytes(sha256: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const [row] = await rows<{ bytes: Uint8Array }>(
      this.#on,
      `select bytes from kernel where encode(sha256, 'hex') = ?`,
      [sha256],
    );
    return row && new Uint8Array(row.bytes);
  }
}
