// MACs of accounts, keys and filed runs: what fsck finds by them, and that the service never renews a broken one.

import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Principal } from '../../../src/services/access/access.ts';
import { ACCOUNT_MACS, beginAccountMacs, MACS_FACT } from '../../../src/services/node/begin-account-macs.ts';
import { SealedBox } from '../../../src/services/node/sealed-box.ts';
import { AccountMacs, runText } from '../../../src/storage/access/account-macs.ts';
import { type Executor, rows } from '../../../src/storage/database/sql.ts';
import { startService } from '../../http/service-fixture.ts';
import { faultsAfter } from './planted-faults.ts';

const SVC_MASTER_KEY = randomBytes(32).toString('hex');
const service = await startService({}, { SVC_MASTER_KEY });
const { services, storage } = service.running;
const { knex } = storage.database;
const HEAT = { dim: 1, nx: 8, steps: 4, dt: 0.001 };

const box = new SealedBox(Buffer.from(SVC_MASTER_KEY, 'hex'), randomBytes);
const testMac = box.rowMac(ACCOUNT_MACS);
const secrets = { receipts: services.keyRing.receipts, box };

let accountId: string;
let admin: Record<string, string>;

async function call(route: string, json?: object): Promise<Record<string, unknown>> {
  const { status, text } = await service.call(route, { headers: admin, ...(json ? { json } : {}) });
  if (status >= 300) throw new Error(`${route} returned ${status} ${text}`);
  return JSON.parse(text) as Record<string, unknown>;
}
const file = async (folder: string) => String((await call('POST /api/svc/heat', { ...HEAT, folder })).run_id);

const found = async (plant: (on: Executor) => Promise<unknown>) =>
  (await faultsAfter(service, plant, { secrets })).map(({ table, code, key }) => ({ table, code, ...key }));

beforeAll(async () => {
  const opened = await services.keys.openAccount({ name: 'maced', scope: 'admin', rate_limit_tier: 'high' });
  accountId = opened.accountId;
  admin = { authorization: `Bearer ${opened.key}` };
  for (const folder of ['one', 'two', 'three']) await file(folder);
});

const keyNamed = async (name: string, on: Executor = knex) => {
  const [key] = await rows<{ id: string; mac: Uint8Array }>(on, 'select id, mac from api_key where name = ?', [name]);
  if (key === undefined) throw new Error(`There is no key ${name}.`);
  return key;
};
const create = (name: string) => services.keys.create(principal(), { name, scope: 'read', rate_limit_tier: 'free' });
const principal = (): Principal => ({
  accountId,
  keyId: '',
  keyPrefix: '',
  scope: 'admin',
  tier: 'high',
  isDemo: false,
});

test('accounts, keys and runs that the service wrote have no faults', async () => {
  await create('revoked');
  await services.keys.revoke(principal(), (await keyNamed('revoked')).id);
  expect(await found(async () => {})).toEqual([]);
});

describe('found and named', () => {
  test('a run that is deleted, moved to another folder, or copied', async () => {
    const gap = { table: 'run', code: 'GAP', account_id: accountId };
    for (const no of [1, 2, 3])
      expect(await found((on) => rows(on, 'delete from run where account_id = ? and no = ?', [accountId, no]))).toEqual(
        [{ ...gap, no }],
      );
    const all = await found((on) => rows(on, 'delete from run where account_id = ?', [accountId]));
    expect(all).toEqual([1, 2, 3].map((no) => ({ ...gap, no })));
    const moved = await found((on) => rows(on, `update run set folder = 'other' where no = 1`));
    expect(moved).toMatchObject([{ table: 'run', code: 'MAC', account_id: accountId }]);
  });

  test('a run whose law was renamed, or left out', async () => {
    const LAW = { domain: 'CM', operators: ['CM9'], inputs: { m: 2, v: 3 } };
    const { run_id: id } = await call('POST /api/svc/compute', { ...LAW, folder: 'law' });
    const mac = { table: 'run', code: 'MAC', id, account_id: accountId };
    const said = (column: string) => ({ ...mac, code: 'SAID', column });
    const edited = async (set: string) =>
      (await faultsAfter(service, (on) => rows(on, `update run set ${set} where folder = 'law'`), { secrets })).map(
        ({ table, code, key, column }) => ({ table, code, ...key, ...(column === undefined ? {} : { column }) }),
      );
    expect(await edited('unit = unit')).toEqual([]);
    expect(await edited(`law_title = 'Potential energy'`)).toEqual([mac, said('law_title')]);
    expect(await edited(`law_id = 'CM10'`)).toEqual([mac, said('law_id')]);
    expect(await edited('law_id = null, law_title = null')).toEqual([mac]);
    // Without the master key the envelope still tells.
    const keyless = await faultsAfter(service, (on) =>
      rows(on, `update run set law_title = 'Potential energy' where folder = 'law'`),
    );
    expect(keyless.map(({ code, column }) => [code, column])).toEqual([['SAID', 'law_title']]);
    const added = await found((on) => rows(on, `update run set law_id = 'CM9', law_title = 'A law' where no = 1`));
    expect(added).toMatchObject([{ code: 'MAC' }, { code: 'SAID' }, { code: 'SAID' }]);
  });

  test('the newest run deleted together with its number', async () => {
    const fewer = await found(async (on) => {
      await rows(on, 'delete from run where account_id = ? and no = 3', [accountId]);
      await rows(on, 'update account set runs = 2 where id = ?', [accountId]);
    });
    expect(fewer).toEqual([{ table: 'account', code: 'MAC', id: accountId }]);
  });

  test('a key that uses the rate of another tenant, or was deleted', async () => {
    const { id } = await keyNamed('revoked');
    const tenant = await found((on) => rows(on, `update api_key set tenant = '192.0.2.1' where id = ?`, [id]));
    expect(tenant).toEqual([{ table: 'api_key', code: 'MAC', id, account_id: accountId }]);
    const deleted = await found((on) => rows(on, 'delete from api_key where id = ?', [id]));
    expect(deleted).toEqual([{ table: 'account', code: 'MAC', id: accountId }]);
  });

  test('a key that is valid again with the MAC that it had before its revocation', async () => {
    await create('restored');
    const { id, mac } = await keyNamed('restored');
    await services.keys.revoke(principal(), id);
    const restored = await found((on) =>
      rows(on, 'update api_key set revoked_at = null, mac = ? where id = ?', [mac, id]),
    );
    expect(restored).toEqual([{ table: 'account', code: 'MAC', id: accountId }]);
  });
});

