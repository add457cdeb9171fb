// Migration 0016: developer keys of before use the rate of the first owner of their machine.

import { randomBytes } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { uuidV7 } from '../../../src/core/ids.ts';
import { migrate } from '../../../src/storage/database/migrate.ts';
import { rows } from '../../../src/storage/database/sql.ts';
import { memberRows } from '../../../src/storage/machines/access/members.ts';
import { insertMachine } from '../../services/machines/stored-machine-fixture.ts';
import { testDatabases } from '../databases.ts';

const MIGRATION = '0016_shared_rates';

describe.each(testDatabases())('$name', (database) => {
  test('a developer key gets the account of the first owner, other keys stay with their own', async () => {
    const storage = await database.open();
    onTestFinished(() => database.dispose(storage));
    const { knex } = storage.database;
    await knex.raw('alter table api_key drop column tenant; drop table rate_window');
    await rows(knex, 'delete from migration where name = ?', [MIGRATION]);

    const newId = () => uuidV7(0, randomBytes(10));
    const member = async (zid: string) => {
      const accountId = newId();
      await storage.accounts.insert({ id: accountId, kind: 'full', createdSvcond: 1, createdMs: 0 });
      await storage.identities.insert({ accountId, zid, salt: undefined, createdMs: 0 });
      await rows(
        knex,
        `insert into api_key (id, account_id, key_hash, key_prefix, name, scope, tier, created_at)
         values (?, ?, ?, 'svc_ak_01234567', 'test', 'read', 'free', now())`,
        [newId(), accountId, randomBytes(32)],
      );
      return accountId;
    };
    const zids = ['a', 'b', 'c'].map((digit) => digit.repeat(32)) as [string, string, string];
    const [late, first, developer] = [await member(zids[0]), await member(zids[1]), await member(zids[2])];
    const { id: machineId } = await insertMachine(storage);
    await memberRows.write(
      [
        { machineId, zid: zids[0], role: 'owner', sinceSvcond: 9 },
        { machineId, zid: zids[1], role: 'owner', sinceSvcond: 5 },
        { machineId, zid: zids[2], role: 'admin', sinceSvcond: 1 },
      ],
      knex,
    );
    await rows(knex, 'insert into developer_account (machine_id, account_id) values (?, ?)', [machineId, developer]);

    expect(await migrate(storage.database)).toEqual([MIGRATION]);
    const tenants = async (accountId: string) => (await storage.keys.list(accountId, 9)).map(({ tenant }) => tenant);
    expect(await tenants(developer)).toEqual([first]);
    expect([...(await tenants(first)), ...(await tenants(late))]).toEqual([undefined, undefined]);
  });
});
