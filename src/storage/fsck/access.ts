// Members, developer keys and shares, read for inspection: see machines.ts.

import { type Executor, rows } from '../database/sql.ts';

export interface InspectedMember {
  readonly zid: string;
  readonly role: string;
  readonly since_svcond: string;
}

/** The account that owns the developer keys of a machine. */
export interface InspectedDeveloper {
  readonly account_id: string;
  /** Null if the account has no identity. */
  readonly zid: string | null;
}

export interface InspectedKey {
  readonly id: string;
  readonly name: string;
  readonly key_prefix: string;
  readonly scope: string;
  readonly tier: string;
  /** ISO 8601 in UTC. */
  readonly expires_at: string | null;
  readonly is_revoked: boolean;
}

export interface InspectedShare {
  readonly id: string;
  readonly label: string;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly is_revoked: boolean;
}

/** SQL for a time in the form of answers and rows. It works for times that JavaScript cannot represent, too. */
const iso = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as ${column}`;

export class AccessInspection {
  readonly #on: Executor;

  constructor(on: Executor) {
    this.#on = on;
  }

  /** Ordered by ZID, after the given one. */
  members(machineId: string, after: string | undefined, limit: number): Promise<InspectedMember[]> {
    return rows(
      this.#on,
      `select zid, role, since_svcond::text from member
       where machine_id = ? and (zid > ?::text or ?::text is null) order by zid limit ?`,
      [machineId, after ?? null, after ?? null, limit],
    );
  }

  async developer(machineId: string): Promise<InspectedDeveloper | undefined> {
    const [found] = await rows<InspectedDeveloper>(
      this.#on,
      `select developer_account.account_id, zid from developer_account
       left join identity on identity.account_id = developer_account.account_id where machine_id = ?`,
      [machineId],
    );
    return found;
  }

  /** Keys of an account, ordered by id, after the given one. */
  keys(accountId: string, after: string | undefined, limit: number): Promise<InspectedKey[]> {
    return rows(
      this.#on,
      `select id, name, key_prefix, scope, tier, ${iso('expires_at')}, revoked_at is not null as is_revoked from api_key
       where account_id = ? and (id > ?::uuid or ?::uuid is null) order by id limit ?`,
      [accountId, after ?? null, after ?? null, limit],
    );
  }

  /** Ordered by id, after the given one. */
  shares(machineId: string, after: string | undefined, limit: number): Promise<InspectedShare[]> {
    return rows(
      this.#on,
      `select id, label, ${iso('created_at')}, ${iso('expires_at')}, revoked_at is not null as is_revoked from share
       where machine_id = ? and (id > ?::uuid or ?::uuid is null) order by id limit ?`,
      [machineId, after ?? null, after ?? null, limit],
    );
  }
}
