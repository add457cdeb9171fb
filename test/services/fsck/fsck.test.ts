// Every fault that is planted in a stored chain is found, and the row that it was planted in is named.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SEAL_TYPE, sealText } from '../../../src/chain/node-seal.ts';
import { signCheckpoint } from '../../../src/chain/note.ts';
import { appendRow, type NewRow } from '../../../src/chain/row.ts';
import { fromBase64Url, fromHex, toBase64 } from '../../../src/core/bits.ts';
import { utf8 } from '../../../src/core/sha256.ts';
import { preAuthenticationEncoding } from '../../../src/protocol/seal.ts';
import type { FsckFault } from '../../../src/services/fsck/faults.ts';
import { fsck } from '../../../src/services/fsck/fsck.ts';
import { openDatabase } from '../../../src/storage/database/database.ts';
import { type Executor, rows } from '../../../src/storage/database/sql.ts';
import type { NodeSeal } from '../../../src/storage/node/seals.ts';
import { leavesOf } from '../../chain/chains.ts';
import { testSigner } from '../../chain/signer.ts';
import { treeHash } from '../../chain/trees.ts';
import { databaseUrl, dropSchema, freshSchema } from '../../storage/databases.ts';
import { type LivedIn, liveIn } from './node-fixture.ts';
import { LOG } from './ties-fixture.ts';

const SEED = 20_260_731;

/** Tables that chains and signatures bear out, and what identifies their rows. */
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
  'tally',
  'tally_segment',
  'tally_avatar',
  'oracle',
  'member',
  'developer_account',
  'api_key',
  'share',
] as const;

/** Columns that nothing else in the database bears out, and why. A change of theirs cannot be seen. */
const ALONE: Readonly<Record<string, string>> = {
  'machine.created_at': 'the time of the wall clock at creation; the chain has the tick',
  'machine.changes': 'what nodes compare; changes that wrote no row count as well',
  'machine.sealing_key': 'the public half of what only the owner has',
  'audit.sealed': 'what only the owner can open; whether it may be there at all is tested below',
  'checkpoint.svcond': 'when it was signed; the note does not say',
  'event_key.key': 'the name that a caller chose; the row does not repeat it',
  'contract.state':
    'context, windows and counts since the entry follow from a replay only; what else it says is tested below',
  'anchor_key.sealed': 'sealed under the master key',
  'anchor_config.due_tick': 'a time of the wall clock; whether there is one at all is tested below',
  'anchor_mother.tried_svcond': 'a try by itself writes no row where it is refused or finds nothing new',
  'anchor_mother.code': 'as tried_svcond',
  'anchor_mother.failures': 'as tried_svcond',
  'anchor_witness.tried_svcond': 'no row tells when a witness was asked; its signature has the time of its own clock',
  'anchor_witness.code': 'no row tells what a witness answered',
  'anchor_witness.failures': 'as code',
  'witnessed.svcond': 'when it was cosigned; the cosignature went to the log and was not kept',
  'tally_avatar.sealed': 'sealed under the master key; its length is tested below',
  'oracle.cursor_seq': 'where nothing of interest was read no row tells; what else it says is tested below',
  'oracle.due_tick': 'a time of the wall clock; whether there is one at all is tested below',
  'oracle.polls': 'a question that was not answered writes no row',
  'oracle.failed': 'as polls',
  'oracle.last_error': 'as polls',
  'api_key.key_hash': 'what only its holder has the key to; the row has the prefix of it',
  'api_key.created_at': 'a time of the wall clock; the row has the tick',
  'api_key.revoked_at': 'as created_at; whether it is revoked at all is tested below',
  'api_key.last_used_at': 'using a key writes no row of its own',
  'share.token_hash': 'as key_hash',
  'share.revoked_at': 'as revoked_at of api_key',
};
/** What bears a column out is not there for every row. */
const WHERE: Readonly<Record<string, string>> = {
  // The keys of an account are made without a chain.
  api_key: 'account_id in (select account_id from developer_account)',
  // What nobody changed no row tells.
  'machine.name': 'head_seq > 100',
  'machine.description': 'head_seq > 100',
  'machine.is_public': 'head_seq > 100',
  'machine.settings': 'head_seq > 100',
  // Settings that were changed may have named other witnesses.
  'anchor_witness.url': `machine_id in (select machine_id from anchor_config where version = 1)`,
  // Later versions may bear another name, and the chain has parameters of the first.
  'contract.name': 'version_no = 1',
  'contract_version.parameters': `no = 1 or (contract_id, no) in (select id, version_no from contract)`,
};

