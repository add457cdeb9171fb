// Seals over all machines: deleted machines, dropped rows, deleted seals and a moved genesis, each found and named.

import { beforeAll, describe, expect, test } from 'vitest';
import { TICK_NS } from '../../../src/core/clock.ts';
import { LIMITS } from '../../../src/core/limits.ts';
import { type HeldSeal, isHeldSealSigned, parseHeldSeal } from '../../../src/services/fsck/held-seal.ts';
import { type Executor, rows } from '../../../src/storage/database/sql.ts';
import { testSigner } from '../../chain/signer.ts';
import { advanceClock, type OwnMachines, ownMachines } from '../../http/machine-fixture.ts';
import { startService } from '../../http/service-fixture.ts';
import { faultsAfter, nodeKeys, truncateTo } from './planted-faults.ts';

const service = await startService();
const { seals, sealLog } = service.running.services;
let own: OwnMachines;
/** A machine that is sealed with two rows, and one with five. */
let short: string;
let long: string;

/** Seals all machines, as a node does on schedule. */
async function sealAll(): Promise<void> {
  advanceClock(service, BigInt(LIMITS.chain.sealEveryTicks) * TICK_NS);
  await seals.sealWhenDue();
  await sealLog.record();
}

beforeAll(async () => {
  own = ownMachines(service, 'sealed');
  [short, long] = [await own.machine(), await own.machine()];
  await sealAll();
  await own.event(short, 'first');
  for (let i = 0; i < 4; i++) await own.event(long, 'tick');
  await sealAll();
  await sealAll();
});

/** Deletes a machine with everything that belongs to it. */
async function deleteMachine(on: Executor, slug: string): Promise<void> {
  const tables = await rows<{ table: string }>(
    on,
    `select table_name as table from information_schema.columns
     where table_schema = current_schema() and column_name = 'machine_id' and table_name <> 'sealed_head'`,
  );
  for (const { table } of tables)
    await rows(on, `delete from ${table} where machine_id = (select id from machine where slug = ?)`, [slug]);
  await rows(on, 'delete from machine where slug = ?', [slug]);
}

test('sealed machines have no faults, also after further rows and new machines', async () => {
  await own.event(await own.machine(), 'later');
  await own.event(short, 'later');
  expect(await faultsAfter(service, async () => {})).toEqual([]);
});

test('a seal is made on schedule also if nothing has changed, and each is recorded in the chain of the node', async () => {
  const recorded = (await own.rows('node')).filter(({ type }) => type === 'node_seal');
  expect(recorded.map(({ payload }) => payload)).toMatchObject([{ no: 1 }, { no: 2 }, { no: 3 }]);
  await seals.sealWhenDue();
  expect((await seals.newest()).no).toBe(3);
});

test('a deleted machine is named', async () => {
  const found = await faultsAfter(service, (on) => deleteMachine(on, short));
  expect(found).toMatchObject([{ machine: short, table: 'machine', code: 'SEAL' }]);
});

test('a deleted machine is noticed even if its sealed head is deleted too', async () => {
  const found = await faultsAfter(service, async (on) => {
    await deleteMachine(on, short);
    await rows(on, 'delete from sealed_head where slug = ?', [short]);
  });
  expect(found).toMatchObject([{ machine: null, table: 'sealed_head', code: 'SEAL' }]);
});

test('a deleted sealed head is named, also beside a machine that is newer than the seal', async () => {
  await own.machine();
  const found = await faultsAfter(service, (on) => rows(on, 'delete from sealed_head where slug = ?', [long]));
  expect(found.map(({ machine, table, code }) => [machine, table, code])).toEqual([
    [null, 'sealed_head', 'SEAL'],
    [long, 'sealed_head', 'SEAL'],
  ]);
});

test('dropped rows are named', async () => {
  const found = await faultsAfter(service, (on) => truncateTo(on, long, 2));
  expect(found).toMatchObject([{ machine: long, table: 'audit', key: { seq: 3 }, code: 'SEAL' }]);
});

test.each(['no = 1', 'no = 2', 'no = 3', 'no > 1', 'true'])('deleted seals are named: %s', async (where) => {
  const deleted = await rows<{ no: string }>(
    service.running.storage.database.knex,
    `select no::text from node_seal where ${where} order by node_seal.no`,
  );
  const found = await faultsAfter(service, (on) => rows(on, `delete from node_seal where ${where}`));
  const named = found.filter(({ table, code }) => table === 'node_seal' && code === 'GAP').map(({ key }) => key.no);
  expect(named).toEqual(expect.arrayContaining(deleted.map(({ no }) => no)));
});

