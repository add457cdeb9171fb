// Machines from before chains stated their settings: the node appends one row to each, and fsck then finds changes.

import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { appendRow, emptyHead, type OpenRow, SYSTEM_ACTOR } from '../../../src/chain/row.ts';
import { canonicalJson } from '../../../src/core/canonical-json.ts';
import { tickOf } from '../../../src/core/clock.ts';
import { uuidV7 } from '../../../src/core/ids.ts';
import { openDatabase } from '../../../src/storage/database/database.ts';
import { MIGRATIONS } from '../../../src/storage/database/migrate.ts';
import { type Executor, rows } from '../../../src/storage/database/sql.ts';
import { AuditRepository } from '../../../src/storage/machines/audit.ts';
import { ownMachines } from '../../http/machine-fixture.ts';
import { startService } from '../../http/service-fixture.ts';
import { faultsAfter } from '../fsck/planted-faults.ts';

/** An hour ago. Times of a row agree: its id (UUID version 7), its tick and `created_at`. */
const CREATED_MS = Date.now() - 3_600_000;
const CREATED_AT = new Date(CREATED_MS).toISOString();
const TICK = tickOf(BigInt(CREATED_MS) * 1_000_000n);
const MACHINES = 5;
/** Less than the number of machines, so that there are several batches. */
const BATCH_SIZE = 2;
const SEALING_KEY = 'cd'.repeat(32);

const newId = () => uuidV7(CREATED_MS, randomBytes(10));

/** A machine as an earlier version stored it: its first row states no settings, and later rows only what changed. */
async function insertOldMachine(on: Executor, i: number): Promise<void> {
  const slug = `old-${i}`;
  const isSealed = i === 1;
  const written: OpenRow[] = [];
  const add = (type: string, payload: object) => {
    const row = { svcond: TICK, type, source: 'system', actor: SYSTEM_ACTOR, payload };
    written.push(appendRow(written.at(-1) ?? emptyHead(slug), row, randomBytes(16)));
  };
  add('genesis', { slug, genesis_tick: TICK, policy: 'v1' });
  add('settings', { settings: { http_allow: [`host-${i}.example`] } });
  const machineId = newId();
  await rows(
    on,
    `insert into machine (id, slug, name, description, status, is_public, settings, settings_version, genesis_tick,
       genesis_hash, head_seq, head_hash, head_svcond, checkpoint_size, erased, sealing_key, created_at)
     values (?, ?, ?, '', ?, ?, ?, 1, ?, decode(?, 'hex'), 1, decode(?, 'hex'), ?, 0, 0, decode(?, 'hex'), ?)`,
    [
      machineId,
      slug,
      slug,
      'active',
      !isSealed,
      canonicalJson({ http_allow: [`host-${i}.example`] }),
      TICK,
      written[0]?.row_hash ?? '',
      written[1]?.row_hash ?? '',
      TICK,
      isSealed ? SEALING_KEY : null,
      CREATED_AT,
    ],
  );
  const audit = new AuditRepository(on as ConstructorParameters<typeof AuditRepository>[0]);
  const sealed = isSealed ? new Uint8Array(64) : undefined;
  await audit.insert(
    written.map((row) => ({ machineId, row, sealed })),
    on,
  );
  if (!isSealed) return;
  const [zid, salt] = ['ef'.repeat(16), Buffer.alloc(16, 7)];
  const accountId = newId();
  await rows(on, `insert into account values (?, 'full', ?, ?)`, [accountId, TICK, CREATED_AT]);
  await rows(
    on,
    `insert into api_key (id, account_id, key_hash, key_prefix, name, scope, tier, created_at)
     values (?, ?, ?, 'svc_ak_0123abcd', 'owner', 'admin', 'standard', ?)`,
    [newId(), accountId, randomBytes(32), CREATED_AT],
  );
  await rows(on, 'insert into identity (account_id, zid, salt, created_at) values (?, ?, ?, ?)', [
    accountId,
    zid,
    salt,
    CREATED_AT,
  ]);
  await rows(on, `insert into sealing_key (machine_id, public_key, zid, salt) values (?, decode(?, 'hex'), ?, ?)`, [
    machineId,
    SEALING_KEY,
    zid,
    salt,
  ]);
}

/** A database as the version before 0018 left it. */
async function oldDatabase(dataFolder: string): Promise<void> {
  const database = await openDatabase({ dataFolder });
  try {
    await rows(database.knex, 'create table migration (name text primary key, applied_at timestamptz default now())');
    await database.transaction(async (on) => {
      for (const { name, up } of MIGRATIONS.filter((migration) => migration.name < '0018')) {
        await up(on);
        await rows(on, 'insert into migration (name) values (?)', [name]);
      }
      for (let i = 0; i < MACHINES; i++) await insertOldMachine(on, i);
    });
  } finally {
    await database.close();
  }
}

test('each machine gets one row, whatever was done before, and its settings are checked from then on', async () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'svc-old-'));
  onTestFinished(() => rmSync(dataFolder, { recursive: true, force: true }));
  await oldDatabase(dataFolder);
  const service = await startService({ inMemory: false }, { SVC_DATA: dataFolder });
  const { running } = service;
  const own = ownMachines(service, 'new');
  const widen = (slug: string) => (on: Executor) =>
    rows(on, `update machine set settings = '{}', is_public = not is_public where slug = ?`, [slug]);
  const namedIn = async (slug: string) => (await faultsAfter(service, widen(slug))).map(({ column }) => column);

  expect(await faultsAfter(service, async () => {})).toEqual([]);
  expect([await namedIn('old-0'), await namedIn('old-1')]).toEqual([['settings'], []]);

  const { machines } = running.services;
  const fresh = await own.machine();
  expect(await machines.stateAllSettings(BATCH_SIZE)).toBe(0);
  expect(await Promise.all([machines.stateAllSettings(BATCH_SIZE), machines.stateAllSettings(1)])).toEqual([0, 0]);
  expect((await own.rows(fresh)).map(({ type }) => type)).toEqual(['genesis']);
  for (let i = 0; i < MACHINES; i++) {
    const machine = await running.storage.machines.bySlug(`old-${i}`);
    expect(machine).toMatchObject({ head: { seq: 2 }, settingsVersion: 2, settingsSeq: 2 });
    expect(await namedIn(`old-${i}`)).toEqual(['is_public', 'settings']);
  }
  expect(await faultsAfter(service, async () => {})).toEqual([]);
});
