// Accounts, which own keys and runs.

import { type Executor, rows, stamp } from '../database/sql.ts';

/** A demo account is created with each demo key and deleted with it. */
export type AccountKind = 'demo' | 'full';

export interface Account {
  readonly id: string;
  readonly kind: AccountKind;
  readonly createdSvcond: number;
  readonly createdMs: number;
}

interface AccountRow {
  readonly id: string;
  readonly kind: AccountKind;
  readonly created_svcond: number;
  readonly created_at: number;
}

export class AccountRepository {
  readonly #knex: Executor;

  constructor(knex: Executor) {
    this.#knex = knex;
  }

  async insert(account: Account, on: Executor = this.#knex): Promise<void> {
    await rows(on, 'insert into account (id, kind, created_svcond, created_at) values (?, ?, ?, ?)', [
      account.id,
      account.kind,
      account.createdSvcond,
      stamp(account.createdMs),
    ]);
  }

  /** Waits for other transactions that hold the account, so that its rows can be counted. */
  async lock(id: string, on: Executor): Promise<void> {
    await rows(on, 'select 1 from account where id = ? for update', [id]);
  }

  async get(id: string, on: Executor = this.#knex): Promise<Account | undefined> {
    const [row] = await rows<AccountRow>(on, 'select * from account where id = ?', [id]);
    if (row === undefined) return undefined;
    return { id: row.id, kind: row.kind, createdSvcond: row.created_svcond, createdMs: row.created_at };
  }

  /**
   * Removes demo accounts whose keys all expired before `expiredBeforeMs`, with their keys and runs.
   *
   * @returns number of removed accounts; call again while it is `limit`
   */
  async removeExpiredDemo(expiredBeforeMs: number, limit: number, on: Executor = this.#knex): Promise<number> {
    const before = stamp(expiredBeforeMs);
    const removed = await rows(
      on,
      `delete from account where id in (
         select account.id from api_key as expired join account on account.id = expired.account_id
         where expired.tier = 'demo' and expired.expires_at < ? and account.kind = 'demo' and not exists (
           select 1 from api_key as live
           where live.account_id = account.id and (live.expires_at is null or live.expires_at >= ?)
         ) limit ?
       ) returning id`,
      [before, before, limit],
    );
    return removed.length;
  }
}
