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
  test('every id has one cursor, which gives it back', () => {
    fc.assert(fc.property(fc.uuid(), (id) => decodeCursor(encodeCursor(id)) === id));
  });

  test('anything else is refused', () => {
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
    // The same 128 bits, with one of the four left over set.
    expect(() => decodeCursor('AAAAAAAAAAAAAAAAAAAAAB')).toThrow('cursor');
  });
});

describe('a lost race', () => {
  const failure = (code: string) => Object.assign(new Error('lost'), { code });

  test.each(['40001', '40P01'])('%s is tried again until it is won', async (code) => {
    let tries = 0;
    const won = await retrying(async () => {
      tries++;
      if (tries < 4) throw failure(code);
      return 'won';
    });
    expect([won, tries]).toEqual(['won', 4]);
  });

  test('is given up after the last attempt, and other failures are not repeated', async () => {
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

describe('failures', () => {
  test('a full disk or a lost connection is a refusal to wait out; a fault of ours stays what it is', () => {
    const failure = (code: string) => asDomainError(Object.assign(new Error('x'), { code }));
    for (const code of ['53100', '57P01', '08006', 'ECONNREFUSED', 'ECONNRESET']) {
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

  test('without a place, or with one that is not PostgreSQL, is refused', async () => {
    const invalid = { code: 'VALIDATION_FAILED' };
    await expect(openDatabase({})).rejects.toMatchObject(invalid);
    await expect(openDatabase({ databaseUrl: 'mysql://localhost/x' })).rejects.toMatchObject(invalid);
    await expect(openDatabase({ inMemory: true, schema: 'a; drop table run' })).rejects.toMatchObject(invalid);
  });

  test('a server that hangs up is named without its password', async () => {
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

  test('an embedded folder keeps its rows, admits one opener, and survives a first start cut short', async () => {
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
    await first.node.settle('name', 'one');
    await first.close();

    // The second time with a synchronous log.
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

  test('is left alone when a newer version has migrated it', async () => {
    await rows(database.knex, `insert into migration (name) values ('9999_from_the_future')`);
    await expect(migrate(database)).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      message: expect.stringContaining('9999_from_the_future'),
    });
    await rows(database.knex, `delete from migration where name = '9999_from_the_future'`);
  });

  test('refuses an int8 that no number holds, and goes on', async () => {
    await expect(rows(database.knex, 'select 9007199254740993::int8 as n')).rejects.toThrow('53 bits');
    expect(await rows(database.knex, 'select 9007199254740991::int8 as n')).toEqual([{ n: 2 ** 53 - 1 }]);
  });

  test('gives times back to the millisecond, whatever the zone of the session', async () => {
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

  test('waits for its turn beside an open transaction', async () => {
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

  test('closes twice without harm, and then says that it is gone', async () => {
    const other = await openDatabase({ inMemory: true });
    await Promise.all([other.close(), other.close()]);
    await expect(rows(other.knex, 'select 1')).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
  });
});

describe.runIf(databaseUrl !== undefined)('PostgreSQL', () => {
  test('nodes that start together on an empty database migrate it once', async () => {
    // Several times: two of knex's own lock rows appeared in about every second try.
    for (let round = 0; round < 8; round++) {
      const schema = freshSchema();
      const cleaner = await openDatabase({ databaseUrl });
      try {
        const nodes = await Promise.all([1, 2, 3, 4].map(() => openDatabase({ databaseUrl, schema })));
        const ran = await Promise.all(nodes.map((node) => migrate(node)));
        // Which node runs which is a matter of luck; each is run once.
        expect(ran.flat().sort()).toEqual(MIGRATIONS.map(({ name }) => name));
        await Promise.all(nodes.map((node) => node.close()));
      } finally {
        await dropSchema(cleaner, schema);
        await cleaner.close();
      }
    }
  });

  test('two transactions that deadlock both commit in the end', async () => {
    const schema = freshSchema();
    const storage = await openStorage({ databaseUrl, schema });
    try {
      await storage.node.settle('a', '0');
      await storage.node.settle('b', '0');
      let tries = 0;
      // Each holds its first row before either asks for its second, however busy the machine is.
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

  test('a connection that the server ends is refused, and soon replaced', async () => {
    const database = await openDatabase({ databaseUrl, poolSize: 1 });
    try {
      const suicide = rows(database.knex, 'select pg_terminate_backend(pg_backend_pid())');
      await expect(suicide).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
      // The pool may hand the connection out once more before it hears of its end.
      await expect.poll(() => rows(database.knex, 'select 1 as n').catch(() => [])).toEqual([{ n: 1 }]);
    } finally {
      await database.close();
    }
  });
});
