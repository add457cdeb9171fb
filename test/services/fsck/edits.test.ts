// Generates an edit of every column, row, protecting object and file, and expects fsck to name it. What it cannot see is
// the list in docs/fsck.md, and nothing else: an edit of that list that is found fails as well.
//
// A new table or column fails until its edits are found or listed with a reason.

import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fromBase64Url } from '../../../src/core/bits.ts';
import { KERNEL_FOLDER } from '../../../src/kernels/load-node.ts';
import type { Envelope } from '../../../src/protocol/envelope.ts';
import { sealEnvelope } from '../../../src/protocol/seal.ts';
import type { FsckFault } from '../../../src/services/fsck/faults.ts';
import { type FsckOptions, fsck } from '../../../src/services/fsck/fsck.ts';
import { checkKernelFiles } from '../../../src/services/fsck/kernels.ts';
import { checkSchema } from '../../../src/services/fsck/schema.ts';
import { openDatabase } from '../../../src/storage/database/database.ts';
import { type Executor, rows } from '../../../src/storage/database/sql.ts';
import { type MigratedSchema, migratedSchema, SchemaInspection } from '../../../src/storage/fsck/schema.ts';
import { databaseUrl, dropSchema, freshSchema } from '../../storage/databases.ts';
import { migratedDump } from '../../storage/migrated-database.ts';
import { WITNESSED_LOG } from './connections-fixture.ts';
import {
  type Choose,
  type Column,
  columnsOf,
  copyRow,
  deleteRow,
  editColumn,
  KINDS,
  type Kind,
  randomIntegers,
  type SchemaEdit,
  schemaEdits,
  type Touched,
  textOf,
} from './edits.ts';
import { createFullNodeFixture, type FullNodeFixture } from './full-node-fixture.ts';
import { type SilentEdits, silentEditsIn } from './silent-edits.ts';

const SEED = 20_261_123;
const IS_SLOW = process.env.SVC_SLOW === '1';
/** The short suite makes one edit of each column; what it hits depends on how the writers interleaved. */
const KINDS_MADE: readonly Kind[] = IS_SLOW ? KINDS : ['flip'];
const REPETITIONS = IS_SLOW ? 5 : 1;
/** Attempts to find an edit that the database accepts. */
const ATTEMPTS = 20;

const DOCUMENT = readFileSync(new URL('../../../docs/fsck.md', import.meta.url), 'utf8');
const SILENT: ReadonlyMap<string, SilentEdits> = silentEditsIn(DOCUMENT);

/** Columns whose values separate the kinds of rows of a table. */
const ROW_KINDS: Readonly<Record<string, string>> = {
  account: 'kind',
  anchor_config: `(mothers = '[]')`,
  api_key: '(tier, revoked_at is null)',
  audit: 'type',
  contract: 'status',
  idempotency: 'state',
  machine: '(is_public, sealing_key is null)',
  member: 'role',
  oracle: 'kind',
  outbox: '(next_attempt_tick is null, delivered_svcond is null)',
  run: 'solver',
  secret_epoch: 'purpose',
  share: '(revoked_at is null)',
  tile: 'level',
};

/** Rows that the chain confirms: sealed payloads confirm nothing. */
const READABLE = 'machine_id in (select id from machine where sealing_key is null)';
const CONFIRMED_ROWS: Readonly<Record<string, string>> = {
  // Earlier settings may have named other witnesses.
  'anchor_witness.url': 'machine_id in (select machine_id from anchor_config where version = 1)',
  // Later versions may have another name; the chain has the parameters of the first version only.
  'contract.name': `${READABLE} and version_no = 1`,
  'contract_version.parameters': `${READABLE} and (no = 1 or (contract_id, no) in (select id, version_no from contract))`,
  contract: READABLE,
  contract_version: READABLE,
  fire: READABLE,
  timer: READABLE,
};

class Rollback extends Error {}

const postgresql = databaseUrl === undefined ? [] : [{ name: 'PostgreSQL', url: databaseUrl }];

