// Commit notices within a process, and between nodes on one PostgreSQL.

import { randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { type CommitNotice, LocalBus } from '../../../src/storage/node/event-bus.ts';
import { channelOf, NotifyBus } from '../../../src/storage/node/notify-bus.ts';
import { databaseUrl, freshSchema } from '../databases.ts';
import { silentProxy } from '../silent-proxy.ts';

const [one, two] = [randomUUID(), randomUUID()];

/** A listener that queues what it receives. */
class Receiver {
  readonly received: (readonly CommitNotice[] | 'all')[] = [];
  #wake = () => {};
  readonly listen = (notices: readonly CommitNotice[] | 'all') => {
    this.received.push(notices);
    this.#wake();
  };

  async next(): Promise<readonly CommitNotice[] | 'all'> {
    while (this.received.length === 0)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    return this.received.shift() as readonly CommitNotice[] | 'all';
  }
}

test('notices of one turn are delivered together, one for each machine', async () => {
  const bus = new LocalBus();
  const receiver = new Receiver();
  const stop = bus.subscribe(receiver.listen);
  bus.publish({ machineId: one, first: 3, last: 4 });
  bus.publish({ machineId: two, first: 1, last: 1 });
  bus.publish({ machineId: one, first: 5, last: 7 });
  expect(receiver.received).toEqual([]);
  expect(await receiver.next()).toEqual([
    { machineId: one, first: 3, last: 7 },
    { machineId: two, first: 1, last: 1 },
  ]);
  bus.publish({ machineId: one, first: 8, last: 8 });
  expect(await receiver.next()).toEqual([{ machineId: one, first: 8, last: 8 }]);
  stop();
  bus.publish({ machineId: one, first: 9, last: 9 });
  await Promise.resolve();
  expect(receiver.received).toEqual([]);
});

describe.skipIf(databaseUrl === undefined)('between nodes', () => {
  const buses: NotifyBus[] = [];
  const failures: unknown[] = [];
  afterEach(async () => {
    await Promise.all(buses.splice(0).map((bus) => bus.close()));
    failures.length = 0;
  });

  async function node(
    schema: string,
    checkMs = 3_600_000,
    url = databaseUrl as string,
  ): Promise<{ bus: NotifyBus; receiver: Receiver }> {
    const nodeId = randomBytes(8).toString('hex');
    const bus = new NotifyBus({
      databaseUrl: url,
      schema,
      nodeId,
      onFailed: (error) => failures.push(error),
      checkMs,
    });
    buses.push(bus);
    const receiver = new Receiver();
    bus.subscribe(receiver.listen);
    await bus.start();
    expect(await receiver.next()).toBe('all');
    return { bus, receiver };
  }

  async function administer(statement: string, bindings: unknown[]): Promise<number> {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    const { rowCount } = await client.query(statement, bindings);
    await client.end();
    return rowCount ?? 0;
  }

  test('each node receives the notices of the others, and its own once, without a round trip', async () => {
    const schema = freshSchema();
    const [a, b, c] = [await node(schema), await node(schema), await node(freshSchema())];
    const first = { machineId: one, first: 0, last: 2 };
    a.bus.publish(first);
    await Promise.resolve();
    expect(a.receiver.received).toEqual([[first]]);
    expect(await b.receiver.next()).toEqual([first]);
    const second = { machineId: two, first: 5, last: 5 };
    b.bus.publish(second);
    await b.receiver.next();
    await a.receiver.next();
    expect(await a.receiver.next()).toEqual([second]);
    // A node on another schema uses another channel.
    expect(c.receiver.received).toEqual([]);
  });

  test('notices that do not fit into one payload are sent in several, and far too many as `all`', async () => {
    const schema = freshSchema();
    const [a, b] = [await node(schema), await node(schema)];
    const ids = Array.from({ length: 600 }, () => randomUUID());
    for (const machineId of ids) a.bus.publish({ machineId, first: 0, last: 123_456_789 });
    const notices: CommitNotice[] = [];
    while (notices.length < ids.length) notices.push(...((await b.receiver.next()) as readonly CommitNotice[]));
    expect(notices.map(({ machineId }) => machineId).sort()).toEqual([...ids].sort());
    for (let i = 0; i < 3_000; i++) a.bus.publish({ machineId: randomUUID(), first: 0, last: 0 });
    expect(await b.receiver.next()).toBe('all');
  });

  test('a payload that is not a list of notices counts as `all`', async () => {
    const schema = freshSchema();
    const { receiver } = await node(schema);
    for (const payload of ['', 'x y', `x ${one}:0`, `x ${one}:1-2 more`, 'x all']) {
      await administer('select pg_notify($1, $2)', [channelOf(schema), payload]);
      expect(await receiver.next(), payload).toBe('all');
    }
    expect(channelOf('x'.repeat(63)).length).toBeLessThanOrEqual(63);
  });

  test('listeners receive `all` at every interval, since another node may have failed to send a notice', async () => {
    const { receiver } = await node(freshSchema(), 20);
    for (let i = 0; i < 3; i++) expect(await receiver.next()).toBe('all');
    expect(failures).toEqual([]);
  });

  test('after a lost connection, the bus reconnects and listeners receive `all`', async () => {
    const schema = freshSchema();
    const [a, b] = [await node(schema), await node(schema)];
    const cut = 'select pg_terminate_backend(pid) from pg_stat_activity where starts_with(application_name, $1)';
    expect(await administer(cut, [channelOf(schema)])).toBe(2);
    expect(await b.receiver.next()).toBe('all');
    expect(await a.receiver.next()).toBe('all');
    expect(failures.length).toBeGreaterThanOrEqual(2);
    const notice = { machineId: one, first: 1, last: 1 };
    a.bus.publish(notice);
    expect(await b.receiver.next()).toEqual([notice]);
  });

  test.each(['stays open', 'is reset later'])('a connection that goes silent and %s is replaced', async (later) => {
    const schema = freshSchema();
    const proxy = await silentProxy(databaseUrl as string);
    onTestFinished(() => proxy.close());
    const [sound, muted] = [await node(schema), await node(schema, 500, proxy.databaseUrl)];
    let keyChanges = 0;
    muted.bus.onKeyChange(() => keyChanges++);
    proxy.silence();
    const missed = { machineId: one, first: 1, last: 1 };
    sound.bus.publish(missed);
    if (later === 'is reset later') proxy.resetSilent();
    // Who listens reads everything again, at each interval, and keys with it.
    expect(await muted.receiver.next()).toBe('all');
    expect(keyChanges).toBeGreaterThan(0);
    await expect.poll(() => failures.length, { timeout: 15_000 }).toBeGreaterThan(0);
    proxy.resume();
    const isHeard = () => muted.receiver.received.some((notices) => notices !== 'all');
    const heard = async () => {
      sound.bus.publish({ machineId: two, first: 2, last: 2 });
      await new Promise((resolve) => setTimeout(resolve, 50));
      return isHeard();
    };
    await expect.poll(heard, { timeout: 20_000 }).toBe(true);
  });
});
