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
import { checkNode, type FsckOptions, fsck } from '../../../src/services/fsck/fsck.ts';
import { checkKernelFiles } from '../../../src/services/fsck/kernels.ts';
import { checkSchema } from '../../../src/services/fsck/schema.ts';
import type { MachineMark } from '../../../src/services/fsck/since.ts';
import { latestTick } from '../../../src/services/fsck/times.ts';
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
import {
  type EditedRow,
  type EditKind,
  SILENT_EDITS,
  type SilentEdit,
  silentEditsOf,
  silentTable,
} from './silent-edits.ts';

const SEED = 20_261_123;
const IS_SLOW = process.env.SVC_SLOW === '1';
/** The short suite makes one edit of each column; what it hits depends on how the writers interleaved. */
const KINDS_MADE: readonly Kind[] = IS_SLOW ? KINDS : ['flip'];
const REPETITIONS = IS_SLOW ? 5 : 1;
/** Edits only these tables and columns, separated by commas: to look into one. */
const ASKED = process.env.SVC_FSCK_EDITS?.split(',');
const isAsked = ({ table, column }: { readonly table: string; readonly column?: string }): boolean =>
  ASKED?.some((name) => name === table || name === `${table}.${column}`) ?? true;
/** One of so many columns is edited before a run that relies on a record. */
const SAMPLED = IS_SLOW ? 2 : 16;
/** Attempts to find an edit that the database accepts. */
const ATTEMPTS = 20;

const DOCUMENT = readFileSync(new URL('../../../docs/fsck.md', import.meta.url), 'utf8');

/** Columns whose values separate the kinds of rows of a table. */
const ROW_KINDS: Readonly<Record<string, string>> = {
  account: 'kind',
  activity: '(next_tick is null, outcome is null)',
  anchor_config: `(mothers = '[]')`,
  api_key: '(tier, revoked_at is null)',
  audit: 'type',
  audit_archive: '(first_seq = 0)',
  contract: 'status',
  contract_instance: 'status',
  idempotency: 'state',
  long_run: '(answer is null)',
  machine: '(is_public, sealing_key is null)',
  member: 'role',
  oracle: 'kind',
  outbox: '(next_attempt_tick is null, delivered_svcond is null)',
  run: 'solver',
  secret_epoch: 'purpose',
  sent_event: '(code is null)',
  share: '(revoked_at is null)',
  tile: 'level',
};

/** Rows that the chain confirms: sealed payloads confirm nothing. */
const READABLE = 'machine_id in (select id from machine where sealing_key is null)';
const READABLE_ROWS: Readonly<Record<string, string>> = {
  contract: READABLE,
  contract_version: READABLE,
  fire: READABLE,
  timer: READABLE,
};