test('a run without laws has the text of its MAC that it had before runs named their laws', () => {
  const run = {
    id: '01920000-0000-7000-8000-000000000002',
    folder: undefined,
    solver: 'heat',
    envelope: '{}',
    valueText: '0.5',
    unit: 'K',
    svcond: 1,
    createdMs: 2,
  };
  const account = '01920000-0000-7000-8000-000000000001';
  const sha256 = '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a';
  const before = `["run","${account}","3","${run.id}",null,"heat","${sha256}","0.5","K",1,2000`;
  expect(runText(account, '3', run)).toBe(`${before}]`);
  expect(runText(account, '3', { ...run, lawId: 'CM9', lawTitle: 'A law' })).toBe(`${before},"CM9","A law"]`);
  expect(runText(account, '3', { ...run, lawTitle: 'A law' })).toBe(`${before},null,"A law"]`);
});

test('the service does not renew a MAC that does not hold', async () => {
  const macs = new AccountMacs(testMac);
  await expect(
    storage.transaction(async (on) => {
      await rows(on, `update api_key set scope = 'admin' where name = 'revoked'`);
      await rows(on, `delete from api_key where name = 'restored'`);
      await rows(on, `update account set runs = 7 where id = ?`, [accountId]);
      const before = await rows(on, 'select mac, runs_mac from account where id = ?', [accountId]);
      // Another key and another run, by a node with the same key.
      const { keys } = storage;
      const stored = {
        id: '01920000-0000-7000-8000-000000000001',
        accountId,
        keyPrefix: 'svc_ak_abcdefgh',
        name: 'new',
        scope: 'read',
        tier: 'free',
        tenant: undefined,
        createdMs: 0,
        expiresMs: undefined,
      } as const;
      await macs.change(accountId, on, () => keys.insert(stored, new Uint8Array(32), on));
      const revoked = await keyNamed('revoked', on);
      await macs.change(accountId, on, () => keys.revoke(accountId, revoked.id, 0, on));
      expect(await rows(on, 'select mac, runs_mac from account where id = ?', [accountId])).toEqual(before);
      throw new Error('rolled back');
    }),
  ).rejects.toThrow('rolled back');
});

test('the first start computes the MACs of the rows that exist, later ones none', async () => {
  const macs = new AccountMacs(testMac);
  const begin = () => beginAccountMacs(storage, { macs, mac: testMac, tick: 5 });
  // Rows from before.
  await rows(knex, 'delete from node where key = ?', [MACS_FACT]);
  await rows(knex, 'update account set mac = null, runs_mac = null, runs = 0');
  await rows(knex, 'update api_key set mac = null');
  await rows(knex, 'update run set mac = null, no = null');
  expect(await begin()).toBe(true);
  const fact = JSON.parse((await storage.node.get(MACS_FACT)) ?? '{}') as object;
  const [count] = await rows(
    knex,
    `select (select count(*) from account) as accounts, (select count(*) from api_key) as keys, (select count(*) from run) as runs`,
  );
  expect(fact).toMatchObject({ tick: 5, ...(count as object) });
  expect(await found(async () => {})).toEqual([]);

  await rows(knex, 'update api_key set mac = null where name = ?', ['revoked']);
  expect(await begin()).toBe(true);
  expect(await found(async () => {})).toContainEqual(expect.objectContaining({ table: 'api_key', code: 'MAC' }));
  // Without its record the beginning is not made again.
  await rows(knex, 'delete from node where key = ?', [MACS_FACT]);
  expect(await begin()).toBe(false);
  expect(await found(async () => {})).toContainEqual({ table: 'node', code: 'MAC', key: MACS_FACT });
});
