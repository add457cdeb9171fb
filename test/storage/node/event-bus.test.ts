// News within a process, and between nodes on one PostgreSQL.

import { randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterEach, describe, expect, test } from 'vitest';
import { LocalBus, type News } from '../../../src/storage/node/event-bus.ts';
import { channelOf, NotifyBus } from '../../../src/storage/node/notify-bus.ts';
import { databaseUrl, freshSchema } from '../databases.ts';

const [one, two] = [randomUUID(), randomUUID()];

/** Collects what a listener hears until it is asked for. */
class Ear {
  readonly heard: (readonly News[] | 'all')[] = [];
  #wake = () => {};
  readonly listen = (news: readonly News[] | 'all') => {
    this.heard.push(news);
    this.#wake();
  };

  async next(): Promise<readonly News[] | 'all'> {
    while (this.heard.length === 0)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    return this.heard.shift() as readonly News[] | 'all';
  }
}

test('what is published in one turn is heard together, one piece for each machine', async () => {
  const bus = new LocalBus();
  const ear = new Ear();
  const stop = bus.subscribe(ear.listen);
  bus.publish({ machineId: one, first: 3, last: 4 });
  bus.publish({ machineId: two, first: 1, last: 1 });
  bus.publish({ machineId: one, first: 5, last: 7 });
  expect(ear.heard).toEqual([]);
  expect(await ear.next()).toEqual([
    { machineId: one, first: 3, last: 7 },
    { machineId: two, first: 1, last: 1 },
  ]);
  bus.publish({ machineId: one, first: 8, last: 8 });
  expect(await ear.next()).toEqual([{ machineId: one, first: 8, last: 8 }]);
  stop();
  bus.publish({ machineId: one, first: 9, last: 9 });
  await Promise.resolve();
  expect(ear.heard).toEqual([]);
});

describe.skipIf(databaseUrl === undefined)('between nodes', () => {
  const buses: NotifyBus[] = [];
  const failures: unknown[] = [];
  afterEach(async () => {
    await Promise.all(buses.splice(0).map((bus) => bus.close()));
    failures.length = 0;
  });

  async function node(schema: string, checkMs = 3_600_000): Promise<{ bus: NotifyBus; ear: Ear }> {
    const nodeId = randomBytes(8).toString('hex');
    const bus = new NotifyBus({
      databaseUrl: databaseUrl as string,
      schema,
      nodeId,
      onFailed: (error) => failures.push(error),
      checkMs,
    });
    buses.push(bus);
    const ear = new Ear();
    bus.subscribe(ear.listen);
    await bus.start();
    expect(await ear.next()).toBe('all');
    return { bus, ear };
  }

  async function administer(statement: string, bindings: unknown[]): Promise<number> {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    const { rowCount } = await client.query(statement, bindings);
    await client.end();
    return rowCount ?? 0;
  }

  test('each hears the others, and itself once and without a round trip', async () => {
    const schema = freshSchema();
    const [a, b, c] = [await node(schema), await node(schema), await node(freshSchema())];
    const first = { machineId: one, first: 0, last: 2 };
    a.bus.publish(first);
    await Promise.resolve();
    expect(a.ear.heard).toEqual([[first]]);
    expect(await b.ear.next()).toEqual([first]);
    const second = { machineId: two, first: 5, last: 5 };
    b.bus.publish(second);
    await b.ear.next();
    await a.ear.next();
    expect(await a.ear.next()).toEqual([second]);
    // A node on another schema has its own news.
    expect(c.ear.heard).toEqual([]);
  });

  test('what does not fit into one payload comes in several, and far too much as `all`', async () => {
    const schema = freshSchema();
    const [a, b] = [await node(schema), await node(schema)];
    const ids = Array.from({ length: 600 }, () => randomUUID());
    for (const machineId of ids) a.bus.publish({ machineId, first: 0, last: 123_456_789 });
    const heard: News[] = [];
    while (heard.length < ids.length) heard.push(...((await b.ear.next()) as readonly News[]));
    expect(heard.map(({ machineId }) => machineId).sort()).toEqual([...ids].sort());
    for (let i = 0; i < 3_000; i++) a.bus.publish({ machineId: randomUUID(), first: 0, last: 0 });
    expect(await b.ear.next()).toBe('all');
  });

  test('what is no list of news is taken for `all`', async () => {
    const schema = freshSchema();
    const { ear } = await node(schema);
    for (const payload of ['', 'x y', `x ${one}:0`, `x ${one}:1-2 more`, 'x all']) {
      await administer('select pg_notify($1, $2)', [channelOf(schema), payload]);
      expect(await ear.next(), payload).toBe('all');
    }
    expect(channelOf('x'.repeat(63)).length).toBeLessThanOrEqual(63);
  });

  test('listeners are told to look for themselves again and again: another node may have failed to tell', async () => {
    const { ear } = await node(freshSchema(), 20);
    for (let i = 0; i < 3; i++) expect(await ear.next()).toBe('all');
    expect(failures).toEqual([]);
  });

  test('a connection that is cut is made anew, and whoever listens is woken', async () => {
    const schema = freshSchema();
    const [a, b] = [await node(schema), await node(schema)];
    const cut = 'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1';
    expect(await administer(cut, [channelOf(schema)])).toBe(2);
    expect(await b.ear.next()).toBe('all');
    expect(await a.ear.next()).toBe('all');
    expect(failures.length).toBeGreaterThanOrEqual(2);
    const news = { machineId: one, first: 1, last: 1 };
    a.bus.publish(news);
    expect(await b.ear.next()).toEqual([news]);
  });
});
