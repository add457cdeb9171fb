// A database that accepts connections and says nothing, or stops answering.

import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { type Database, type DatabaseTimeouts, openDatabase } from '../../../src/storage/database/database.ts';
import { rows } from '../../../src/storage/database/sql.ts';
import { databaseUrl } from '../databases.ts';
import { type SilentProxy, silentProxy } from '../silent-proxy.ts';

const TIMEOUTS: Partial<DatabaseTimeouts> = {
  connectMs: 600,
  acquireMs: 2_000,
  statementMs: 300,
  silenceMs: 1_200,
  readyMs: 150,
};
const UNAVAILABLE = { code: 'STORAGE_UNAVAILABLE', retryAfterSeconds: 1 };

test('a server that accepts and says nothing ends the start', async () => {
  const server = createServer(() => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const opened = openDatabase({ databaseUrl: `postgres://nobody@127.0.0.1:${port}/none`, timeouts: TIMEOUTS });
  await expect(opened).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
});

describe.runIf(databaseUrl !== undefined)('a database that stops answering', () => {
  let proxy: SilentProxy;
  let database: Database;
  const open = async () => {
    proxy = await silentProxy(databaseUrl ?? '');
    database = await openDatabase({ databaseUrl: proxy.databaseUrl, timeouts: TIMEOUTS, poolSize: 2 });
  };
  afterEach(async () => {
    await database.close();
    await proxy.close();
  });
  const one = () => rows<{ one: number }>(database.knex, 'select 1 as one');

  test('reads, writes and transactions are refused, and all work again on new connections', async () => {
    await open();
    await database.knex.raw('create table if not exists pg_temp.silence (n int)');
    proxy.silence();
    const refused = await Promise.allSettled([
      one(),
      rows(database.knex, 'insert into pg_temp.silence values (1)'),
      database.transaction(async (on) => rows(on, 'select 1')),
      database.snapshot(async (on) => rows(on, 'select 1')),
    ]);
    for (const { status, reason } of refused as PromiseRejectedResult[])
      expect([status, reason]).toMatchObject(['rejected', UNAVAILABLE]);
    proxy.resume();
    expect(await one()).toEqual([{ one: 1 }]);
    expect(await database.transaction(async (on) => rows(on, 'select 2 as two'))).toEqual([{ two: 2 }]);
  });

  test('a ping fails at once, and the waiting ones share a statement', async () => {
    await open();
    await database.ping();
    proxy.silence();
    const pings = await Promise.allSettled([database.ping(), database.ping(), database.ping()]);
    expect(pings.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(pings.map((ping) => ping.status === 'rejected' && ping.reason)).toMatchObject(Array(3).fill(UNAVAILABLE));
  });

  test('a statement that takes too long is cancelled, and its connection is kept', async () => {
    await open();
    const slow = rows(database.knex, 'select pg_sleep(30)');
    await expect(slow).rejects.toMatchObject({ ...UNAVAILABLE, message: expect.stringContaining('too long') });
    expect(await one()).toEqual([{ one: 1 }]);
  });

  test('an idle connection that went silent is not used again', async () => {
    await open();
    await one();
    proxy.silence();
    await new Promise((resolve) => setTimeout(resolve, 2 * (TIMEOUTS.silenceMs ?? 0)));
    proxy.resume();
    expect(await one()).toEqual([{ one: 1 }]);
  });
});