test('a moved genesis of the node is named', async () => {
  const genesis = { table: 'node', key: { key: 'genesis' }, code: 'GENESIS' };
  for (const field of ['tick', 'unixMs'] as const) {
    const move = `jsonb_set(value::jsonb, '{${field}}', '7')::text`;
    const found = await faultsAfter(service, (on) => rows(on, `update node set value = ${move} where key = 'genesis'`));
    expect(found).toContainEqual(expect.objectContaining({ ...genesis, column: 'value' }));
  }
  const found = await faultsAfter(service, (on) => rows(on, `delete from node where key = 'genesis'`));
  expect(found).toContainEqual(expect.objectContaining(genesis));
});

describe('with a seal or checkpoint that was kept outside', () => {
  const held = (text: string) => parseHeldSeal(text) as HeldSeal;
  const sealText = async () => (await service.call('GET /api/chain/seal')).text;
  const checkpointOf = async (slug: string) => (await service.call(`GET /api/chain/${slug}/checkpoint`)).text;
  /** Makes the database what it was after the first seal, with no trace of what followed. */
  const goBack = async (on: Executor) => {
    await truncateTo(on, short, 0);
    await truncateTo(on, long, 0);
    for (const slug of ['node', ...(await newMachines(on))]) await deleteMachine(on, slug);
    await rows(on, 'delete from node_seal where no > 1');
    await rows(on, 'delete from sealed_head where slug not in (?, ?)', [short, long]);
    await rows(
      on,
      `update sealed_head set seq = 0, head_hash = hash from audit
       where audit.machine_id = sealed_head.machine_id and audit.seq = 0`,
    );
  };
  const newMachines = async (on: Executor) =>
    (await rows<{ slug: string }>(on, 'select slug from machine where slug not in (?, ?)', [short, long])).map(
      ({ slug }) => slug,
    );

  test('both are read, and only if the node signed them', async () => {
    const [seal, note] = [await sealText(), await checkpointOf(long)];
    const bare = JSON.stringify((JSON.parse(seal) as { envelope: unknown }).envelope);
    for (const text of [seal, bare, note]) {
      expect(isHeldSealSigned(held(text), nodeKeys(service))).toBe(true);
      expect(isHeldSealSigned(held(text), [testSigner(3).publicKey])).toBe(false);
    }
    for (const text of ['', '{}', 'null', '7', seal.slice(1), note.replace('/m/', '/x/')])
      expect(parseHeldSeal(text)).toBeUndefined();
  });

  test('a database that was set back to an earlier seal looks genuine without one, and not with one', async () => {
    const [seal, note] = [await sealText(), await checkpointOf(long)];
    const { no } = JSON.parse(seal) as { no: number };
    expect(await faultsAfter(service, async () => {}, { held: held(seal) })).toEqual([]);
    expect(await faultsAfter(service, async () => {}, { held: held(note) })).toEqual([]);
    expect(await faultsAfter(service, goBack)).toEqual([]);
    expect(await faultsAfter(service, goBack, { held: held(seal) })).toMatchObject([
      { machine: null, table: 'node_seal', key: { no: String(no) }, code: 'GAP' },
    ]);
    expect(await faultsAfter(service, goBack, { held: held(note) })).toMatchObject([
      { machine: long, table: 'audit', key: { seq: 1 }, code: 'GAP' },
    ]);
  });

  test('a seal that has another content here, and a checkpoint of a machine that is gone, are named', async () => {
    const [seal, note] = [held(await sealText()), held(await checkpointOf(long))];
    const other = await faultsAfter(
      service,
      (on) => rows(on, `update node_seal set envelope = (select envelope from node_seal where no = 1)`),
      { held: seal },
    );
    expect(other).toContainEqual(expect.objectContaining({ table: 'node_seal', code: 'SEAL', column: 'envelope' }));
    const gone = await faultsAfter(service, (on) => deleteMachine(on, long), { held: note });
    expect(gone).toContainEqual(
      expect.objectContaining({ machine: long, message: 'The machine of the given checkpoint is missing.' }),
    );
  });
});

describe('a node whose database was changed', () => {
  test('does not seal over a deleted machine or dropped rows: they stay in every later seal', async () => {
    const { knex } = service.running.storage.database;
    const gone = await own.machine();
    await own.event(gone, 'once');
    await sealAll();
    await knex.transaction(async (on) => {
      await on.raw(`set local session_replication_role = 'replica'`);
      await deleteMachine(on, gone);
    });
    const before = await seals.newest();
    await sealAll();
    const after = await seals.newest();
    expect([after.no, after.machines]).toEqual([before.no + 1, before.machines]);
    expect(await faultsAfter(service, async () => {})).toMatchObject([
      { machine: gone, table: 'machine', code: 'SEAL' },
    ]);
  });

  test('does not seal at all if the heads that it sealed were changed', async () => {
    const before = await seals.newest();
    await rows(service.running.storage.database.knex, 'delete from sealed_head where slug = ?', [long]);
    await sealAll();
    expect(await seals.newest()).toEqual(before);
    expect(service.produced.join('')).toContain('svc fsck');
  });
});
