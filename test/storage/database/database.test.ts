// Opening, migrating and retrying, on the embedded database and on PostgreSQL.

import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { decodeCursor, encodeCursor } from '../../../src/storage/database/cursor.ts';
import { type Database, openDatabase } from '../../../src/storage/database/database.ts';
import { MIGRATIONS, migrate } from '../../../src/storage/database/migrate.ts';
import { asDomainError, retrying, rows, safeInteger } from '../../../src/storage/database/sql.ts';
import { openStorage } from '../../../src/storage/storage.ts';
import { databaseUrl, dropSchema, freshSchema } from '../databases.ts';

describe('columns', () => {
  test('an int8 is a safe integer or an error, never rounded', () => {
    expect(safeInteger('9007199254740991')).toBe(2 ** 53 - 1);
    expect(safeInteger('-9007199254740991')).toBe(1 - 2 ** 53);
    expect(() => safeInteger('9007199254740992')).toThrow(RangeError);
    expect(() => safeInteger('9007199254740993')).toThrow(RangeError);
  });
});

describe('cursors', () => {
  test('every id has exactly one cursor, which decodes to it', () => {
    fc.assert(fc.property(fc.uuid(), (id) => decodeCursor(encodeCursor(id)) === id));
  });

  test('any other text is refused', () => {
    const words = fc.oneof(fc.string(), fc.base64String(), fc.stringMatching(/^[A-Za-z0-9_-]{22}$/));
    fc.assert(
      fc.property(words, (word) => {
        try {
          return encodeCursor(decodeCursor(word)) === word;
        } catch (error) {
          return error instanceof Error && 'code' in error && error.code === 'VALIDATION_FAILED';
        }
      }),
    );
    // The same 128 bits, with one of the four unused bits set.
    expect(() => decodeCursor('AAAAAAAAAAAAAAAAAAAAAB')).toThrow('cursor');
  });
});

describe('a conflict', () => {
  const failure = (code: string) => Object.assign(new Error('lost'), { code });

  test.each(['40001', '40P01'])('%s is retried until it succeeds', async (code) => {
    let tries = 0;
    const answer = await retrying(async () => {
      tries++;
      if (tries < 4) throw failure(code);
      return 'done';
    });
    expect([answer, tries]).toEqual(['done', 4]);
  });

  test('fails after the last attempt, and other errors are not retried', async () => {
    let tries = 0;
    const losing = retrying(
      async () => {
        tries++;
        throw failure('40001');
      },
      undefined,
      3,
    );
    await expect(losing).rejects.toThrow('lost');
    expect(tries).toBe(3);
    tries = 0;
    const failing = retrying(async () => {
      tries++;
      throw failure('23505');
    });
    await expect(failing).rejects.toThrow('lost');
    expect(tries).toBe(1);
  });
});

describe('errors', () => {
  test('a full disk or a lost connection may be retried; any other error is returned as it is', () => {
    const failure = (code: string) => asDomainError(Object.assign(new Error('x'), { code }));
    for (const code of ['53100', '57P01', '25P03', '25P04', '08006', 'ECONNREFUSED', 'ECONNRESET']) {
      expect(failure(code)).toMatchObject({ code: 'STORAGE_UNAVAILABLE', retryAfterSeconds: 1 });
    }
    for (const code of ['23505', '42601', '22P02']) expect(failure(code)).toMatchObject({ code });
  });
});

describe('opening', () => {
  const closing: (() => Promise<void> | void)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  test('is refused without an address or folder, or with an address that is not PostgreSQL', async () => {
    const invalid = { code: 'VALIDATION_FAILED' };
    await expect(openDatabase({})).rejects.toMatchObject(invalid);
    await expect(openDatabase({ databaseUrl: 'mysql://localhost/x' })).rejects.toMatchObject(invalid);
    await expect(openDatabase({ inMemory: true, schema: 'a; drop table run' })).rejects.toMatchObject(invalid);
  });

  test('the error of a server that hangs up names it without its password', async () => {
    const server: Server = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(() => void server.close());
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const opening = openDatabase({ databaseUrl: `postgres://svc:hunter2@127.0.0.1:${port}/svc` });
    const error: Error = await opening.then(
      () => new Error('opened'),
      (reason) => reason,
    );
    expect(error).toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    expect(error.message).toContain(`127.0.0.1:${port}`);
    expect(error.message).not.toContain('hunter2');
  });

  test('a data folder keeps its rows, can be opened once, and survives an interrupted first start', async () => {
    const dataFolder = mkdtempSync(join(tmpdir(), 'svc-data-'));
    closing.push(() => rmSync(dataFolder, { recursive: true, force: true }));
    mkdirSync(join(dataFolder, 'database.new'));
    writeFileSync(join(dataFolder, 'database.new', 'PG_VERSION'), 'half');
    const first = await openStorage({ dataFolder });
    closing.push(first.close);
    expect(existsSync(join(dataFolder, 'database.new'))).toBe(false);
    await expect(openDatabase({ dataFolder })).rejects.toMatchObject({
      code: 'STORAGE_LOCKED',
      facts: { pid: process.pid, folder: dataFolder },
    });
    await first.node.setOnce('name', 'one');
    await first.close();

    // Open it again, with a synchronous log.
    const second = await openStorage({ dataFolder, sync: true });
    closing.push(second.close);
    expect(await second.node.get('name')).toBe('one');
    const settings = await rows(second.database.knex, 'select name, setting from pg_settings where name = ANY(?)', [
      ['fsync', 'wal_sync_method'],
    ]);
    expect(settings).toEqual([
      { name: 'fsync', setting: 'on' },
      { name: 'wal_sync_method', setting: 'open_datasync' },
    ]);
  });
});

