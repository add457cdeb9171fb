// Streams with two nodes on one PostgreSQL: readers of one node receive rows of the other, even if notifications are
// lost.

import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import pg from 'pg';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfiguration } from '../../src/configuration.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { listen, type RunningService } from '../../src/server.ts';
import { openDatabase } from '../../src/storage/database/database.ts';
import { channelOf } from '../../src/storage/node/notify-bus.ts';
import { databaseUrl, dropSchema, freshSchema } from '../storage/databases.ts';
import { readWithReconnects } from './resuming-reader.ts';
import { connectSocket } from './socket-client.ts';
import { openEvents } from './sse-reader.ts';

const schema = freshSchema();

describe.skipIf(databaseUrl === undefined)('two nodes', () => {
  const nodes: RunningService[] = [];
  let key: string;
  let machineCount = 0;

  beforeAll(async () => {
    const configuration = readConfiguration({
      PORT: '0',
      SVC_MASTER_KEY: randomBytes(32).toString('hex'),
      DATABASE_URL: databaseUrl,
      SVC_RATE_FACTOR: '1000',
      SVC_WORKERS: '1',
    });
    for (let i = 0; i < 2; i++) nodes.push(await listen({ configuration, log: pino({ level: 'silent' }), schema }));
    const { services } = nodes[0] as RunningService;
    const opened = await services.keys.openAccount({ name: 'x', scope: 'admin', rate_limit_tier: 'high' });
    key = opened.key;
  });

  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.close()));
    const database = await openDatabase({ databaseUrl });
    await dropSchema(database, schema);
    await database.close();
  });

  async function post(node: number, path: string, body: object): Promise<void> {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const response = await fetch(`${nodes[node]?.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (response.status !== 201) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  }

  async function machine(): Promise<string> {
    const slug = `nodes-${machineCount++}`;
    await post(0, '/api/chain/state-machines', { slug, is_public: true });
    return slug;
  }

  const explorer = (node: number, slug: string) => `${nodes[node]?.url}/api/chain/${slug}/explore/sse`;

  test('a reader of one node receives rows written on the other', async () => {
    const slug = await machine();
    const rows = await openEvents(explorer(1, slug));
    const all = await openEvents(`${nodes[1]?.url}/api/chain/aggregate/sse`);
    for (const stream of [rows, all]) expect((await stream.next())?.event).toBe('begin');
    for (let seq = 1; seq <= 5; seq++) {
      await post(0, `/api/chain/${slug}/event`, { name: 'tick' });
      expect(await rows.next()).toMatchObject({ id: `${seq}`, event: 'event' });
      expect((await all.next())?.data).toMatchObject({ slug, seq });
    }
    rows.close();
    all.close();
  });

  test('streams of a key are limited over both nodes, as events and over WebSockets', async () => {
    const { services } = nodes[0] as RunningService;
    const account = { name: 'x', scope: 'read', rate_limit_tier: 'high' } as const;
    const reader = (await services.keys.openAccount(account)).key;
    const { perCaller } = LIMITS.stream;
    const open: (() => void)[] = [];
    const events = async (node: number) => {
      const controller = new AbortController();
      const headers = { authorization: `Bearer ${reader}` };
      const answer = await fetch(`${nodes[node]?.url}/api/svc/pulse/stream`, { headers, signal: controller.signal });
      if (answer.ok) open.push(() => controller.abort());
      else await answer.text();
      return answer.status;
    };
    const socket = async (node: number) => {
      const client = await connectSocket(nodes[node]?.url ?? '');
      client.send({ op: 'auth', key: reader });
      const { ok, code } = await client.receive();
      if (ok === true) open.push(() => client.socket.terminate());
      return ok === true ? 200 : code;
    };
    const each = (calls: number) => Array.from({ length: calls }, (_, i) => i % 2);
    const statuses = await Promise.all([...each(perCaller).map(events), ...each(8).map(socket)]);
    expect(statuses.filter((status) => status === 200)).toHaveLength(perCaller);
    for (const node of [0, 1]) {
      expect(await events(node)).toBe(429);
      expect(await socket(node)).toBe('RATE_LIMITED');
    }
    open.pop()?.();
    await expect.poll(() => events(1)).toBe(200);
    expect(await events(0)).toBe(429);
    for (const close of open) close();
    await expect.poll(() => nodes.map((node) => node.streams.count())).toEqual([0, 0]);
  });

  test('a reader that alternates between nodes receives every row once, in order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 2, maxLength: 6 }),
        async (framesPerConnection) => {
          const slug = await machine();
          const rows = 40;
          const writing = Promise.all(
            [0, 1, 0, 1].map(async (node, writer) => {
              for (let i = 0; i < rows / 4; i++)
                await post(node, `/api/chain/${slug}/event`, { name: 'tick', payload: { writer, i } });
            }),
          );
          const received = await readWithReconnects(
            (connection) => explorer(connection % 2, slug),
            framesPerConnection,
            rows,
          );
          await writing;
          expect(received.map(({ id }) => Number(id))).toEqual(Array.from({ length: rows }, (_, i) => i + 1));
          expect(new Set(received.map(({ data }) => data.row_hash)).size).toBe(rows);
        },
      ),
      { numRuns: 4, seed: 777 },
    );
  });

  test('a reader receives every row even if its node loses the notification connection', async () => {
    const slug = await machine();
    const rows = await openEvents(explorer(1, slug));
    const all = await openEvents(`${nodes[1]?.url}/api/chain/aggregate/sse`);
    for (const stream of [rows, all]) expect((await stream.next())?.event).toBe('begin');
    const administrator = new pg.Client({ connectionString: databaseUrl });
    await administrator.connect();
    const terminateListeners = async () => {
      const { rowCount } = await administrator.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where starts_with(application_name, $1)',
        [channelOf(schema)],
      );
      return rowCount ?? 0;
    };
    let terminated = 0;
    const seqs: number[] = [];
    const allSeqs: number[] = [];
    for (let round = 0; round < 3; round++) {
      terminated += await terminateListeners();
      // Written while the node is not listening.
      for (let i = 0; i < 5; i++) await post(0, `/api/chain/${slug}/event`, { name: 'tick' });
      while (seqs.length < 5 * (round + 1)) seqs.push(Number((await rows.next())?.id));
      while (allSeqs.length < 5 * (round + 1)) allSeqs.push(Number((await all.next())?.data.seq));
    }
    await administrator.end();
    expect(terminated).toBeGreaterThanOrEqual(2);
    const expected = Array.from({ length: 15 }, (_, i) => i + 1);
    expect(seqs).toEqual(expected);
    expect(allSeqs).toEqual(expected);
    rows.close();
    all.close();
  });
});
