// Plants faults in a database, and expects fsck to report each with its table and row.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SEAL_TYPE, sealText } from '../../../src/chain/node-seal.ts';
import { signCheckpoint } from '../../../src/chain/note.ts';
import { appendRow, type NewRow } from '../../../src/chain/row.ts';
import { fromHex, toBase64 } from '../../../src/core/bits.ts';
import { utf8 } from '../../../src/core/sha256.ts';
import { preAuthenticationEncoding } from '../../../src/protocol/dsse.ts';
import { openDatabase } from '../../../src/storage/database/database.ts';
import { type Executor, rows } from '../../../src/storage/database/sql.ts';
import type { NodeSeal } from '../../../src/storage/node/node-seals.ts';
import { leavesOf } from '../../chain/chain-fixture.ts';
import { treeHash } from '../../chain/reference-tree.ts';
import { testSigner } from '../../chain/signer.ts';
import { databaseUrl, dropSchema, freshSchema } from '../../storage/databases.ts';
import { WITNESSED_LOG } from './connections-fixture.ts';
import { createNodeFixture, type NodeFixture } from './node-fixture.ts';
import { faultsAfter as plantedFaults } from './planted-faults.ts';

/** Tables that chains and signatures confirm. */
const TABLES = [
  'machine',
  'audit',
  'tile',
  'checkpoint',
  'contract',
  'contract_version',
  'fire',
  'timer',
  'event_key',
  'token_balance',
  'anchor',
  'anchor_continuity',
  'anchored',
  'anchor_key',
  'anchor_config',
  'anchor_mother',
  'anchor_witness',
  'witnessed',
  'node_seal',
  'sealed_head',
  'sealing_key',
  'node',
  'tally',
  'tally_segment',
  'tally_avatar',
  'oracle',
  'member',
  'developer_account',
  'api_key',
  'share',
] as const;

const postgresql = databaseUrl === undefined ? [] : [{ name: 'PostgreSQL', url: databaseUrl }];