describe.each([{ name: 'PGlite', url: undefined }, ...postgresql])('on $name', ({ url }) => {
  let node: FullNodeFixture;
  let columns: Column[];
  let slugs: ReadonlyMap<string, string>;
  let schema: MigratedSchema;
  const searchPath = url === undefined ? undefined : freshSchema();

  beforeAll(async () => {
    schema = await migratedSchema(await migratedDump());
    node = await createFullNodeFixture(
      searchPath === undefined ? {} : { inMemory: false, schema: searchPath },
      url === undefined ? {} : { DATABASE_URL: url },
    );
    const { knex } = node.service.running.storage.database;
    columns = await columnsOf(knex);
    const machines = await rows<{ id: string; slug: string }>(knex, 'select id, slug from machine');
    slugs = new Map(machines.map(({ id, slug }) => [id, slug]));
  });
  afterAll(async () => {
    await node.service.running.close();
    if (url === undefined || searchPath === undefined) return;
    const cleaner = await openDatabase({ databaseUrl: url });
    await dropSchema(cleaner, searchPath);
    await cleaner.close();
  });

  /** Runs `work` in a transaction that is rolled back, with triggers and foreign keys off if `isReplica`. */
  const rolledBack = async (isReplica: boolean, work: (on: Executor) => Promise<void>) => {
    await node.service.running.storage.database.knex
      .transaction(async (on) => {
        // The node is running: it sends webhooks and signs checkpoints now and then.
        await on.raw('set transaction isolation level repeatable read');
        if (isReplica) await on.raw(`set local session_replication_role = 'replica'`);
        await work(on);
        throw new Rollback();
      })
      .catch((error: unknown) => {
        if (!(error instanceof Rollback)) throw error;
      });
  };

  const audit = async (on: Executor, more: Pick<FsckOptions, 'isReplayed' | 'schema' | 'slug'> = {}) => {
    const found: FsckFault[] = [];
    await fsck(on, {
      keys: node.keyRing.jwks().keys.map(({ x }) => fromBase64Url(x) ?? new Uint8Array()),
      secrets: { receipts: node.keyRing.receipts, box: node.box },
      logs: [WITNESSED_LOG],
      nowMs: Number(node.service.running.clock.now() / 1_000_000n),
      kernelFolder: KERNEL_FOLDER,
      ...more,
      onFault: (fault) => found.push(fault),
    });
    return found;
  };

  interface Planted {
    readonly touched: Touched;
    readonly found: readonly FsckFault[];
  }

  /** Makes an edit and runs fsck. @returns undefined if the database accepts no such edit */
  const plant = async (
    table: string,
    edit: (on: Executor) => Promise<Touched | undefined>,
  ): Promise<Planted | undefined> => {
    const more = table === 'migration' ? { schema } : {};
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      let planted: Planted | undefined;
      let isRejected = false;
      await rolledBack(true, async (on) => {
        const touched = await edit(on).catch((error: unknown) => {
          isRejected = true;
          throw new Rollback(String(error));
        });
        if (touched === undefined) return;
        // One machine is checked faster than all.
        const slug = slugOf(table, touched);
        if (slug !== undefined) planted = { touched, found: await audit(on, { slug }) };
        if (planted === undefined || !isNamed(table, planted)) planted = { touched, found: await audit(on, more) };
      });
      if (!isRejected) return planted;
    }
    return undefined;
  };

  /** In the short suite each of two databases edits every second column, table or object: fsck reads both alike. */
  const isEdited = (index: number): boolean => !isHalved || index % 2 === (url === undefined ? 0 : 1);
  const isHalved = !IS_SLOW && postgresql.length > 0;

  /** The machine of the touched rows, if it is one. */
  const slugOf = (table: string, touched: Touched): string | undefined => {
    const ids = touched.map((row) => (table === 'machine' ? row.id : (row.machine_id ?? row.mother_id)));
    return new Set(ids).size === 1 ? slugs.get(ids[0] ?? '') : undefined;
  };

  const namesOf = (table: string) => columns.filter((one) => one.table === table).map(({ column }) => column);

  /** Whether a fault names one of the touched rows: by its table and key, or as what another row refers to. */
  const isNamed = (table: string, { touched, found }: Planted) => {
    const own = namesOf(table);
    const values = new Set(touched.flatMap((row) => Object.values(row)).filter((value) => (value ?? '').length > 7));
    const numbers = touched.flatMap(({ seq, no }) => seq ?? no ?? []);
    return found.some(({ table: named, key, code, message }) => {
      const parts = Object.entries(key).filter(([part]) => own.includes(part));
      const isOwn =
        parts.length > 0 && parts.every(([part, value]) => touched.some((row) => row[part] === textOf(value)));
      const isOther = Object.values(key).some((value) => values.has(textOf(value)));
      // A gap names the rows that are missing.
      const isGap = code === 'GAP' && numbers.some((number) => ` ${message} `.includes(` ${number} `));
      return named === table ? isOwn || isGap : isOther;
    });
  };

  const describePlanted = (name: string, planted: Planted | undefined, column?: string) => {
    const texts = planted?.touched.map((row) =>
      (column === undefined ? JSON.stringify(row) : row[column])?.slice(0, 60),
    );
    return `${name}: ${texts?.join(' -> ') ?? 'nothing could be planted'}; found ${JSON.stringify(planted?.found.slice(0, 2))}`;
  };

  /** Faults of the list or of fsck, if the edit is named but listed as silent, or silent but not listed. */
  const compare = (
    table: string,
    column: string | undefined,
    kind: string,
    planted: Planted | undefined,
    silent: SilentEdits | undefined,
  ): string[] => {
    const subject = column === undefined ? table : `${table}.${column}`;
    const name = `${subject} ${kind}`;
    const expected = silent?.get(kind);
    if (planted === undefined) return [];
    const named = isNamed(table, planted);
    if (expected === 'some') return [];
    if (expected === 'all')
      return named ? [`listed as silent, but found: ${describePlanted(name, planted, column)}`] : [];
    return named ? [] : [describePlanted(name, planted, column)];
  };

  test('a node with every feature in use has no faults, and rows in every table', async () => {
    await rolledBack(false, async (on) => {
      expect(await audit(on, { isReplayed: true, schema })).toEqual([]);
      const tables = [...new Set(columns.map(({ table }) => table))];
      const empty: string[] = [];
      for (const table of tables)
        if ((await rows(on, `select 1 from ${table} limit 1`)).length === 0) empty.push(table);
      expect(empty).toEqual([]);
    });
  });

  test('an edit of any column is named, or listed', async () => {
    const pick = randomIntegers(SEED);
    const faults: string[] = [];
    let planted = 0;
    const own = columns.filter((_, i) => isEdited(i));
    for (const target of own) {
      const { table, column } = target;
      const { where, silent } = rowsOf(table, column);
      for (const kind of KINDS_MADE) {
        for (let i = 0; i < REPETITIONS; i++) {
          const outcome = await plant(table, (on) => editColumn(on, target, kind, where, pick));
          if (outcome !== undefined) planted++;
          faults.push(...compare(table, column, kind, outcome, silent));
        }
      }
    }
    expect(faults, `seed ${SEED}`).toEqual([]);
    expect(planted).toBeGreaterThan(own.length * REPETITIONS * 0.95);
  }, 1_800_000);

  test('a run whose value was changed and signed anew by the node is found by its replay', async () => {
    let outcomes: (readonly string[])[] = [];
    await rolledBack(true, async (on) => {
      const [run] = await rows<{ id: string; envelope: string }>(
        on,
        `select id, envelope from run where solver = 'compute'`,
      );
      const envelope = JSON.parse(run?.envelope ?? '{}') as Envelope;
      const { operatorChain: operatorIds, R_t, svcond, keyPrefix, unit } = envelope;
      const value = envelope.value + 1;
      const { svcProof, epoch } = node.keyRing.receipts.sign('computation', {
        operatorIds,
        R_t,
        svcond,
        keyPrefix,
        value,
        unit,
      });
      const { signer } = node.keyRing;
      const forged = { ...envelope, value, svcProof, epoch, public_key: signer.publicKey };
      const sealed = { ...forged, seal: sealEnvelope(forged, signer) };
      await rows(on, 'update run set envelope = ?, value_text = ? where id = ?', [
        JSON.stringify(sealed),
        String(value),
        run?.id ?? '',
      ]);
      for (const isReplayed of [false, true])
        outcomes = [...outcomes, (await audit(on, { isReplayed })).map(({ table, code }) => `${table} ${code}`)];
    });
    const [read = [], replayed = []] = outcomes;
    // The node did not MAC it anew: whoever has its keys can.
    expect(read).toEqual(['run MAC']);
    expect(new Set(replayed)).toEqual(new Set(['run MAC', 'run REPLAY']));
  });

  test('the list names no column or table that does not exist', () => {
    const known = new Set(columns.flatMap(({ table, column }) => [table, `${table}.${column}`]));
    expect(SILENT.size).toBeGreaterThan(50);
    expect([...SILENT.keys()].filter((name) => !known.has(name))).toEqual([]);
  });

  test('a deleted or copied row of any kind is named, or listed', async () => {
    const pick: Choose = randomIntegers(SEED);
    const faults: string[] = [];
    let planted = 0;
    const tables = [...new Set(columns.map((one) => one.table))].filter((_, i) => isEdited(i));
    for (const table of tables) {
      const of = columns.filter((one) => one.table === table);
      for (const where of await rowKinds(table)) {
        const deleted = await plant(table, (on) => deleteRow(on, table, where, pick));
        const copied = await plant(table, (on) => copyRow(on, table, of, where, pick));
        planted += [deleted, copied].filter((one) => one !== undefined).length;
        for (const [kind, outcome] of [
          ['delete', deleted],
          ['copy', copied],
        ] as const)
          faults.push(
            ...compare(table, undefined, kind, outcome, SILENT.get(table)).map((fault) => `${where}: ${fault}`),
          );
      }
    }
    expect(faults, `seed ${SEED}`).toEqual([]);
    expect(planted).toBeGreaterThan(isHalved ? 20 : 100);
  }, 600_000);

  /** A condition on the rows of a column, and what is silent in them. */
  const rowsOf = (
    table: string,
    column: string,
  ): { readonly where: string; readonly silent: SilentEdits | undefined } => {
    const name = `${table}.${column}`;
    const confirmed = CONFIRMED_ROWS[name];
    if (confirmed !== undefined) return { where: confirmed, silent: undefined };
    return { where: CONFIRMED_ROWS[table] ?? 'true', silent: SILENT.get(name) };
  };

  /** SQL conditions for each kind of row of a table. */
  const rowKinds = async (table: string): Promise<string[]> => {
    const kind = ROW_KINDS[table];
    if (kind === undefined) return ['true'];
    const found = await rows<{ kind: string }>(
      node.service.running.storage.database.knex,
      `select distinct (${kind})::text as kind from ${table} order by 1`,
    );
    return found.map((one) => `(${kind})::text = '${one.kind.replaceAll("'", "''")}'`);
  };

  test('an edit of any trigger, constraint, index, function, column, table or setting is named', async () => {
    const all = await schemaEdits(node.service.running.storage.database.knex);
    // Columns are many and alike.
    const some = all.filter(({ isOfColumn }, i) => IS_SLOW || !isOfColumn || i % 8 === 0);
    const edits = some.filter((_, i) => isEdited(i));
    const faults: string[] = [];
    const rejected: string[] = [];
    for (const edit of edits) {
      const outcome = await schemaFaults(edit);
      if (outcome === undefined) rejected.push(`${edit.name} ${edit.table}`);
      else if (
        !outcome.some(({ table, key }) => table === edit.table && String(Object.values(key)[0]).startsWith(edit.object))
      )
        faults.push(`${edit.name} of ${edit.table}.${edit.object}: ${JSON.stringify(outcome.slice(0, 2))}`);
    }
    expect(faults).toEqual([]);
    expect(rejected).toEqual([]);
    expect(edits.length).toBeGreaterThan(IS_SLOW ? 1_000 : isHalved ? 140 : 300);
  }, 600_000);

  const schemaFaults = async ({ table: edited, statements }: SchemaEdit): Promise<FsckFault[] | undefined> => {
    const found: FsckFault[] = [];
    let isRejected = false;
    // The other tables take time and cannot differ.
    const objects = schema.objects.filter(
      ({ kind, table }) => kind === 'function' || [edited, 'audit'].includes(table),
    );
    await rolledBack(false, async (on) => {
      await on.raw('set local allow_system_table_mods = on');
      for (const statement of statements) {
        await on.raw(statement.replaceAll('?', '\\?')).catch((error: unknown) => {
          isRejected = true;
          throw new Rollback(String(error));
        });
      }
      await checkSchema(new SchemaInspection(on), { ...schema, objects }, (table, key, code, message) =>
        found.push({ machine: null, table, key, code, message }),
      );
    });
    return isRejected ? undefined : found;
  };
});

