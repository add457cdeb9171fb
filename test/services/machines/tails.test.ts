// Following machines on every database: rows are read once for all who wait, and lost news is made good.

import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Frame } from '../../../src/services/machines/follow.ts';
import { MachineTails, type Selection } from '../../../src/services/machines/tails.ts';
import { fireRows } from '../../../src/storage/contracts/contracts.ts';
import { into, Ledger } from '../../../src/storage/machines/ledger.ts';
import type { Machine } from '../../../src/storage/machines/machines.ts';
import { LocalBus } from '../../../src/storage/node/event-bus.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { testDatabases } from '../../storage/databases.ts';
import { happening, plantMachine } from './machines-fixture.ts';

for (const database of testDatabases()) {
  describe(`on ${database.name}`, () => {
    let storage: Storage;
    beforeAll(async () => {
      storage = await database.open();
    });
    afterAll(() => database.dispose(storage));

    /** A ledger whose commits are heard only when they are published. */
    function parts() {
      const bus = new LocalBus();
      const failures: unknown[] = [];
      const { machines } = storage;
      const tails = new MachineTails({ bus, machines, onFailed: (error) => failures.push(error) });
      const ledger = new Ledger({ ...storage, randomBytes });
      const write = async ({ id }: Machine, count: number) => {
        const { rows } = await ledger.commit(id, () => ({
          rows: Array.from({ length: count }, (_, i) => happening(i)),
          answer: 0,
        }));
        return { machineId: id, first: rows[0]?.seq ?? 0, last: rows.at(-1)?.seq ?? 0 };
      };
      return { bus, tails, ledger, write, failures };
    }

    /** All rows; it counts how often the database is asked. */
    function counted({ id, head: { slug } }: Machine): Selection & { pages: number } {
      const selection = {
        name: 'rows',
        pages: 0,
        page: async (from: number, last: number, limit: number) => {
          selection.pages++;
          const asked = { from, before: last + 1, limit, order: 'oldest first' } as const;
          return (await storage.audit.select(id, slug, asked)).map(({ seq, type }) => ({ seq, type, data: {} }));
        },
      };
      return selection;
    }

    async function take(frames: AsyncGenerator<Frame>, count: number): Promise<(number | string)[]> {
      const taken: (number | string)[] = [];
      while (taken.length < count) {
        const { value, done } = await frames.next();
        if (done) throw new Error(`The stream ended after ${taken.length} of ${count} frames.`);
        taken.push(value.type === 'event' ? value.seq : value.type);
      }
      return taken;
    }

    test('fifty readers who wait for a row cost one question', async () => {
      const machine = await plantMachine(storage);
      const { bus, tails, write } = parts();
      const selection = counted(machine);
      const stop = new AbortController();
      const readers = Array.from({ length: 50 }, () =>
        tails.follow(machine.id, selection, undefined, () => 7, stop.signal),
      );
      expect(await Promise.all(readers.map((frames) => take(frames, 1)))).toEqual(readers.map(() => ['begin']));
      const waiting = Promise.all(readers.map((frames) => take(frames, 3)));
      bus.publish(await write(machine, 3));
      expect(await waiting).toEqual(readers.map(() => [1, 2, 3]));
      expect([selection.pages, tails.size]).toEqual([1, 1]);
      const ends = readers.map((frames) => frames.next());
      stop.abort();
      for (const { done } of await Promise.all(ends)) expect(done).toBe(true);
      expect(tails.size).toBe(0);
    });

    test('rows of which nobody told are found when news may have been missed', async () => {
      const [machine, other] = [await plantMachine(storage), await plantMachine(storage)];
      const { bus, tails, write, failures } = parts();
      const stop = new AbortController();
      const frames = tails.follow(machine.id, counted(machine), 0, () => 0, stop.signal);
      expect(await take(frames, 1)).toEqual(['begin']);
      const next = take(frames, 2);
      await new Promise((resolve) => setImmediate(resolve));
      await write(machine, 2);
      await write(other, 1);
      bus.tell('all');
      expect(await next).toEqual([1, 2]);
      // Old news is no news, and news may say more than one row.
      bus.publish({ machineId: machine.id, first: 1, last: 1 });
      bus.publish(await write(machine, 40));
      expect(await take(frames, 40)).toEqual(Array.from({ length: 40 }, (_, i) => 3 + i));
      expect(failures).toEqual([]);
      stop.abort();
    });

    test('a reader who saw on another node what is not known here yet gets nothing twice', async () => {
      const machine = await plantMachine(storage);
      const { tails, write } = parts();
      const stop = new AbortController();
      const other = tails.follow(machine.id, counted(machine), undefined, () => 0, stop.signal);
      expect(await take(other, 1)).toEqual(['begin']);
      await write(machine, 3);
      const frames = tails.follow(machine.id, counted(machine), 2, () => 0, stop.signal);
      expect((await frames.next()).value).toMatchObject({ seq: 2, type: 'begin' });
      expect(await take(frames, 1)).toEqual([3]);
      stop.abort();
    });

    test('fires of a contract are read by their rows, and only a backlog of fires is a gap', async () => {
      const machine = await plantMachine(storage);
      const { ledger } = parts();
      const contractId = crypto.randomUUID();
      // Every third row is a fire.
      await ledger.commit(machine.id, () => ({
        rows: Array.from({ length: 30 }, (_, i) => happening(i)),
        writes: Array.from({ length: 10 }, (_, i) =>
          into(fireRows, {
            machineId: machine.id,
            contractId,
            versionNo: 1,
            transition: 't',
            entry: i,
            occurrence: '-',
            seq: 3 * (i + 1),
            svcond: 100,
            from: 'a',
            to: 'b',
          }),
        ),
        answer: 0,
      }));
      const { contracts } = storage;
      const seqs = async (first: number, last: number, limit: number) =>
        (await contracts.firesBetween(machine.id, contractId, { first, last, limit })).map(({ seq }) => seq);
      expect(await seqs(4, 20, 3)).toEqual([6, 9, 12]);
      expect(await seqs(28, 29, 3)).toEqual([]);
      const behind = (first: number, last: number, count: number) =>
        contracts.fireBehind(machine.id, contractId, { first, last }, count);
      expect(await behind(1, 30, 4)).toBe(18);
      expect(await behind(1, 30, 10)).toBeUndefined();
      expect(await behind(4, 29, 8)).toBeUndefined();
      expect(await behind(4, 29, 7)).toBe(6);
    });

    test('rows that cannot be read end their readers, and the next one is served', async () => {
      const machine = await plantMachine(storage);
      const { tails, write } = parts();
      await write(machine, 1);
      const { signal } = new AbortController();
      let isBroken = true;
      const whole = counted(machine);
      const selection: Selection = {
        name: 'rows',
        page: (...asked) => (isBroken ? Promise.reject(new Error('broken')) : whole.page(...asked)),
      };
      const [one, two] = [0, 0].map((since) => tails.follow(machine.id, selection, since, () => 0, signal));
      for (const frames of [one, two]) expect((await frames?.next())?.value).toMatchObject({ seq: 0, type: 'begin' });
      const both = await Promise.allSettled([one?.next(), two?.next()]);
      expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
      expect(tails.size).toBe(0);
      isBroken = false;
      const good = tails.follow(machine.id, selection, 0, () => 0, signal);
      expect(await take(good, 2)).toEqual(['begin', 1]);
      await good.return();
      expect(tails.size).toBe(0);
    });
  });
}
