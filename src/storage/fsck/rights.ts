// What is stored of who may use a machine, read without trusting it: as inspection.ts reads chains and contracts.

import { type Executor, rows } from '../database/sql.ts';

export interface InspectedMember {
  readonly zid: string;
  readonly role: string;
  readonly since_svcond: string;
}

/** The account that the developer keys of a machine belong to. */
export interface InspectedDeveloper {
  readonly account_id: string;
  /** Null where the account has no identity. */
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

/** As answers and rows of the chain write a time; one that JavaScript cannot hold is text all the same. */
const iso = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as ${column}`;

export class RightsInspection {
  readonly #on: Executor;

  constructor(on: Executor) {
    this.#on = on;
  }

  /** In the order of their ZIDs, after the one that is given. */
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

  /** Keys of an account in the order of their ids, after the one that is given. */
  keys(accountId: string, after: string | undefined, limit: number): Promise<InspectedKey[]> {
    return rows(
      this.#on,
      `select id, name, key_prefix, scope, tier, ${iso('expires_at')}, revoked_at is not null as is_revoked from api_key
       where account_id = ? and (id > ?::uuid or ?::uuid is null) order by id limit ?`,
      [accountId, after ?? null, after ?? null, limit],
    );
  }

  shares(machineId: string, after: string | undefined, limit: number): Promise<InspectedShare[]> {
    return rows(
      this.#on,
      `select id, label, ${iso('created_at')}, ${iso('expires_at')}, revoked_at is not null as is_revoked from share
       where machine_id = ? and (id > ?::uuid or ?::uuid is null) order by id limit ?`,
      [machineId, after ?? null, after ?? null, limit],
    );
  }
}
