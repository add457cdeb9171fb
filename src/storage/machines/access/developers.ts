// Developer accounts: each holds the developer keys of one machine.

import type { AccountMacs } from '../../access/account-macs.ts';
import { type Account, AccountRepository } from '../../access/accounts.ts';
import { type Identity, IdentityRepository } from '../../access/identities.ts';
import { type ApiKey, KeyRepository } from '../../access/keys.ts';
import { type Executor, rows } from '../../database/sql.ts';
import type { Writer } from '../../database/writer.ts';

export interface Developer {
  readonly accountId: string;
  readonly zid: string;
}

export interface NewDeveloperKey {
  readonly machineId: string;
  /** Given with the first key of a machine. */
  readonly opened?: { readonly account: Account; readonly identity: Identity } | undefined;
  readonly key: ApiKey;
  readonly keyHash: Uint8Array;
  readonly macs: AccountMacs;
}

/** Writes a key, and before the first key of a machine its account and identity. */
export const developerKeyRows: Writer<NewDeveloperKey> = {
  async write(added, on) {
    for (const { machineId, opened, key, keyHash, macs } of added) {
      await macs.change(key.accountId, on, async () => {
        if (opened) {
          await new AccountRepository(on).insert(opened.account);
          await new IdentityRepository(on).insert(opened.identity);
          await rows(on, 'insert into developer_account (machine_id, account_id) values (?, ?)', [
            machineId,
            opened.account.id,
          ]);
        }
        await new KeyRepository(on).insert(key, keyHash);
      });
    }
  },
};

export interface KeyRevocation {
  readonly accountId: string;
  readonly id: string;
  readonly nowMs: number;
  readonly macs: AccountMacs;
}

export const keyRevocations: Writer<KeyRevocation> = {
  async write(all, on) {
    const keys = new KeyRepository(on);
    for (const { accountId, id, nowMs, macs } of all)
      await macs.change(accountId, on, () => keys.revoke(accountId, id, nowMs));
  },
};

export class DeveloperRepository {
  readonly #knex: Executor;

  constructor(knex: Executor) {
    this.#knex = knex;
  }

  /** Undefined until the machine has its first developer key. */
  async of(machineId: string, on: Executor = this.#knex): Promise<Developer | undefined> {
    const [row] = await rows<Developer>(
      on,
      `select developer_account.account_id as "accountId", zid
       from developer_account join identity on identity.account_id = developer_account.account_id where machine_id = ?`,
      [machineId],
    );
    return row;
  }

  /** Whether an account holds the developer keys of a machine, so that no person owns it. */
  async isDeveloperAccount(accountId: string, on: Executor = this.#knex): Promise<boolean> {
    return (await rows(on, 'select 1 from developer_account where account_id = ?', [accountId])).length === 1;
  }
}