describe.each([{ name: 'PGlite', url: undefined }, ...postgresql])('on $name', ({ url }) => {
  let node: NodeFixture;
  const schema = url === undefined ? undefined : freshSchema();

  beforeAll(async () => {
    node = await createNodeFixture(
      schema === undefined ? {} : { inMemory: false, schema },
      url === undefined ? {} : { DATABASE_URL: url },
    );
  });
  afterAll(async () => {
    await node.service.running.close();
    if (url === undefined || schema === undefined) return;
    const cleaner = await openDatabase({ databaseUrl: url });
    await dropSchema(cleaner, schema);
    await cleaner.close();
  });

  const faultsAfter = (damage: (on: Executor) => Promise<void>) =>
    plantedFaults(node.service, damage, { logs: [WITNESSED_LOG] });

  test('a node with every feature in use has no faults', async () => {
    expect(await faultsAfter(async () => {})).toEqual([]);
    const { knex } = node.service.running.storage.database;
    const counts = await Promise.all(TABLES.map(async (table) => (await rows(knex, `select 1 from ${table}`)).length));
    expect(Math.min(...counts)).toBeGreaterThan(0);
    const statuses = await rows<{ status: string }>(knex, 'select distinct status from contract order by status');
    expect(statuses.map(({ status }) => status)).toEqual(['active', 'completed', 'failed', 'frozen', 'paused']);
    const levels = await rows<{ level: number }>(knex, 'select distinct level from tile order by level');
    expect(levels.map(({ level }) => level)).toEqual([0, 1]);
  });

  const OF_CHILD = `machine_id in (select machine_id from anchor_key where epoch = 2)`;
  const OF_SHARED = `machine_id = (select machine_id from developer_account)`;
  const OF_BUSY = `machine_id = (select id from machine where head_seq > 100)`;

  test.each([
    ['audit', `seq = 40`],
    ['audit', `seq = (select head_seq from machine where id = audit.machine_id)`],
    ['tile', `level = 0 and idx = 0`],
    ['tile', `level = 1`],
    ['contract', `status = 'paused'`],
    ['contract_version', `no = 2`],
    ['contract_version', `no = 1`],
    ['fire', `occurrence = (select max(occurrence) from fire)`],
    ['timer', `contract_id = (select max(contract_id::text)::uuid from timer)`],
    ['token_balance', `holder = 'bob'`],
  ])('a deleted row of %s, where %s, is reported', async (table, where) => {
    const found = await faultsAfter(async (on) => {
      const deleted = await rows(on, `delete from ${table} where ${OF_BUSY} and ${where} returning 1`);
      expect(deleted.length).toBeGreaterThan(0);
    });
    expect(found.map((fault) => fault.table)).toContain(table);
  });

  test.each([
    ['the state', `jsonb_set(state::jsonb, '{state}', '"over"')`, `name = 'the watch' or version_no = 2`],
    ['the fires', `jsonb_set(state::jsonb, '{fires}', '9')`, `version_no = 2`],
    ['a timer', `jsonb_set(state::jsonb, '{timers,0,due}', '77')`, `version_no = 2`],
    ['a held timer', `jsonb_set(state::jsonb, '{timers,0,due}', '77')`, `status = 'paused'`],
    ['the lifecycle', `jsonb_set(state::jsonb, '{lifecycle}', '"failed"')`, `version_no = 2`],
    ['not JSON', `'{'`, `version_no = 2`],
  ])('a fault in the state of a contract is reported: %s', async (_, value, where) => {
    const found = await faultsAfter(async (on) => {
      const set = `(${value})::text`;
      await rows(on, `update contract set state = ${set} where id in (select id from contract where ${where} limit 1)`);
    });
    expect(found.map((fault) => fault.table)).toContain('contract');
  });

  test.each([
    ['anchor', `seq = (select min(seq) from anchor)`, ['anchor']],
    ['anchor', `true`, ['anchor']],
    ['anchor_continuity', `true`, ['anchor_continuity']],
    ['anchored', `size = (select max(size) from anchored)`, ['anchor_mother', 'anchored']],
    ['anchor_key', `epoch = 1`, ['anchor_key']],
    ['anchor_config', `version = 1`, ['anchor_config']],
    ['anchor_mother', `size = (select max(size) from anchored)`, ['anchor_mother']],
    ['node_seal', `no = 1`, ['node_seal']],
    ['node_seal', `no = 2`, ['node_seal']],
    ['tally', `true`, ['tally', 'tally_avatar', 'tally_segment']],
    ['tally_segment', `seq = (select min(seq) from tally_segment)`, ['tally_segment']],
    ['tally_segment', `seq = (select max(seq) from tally_segment)`, ['tally_segment']],
    ['tally_avatar', `true`, ['tally_avatar']],
    ['oracle', `stale = 1`, ['oracle']],
    ['oracle', `true`, ['oracle']],
    ['member', `role = 'operator'`, ['member']],
    ['member', `role = 'owner' and machine_id = (select machine_id from share limit 1)`, ['member']],
    ['developer_account', `true`, ['developer_account']],
    ['api_key', `revoked_at is null and account_id in (select account_id from developer_account)`, ['api_key']],
    ['share', `revoked_at is null`, ['share']],
    ['share', `true`, ['share']],
  ])('a deleted row of %s, where %s, is reported, with the tables that depend on it', async (table, where, named) => {
    const found = await faultsAfter(async (on) => {
      const deleted = await rows(on, `delete from ${table} where ${where} returning 1`);
      expect(deleted.length).toBeGreaterThan(0);
    });
    expect([...new Set(found.map((fault) => fault.table))].sort()).toEqual(named);
  });

  test.each(['anchor', 'anchor_continuity', 'anchored', 'anchor_key', 'anchor_mother', 'node_seal', 'tally_segment'])(
    'an extra row of %s is reported, and no other table',
    async (table) => {
      const isOfMother = table === 'anchor' || table === 'anchor_continuity';
      const mother = isOfMother ? {} : { mother_id: randomUUID() };
      const other = { size: 999, pseudonym: 'x', seq: 999, epoch: 9, no: 9, ...mother };
      const found = await faultsAfter(async (on) => {
        const copy = `(jsonb_populate_record(one, ?::jsonb)).*`;
        const inserted = `insert into ${table} select ${copy} from ${table} as one order by one limit 1 returning 1`;
        const { length } = await rows(on, inserted, [JSON.stringify(other)]);
        expect(length).toBe(1);
      });
      expect(new Set(found.map((fault) => fault.table))).toEqual(new Set([table]));
    },
  );

  test.each([
    ['an idle machine has a due tick', 'anchor_config', `due_tick = 7 where mothers = '[]'`],
    ['a machine with mothers has no due tick', 'anchor_config', `due_tick = null where version = 1`],
    ['a mother is listed twice', 'anchor_config', `mothers = '["mother-of-all","mother-of-all"]' where version = 1`],
    ['a cosignature is missing', 'anchor_witness', `cosignature = null`],
    ['an avatar is shorter', 'tally_avatar', `sealed = substr(sealed, 2)`],
    ['a push oracle has a due tick', 'oracle', `due_tick = 7 where kind = 'push'`],
    ['a polled oracle has no due tick', 'oracle', `due_tick = null where kind = 'machine'`],
    ['a push oracle has a cursor', 'oracle', `cursor_seq = 7 where kind = 'push'`],
    ['a cursor is behind the last row read', 'oracle', `cursor_seq = 0 where kind = 'machine'`],
  ])('reports that %s', async (_, table, change) => {
    const found = await faultsAfter(async (on) => {
      const changed = await rows(on, `update ${table} set ${change} returning 1`);
      expect(changed.length).toBeGreaterThan(0);
    });
    expect(new Set(found.map((fault) => fault.table))).toEqual(new Set([table]));
  });

  test('an unsigned change of both table and chain is found by the signatures', async () => {
    const found = await faultsAfter(async (on) => {
      await rows(
        on,
        String.raw`update audit set body = regexp_replace(body, '"svcond":\d+', '"svcond":7')
          where type in ('anchor', 'anchor_continuity')`,
      );
      await rows(on, 'update anchor set svcond = 7');
    });
    for (const table of ['anchor', 'anchor_continuity']) {
      const codes = found.filter((fault) => fault.table === table).map(({ code }) => code);
      expect([table, new Set(codes)]).toEqual([table, new Set(['SIGNATURE'])]);
    }
  });

  test('a signed seal that names a wrong predecessor is reported', async () => {
    const { signer } = node.service.running.services.keyRing;
    const found = await faultsAfter(async (on) => {
      const [seal] = await rows<NodeSeal>(on, 'select * from node_seal where no = 2');
      if (seal === undefined) throw new Error('Seal not found.');
      const genesis = await node.service.running.storage.node.genesis({ tick: 0, unixMs: 0 }, on);
      const payload = utf8(sealText({ ...seal, previous: 'another', genesis }));
      const sig = toBase64(signer.sign(preAuthenticationEncoding(SEAL_TYPE, payload)));
      const signatures = [{ keyid: signer.publicKey.kid, sig }];
      const envelope = JSON.stringify({ payloadType: SEAL_TYPE, payload: toBase64(payload), signatures });
      await rows(on, 'update node_seal set envelope = ? where no = 2', [envelope]);
    });
    expect(found).toMatchObject([
      { machine: 'node', table: 'node_seal', key: { no: '2' }, code: 'SEAL', column: 'envelope' },
      { table: 'node_seal', key: { no: '2' }, code: 'LINK', column: 'envelope' },
      { table: 'node_seal', key: { no: '3' }, code: 'LINK', column: 'envelope' },
    ]);
  });

  test('a mother that is one anchor behind, as after a crash, is no fault; two behind is', async () => {
    const behind = (anchors: number) =>
      faultsAfter(async (on) => {
        const sizes = `select size from anchored where mother_id = anchor_mother.mother_id order by size desc`;
        const moved = await rows(
          on,
          `update anchor_mother set size = (${sizes} offset ? limit 1)
           where size = (select max(size) from anchored) returning 1`,
          [anchors],
        );
        expect(moved.length).toBe(1);
      });
    expect(await behind(1)).toEqual([]);
    expect(await behind(2)).toMatchObject([{ table: 'anchor_mother', code: 'SAID', column: 'size' }]);
  });

  test('unreadable rows confirm nothing, and cause no faults', async () => {
    const found = await faultsAfter(async (on) => {
      const closed = await rows(
        on,
        `update audit set salt = null, body = null, sealed = 'x' where body is not null
           and (${OF_CHILD} or ${OF_SHARED} or machine_id in (select mother_id from anchor))
           and type in ('anchor', 'anchor_config', 'anchor_continuity', 'anchor_key', 'anchored', 'contract', 'reading',
             'tally_genesis', 'tally_rate', 'tally_avatar', 'member', 'api_key', 'share') returning 1`,
      );
      expect(closed.length).toBeGreaterThan(30);
    });
    expect(found).toEqual([]);
  });

  const EXTRA_OWNER = `insert into member (machine_id, zid, role, since_svcond)
    select machine_id, zid, 'owner', 1 from developer_account, identity
    where zid not in (select zid from member where member.machine_id = developer_account.machine_id) limit 1`;
  const EXTRA_KEY = `insert into api_key
    select gen_random_uuid(), account_id, sha256(key_hash), key_prefix, name, scope, tier, created_at, expires_at
    from api_key where account_id in (select account_id from developer_account) limit 1`;
  const EXTRA_TOKENS = `insert into share
    select machine_id, gen_random_uuid(), sha256(token_hash), label, created_at, expires_at, revoked_at from share`;

  test.each([
    ['an owner has no row', EXTRA_OWNER, 'member', /is owner; (no row|row \d+ removed)/],
    [
      'a viewer has become owner',
      `update member set role = 'owner' where role = 'viewer'`,
      'member',
      /is owner; .* viewer/,
    ],
    ['an owner is missing', `delete from member where role = 'owner'`, 'member', 'the role is owner'],
    [
      'a key has a wider scope',
      `update api_key set scope = 'admin' where name = 'of a program'`,
      'api_key',
      /admin; .* (read|write)/,
    ],
    ['a key has no row', EXTRA_KEY, 'api_key', /no row of the chain created this key|created_at is .*, not near/],
    ['a revoked key is active', `update api_key set revoked_at = null`, 'api_key', 'it is not revoked'],
    [
      'all keys are revoked',
      `update api_key set revoked_at = 'epoch'`,
      'api_key',
      /no row of the chain revoked it|revoked before it was created/,
    ],
    ['a token has no row', EXTRA_TOKENS, 'share', 'no row of the chain created this token'],
    ['a revoked token is active', `update share set revoked_at = null`, 'share', 'this one is not revoked'],
    ['all tokens are revoked', `update share set revoked_at = 'epoch'`, 'share', 'no row of the chain revoked it'],
  ])('reports access faults: %s', async (_, damage, table, message) => {
    const found = await faultsAfter(async (on) => void (await rows(on, damage)));
    expect(new Set(found.map((fault) => fault.table))).toContain(table);
    for (const fault of found) {
      expect(fault).toMatchObject({ table, code: 'SAID' });
      expect(fault.message).toMatch(message);
    }
  });

  test.each([
    ['an owner has no row', 'member', EXTRA_OWNER],
    ['the owner is missing', 'member', `delete from member where role = 'owner'`],
    ['a key has no row', 'api_key', EXTRA_KEY],
    ['a revoked key is active', 'api_key', `update api_key set revoked_at = null`],
    ['a token has no row', 'share', EXTRA_TOKENS],
  ])('reports access faults even if the rows are unreadable: %s', async (_, table, damage) => {
    const found = await faultsAfter(async (on) => {
      const closed = await rows(
        on,
        `update audit set salt = null, body = null, sealed = 'x'
         where ${OF_SHARED} and type in ('member', 'api_key', 'share') returning 1`,
      );
      expect(closed.length).toBeGreaterThan(15);
      await rows(on, damage);
    });
    expect(found.map((fault) => fault.table)).toContain(table);
  });

  test('a member without an identity and a delivery without a transition are reported', async () => {
    const found = await faultsAfter(async (on) => {
      await rows(
        on,
        `insert into member (machine_id, zid, role, since_svcond) select id, repeat('0', 32), 'viewer', 1 from machine`,
      );
      await rows(on, `update outbox set body = replace(body, '"seq":', '"seq":9')`);
    });
    expect(new Set(found.map((fault) => fault.table))).toEqual(new Set(['member', 'outbox']));
  });

  test.each([
    ['a removed parameter', `'{}'`],
    ['another duration', `replace(parameters, 'PT20S', 'PT2M')`],
    ['no duration', `replace(parameters, 'PT20S', 'soon')`],
    ['an unknown parameter', `replace(parameters, '{', '{"other":1,')`],
    ['not an object', `'7'`],
  ])('changed parameters of a first version are reported, also if its contract agrees: %s', async (_, value) => {
    const found = await faultsAfter(async (on) => {
      for (const table of ['contract', 'contract_version']) {
        const set = `parameters = ${value} where parameters like '%PT20S%'`;
        expect(await rows(on, `update ${table} set ${set} returning 1`)).toHaveLength(1);
      }
    });
    expect(found).toMatchObject([{ table: 'contract_version', key: { no: 1 }, code: 'SAID', column: 'parameters' }]);
  });

  test('a contract and its timer that differ are both reported if windows determine the wake', async () => {
    let updated = 0;
    const found = await faultsAfter(async (on) => {
      const changed = await rows(
        on,
        `update contract set next_fire = 7 where ${OF_BUSY} and template_id = 'rate-limiter' and next_fire is null returning 1`,
      );
      updated = changed.length;
    });
    expect(updated).toBeGreaterThan(0);
    for (const table of ['contract', 'timer'])
      expect(found.filter((fault) => fault.table === table && fault.code === 'TIMER')).toHaveLength(updated);
  });

  test('two event keys for one row are both reported', async () => {
    const pair: string[] = [];
    const found = await faultsAfter(async (on) => {
      const keys = await rows<{ key: string; seq: number }>(
        on,
        `select key, seq from event_key where ${OF_BUSY} order by seq limit 2`,
      );
      pair.push(...keys.map(({ key }) => key).sort());
      await rows(on, `update event_key set seq = ? where ${OF_BUSY} and seq = ?`, [
        keys[1]?.seq ?? 0,
        keys[0]?.seq ?? 0,
      ]);
    });
    expect(pair).toHaveLength(2);
    expect(found.map(({ table, key }) => [table, key.key])).toEqual(pair.map((key) => ['event_key', key]));
  });

  test('sealed data in place of an erased payload is reported', async () => {
    const found = await faultsAfter(async (on) => {
      const changed = await rows(on, `update audit set sealed = 'x' where ${OF_BUSY} and salt is null returning 1`);
      expect(changed.length).toBe(1);
    });
    expect(found).toContainEqual(expect.objectContaining({ table: 'audit', code: 'ERASURE' }));
  });

  describe('a history rewritten with all its hashes', () => {
    const REWRITTEN = 20;
    /** Replaces the payload of one row, and rehashes every row from there to the head. */
    const rewrite = async (on: Executor, slug = node.slug, from = REWRITTEN): Promise<Uint8Array[]> => {
      const { storage } = node.service.running;
      const machine = await storage.machines.bySlug(slug, on);
      if (machine === undefined) throw new Error('Machine not found.');
      const all = await storage.audit.range(machine.id, slug, 0, machine.head.seq, on);
      let head = all[from - 1];
      const rewritten = all.slice(0, from);
      for (const row of all.slice(from)) {
        const { svcond, type, source, actor, payload_text: text, salt } = row;
        if (head === undefined) break;
        const payload = row.seq === from ? { name: 'never' } : JSON.parse(text ?? '{}');
        const next = appendRow(
          head,
          { svcond, type, source, actor, payload } as NewRow,
          fromHex(salt ?? '00'.repeat(16)) ?? new Uint8Array(),
        );
        await rows(
          on,
          `update audit set prev_hash = decode(?, 'hex'), hash = decode(?, 'hex'), commitment = decode(?, 'hex'),
             body = case when body is null then null else ? end where machine_id = ? and seq = ?`,
          [next.prev, next.row_hash, next.commit, next.payload_text, machine.id, row.seq],
        );
        head = next;
        rewritten.push(next);
      }
      await rows(on, `update machine set head_hash = decode(?, 'hex') where id = ?`, [
        head?.row_hash ?? '',
        machine.id,
      ]);
      return leavesOf(rewritten);
    };
    /** Rewrites tree and checkpoints to match as well. */
    const rewriteTree = async (
      on: Executor,
      leaves: readonly Uint8Array[],
      note?: (size: number, root: Uint8Array) => string,
    ) => {
      await rows(on, `delete from tile where ${OF_BUSY}`);
      const machine = await node.service.running.storage.machines.bySlug(node.slug, on);
      for (const { size } of await rows<{ size: number }>(on, `select size from checkpoint where ${OF_BUSY}`)) {
        const root = treeHash(leaves.slice(0, size));
        await rows(on, `update checkpoint set root = ?, note = coalesce(?, note) where size = ? and machine_id = ?`, [
          root,
          note?.(size, root) ?? null,
          size,
          machine?.id ?? '',
        ]);
      }
    };

    test('is found by the tree, at its first row', async () => {
      const found = await faultsAfter(async (on) => void (await rewrite(on)));
      const first = found.filter(({ code, table }) => code === 'TREE' && table === 'audit');
      expect(first.map(({ key }) => key)).toContainEqual({ seq: REWRITTEN });
    });

    test('is found by the signed root if the tree was rewritten', async () => {
      const found = await faultsAfter(async (on) => rewriteTree(on, await rewrite(on)));
      expect(found).toContainEqual(expect.objectContaining({ table: 'checkpoint', column: 'root' }));
      expect(found).toContainEqual(expect.objectContaining({ table: 'audit', code: 'TREE' }));
    });

    test('is found by the anchors in mothers if the tree is deleted', async () => {
      const found = await faultsAfter(async (on) => {
        await rewrite(on, node.child, 2);
        for (const table of ['tile', 'checkpoint']) await rows(on, `delete from ${table} where ${OF_CHILD}`);
        await rows(
          on,
          `update machine set checkpoint_size = 0, pending_since = coalesce(pending_since, genesis_tick) where slug = ?`,
          [node.child],
        );
      });
      const ofMothers = found.filter(({ code, message }) => code === 'TREE' && message.includes('were anchored in'));
      expect(new Set(ofMothers.map(({ table }) => table))).toEqual(new Set(['audit']));
      expect(found.filter(({ table }) => table !== 'audit').map(({ table }) => table)).toEqual(['anchor_witness']);
    });

    test('is found by the signature if another key signed', async () => {
      const origin = `${'127.0.0.1:0'}/m/${node.slug}`;
      const sign = (size: number, root: Uint8Array) => signCheckpoint({ origin, size, root }, testSigner(3));
      const found = await faultsAfter(async (on) => rewriteTree(on, await rewrite(on), sign));
      expect(found).toContainEqual(expect.objectContaining({ table: 'checkpoint', code: 'SIGNATURE', column: 'note' }));
    });
  });

  test('many faults of one kind are reported up to a limit, then counted', async () => {
    const found = await faultsAfter(
      async (on) => void (await rows(on, `update audit set actor = 'x' where ${OF_BUSY}`)),
    );
    const ofKind = found.filter(({ code }) => code === 'HASH');
    expect(ofKind.length).toBe(26);
    expect(ofKind.at(-1)?.message).toMatch(/^\d+ more of this kind/);
  });
});
