// Feed of all public machines, on every database: resuming, backlog limits and lost notices.

import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { SteppedClock, startOfTick, TICK_NS } from '../../../../src/core/clock.ts';
import { LIMITS } from '../../../../src/core/limits.ts';
import { PublicFeed } from '../../../../src/services/machines/streams/public-feed.ts';
import type { Frame } from '../../../../src/services/node/tail-log.ts';
import { Ledger } from '../../../../src/storage/machines/ledger.ts';
import type { Machine } from '../../../../src/storage/machines/machines.ts';
import { LocalBus } from '../../../../src/storage/node/event-bus.ts';
import type { Storage } from '../../../../src/storage/storage.ts';
import { testDatabases } from '../../../storage/databases.ts';
import { eventRow, insertMachine } from '../stored-machine-fixture.ts';

const { backlog } = LIMITS.stream;

for (const database of testDatabases()) {
  describe(`on ${database.name}`, () => {
    let storage: Storage;
    let ledger: Ledger;
    /** Later in each test than in the one before, so that none sees rows of another. */
    let tick = 1_000;
    let clock: SteppedClock;
    let bus: LocalBus;
    let isDelivered = true;
    let stop = new AbortController();
    let feed: PublicFeed;
    const failures: unknown[] = [];

    beforeAll(async () => {
      storage = await database.open();
    });
    afterAll(() => database.dispose(storage));

    beforeEach(() => {
      tick += 1_000;
      clock = new SteppedClock(startOfTick(tick));
      bus = new LocalBus();
      isDelivered = true;
      stop = new AbortController();
      ledger = new Ledger({
        ...storage,
        randomBytes,
        onCommitted: ({ id }, rows) => {
          const notice = { machineId: id, first: rows[0]?.seq ?? 0, last: rows.at(-1)?.seq ?? 0 };
          if (isDelivered) bus.publish(notice);
        },
      });
      feed = new PublicFeed({ bus, overview: storage.overview, clock, onError: (error) => failures.push(error) });
    });
    afterEach(() => {
      stop.abort();
      expect(failures.splice(0)).toEqual([]);
    });

    const write = (machine: Machine, count = 1, at = tick) =>
      ledger.commit(machine.id, () => ({ rows: Array.from({ length: count }, (_, i) => eventRow(i, at)), answer: 0 }));

    const subscribe = (since?: number) => feed.subscribe(since, stop.signal);

    async function take(frames: AsyncGenerator<Frame>, count: number): Promise<Frame[]> {
      const taken: Frame[] = [];
      while (taken.length < count) {
        const next = await frames.next();
        if (next.done) throw new Error(`The stream ended after ${taken.length} of ${count} frames.`);
        taken.push(next.value);
      }
      return taken;
    }

    const namesOf = (frames: readonly Frame[]) => frames.map(({ data }) => `${data.slug} ${data.seq}`);

    test('rows arrive as they are committed, in order for each machine', async () => {
      const hidden = await insertMachine(storage, { isPublic: false });
      const [a, b] = [await insertMachine(storage), await insertMachine(storage)];
      const frames = subscribe();
      expect(await take(frames, 1)).toEqual([{ seq: tick, type: 'begin', data: { svcond: tick } }]);
      await Promise.all([write(a, 2), write(hidden), write(b)]);
      const names = namesOf(await take(frames, 3));
      expect([...names].sort()).toEqual([`${a.head.slug} 1`, `${a.head.slug} 2`, `${b.head.slug} 1`].sort());
      expect(names.indexOf(`${a.head.slug} 1`)).toBeLessThan(names.indexOf(`${a.head.slug} 2`));
    });

    test('a row that is committed late reaches connected and resuming readers, and seq never decreases', async () => {
      const [a, b] = [await insertMachine(storage), await insertMachine(storage)];
      const frames = subscribe();
      await take(frames, 1);
      await write(a, 1, tick + 3);
      await write(b, 1, tick + 1);
      const rows = await take(frames, 2);
      expect(rows.map(({ seq, data }) => [seq, data.svcond])).toEqual([
        [tick + 3, tick + 3],
        [tick + 3, tick + 1],
      ]);
      clock.advance(3n * TICK_NS);
      const [begin, ...again] = await take(subscribe(tick + 3), 3);
      expect(begin).toMatchObject({ seq: tick + 3, type: 'begin' });
      expect(namesOf(again)).toEqual(namesOf(rows).toReversed());
    });

    test('rows of lost notices are found after a notification to all, and delivered once', async () => {
      const machine = await insertMachine(storage);
      await write(machine, 2);
      const frames = subscribe();
      await take(frames, 1);
      isDelivered = false;
      await write(machine, 3);
      isDelivered = true;
      bus.notify('all');
      expect((await take(frames, 3)).map(({ data }) => data.seq)).toEqual([3, 4, 5]);
      bus.notify('all');
      await write(machine);
      expect((await take(frames, 1)).map(({ data }) => data.seq)).toEqual([6]);
    });

    test('a reader beyond the backlog gets a gap and then the newest rows', async () => {
      const machine = await insertMachine(storage);
      await write(machine, backlog + 10);
      const [begin, gap, first] = await take(subscribe(tick - 1), 3);
      expect(begin?.seq).toBe(tick - 1);
      expect(gap).toEqual({ seq: tick, type: 'gap', data: { from: tick - 1, to: tick } });
      expect(first?.data.seq).toBe(11);

      const slow = subscribe();
      const fast = subscribe();
      await take(slow, 1);
      await take(fast, 1);
      for (let i = 0; i < 4; i++) {
        await write(machine, backlog / 2);
        await take(fast, backlog / 2);
      }
      const [skipped, next] = await take(slow, 2);
      expect(skipped).toEqual({ seq: tick, type: 'gap', data: { from: tick, to: tick } });
      expect(next?.data.seq).toBe(backlog + 10 + backlog + 1);
      const rest = await take(slow, backlog - 1);
      expect(rest.at(-1)?.data.seq).toBe(backlog + 10 + 2 * backlog);
    });

    test('an abort ends the stream', async () => {
      const frames = subscribe();
      await take(frames, 1);
      const next = frames.next();
      stop.abort();
      expect((await next).done).toBe(true);
    });
  });
}
