// Rates of two nodes that share a database, of a node whose database is silent, and of one that starts again.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SteppedClock } from '../../../src/core/clock.ts';
import { LIMITS } from '../../../src/core/limits.ts';
import type { Principal } from '../../../src/services/access/access.ts';
import { RateLimiter } from '../../../src/services/access/rate-limit.ts';
import { rows } from '../../../src/storage/database/sql.ts';
import { openStorage } from '../../../src/storage/storage.ts';
import { databaseUrl, dropSchema, freshSchema, testDatabases } from '../../storage/databases.ts';
import { silentProxy } from '../../storage/silent-proxy.ts';
import { unlimitedRates } from '../../suites/unlimited-rates.ts';
import { composed } from '../composition-fixture.ts';

const MINUTE_NS = 60_000_000_000n;
const ADDRESS = '192.0.2.1';
const { maxUnsettled, waitMs, retryMs } = LIMITS.sharedRate;
const key = (keyId: string, accountId: string): Principal => ({
  ...{ accountId, keyId, keyPrefix: 'svc_ak_01234567', scope: 'write', tier: 'free', isDemo: false },
});

describe.runIf(databaseUrl !== undefined)('two nodes', () => {
  const LIMIT = 200;
  const RATES = unlimitedRates({ free: LIMIT, playground: 5, accountBytes: 1_000_000 });
  const schema = freshSchema();
  // The rates of the nodes add up while the database answers: a busy one counts as silent only after the test.
  const openNode = async () => {
    const storage = await openStorage({ databaseUrl: databaseUrl ?? '', schema });
    const clock = new SteppedClock(1_800_000_000_000_000_000n);
    const options = { clock, rates: storage.rates, hasOtherNodes: true, waitMs: 60_000 };
    return { storage, clock, rateLimit: new RateLimiter({ limits: RATES, ...options }) };
  };
  type Node = Awaited<ReturnType<typeof openNode>>;
  let nodes: Node[] = [];
  beforeAll(async () => {
    nodes = [await openNode(), await openNode()];
  });
  afterAll(async () => {
    if (nodes[0]) await dropSchema(nodes[0].storage.database, schema);
    await Promise.all(nodes.map(({ storage }) => storage.close()));
  });

  /** Sends requests to the nodes in turn, some at a time. @returns how many pass on each node */
  async function storm(who: Principal, total: number, atATime: number): Promise<number[]> {
    const passed = nodes.map(() => 0);
    let sent = 0;
    const send = async () => {
      while (sent < total) {
        const i = sent++ % nodes.length;
        const usage = await nodes[i]?.rateLimit.consume(who, ADDRESS);
        if (usage?.isExceeded === false) passed[i] = (passed[i] ?? 0) + 1;
      }
    };
    await Promise.all(Array.from({ length: atATime }, send));
    return passed;
  }
  const sum = (counts: readonly number[]) => counts.reduce((a, b) => a + b, 0);

  test.each([1, 8, 64])('together pass the limit and at most a tenth of it, %i requests at a time', async (atATime) => {
    const passed = await storm(key('k', `burst ${atATime}`), 4 * LIMIT, atATime);
    expect(sum(passed)).toBeGreaterThanOrEqual(LIMIT);
    expect(sum(passed)).toBeLessThanOrEqual(LIMIT * (1 + maxUnsettled));
  });

  test('a node that one tenant has left alone refuses what the other node let pass', async () => {
    const [here, there] = nodes as [Node, Node];
    const who = key('k', 'moves');
    const send = async (node: Node) => !(await node.rateLimit.consume(who, ADDRESS)).isExceeded;
    let passed = 0;
    for (let i = 0; i < LIMIT; i++) if (await send(here)) passed++;
    expect(passed).toBe(LIMIT);
    let late = 0;
    for (let i = 0; i < LIMIT; i++) if (await send(there)) late++;
    expect(late).toBeLessThanOrEqual(LIMIT * maxUnsettled);
    for (const { clock } of nodes) clock.advance(MINUTE_NS);
    expect(await send(there)).toBe(true);
  });

  test('rare actions are exact', async () => {
    const attempts = Array.from({ length: 20 }, (_, i) => nodes[i % 2]?.rateLimit.admit('playground', 'p'));
    const outcomes = await Promise.allSettled(attempts);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    await nodes[0]?.rateLimit.refund('playground', 'p');
    await nodes[1]?.rateLimit.admit('playground', 'p');
    await expect(nodes[0]?.rateLimit.admit('playground', 'p')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  });

  test('bytes of long answers on one node are refused on the other', async () => {
    const [here, there] = nodes as [Node, Node];
    const who = key('k', 'reader');
    here.rateLimit.countBytes(who, ADDRESS, 900_000);
    // A node hears what others have counted when it settles its own: the first settlement must have come before.
    const { knex } = here.storage.database;
    const settled = async () => (await knex.raw('select tenant from rate_window where tenant = ?', ['reader'])).rows;
    await expect.poll(settled).toHaveLength(1);
    there.rateLimit.countBytes(who, ADDRESS, 150_000);
    const askThere = () =>
      there.rateLimit.consume(who, ADDRESS).then(
        () => 'passed',
        ({ code }) => code,
      );
    await expect.poll(askThere).toBe('RATE_LIMITED');
  });

  test('a light tenant writes no row, and ended windows are removed', async () => {
    const [here] = nodes as [Node];
    const windows = async () => {
      const { rows } = await here.storage.database.knex.raw('select tenant from rate_window');
      return (rows as { tenant: string }[]).map(({ tenant }) => tenant);
    };
    await storm(key('k', 'light'), 2 * LIMIT * LIMITS.sharedRate.settleAt - 4, 1);
    await storm(key('k', 'heavy'), LIMIT, 1);
    await expect.poll(windows).toContain('heavy');
    expect(await windows()).not.toContain('light');
    const nowMs = Number((here.clock.now() + 61n * MINUTE_NS) / 1_000_000n);
    expect(await here.storage.rates.removeEnded(nowMs, 2)).toBe(2);
    expect(await here.storage.rates.removeEnded(nowMs, 1_000)).toBeGreaterThan(0);
    expect(await windows()).toEqual([]);
  });
});

test.runIf(databaseUrl !== undefined)('a composed node settles its rates in the database', async () => {
  const schema = freshSchema();
  const rates = unlimitedRates({ free: 100 });
  const node = await composed({ DATABASE_URL: databaseUrl ?? '' }, { schema, rates });
  const { knex } = node.storage.database;
  const settled = async () => {
    // Past the time in which a database that was silent is not asked.
    node.wait(10);
    for (let i = 0; i < 20; i++) await node.services.rateLimit.consume(key('k', 'busy'), ADDRESS);
    return (await rows<{ tenant: string }>(knex, 'select tenant from rate_window')).map(({ tenant }) => tenant);
  };
  try {
    await expect.poll(settled).toEqual(['busy']);
  } finally {
    await dropSchema(node.storage.database, schema);
    await node.close();
  }
});

test.runIf(databaseUrl !== undefined)('without an answer of the database the limits of the node bind', async () => {
  const proxy = await silentProxy(databaseUrl ?? '');
  const schema = freshSchema();
  const storage = await openStorage({ databaseUrl: proxy.databaseUrl, schema, timeouts: { silenceMs: 1_200 } });
  const clock = new SteppedClock(1_800_000_000_000_000_000n);
  const failures: unknown[] = [];
  const limiter = new RateLimiter({
    limits: unlimitedRates({ free: 100, playground: 5 }),
    clock,
    rates: storage.rates,
    hasOtherNodes: true,
    onSilent: (error) => failures.push(error),
  });
  const passing = async (requests: number) => {
    let passed = 0;
    for (let i = 0; i < requests; i++) if (!(await limiter.consume(key('k', 'a'), ADDRESS)).isExceeded) passed++;
    return passed;
  };
  /** When the window in the database ends; 0 without one, or if the connection is still the silent one. */
  const endsMs = async () => {
    const found = await rows<{ ends_at: number }>(
      storage.database.knex,
      `select ends_at from rate_window where name = 'keyed'`,
    ).catch(() => []);
    return found[0]?.ends_at ?? 0;
  };
  try {
    const before = await passing(20);
    await expect.poll(endsMs).toBeGreaterThan(0);
    proxy.silence();
    const started = performance.now();
    expect(before + (await passing(150))).toBe(100);
    const plays = await Promise.allSettled(Array.from({ length: 9 }, () => limiter.admit('playground', ADDRESS)));
    expect(plays.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    // One wait, not one for every request.
    expect(performance.now() - started).toBeLessThan(2 * waitMs);
    expect(failures.length).toBeGreaterThan(0);
    proxy.resume();
    clock.advance(MINUTE_NS);
    const resumedMs = Number(clock.now() / 1_000_000n);
    const askAgain = async () => {
      clock.advance(BigInt(retryMs) * 1_000_000n);
      await passing(10);
      return endsMs();
    };
    await expect.poll(askAgain, { timeout: 10_000 }).toBeGreaterThan(resumedMs);
  } finally {
    await dropSchema(storage.database, schema);
    await storage.close();
    await proxy.close();
  }
});

describe.each(testDatabases())('$name', (database) => {
  test('a rare rate outlives the node', async () => {
    const storage = await database.open();
    try {
      const clock = new SteppedClock(1_800_000_000_000_000_000n);
      const node = () => new RateLimiter({ limits: unlimitedRates({ spinUp: 3 }), clock, rates: storage.rates });
      const first = node();
      for (let i = 0; i < 2; i++) await first.admit('spinUp', ADDRESS);
      const second = node();
      await second.admit('spinUp', ADDRESS);
      await expect(second.admit('spinUp', ADDRESS)).rejects.toMatchObject({ retryAfterSeconds: 3_600 });
      clock.advance(61n * MINUTE_NS);
      await first.admit('spinUp', ADDRESS);
    } finally {
      await database.dispose(storage);
    }
  });
});
