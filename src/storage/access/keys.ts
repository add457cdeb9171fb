// API keys. Only their SHA-256 is stored.

import { type Executor, optionalStamp, rows, stamp } from '../database/sql.ts';

export type Scope = 'read' | 'write' | 'admin';
export type Tier = 'demo' | 'free' | 'standard' | 'high';

export interface ApiKey {
  readonly id: string;
  readonly accountId: string;
  readonly keyPrefix: string;
  readonly name: string;
  readonly scope: Scope;
  readonly tier: Tier;
  /** Whose rate it uses: an account or an address; undefined for its own account. */
  readonly tenant: string | undefined;
  readonly createdMs: number;
  readonly expiresMs: number | undefined;
  readonly revokedMs: number | undefined;
  readonly lastUsedMs: number | undefined;
}

interface KeyRow {
  readonly id: string;
  readonly account_id: string;
  readonly key_prefix: string;
  readonly name: string;
  readonly scope: Scope;
  readonly tier: Tier;
  readonly tenant: string | null;
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly revoked_at: number | null;
  readonly last_used_at: number | null;
}

// Without key_hash, which no caller needs.
const COLUMNS =
  'id, account_id, key_prefix, name, scope, tier, tenant, created_at, expires_at, revoked_at, last_used_at';

export class KeyRepository {
  readonly #knex: Executor;

  constructor(knex: Executor) {
    this.#knex = knex;
  }

  async insert(
    key: Omit<ApiKey, 'revokedMs' | 'lastUsedMs'>,
    keyHash: Uint8Array,
    on: Executor = this.#knex,
  ): Promise<void> {
    await rows(
      on,
      `insert into api_key (id, account_id, key_hash, key_prefix, name, scope, tier, tenant, created_at, expires_at)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [
        key.id,
        key.accountId,
        keyHash,
        key.keyPrefix,
        key.name,
        key.scope,
        key.tier,
        key.tenant ?? null,
        stamp(key.createdMs),
        optionalStamp(key.expiresMs),
      ],
    );
  }

  /** The key, with the ZID of its account if it has one. */
  async byHash(
    keyHash: Uint8Array,
    on: Executor = this.#knex,
  ): Promise<(ApiKey & { readonly zid: string | undefined }) | undefined> {
    const [row] = await rows<KeyRow & { readonly zid: string | null }>(
      on,
      `select ${COLUMNS}, (select zid from identity where identity.account_id = api_key.account_id) as zid
       from api_key where key_hash = ?`,
      [keyHash],
    );
    return row && { ...fromRow(row), zid: row.zid ?? undefined };
  }

  /** Newest first, including revoked and expired keys. */
  async list(accountId: string, limit: number, on: Executor = this.#knex): Promise<ApiKey[]> {
    const found = await rows<KeyRow>(
      on,
      `select ${COLUMNS} from api_key where account_id = ? order by id desc limit ?`,
      [accountId, limit],
    );
    return found.map(fromRow);
  }

  async find(accountId: string, id: string, on: Executor = this.#knex): Promise<ApiKey | undefined> {
    const [row] = await rows<KeyRow>(on, `select ${COLUMNS} from api_key where account_id = ? and id = ?`, [
      accountId,
      id,
    ]);
    return row && fromRow(row);
  }

  /** Counts the keys of an account that are not revoked. */
  async countLive(accountId: string, on: Executor = this.#knex): Promise<number> {
    const [row] = await rows<{ count: number }>(
      on,
      'select count(*) as count from api_key where account_id = ? and revoked_at is null',
      [accountId],
    );
    return row?.count ?? 0;
  }

  /** Keeps the time of the first revocation. @returns undefined if the account has no key with this id */
  async revoke(accountId: string, id: string, nowMs: number, on: Executor = this.#knex): Promise<ApiKey | undefined> {
    const [row] = await rows<KeyRow>(
      on,
      `update api_key set revoked_at = coalesce(revoked_at, ?::timestamptz) where account_id = ? and id = ?
       returning ${COLUMNS}`,
      [stamp(nowMs), accountId, id],
    );
    return row && fromRow(row);
  }

  /** Updates `last_used_at` of many keys in one statement; it never decreases. */
  async touch(lastUsed: ReadonlyMap<string, number>, on: Executor = this.#knex): Promise<void> {
    if (lastUsed.size === 0) return;
    await rows(
      on,
      `update api_key set last_used_at = greatest(api_key.last_used_at, used.at)
       from unnest(?::uuid[], ?::timestamptz[]) as used (id, at) where api_key.id = used.id`,
      [[...lastUsed.keys()], [...lastUsed.values()].map(stamp)],
    );
  }
}

function fromRow(row: KeyRow): ApiKey {
  return {
    id: row.id,
    accountId: row.account_id,
    keyPrefix: row.key_prefix,
    name: row.name,
    scope: row.scope,
    tier: row.tier,
    tenant: row.tenant ?? undefined,
    createdMs: row.created_at,
    expiresMs: row.expires_at ?? undefined,
    revokedMs: row.revoked_at ?? undefined,
    lastUsedMs: row.last_used_at ?? undefined,
  };
}