describe('an embedded database', () => {
  let database: Database;
  beforeAll(async () => {
    database = await openDatabase({ inMemory: true, schema: 'svc_test' });
  });
  afterAll(() => database.close());

  test('is migrated once, into its schema', async () => {
    expect(await migrate(database)).toEqual(MIGRATIONS.map(({ name }) => name));
    expect(await migrate(database)).toEqual([]);
    const [found] = await rows<{ tables: number }>(
      database.knex,
      `select count(*) as tables from pg_tables where schemaname = 'svc_test' and tablename in
       ('node', 'account', 'api_key', 'run', 'field', 'kernel', 'idempotency', 'secret_epoch')`,
    );
    expect(found?.tables).toBe(8);
  });

  test('is not migrated if a newer version has migrated it', async () => {
    await rows(database.knex, `insert into migration (name) values ('9999_from_the_future')`);
    await expect(migrate(database)).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      message: expect.stringContaining('9999_from_the_future'),
    });
    await rows(database.knex, `delete from migration where name = '9999_from_the_future'`);
  });

  test('refuses an int8 that does not fit in a number, and stays usable', async () => {
    await expect(rows(database.knex, 'select 9007199254740993::int8 as n')).rejects.toThrow('53 bits');
    expect(await rows(database.knex, 'select 9007199254740991::int8 as n')).toEqual([{ n: 2 ** 53 - 1 }]);
  });

  test('returns times to the millisecond, whatever the time zone of the session', async () => {
    await database.knex.raw(`set time zone 'Asia/Kolkata'`);
    const times = fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 });
    await fc.assert(
      fc.asyncProperty(times, async (ms) => {
        const found = await rows(database.knex, 'select ?::timestamptz as at', [new Date(ms).toISOString()]);
        expect(found).toEqual([{ at: ms }]);
      }),
      { numRuns: 50 },
    );
  });

  test('runs a query on the pool after the open transaction', async () => {
    const order: string[] = [];
    const inside = database.transaction(async (on) => {
      await rows(on, 'select 1');
      const beside = rows(database.knex, 'select 1').then(() => order.push('beside'));
      await rows(on, 'select 1');
      order.push('inside');
      return { beside };
    });
    await (await inside).beside;
    expect(order).toEqual(['inside', 'beside']);
  });

  test('can be closed twice, and is unavailable afterwards', async () => {
    const other = await openDatabase({ inMemory: true });
    await Promise.all([other.close(), other.close()]);
    await expect(rows(other.knex, 'select 1')).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
  });
});

describe.runIf(databaseUrl !== undefined)('PostgreSQL', () => {
  test('nodes that start at once on an empty database migrate it once', async () => {
    // Several times: two of knex's own lock rows appeared in about every second try.
    for (let round = 0; round < 8; round++) {
      const schema = freshSchema();
      const cleaner = await openDatabase({ databaseUrl });
      try {
        const nodes = await Promise.all([1, 2, 3, 4].map(() => openDatabase({ databaseUrl, schema })));
        const ran = await Promise.all(nodes.map((node) => migrate(node)));
        // Any node may run any migration, but each is run once.
        expect(ran.flat().sort()).toEqual(MIGRATIONS.map(({ name }) => name));
        await Promise.all(nodes.map((node) => node.close()));
      } finally {
        await dropSchema(cleaner, schema);
        await cleaner.close();
      }
    }
  });

  test('two transactions that deadlock are retried, and both commit', async () => {
    const schema = freshSchema();
    const storage = await openStorage({ databaseUrl, schema });
    try {
      await storage.node.setOnce('a', '0');
      await storage.node.setOnce('b', '0');
      let tries = 0;
      // Each locks its first row before either asks for its second, however busy the computer is.
      let holding = 0;
      const bothHold = Promise.withResolvers<void>();
      const bump = (first: string, second: string) =>
        storage.transaction(async (on) => {
          tries++;
          await rows(on, 'update node set value = (value::int + 1)::text where key = ?', [first]);
          if (++holding === 2) bothHold.resolve();
          await bothHold.promise;
          await rows(on, 'update node set value = (value::int + 1)::text where key = ?', [second]);
        });
      await Promise.all([bump('a', 'b'), bump('b', 'a')]);
      expect([await storage.node.get('a'), await storage.node.get('b')]).toEqual(['2', '2']);
      expect(tries).toBeGreaterThan(2);
    } finally {
      await dropSchema(storage.database, schema);
      await storage.close();
    }
  });

  test('a connection that the server ends makes its statement fail, and is replaced', async () => {
    const database = await openDatabase({ databaseUrl, poolSize: 1 });
    try {
      const statement = rows(database.knex, 'select pg_terminate_backend(pg_backend_pid())');
      await expect(statement).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
      // The pool may use the connection once more before it notices that it has ended.
      await expect.poll(() => rows(database.knex, 'select 1 as n').catch(() => [])).toEqual([{ n: 1 }]);
    } finally {
      await database.close();
    }
  });
});
