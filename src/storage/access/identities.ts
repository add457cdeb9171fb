// Identities (ZIDs) of accounts.

import { type Executor, rows, stamp } from '../database/sql.ts';

export interface Identity {
  readonly accountId: string;
  readonly zid: string;
  /** Salt of the recovery equation; an identity without one cannot be recovered. */
  readonly salt: Uint8Array | undefined;
  readonly createdMs: number;
}

export class IdentityRepository {
  readonly #knex: Executor;

  constructor(knex: Executor) {
    this.#knex = knex;
  }

  /** @returns false if the account already has an identity or the ZID is taken */
  async insert({ accountId, zid, salt, createdMs }: Identity, on: Executor = this.#knex): Promise<boolean> {
    const inserted = await rows(
      on,
      'insert into identity (account_id, zid, salt, created_at) values (?, ?, ?, ?) on conflict do nothing returning 1',
      [accountId, zid, salt ?? null, stamp(createdMs)],
    );
    return inserted.length === 1;
  }

  async zidOf(accountId: string, on: Executor = this.#knex): Promise<string | undefined> {
    const [row] = await rows<{ zid: string }>(on, 'select zid from identity where account_id = ?', [accountId]);
    return row?.zid;
  }

  async byZid(zid: string, on: Executor = this.#knex): Promise<Identity | undefined> {
    const [row] = await rows<{ account_id: string; salt: Uint8Array | null; created_at: number }>(
      on,
      'select account_id, salt, created_at from identity where zid = ?',
      [zid],
    );
    return row && { accountId: row.account_id, zid, salt: row.salt ?? undefined, createdMs: row.created_at };
  }
}