interface Column {
  readonly table: string;
  readonly column: string;
  readonly type: string;
  readonly nullable: boolean;
}

/** Numbers from 0 up to, not including, n; the same for every run. */
function numbers(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

/** Of columns that take a few words only, two. */
const WORDS: Readonly<Record<string, readonly [string, string]>> = {
  unit: ['row', 'tick'],
  status: ['active', 'paused'],
  role: ['owner', 'viewer'],
  scope: ['admin', 'read'],
  tier: ['high', 'standard'],
};

/** One bit of a column turned over, in SQL; what holds no bit gets one. */
function flipped({ column, type }: Column, pick: (n: number) => number): string {
  const [one, other] = WORDS[column] ?? [];
  if (one !== undefined) return `case when ${column} = '${one}' then '${other}' else '${one}' end`;
  const bits = (value: string) => {
    const place = pick(1 << 20);
    const at = `(${place} % greatest(1, 8 * octet_length(${value})))`;
    return `set_bit(${value}, ${at}, 1 - get_bit(${value}, ${at}))`;
  };
  switch (type) {
    case 'bytea':
      return `coalesce(${bits(column)}, '\\x01'::bytea)`;
    case 'bigint':
      return `coalesce(${column} # (1::bigint << ${pick(64)}), 7)`;
    case 'integer':
      return `coalesce(${column} # (1 << ${pick(31)}), 7)`;
    case 'smallint':
      return `(${column}::int # (1 << ${pick(15)}))::smallint`;
    case 'boolean':
      return `not ${column}`;
    case 'timestamp with time zone':
      return `coalesce(${column} + interval '1 millisecond' * (1 << ${pick(31)}), 'epoch')`;
    case 'uuid':
      return `encode(${bits(`decode(replace(${column}::text, '-', ''), 'hex')`)}, 'hex')::uuid`;
    case 'text':
      return `case when ${column} is null or ${column} = '' then 'x' else convert_from(${bits(`convert_to(${column}, 'UTF8')`)}, 'UTF8') end`;
    default:
      throw new Error(`No bit of a ${type} is known.`);
  }
}

class Undo extends Error {}
/** The database itself does not take the damage: a hash of another length, a status that there is not, a key twice. */
class Refused extends Error {}

/** What a flip hits depends on how the writers interleaved; the slow suite flips more of them. */
const FLIPS = process.env.SVC_SLOW === '1' ? 30 : 1;
const postgresql = databaseUrl === undefined ? [] : [{ name: 'PostgreSQL', url: databaseUrl, flips: FLIPS }];

describe.each([{ name: 'PGlite', url: undefined, flips: FLIPS }, ...postgresql])('on $name', ({ url, flips }) => {
  let node: LivedIn;
  let columns: Column[];
  const schema = url === undefined ? undefined : freshSchema();
  const keys = () =>
    node.service.running.services.keyRing.jwks().keys.map(({ x }) => fromBase64Url(x) ?? new Uint8Array());

  beforeAll(async () => {
    node = await liveIn(
      schema === undefined ? {} : { inMemory: false, schema },
      url === undefined ? {} : { DATABASE_URL: url },
    );
    columns = await rows<Column>(
      node.service.running.storage.database.knex,
      `select table_name as table, column_name as column, data_type as type,
         is_nullable = 'YES' as nullable from information_schema.columns
       where table_schema = current_schema() and table_name = any(?) order by 1, ordinal_position`,
      [TABLES],
    );
  });
  afterAll(async () => {
    await node.service.running.close();
    if (url === undefined || schema === undefined) return;
    const cleaner = await openDatabase({ databaseUrl: url });
    await dropSchema(cleaner, schema);
    await cleaner.close();
  });

  /** What is found after `damage`, which is undone. */
  const faultsAfter = async (damage: (on: Executor) => Promise<void>): Promise<FsckFault[]> => {
    const found: FsckFault[] = [];
    const { knex } = node.service.running.storage.database;
    await knex
      .transaction(async (on) => {
        // The node is running: it signs checkpoints now and then.
        await on.raw('set transaction isolation level repeatable read');
        await on.raw(`set local session_replication_role = 'replica'`);
        await damage(on).catch((error: unknown) => {
          throw new Refused(String(error));
        });
        await fsck(on, { keys: keys(), logs: [LOG], onFault: (fault) => found.push(fault) });
        throw new Undo();
      })
      .catch((error: unknown) => {
        if (!(error instanceof Undo)) throw error;
      });
    return found;
  };
  test('a node that has seen everything has no fault', async () => {
    expect(await faultsAfter(async () => {})).toEqual([]);
    const { knex } = node.service.running.storage.database;
    const counts = await Promise.all(TABLES.map(async (table) => (await rows(knex, `select 1 from ${table}`)).length));
    expect(Math.min(...counts)).toBeGreaterThan(0);
    const held = await rows<{ status: string }>(knex, 'select distinct status from contract order by status');
    expect(held.map(({ status }) => status)).toEqual(['active', 'completed', 'failed', 'frozen', 'paused']);
    const levels = await rows<{ level: number }>(knex, 'select distinct level from tile order by level');
    expect(levels.map(({ level }) => level)).toEqual([0, 1]);
  });

  test('one bit of any column of any row is found, and its table and row are named', async () => {
    const pick = numbers(SEED);
    const known = new Set(columns.map(({ table, column }) => `${table}.${column}`));
    expect(Object.keys(ALONE).filter((name) => !known.has(name))).toEqual([]);
    const missed: string[] = [];
    let planted = 0;
    for (const one of columns) {
      const { table, column } = one;
      const name = `${table}.${column}`;
      if (Object.hasOwn(ALONE, name)) continue;
      const kinds = [flipped, ...(one.nullable ? [() => 'null'] : [])];
      for (const kind of kinds) {
        let done = 0;
        for (let attempt = 0; done < flips && attempt < 20 * flips + 20; attempt++) {
          const outcome = await plant(one, kind(one, pick), pick).catch((error: unknown) => {
            if (error instanceof Refused) return error;
            throw error;
          });
          if (outcome instanceof Refused) continue;
          done++;
          planted++;
          if (!outcome.isNamed) missed.push(`${name}: ${outcome.what}`);
        }
        if (done === 0) missed.push(`${name}: nothing could be planted`);
      }
    }
    expect(missed, `seed ${SEED}`).toEqual([]);
    expect(planted).toBeGreaterThan(columns.length * flips * 0.8);
  }, 1_800_000);

  /** Damages one row of a table, and says whether it was named. */
  const plant = async (
    { table, column }: Column,
    expression: string,
    pick: (n: number) => number,
  ): Promise<{ isNamed: boolean; what: string }> => {
    const all = columns.filter((other) => other.table === table).map((other) => other.column);
    const texts = all.map((other) => `${other}::text as ${other}`).join(', ');
    const seen: Record<string, string | null>[] = [];
    const choice = pick(1 << 20);
    const found = await faultsAfter(async (on) => {
      const condition = `(${WHERE[`${table}.${column}`] ?? WHERE[table] ?? 'true'}) and ${column} is distinct from ${expression}`;
      const [chosen] = await rows<{ ctid: string }>(
        on,
        `select ctid::text from ${table} where ${condition} order by ctid
         offset ${choice} % greatest(1, (select count(*) from ${table} where ${condition})) limit 1`,
      );
      if (chosen === undefined) throw new Error('there is no row');
      seen.push(
        ...(await rows<Record<string, string | null>>(on, `select ${texts} from ${table} where ctid = ?::tid`, [
          chosen.ctid,
        ])),
      );
      seen.push(
        ...(await rows<Record<string, string | null>>(
          on,
          `update ${table} set ${column} = ${expression} where ctid = ?::tid returning ${texts}`,
          [chosen.ctid],
        )),
      );
    });
    const isOf = ({ key }: FsckFault) => {
      const parts = Object.entries(key).filter(([part]) => all.includes(part));
      return parts.length > 0 && parts.every(([part, value]) => seen.some((row) => row[part] === String(value)));
    };
    const [before, after] = seen;
    const what = `${before?.[column]?.slice(0, 80)} became ${after?.[column]?.slice(0, 80)}; found ${JSON.stringify(found.slice(0, 3))}`;
    return { isNamed: found.some((fault) => fault.table === table && isOf(fault)), what };
  };

  const CHILD = `machine_id in (select machine_id from anchor_key where epoch = 2)`;
  const SHARED = `machine_id = (select machine_id from developer_account)`;
  const OF = `machine_id = (select id from machine where head_seq > 100)`;

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
  ])('a row of %s that is gone, where %s, is missed', async (table, where) => {
    const found = await faultsAfter(async (on) => {
      const gone = await rows(on, `delete from ${table} where ${OF} and ${where} returning 1`);
      expect(gone.length).toBeGreaterThan(0);
    });
    expect(found.map((fault) => fault.table)).toContain(table);
  });

  test.each([
    ['the state', `jsonb_set(state::jsonb, '{state}', '"over"')`, `name = 'the watch' or version_no = 2`],
    ['the fires', `jsonb_set(state::jsonb, '{fires}', '9')`, `version_no = 2`],
    ['a timer', `jsonb_set(state::jsonb, '{timers,0,due}', '77')`, `version_no = 2`],
    ['a held timer', `jsonb_set(state::jsonb, '{timers,0,due}', '77')`, `status = 'paused'`],
    ['the lifecycle', `jsonb_set(state::jsonb, '{lifecycle}', '"failed"')`, `version_no = 2`],
    ['no JSON at all', `'{'`, `version_no = 2`],
  ])('of the state of a contract, %s is borne out by other columns', async (_, value, where) => {
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
    ['tally', `true`, ['tally']],
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
  ])(
    'a row of %s that is gone, where %s, is missed, and what else becomes wrong is named',
    async (table, where, named) => {
      const found = await faultsAfter(async (on) => {
        const gone = await rows(on, `delete from ${table} where ${where} returning 1`);
        expect(gone.length).toBeGreaterThan(0);
      });
      expect([...new Set(found.map((fault) => fault.table))].sort()).toEqual(named);
    },
  );

  test.each(['anchor', 'anchor_continuity', 'anchored', 'anchor_key', 'anchor_mother', 'node_seal', 'tally_segment'])(
    'one row more of %s is found, and nothing else is named',
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
    ['an idle machine is anchored', 'anchor_config', `due_tick = 7 where mothers = '[]'`],
    ['a machine is never anchored', 'anchor_config', `due_tick = null where version = 1`],
    [
      'a mother is the same one twice',
      'anchor_config',
      `mothers = '["mother-of-all","mother-of-all"]' where version = 1`,
    ],
    ['a checkpoint was cosigned by nobody', 'anchor_witness', `cosignature = null`],
    ['a picture is shorter', 'tally_avatar', `sealed = substr(sealed, 2)`],
    ['an oracle that is told is asked', 'oracle', `due_tick = 7 where kind = 'push'`],
    ['an oracle that asks is not due', 'oracle', `due_tick = null where kind = 'machine'`],
    ['an oracle that is told follows a machine', 'oracle', `cursor_seq = 7 where kind = 'push'`],
    ['an oracle is behind what it read', 'oracle', `cursor_seq = 0 where kind = 'machine'`],
  ])('it is found that %s', async (_, table, change) => {
    const found = await faultsAfter(async (on) => {
      const changed = await rows(on, `update ${table} set ${change} returning 1`);
      expect(changed.length).toBeGreaterThan(0);
    });
    expect(new Set(found.map((fault) => fault.table))).toEqual(new Set([table]));
  });

  test('what table and chain say alike, and nobody signed, is found by the signatures', async () => {
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

  test('a seal that was signed and names another one before it is found', async () => {
    const { signer } = node.service.running.services.keyRing;
    const found = await faultsAfter(async (on) => {
      const [seal] = await rows<NodeSeal>(on, 'select * from node_seal where no = 2');
      if (seal === undefined) throw new Error('there is no seal');
      const payload = utf8(sealText({ ...seal, before: new Uint8Array(32).fill(7) }));
      const sig = toBase64(signer.sign(preAuthenticationEncoding(SEAL_TYPE, payload)));
      const signatures = [{ keyid: signer.publicKey.kid, sig }];
      const envelope = JSON.stringify({ payloadType: SEAL_TYPE, payload: toBase64(payload), signatures });
      await rows(on, 'update node_seal set envelope = ? where no = 2', [envelope]);
    });
    expect(found).toMatchObject([{ table: 'node_seal', key: { no: '2' }, code: 'LINK', column: 'envelope' }]);
  });

  test('a mother who is one anchor behind, as after a crash, is no fault; two are', async () => {
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

  test('rows that cannot be read bear nothing out, and nothing is said of what they would', async () => {
    const found = await faultsAfter(async (on) => {
      const closed = await rows(
        on,
        `update audit set salt = null, body = null, sealed = 'x' where body is not null
           and (${CHILD} or ${SHARED} or machine_id in (select mother_id from anchor))
           and type in ('anchor', 'anchor_config', 'anchor_continuity', 'anchor_key', 'anchored', 'contract', 'reading',
             'tally_genesis', 'tally_rate', 'tally_avatar', 'member', 'api_key', 'share') returning 1`,
      );
      expect(closed.length).toBeGreaterThan(30);
    });
    expect(found).toEqual([]);
  });

  const STRANGER = `insert into member (machine_id, zid, role, since_svcond)
    select machine_id, zid, 'owner', 1 from developer_account, identity
    where zid not in (select zid from member where member.machine_id = developer_account.machine_id) limit 1`;
  const KEY = `insert into api_key
    select gen_random_uuid(), account_id, sha256(key_hash), key_prefix, name, scope, tier, created_at, expires_at
    from api_key where account_id in (select account_id from developer_account) limit 1`;
  const TOKENS = `insert into share
    select machine_id, gen_random_uuid(), sha256(token_hash), label, created_at, expires_at, revoked_at from share`;

  test.each([
    ['a stranger is owner', STRANGER, 'member', /is owner; (no row|row \d+ put)/],
    ['a viewer is owner', `update member set role = 'owner' where role = 'viewer'`, 'member', /is owner; .* viewer/],
    ['an owner is gone', `delete from member where role = 'owner'`, 'member', 'the role is owner'],
    [
      'a key may more',
      `update api_key set scope = 'admin' where name = 'of a program'`,
      'api_key',
      /admin; .* (read|write)/,
    ],
    ['a key is there that nobody made', KEY, 'api_key', 'no row of the chain made this key'],
    ['a key works again', `update api_key set revoked_at = null`, 'api_key', 'it is not revoked'],
    ['all keys are revoked', `update api_key set revoked_at = 'epoch'`, 'api_key', 'no row of the chain did it'],
    ['a token is there that nobody made', TOKENS, 'share', 'no row of the chain made this token'],
    ['a token works again', `update share set revoked_at = null`, 'share', 'this one is not revoked'],
    ['all tokens are ended', `update share set revoked_at = 'epoch'`, 'share', 'no row of the chain ended it'],
  ])('of the rights to a machine it is named that %s', async (_, damage, table, message) => {
    const found = await faultsAfter(async (on) => void (await rows(on, damage)));
    expect(new Set(found.map((fault) => fault.table))).toContain(table);
    for (const fault of found) {
      expect(fault).toMatchObject({ table, code: 'SAID' });
      expect(fault.message).toMatch(message);
    }
  });

  test.each([
    ['a stranger is owner', 'member', STRANGER],
    ['there is no owner', 'member', `delete from member where role = 'owner'`],
    ['a key is there that nobody made', 'api_key', KEY],
    ['a key works again', 'api_key', `update api_key set revoked_at = null`],
    ['a token is there that nobody made', 'share', TOKENS],
  ])('where rows about rights cannot be read it is still found that %s', async (_, table, damage) => {
    const found = await faultsAfter(async (on) => {
      const closed = await rows(
        on,
        `update audit set salt = null, body = null, sealed = 'x'
         where ${SHARED} and type in ('member', 'api_key', 'share') returning 1`,
      );
      expect(closed.length).toBeGreaterThan(15);
      await rows(on, damage);
    });
    expect(found.map((fault) => fault.table)).toContain(table);
  });

  test('a member without an identity and a delivery of no transition are found', async () => {
    const found = await faultsAfter(async (on) => {
      await rows(
        on,
        `insert into member (machine_id, zid, role, since_svcond) select id, repeat('0', 32), 'viewer', 1 from machine`,
      );
      await rows(on, `update outbox set body = replace(body, '"seq":', '"seq":9')`);
    });
    expect(new Set(found.map((fault) => fault.table))).toEqual(new Set(['member', 'outbox']));
  });

  test('where windows decide when a contract wakes, it and its timer are named when they differ', async () => {
    let waking = 0;
    const found = await faultsAfter(async (on) => {
      const woken = await rows(
        on,
        `update contract set next_fire = 7 where ${OF} and status = 'active' and next_fire is null returning 1`,
      );
      waking = woken.length;
    });
    expect(waking).toBeGreaterThan(0);
    for (const table of ['contract', 'timer'])
      expect(found.filter((fault) => fault.table === table && fault.code === 'TIMER')).toHaveLength(waking);
  });

  test('of two event keys for one row, both are named', async () => {
    const pair: string[] = [];
    const found = await faultsAfter(async (on) => {
      const of = await rows<{ key: string; seq: number }>(
        on,
        `select key, seq from event_key where ${OF} order by seq limit 2`,
      );
      pair.push(...of.map(({ key }) => key).sort());
      await rows(on, `update event_key set seq = ? where ${OF} and seq = ?`, [of[1]?.seq ?? 0, of[0]?.seq ?? 0]);
    });
    expect(pair).toHaveLength(2);
    expect(found.map(({ table, key }) => [table, key.key])).toEqual(pair.map((key) => ['event_key', key]));
  });

  test('something sealed in the place of a payload that was erased is found', async () => {
    const found = await faultsAfter(async (on) => {
      const put = await rows(on, `update audit set sealed = 'x' where ${OF} and salt is null returning 1`);
      expect(put.length).toBe(1);
    });
    expect(found).toContainEqual(expect.objectContaining({ table: 'audit', code: 'ERASURE' }));
  });

  describe('a history that was rewritten, all hashes with it', () => {
    const REWRITTEN = 20;
    /** Another payload in one row, and every row from there on hashed and linked anew, up to the head. */
    const rewrite = async (on: Executor, slug = node.slug, from = REWRITTEN): Promise<Uint8Array[]> => {
      const { storage } = node.service.running;
      const machine = await storage.machines.bySlug(slug, on);
      if (machine === undefined) throw new Error('there is no machine');
      const all = await storage.audit.range(machine.id, slug, 0, machine.head.seq, on);
      let head = all[from - 1];
      const fresh = all.slice(0, from);
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
        fresh.push(next);
      }
      await rows(on, `update machine set head_hash = decode(?, 'hex') where id = ?`, [
        head?.row_hash ?? '',
        machine.id,
      ]);
      return leavesOf(fresh);
    };
    /** Trees and checkpoints made to fit as well. */
    const refit = async (
      on: Executor,
      leaves: readonly Uint8Array[],
      note?: (size: number, root: Uint8Array) => string,
    ) => {
      await rows(on, `delete from tile where ${OF}`);
      const machine = await node.service.running.storage.machines.bySlug(node.slug, on);
      for (const { size } of await rows<{ size: number }>(on, `select size from checkpoint where ${OF}`)) {
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

    test('is found by the signed root where the tree was made to fit', async () => {
      const found = await faultsAfter(async (on) => refit(on, await rewrite(on)));
      expect(found).toContainEqual(expect.objectContaining({ table: 'checkpoint', column: 'root' }));
      expect(found).toContainEqual(expect.objectContaining({ table: 'audit', code: 'TREE' }));
    });

    test('is found by what mothers hold where nothing of the tree is left', async () => {
      const found = await faultsAfter(async (on) => {
        await rewrite(on, node.child, 2);
        for (const table of ['tile', 'checkpoint']) await rows(on, `delete from ${table} where ${CHILD}`);
        await rows(on, `update machine set checkpoint_size = 0 where slug = ?`, [node.child]);
      });
      const ofMothers = found.filter(({ code, message }) => code === 'TREE' && message.includes('were anchored in'));
      expect(new Set(ofMothers.map(({ table }) => table))).toEqual(new Set(['audit']));
      expect(found.filter(({ table }) => table !== 'audit').map(({ table }) => table)).toEqual(['anchor_witness']);
    });

    test('is found by the signature where another key signed', async () => {
      const origin = `${'127.0.0.1:0'}/m/${node.slug}`;
      const sign = (size: number, root: Uint8Array) => signCheckpoint({ origin, size, root }, testSigner(3));
      const found = await faultsAfter(async (on) => refit(on, await rewrite(on), sign));
      expect(found).toContainEqual(expect.objectContaining({ table: 'checkpoint', code: 'SIGNATURE', column: 'note' }));
    });
  });

  test('of many faults of one kind the first are told, and how many more there are', async () => {
    const found = await faultsAfter(async (on) => void (await rows(on, `update audit set actor = 'x' where ${OF}`)));
    const ofKind = found.filter(({ code }) => code === 'HASH');
    expect(ofKind.length).toBe(26);
    expect(ofKind.at(-1)?.message).toMatch(/^\d+ more of this kind/);
  });
});