describe('kernel files', () => {
  let folder: string;
  let names: string[];

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-kernels-'));
    cpSync(fileURLToPath(KERNEL_FOLDER), folder, { recursive: true });
    names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(wasm|json)$/.test(name));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const faultsOf = async () => {
    const found: string[] = [];
    await checkKernelFiles(pathToFileURL(`${folder}/`), (_, { file }, _code, message) =>
      found.push(`${String(file)}: ${message}`),
    );
    return found;
  };

  test('are intact', async () => {
    expect(names.length).toBeGreaterThan(8);
    expect(await faultsOf()).toEqual([]);
  });

  test.each([
    ['one changed byte', (path: string) => writeFileSync(path, flippedByte(readFileSync(path)))],
    ['the last byte missing', (path: string) => truncateSync(path, readFileSync(path).length - 1)],
    ['no bytes', (path: string) => truncateSync(path, 0)],
    ['no file', (path: string) => rmSync(path)],
  ])('with %s are named', async (_, damage) => {
    for (const name of names) {
      const path = join(folder, name);
      const before = readFileSync(path);
      damage(path);
      // If a hash in the manifest differs from its file, either may be wrong: the fault names both.
      expect((await faultsOf()).join('\n')).toContain(name);
      writeFileSync(path, before);
    }
  });
});

/** The byte in the middle, changed. */
function flippedByte(bytes: Buffer): Buffer {
  const at = bytes.length >> 1;
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  return bytes;
}