const MANIFEST = 'manifest.json';

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
    rmSync(node.archiveFolder, { recursive: true, force: true });
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

  const nowMs = () => Number(node.service.running.clock.now() / 1_000_000n);

  const options = (onFault: FsckOptions['onFault']): FsckOptions => ({
    keys: node.keyRing.jwks().keys.map(({ x }) => fromBase64Url(x) ?? new Uint8Array()),
    secrets: { receipts: node.keyRing.receipts, box: node.box },
    logs: [WITNESSED_LOG],
    nowMs: nowMs(),
    archiveFolder: node.archiveFolder,
    onFault,
  });

  const audit = async (
    on: Executor,
    more: Pick<FsckOptions, 'isReplayed' | 'schema' | 'slug' | 'kernelFolder'> = {},
  ) => {
    const found: FsckFault[] = [];
    await fsck(on, { ...options((fault) => found.push(fault)), ...more });
    return found;
  };

  /** What is compared with a table beside the database. Reading it takes time, and nothing else depends on it. */
  const filesOf = (table: string): Pick<FsckOptions, 'schema' | 'kernelFolder'> => {
    if (table === 'migration') return { schema };
    return table === 'kernel' ? { kernelFolder: KERNEL_FOLDER } : {};
  };

  /** What fsck finds in the part of the database that the touched rows belong to: faster than all of it. */
  const auditPart = async (on: Executor, table: string, touched: Touched): Promise<FsckFault[]> => {
    const slug = slugOf(table, touched);
    if (slug !== undefined) return audit(on, { slug });
    if (isOfMachine(table) || table === 'migration') return [];
    const found: FsckFault[] = [];
    await checkNode(
      on,
      { ...options((fault) => found.push(fault)), ...filesOf(table) },
      (machine) => (of, key, code, message) => {
        found.push({ machine, table: of, key, code, message });
      },
    );
    return found;
  };

  interface Planted {
    readonly touched: Touched;
    readonly found: readonly FsckFault[];
  }

  /** An edit of one kind of a column or table. */
  interface Edit {
    readonly table: string;
    readonly column?: string;
    readonly kind: EditKind;
    /** For messages. */
    readonly name: string;
    /** Makes one at random. @returns undefined if no row can be edited so */
    readonly make: (on: Executor) => Promise<Touched | undefined>;
  }

  /** Draws edits until the database accepts one that is listed as silent, or not, as asked; it stays made. */
  const draw = async (on: Executor, { table, column, kind, make }: Edit, isSilent: boolean) => {
    const listed = silentEditsOf(column === undefined ? table : `${table}.${column}`, kind);
    const isAlways = listed !== undefined && listed.when === undefined;
    if (isSilent ? listed === undefined : isAlways) return undefined;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      await on.raw('savepoint edit');
      const touched = await make(on).catch(() => 'rejected' as const);
      if (touched === undefined) return undefined;
      if (touched !== 'rejected' && (await isListed(on, listed, touched)) === isSilent) return touched;
      await on.raw('rollback to savepoint edit');
    }
    return undefined;
  };

  const isListed = async (on: Executor, listed: SilentEdit | undefined, touched: Touched): Promise<boolean> => {
    if (listed === undefined) return false;
    const has: EditedRow['has'] = async (sql, ...bindings) =>
      (
        await rows(
          on,
          sql,
          bindings.map((one) => one ?? null),
        )
      ).length > 0;
    for (const row of touched)
      if (listed.when !== undefined && !(await listed.when({ ...row, has, lastTick: latestTick(nowMs()) })))
        return false;
    return true;
  };

  /** Makes an edit that is not listed, and runs fsck. @returns undefined if the database accepts no such edit */
  const plant = async (edit: Edit): Promise<Planted | undefined> => {
    const { table } = edit;
    let planted: Planted | undefined;
    await rolledBack(true, async (on) => {
      const touched = await draw(on, edit, false);
      if (touched === undefined) return;
      planted = { touched, found: await auditPart(on, table, touched) };
      if (!isNamed(table, planted)) planted = { touched, found: await audit(on, filesOf(table)) };
    });
    return planted;
  };

  /** Makes all of these edits that are listed, and runs fsck once. @returns those made, and what was found */
  const plantSilent = async (edits: readonly Edit[]) => {
    const made: { readonly edit: Edit; readonly touched: Touched }[] = [];
    let found: readonly FsckFault[] = [];
    await rolledBack(true, async (on) => {
      for (const edit of edits) {
        const touched = await draw(on, edit, true);
        if (touched !== undefined) made.push({ edit, touched });
      }
      if (made.length > 0) found = await audit(on, { schema });
    });
    return { made, found };
  };

  /** In the short suite each of two databases edits every second column, table or object: fsck reads both alike. */
  const isEdited = (index: number): boolean => !isHalved || index % 2 === (url === undefined ? 0 : 1);
  const isHalved = !IS_SLOW && postgresql.length > 0;

  const rowsOf = (touched: Touched) =>
    touched.flatMap(({ before, after }) => [before, after]).filter((row) => Object.keys(row).length > 0);

  /** The machine of the touched rows, if it is one. */
  const slugOf = (table: string, touched: Touched): string | undefined => {
    const ids = rowsOf(touched).map((row) => (table === 'machine' ? row.id : (row.machine_id ?? row.mother_id)));
    return new Set(ids).size === 1 ? slugs.get(ids[0] ?? '') : undefined;
  };

  const isOfMachine = (table: string) =>
    table === 'machine' || namesOf(table).some((name) => name === 'machine_id' || name === 'mother_id');

  const namesOf = (table: string) => columns.filter((one) => one.table === table).map(({ column }) => column);

  /** Whether a fault names one of the touched rows: by its table and key, or as what another row refers to. */
  const isNamed = (table: string, { touched, found }: Planted) => {
    const own = namesOf(table);
    const all = rowsOf(touched);
    const values = new Set(all.flatMap((row) => Object.values(row)).filter((value) => (value ?? '').length > 7));
    const numbers = all.flatMap(({ seq, no }) => seq ?? no ?? []);
    return found.some(({ table: named, key, code, message }) => {
      const parts = Object.entries(key).filter(([part]) => own.includes(part));
      const isOwn = parts.length > 0 && parts.every(([part, value]) => all.some((row) => row[part] === textOf(value)));
      const isOther = Object.values(key).some((value) => values.has(textOf(value)));
      const isNumbered = numbers.some((number) => ` ${message} `.includes(` ${number} `));
      // A witness names the size that it has cosigned.
      const isWitnessed = named === 'anchor_witness' && all.some(({ size }) => message.startsWith(`size is ${size};`));
      if (table === 'checkpoint' && isWitnessed) return true;
      // Heads that do not fit name the seal that may be missing.
      if (named !== table) return isOther || (table === 'node_seal' && named === 'sealed_head' && isNumbered);
      // A gap names the rows that are missing.
      return isOwn || (code === 'GAP' && isNumbered);
    });
  };

  const textOfEdit = ({ name, column }: Edit, touched: Touched | undefined) => {
    const texts = rowsOf(touched ?? []).map((row) =>
      (column === undefined ? JSON.stringify(row) : row[column])?.slice(0, 60),
    );
    return `${name}: ${texts.join(' -> ')}`;
  };

  /** Makes an edit of each kind that is not listed. @returns those that fsck did not name, and how many were made */
  const unnamed = async (edits: readonly Edit[]) => {
    const faults: string[] = [];
    let count = 0;
    for (const edit of edits) {
      const planted = await plant(edit);
      if (planted === undefined) continue;
      count++;
      if (!isNamed(edit.table, planted))
        faults.push(`${textOfEdit(edit, planted.touched)}; found ${JSON.stringify(planted.found.slice(0, 2))}`);
    }
    return { faults, count };
  };

  /**
   * Makes an edit of each kind that is listed, those of different tables at once. If fsck finds anything then, each is
   * made alone. @returns those that fsck found, and how many were made
   */
  const unsilent = async (edits: readonly Edit[]) => {
    const rounds: Edit[][] = [];
    for (const edit of edits) {
      const round = rounds.find((one) => !one.some(({ table }) => table === edit.table));
      if (round === undefined) rounds.push([edit]);
      else round.push(edit);
    }
    const faults: string[] = [];
    let count = 0;
    for (const round of rounds) {
      const { made, found } = await plantSilent(round);
      count += made.length;
      if (found.length === 0) continue;
      for (const { edit } of made) {
        const alone = await plantSilent([edit]);
        const text = textOfEdit(edit, alone.made[0]?.touched);
        if (alone.found.length > 0)
          faults.push(`listed as silent: ${text}; found ${JSON.stringify(alone.found.slice(0, 2))}`);
      }
      if (faults.length === 0) faults.push(`listed as silent, found together: ${JSON.stringify(found.slice(0, 2))}`);
    }
    return { faults, count };
  };

  test('a node with every feature in use has no faults, and rows in every table', async () => {
    await rolledBack(false, async (on) => {
      expect(await audit(on, { isReplayed: true, schema, kernelFolder: KERNEL_FOLDER })).toEqual([]);
      const tables = [...new Set(columns.map(({ table }) => table))];
      const empty: string[] = [];
      for (const table of tables)
        if ((await rows(on, `select 1 from ${table} limit 1`)).length === 0) empty.push(table);
      expect(empty).toEqual([]);
    });
  });

  test('an edit of any column is named, or listed', async () => {
    const pick = randomIntegers(SEED);
    const own = columns.filter((target, i) => isEdited(i) && isAsked(target));
    const edits = own.flatMap((target) =>
      KINDS_MADE.flatMap((kind) =>
        Array.from({ length: REPETITIONS }, (): Edit => {
          const { table, column } = target;
          const where = READABLE_ROWS[table] ?? 'true';
          const name = `${table}.${column} ${kind}`;
          return { table, column, kind: 'change', name, make: (on) => editColumn(on, target, kind, where, pick) };
        }),
      ),
    );
    const named = await unnamed(edits);
    const silent = await unsilent(edits);
    expect([...named.faults, ...silent.faults], `seed ${SEED}`).toEqual([]);
    if (ASKED !== undefined) return;
    expect(named.count).toBeGreaterThan(own.length * REPETITIONS * 0.75);
    expect(silent.count).toBeGreaterThan(isHalved ? 20 : 40);
  }, 1_800_000);

  test('a sample of the edits is named as well by a run that relies on the record of a clean one', async () => {
    const pick = randomIntegers(SEED);
    // Of old rows, such a run checks the last one only: since.test.ts.
    const some = columns.filter(({ table }) => isOfMachine(table) && !['audit', 'tile'].includes(table));
    const marks = new Map<string, MachineMark>();
    const faults: string[] = [];
    let count = 0;
    for (const target of some.filter((_, i) => i % SAMPLED === 0)) {
      const { table, column } = target;
      const name = `${table}.${column}`;
      const make = (on: Executor) => editColumn(on, target, 'flip', READABLE_ROWS[table] ?? 'true', pick);
      await rolledBack(true, async (on) => {
        if (marks.size === 0) await fsck(on, { ...options(() => {}), onMark: (id, mark) => marks.set(id, mark) });
        const touched = await draw(on, { table, column, kind: 'change', name, make }, false);
        if (touched === undefined) return;
        count++;
        const found: FsckFault[] = [];
        const onFault = (fault: FsckFault) => found.push(fault);
        const { unchanged } = await fsck(on, { ...options(onFault), since: marks, onMark: () => {} });
        if (!isNamed(table, { touched, found })) faults.push(`${name}: ${JSON.stringify(touched)}`);
        // The edit is of few machines; a running node may have changed some too.
        if (unchanged === 0) faults.push(`${name}: no machine was passed over`);
      });
    }
    expect(faults, `seed ${SEED}`).toEqual([]);
    expect(count).toBeGreaterThan(5);
  }, 600_000);

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

  test('the list names columns and tables that exist, and the document has it as its table', () => {
    const known = new Set(columns.flatMap(({ table, column }) => [table, `${table}.${column}`]));
    expect(SILENT_EDITS.length).toBeGreaterThan(50);
    expect(SILENT_EDITS.map(({ of }) => of).filter((of) => !known.has(of))).toEqual([]);
    expect(DOCUMENT).toContain(`\n\n${silentTable()}\n\n`);
  });

  test('a deleted or copied row of any kind is named, or listed', async () => {
    const pick: Choose = randomIntegers(SEED);
    const tables = [...new Set(columns.map((one) => one.table))].filter((_, i) => isEdited(i));
    const edits: Edit[] = [];
    for (const table of tables.filter((one) => isAsked({ table: one }))) {
      const of = columns.filter((one) => one.table === table);
      for (const where of await rowKinds(table)) {
        const copy = (on: Executor) => copyRow(on, table, of, where, pick);
        edits.push(
          {
            table,
            kind: 'deletion',
            name: `${table} deletion where ${where}`,
            make: (on) => deleteRow(on, table, where, pick),
          },
          { table, kind: 'copy', name: `${table} copy where ${where}`, make: copy },
        );
      }
    }
    const named = await unnamed(edits);
    const silent = await unsilent(edits);
    expect([...named.faults, ...silent.faults], `seed ${SEED}`).toEqual([]);
    if (ASKED === undefined) expect(named.count + silent.count).toBeGreaterThan(isHalved ? 20 : 100);
  }, 600_000);

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
    const files = names.map((name) => join(folder, name)).filter((path) => !path.endsWith(MANIFEST));
    const manifest = names.map((name) => join(folder, name)).filter((path) => path.endsWith(MANIFEST));
    // No file confirms another, but the manifest confirms all: so it is damaged by itself.
    for (const paths of [files, manifest]) {
      const before = paths.map((path) => readFileSync(path));
      for (const path of paths) damage(path);
      const found = (await faultsOf()).join('\n');
      for (const path of paths) expect(found).toContain(path.slice(folder.length + 1));
      for (const [i, path] of paths.entries()) writeFileSync(path, before[i] ?? '');
    }
  });
});

/** The byte in the middle, changed. */
function flippedByte(bytes: Buffer): Buffer {
  const at = bytes.length >> 1;
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  return bytes;
}
