// What all public machines write as one stream, on every database: where it resumes, and what happens to news that is lost.

import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { SteppedClock, startOfTick, TICK_NS } from '../../../src/core/clock.ts';
import { LIMITS } from '../../../src/core/limits.ts';
import type { Frame } from '../../../src/services/machines/follow.ts';
import { PublicFeed } from '../../../src/services/machines/public-feed.ts';
import { Ledger } from '../../../src/storage/machines/ledger.ts';
import type { Machine } from '../../../src/storage/machines/machines.ts';
import { LocalBus } from '../../../src/storage/node/event-bus.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { testDatabases } from '../../storage/databases.ts';
import { happening, plantMachine } from './machines-fixture.ts';

const { backlog } = LIMITS.stream;

for (const database of testDatabases()) {
  describe(`on ${database.name}`, () => {
    let storage: Storage;
    let ledger: Ledger;
    /** Later in each test than in the one before, so that none sees rows of another. */
    let tick = 1_000;
    let clock: SteppedClock;
    let bus: LocalBus;
    let isHeard = true;
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
      isHeard = true;
      stop = new AbortController();
      ledger = new Ledger({
        ...storage,
        randomBytes,
        onCommitted: ({ id }, rows) => {
          const news = { machineId: id, first: rows[0]?.seq ?? 0, last: rows.at(-1)?.seq ?? 0 };
          if (isHeard) bus.publish(news);
        },
      });
      feed = new PublicFeed({ bus, overview: storage.overview, clock, onFailed: (error) => failures.push(error) });
    });
    afterEach(() => {
      stop.abort();
      expect(failures.splice(0)).toEqual([]);
    });

    const write = (machine: Machine, count = 1, at = tick) =>
      ledger.commit(machine.id, () => ({ rows: Array.from({ length: count }, (_, i) => happening(i, at)), answer: 0 }));

    const follow = (since?: number) => feed.follow(since, stop.signal);

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

    test('rows come as they are committed, those of one machine in their order', async () => {
      const hidden = await plantMachine(storage, { isPublic: false });
      const [a, b] = [await plantMachine(storage), await plantMachine(storage)];
      const frames = follow();
      expect(await take(frames, 1)).toEqual([{ seq: tick, type: 'begin', data: { svcond: tick } }]);
      await Promise.all([write(a, 2), write(hidden), write(b)]);
      const names = namesOf(await take(frames, 3));
      expect([...names].sort()).toEqual([`${a.head.slug} 1`, `${a.head.slug} 2`, `${b.head.slug} 1`].sort());
      expect(names.indexOf(`${a.head.slug} 1`)).toBeLessThan(names.indexOf(`${a.head.slug} 2`));
    });

    test('a row that is committed late is told to who is there, and to who comes back, and no seq falls', async () => {
      const [a, b] = [await plantMachine(storage), await plantMachine(storage)];
      const frames = follow();
      await take(frames, 1);
      await write(a, 1, tick + 3);
      await write(b, 1, tick + 1);
      const told = await take(frames, 2);
      expect(told.map(({ seq, data }) => [seq, data.svcond])).toEqual([
        [tick + 3, tick + 3],
        [tick + 3, tick + 1],
      ]);
      clock.advance(3n * TICK_NS);
      const [begin, ...again] = await take(follow(tick + 3), 3);
      expect(begin).toMatchObject({ seq: tick + 3, type: 'begin' });
      expect(namesOf(again)).toEqual(namesOf(told).toReversed());
    });

    test('what news did not tell is found when some may have been missed, and told once', async () => {
      const machine = await plantMachine(storage);
      await write(machine, 2);
      const frames = follow();
      await take(frames, 1);
      isHeard = false;
      await write(machine, 3);
      isHeard = true;
      bus.tell('all');
      expect((await take(frames, 3)).map(({ data }) => data.seq)).toEqual([3, 4, 5]);
      bus.tell('all');
      await write(machine);
      expect((await take(frames, 1)).map(({ data }) => data.seq)).toEqual([6]);
    });

    test('who was away for too long, or reads too slowly, is told of a gap and then of the newest rows', async () => {
      const machine = await plantMachine(storage);
      await write(machine, backlog + 10);
      const [begin, gap, first] = await take(follow(tick - 1), 3);
      expect(begin?.seq).toBe(tick - 1);
      expect(gap).toEqual({ seq: tick, type: 'gap', data: { from: tick - 1, to: tick } });
      expect(first?.data.seq).toBe(11);

      const slow = follow();
      const brisk = follow();
      await take(slow, 1);
      await take(brisk, 1);
      for (let i = 0; i < 4; i++) {
        await write(machine, backlog / 2);
        await take(brisk, backlog / 2);
      }
      const [left, next] = await take(slow, 2);
      expect(left).toEqual({ seq: tick, type: 'gap', data: { from: tick, to: tick } });
      expect(next?.data.seq).toBe(backlog + 10 + backlog + 1);
      const rest = await take(slow, backlog - 1);
      expect(rest.at(-1)?.data.seq).toBe(backlog + 10 + 2 * backlog);
    });

    test('an abort ends it', async () => {
      const frames = follow();
      await take(frames, 1);
      const next = frames.next();
      stop.abort();
      expect((await next).done).toBe(true);
    });
  });
}
