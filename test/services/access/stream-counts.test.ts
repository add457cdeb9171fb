// Open streams that two nodes count together: exactly, also when both open at once, when one dies, and without an answer of
// the database.

import { describe, expect, onTestFinished, test } from 'vitest';
import { SteppedClock } from '../../../src/core/clock.ts';
import { LIMITS } from '../../../src/core/limits.ts';
import { StreamCounts } from '../../../src/services/access/stream-counts.ts';
import { rows } from '../../../src/storage/database/sql.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { type TestDatabase, testDatabases } from '../../storage/databases.ts';

const LIMIT = 10;
const NS_PER_MS = 1_000_000n;

async function twoNodes(database: TestDatabase) {
  const storage = await database.open();
  onTestFinished(() => database.dispose(storage));
  const clock = new SteppedClock(1_800_000_000_000_000_000n);
  const node = (name: string) => new StreamCounts({ clock, repository: storage.streamCounts, node: name });
  return { storage, clock, here: node('here'), there: node('there') };
}

const enterAll = async (counts: StreamCounts, attempts: number, name = 'tenant t') => {
  const entered = await Promise.all(Array.from({ length: attempts }, () => counts.enter(name, LIMIT)));
  return entered.filter(Boolean).length;
};

const countedOf = async ({ database }: Storage) => {
  const found = await rows<{ node: string; streams: number }>(
    database.knex,
    'select node, streams from stream_count where streams > 0 order by node',
  );
  return found.map(({ node, streams }) => `${node} ${streams}`);
};

describe.each(testDatabases())('$name', (database) => {
  test('two nodes that open at once pass exactly the limit', async () => {
    const { here, there } = await twoNodes(database);
    const attempts: Promise<boolean>[] = [];
    for (let i = 0; i < 3 * LIMIT; i++) {
      attempts.push((i % 2 === 0 ? here : there).enter('tenant t', LIMIT));
      if (i % 4 === 0) await Promise.resolve();
    }
    expect((await Promise.all(attempts)).filter(Boolean)).toHaveLength(LIMIT);
    expect(await enterAll(here, 1, 'tenant other')).toBe(1);
  });

  test('what one node closes, the other may open', async () => {
    const { storage, here, there } = await twoNodes(database);
    expect(await enterAll(here, LIMIT)).toBe(LIMIT);
    expect(await enterAll(there, 2)).toBe(0);
    for (let i = 0; i < 3; i++) here.leave('tenant t');
    await expect.poll(() => countedOf(storage)).toContain('here 7');
    expect(await enterAll(there, LIMIT)).toBe(3);
    await here.close();
    expect(await countedOf(storage)).toEqual(['there 3']);
    expect(await enterAll(there, LIMIT)).toBe(LIMIT - 3);
  });

  test('streams of a node that died count until their statement ends; those of one that renews stay', async () => {
    const { storage, clock, here, there } = await twoNodes(database);
    expect(await enterAll(here, LIMIT - 1)).toBe(LIMIT - 1);
    clock.advance(BigInt(LIMITS.stream.renewMs) * NS_PER_MS);
    await here.renew();
    clock.advance(BigInt(LIMITS.stream.countedMs - 1) * NS_PER_MS);
    expect(await enterAll(there, 2)).toBe(1);
    clock.advance(2n * NS_PER_MS);
    expect(await enterAll(there, LIMIT)).toBe(LIMIT - 1);
    const nowMs = Number(clock.now() / NS_PER_MS);
    expect(await storage.streamCounts.removeEnded(nowMs, 10)).toBe(1);
    expect(await countedOf(storage)).toEqual([`there ${LIMIT}`]);
  });
});

test('without an answer of the database each node lets its streams open, and asks again later', async () => {
  const clock = new SteppedClock(1_800_000_000_000_000_000n);
  const failures: unknown[] = [];
  let asked = 0;
  const count = async () => {
    asked++;
    throw new Error('silent');
  };
  const repository = { count } as unknown as Storage['streamCounts'];
  const counts = new StreamCounts({ clock, repository, node: 'n', onSilent: (error) => failures.push(error) });
  expect(await enterAll(counts, 3)).toBe(3);
  expect(await enterAll(counts, 3)).toBe(3);
  expect([asked, failures.length]).toEqual([1, 1]);
  clock.advance(BigInt(LIMITS.sharedRate.retryMs) * NS_PER_MS);
  await enterAll(counts, 1);
  expect(asked).toBe(2);
});
