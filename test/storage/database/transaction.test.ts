// Transactions on every database: all or nothing, and a connection that the next one can use.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Executor, rows } from '../../../src/storage/database/sql.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { databaseUrl, testDatabases } from '../databases.ts';

describe.each(testDatabases())('a transaction on $name', (database) => {
  let storage: Storage;
  beforeAll(async () => {
    storage = await database.open();
    await rows(storage.database.knex, 'create table mark (n int primary key)');
  });
  afterAll(() => database.dispose(storage));

  const put = (n: number, on: Executor) => rows(on, 'insert into mark values (?)', [n]);
  const marks = async () =>
    (await rows<{ n: number }>(storage.database.knex, 'select n from mark order by n')).map(({ n }) => n);
  const deleteMarks = async () => {
    await rows(storage.database.knex, 'delete from mark');
  };

  test('is written completely or not at all', async () => {
    await deleteMarks();
    expect(await storage.transaction(async (on) => [await put(1, on), await put(2, on)].length)).toBe(2);
    const failing = storage.transaction(async (on) => {
      await put(3, on);
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    await expect(storage.transaction(async (on) => [await put(4, on), await put(4, on)])).rejects.toMatchObject({
      code: '23505',
    });
    expect(await marks()).toEqual([1, 2]);
  });

  test('that goes on after a failed statement rejects instead of reporting success', async () => {
    await deleteMarks();
    const ignoring = storage.transaction(async (on) => {
      await put(1, on);
      await put(1, on).catch(() => {});
      return 'done';
    });
    await expect(ignoring).rejects.toThrow('nothing was written');
    expect(await marks()).toEqual([]);
  });

  test('runs no statement after its end', async () => {
    await deleteMarks();
    let kept: Executor | undefined;
    await storage.transaction(async (on) => {
      kept = on;
      await put(1, on);
    });
    await expect(put(2, kept as Executor)).rejects.toThrow('was over');
    // One branch fails. What the other sends after that must not be written on its own.
    const gate = Promise.withResolvers<void>();
    let late: Promise<unknown> | undefined;
    const failing = storage.transaction(async (on) => {
      late = gate.promise.then(() => put(3, on));
      late.catch(() => {});
      await put(1, on);
    });
    await expect(failing).rejects.toMatchObject({ code: '23505' });
    gate.resolve();
    await expect(late).rejects.toThrow('was over');
    expect(await marks()).toEqual([1]);
  });

  test('that is a snapshot sees one moment and cannot write', async () => {
    await deleteMarks();
    await expect(storage.database.snapshot((on) => put(1, on))).rejects.toMatchObject({ code: '25006' });
    const [level] = await storage.database.snapshot((on) =>
      rows<{ transaction_isolation: string }>(on, 'show transaction_isolation'),
    );
    expect(level?.transaction_isolation).toBe('repeatable read');
    expect(await marks()).toEqual([]);
  });

  test('releases its connection to the next, whether it failed or not', async () => {
    await deleteMarks();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 40 }, (_, i) =>
        storage.transaction(async (on) => {
          await put(i, on);
          if (i % 2 === 1) throw new Error('odd');
        }),
      ),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(
      Array.from({ length: 40 }, (_, i) => (i % 2 === 1 ? 'rejected' : 'fulfilled')),
    );
    expect(await marks()).toEqual(Array.from({ length: 20 }, (_, i) => 2 * i));
  });

  test.runIf(database.name === 'PostgreSQL' && databaseUrl !== undefined)(
    'whose connection is lost is unavailable, and the next one works',
    async () => {
      await deleteMarks();
      const cut = storage.transaction(async (on) => {
        await put(1, on);
        await rows(on, 'select pg_terminate_backend(pg_backend_pid())');
      });
      await expect(cut).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
      await storage.transaction((on) => put(2, on));
      expect(await marks()).toEqual([2]);
    },
  );

  test.runIf(database.name === 'PostgreSQL' && databaseUrl !== undefined)(
    'that the server ended because its node hung is unavailable, and the next one works',
    async () => {
      await deleteMarks();
      const hung = storage.transaction(async (on) => {
        await rows(on, 'set local idle_in_transaction_session_timeout = 20');
        // The node does not run for 200 ms, then sends a statement before it reads that the server has given up.
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
        await put(1, on);
      });
      await expect(hung).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE', cause: { code: '25P03' } });
      await storage.transaction((on) => put(2, on));
      expect(await marks()).toEqual([2]);
    },
  );
});
