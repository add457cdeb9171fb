// Tailing machines on every database: readers share reads, and lost notices are recovered.

import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MachineTails, type Selection } from '../../../../src/services/machines/streams/tails.ts';
import type { Frame } from '../../../../src/services/node/tail-log.ts';
import { fireRows } from '../../../../src/storage/contracts/fires.ts';
import { into } from '../../../../src/storage/database/writer.ts';
import { Ledger } from '../../../../src/storage/machines/ledger.ts';
import type { Machine } from '../../../../src/storage/machines/machines.ts';
import { LocalBus } from '../../../../src/storage/node/event-bus.ts';
import type { Storage } from '../../../../src/storage/storage.ts';
import { testDatabases } from '../../../storage/databases.ts';
import { eventRow, insertMachine } from '../stored-machine-fixture.ts';

for (const database of testDatabases()) {
  describe(`on ${database.name}`, () => {
    let storage: Storage;
    beforeAll(async () => {
      storage = await database.open();
    });
    afterAll(() => database.dispose(storage));

    /** A ledger whose commits are published only by the test. */
    function setUp() {
      const bus = new LocalBus();
      const failures: unknown[] = [];
      const { machines } = storage;
      const tails = new MachineTails({ bus, machines, onError: (error) => failures.push(error) });
      const ledger = new Ledger({ ...storage, randomBytes });
      const write = async ({ id }: Machine, count: number) => {
        const { rows } = await ledger.commit(id, () => ({
          rows: Array.from({ length: count }, (_, i) => eventRow(i)),
          answer: 0,
        }));
        return { machineId: id, first: rows[0]?.seq ?? 0, last: rows.at(-1)?.seq ?? 0 };
      };
      return { bus, tails, ledger, write, failures };
    }

    /** Selects all rows, and counts database reads. */
    function countingSelection({ id, head: { slug } }: Machine): Selection & { pages: number } {
      const selection = {
        name: 'rows',
        pages: 0,
        page: async (from: number, last: number, limit: number) => {
          selection.pages++;
          const filter = { from, before: last + 1, limit, order: 'oldest first' } as const;
          return (await storage.audit.select(id, slug, filter)).map(({ seq, type }) => ({ seq, type, data: {} }));
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

    test('fifty waiting readers cost one query', async () => {
      const machine = await insertMachine(storage);
      const { bus, tails, write } = setUp();
      const selection = countingSelection(machine);
      const stop = new AbortController();
      const readers = Array.from({ length: 50 }, () =>
        tails.subscribe(machine.id, selection, undefined, () => 7, stop.signal),
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

    test('rows of lost notices are found after a notification to all', async () => {
      const [machine, other] = [await insertMachine(storage), await insertMachine(storage)];
      const { bus, tails, write, failures } = setUp();
      const stop = new AbortController();
      const frames = tails.subscribe(machine.id, countingSelection(machine), 0, () => 0, stop.signal);
      expect(await take(frames, 1)).toEqual(['begin']);
      const next = take(frames, 2);
      await new Promise((resolve) => setImmediate(resolve));
      await write(machine, 2);
      await write(other, 1);
      bus.notify('all');
      expect(await next).toEqual([1, 2]);
      // Old notices are ignored, and a notice may name several rows.
      bus.publish({ machineId: machine.id, first: 1, last: 1 });
      bus.publish(await write(machine, 40));
      expect(await take(frames, 40)).toEqual(Array.from({ length: 40 }, (_, i) => 3 + i));
      expect(failures).toEqual([]);
      stop.abort();
    });

    test('a reader that resumes from another node gets no row twice', async () => {
      const machine = await insertMachine(storage);
      const { tails, write } = setUp();
      const stop = new AbortController();
      const other = tails.subscribe(machine.id, countingSelection(machine), undefined, () => 0, stop.signal);
      expect(await take(other, 1)).toEqual(['begin']);
      await write(machine, 3);
      const frames = tails.subscribe(machine.id, countingSelection(machine), 2, () => 0, stop.signal);
      expect((await frames.next()).value).toMatchObject({ seq: 2, type: 'begin' });
      expect(await take(frames, 1)).toEqual([3]);
      stop.abort();
    });

    test('fires are read by row number, and only a backlog of fires causes a gap', async () => {
      const machine = await insertMachine(storage);
      const { ledger } = setUp();
      const contractId = crypto.randomUUID();
      // Every third row is a fire.
      await ledger.commit(machine.id, () => ({
        rows: Array.from({ length: 30 }, (_, i) => eventRow(i)),
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
            engine: 2,
          }),
        ),
        answer: 0,
      }));
      const { fires } = storage;
      const seqs = async (first: number, last: number, limit: number) =>
        (await fires.range(machine.id, contractId, { first, last, limit })).map(({ seq }) => seq);
      expect(await seqs(4, 20, 3)).toEqual([6, 9, 12]);
      expect(await seqs(28, 29, 3)).toEqual([]);
      const seqBehind = (first: number, last: number, count: number) =>
        fires.seqBehind(machine.id, contractId, { first, last }, count);
      expect(await seqBehind(1, 30, 4)).toBe(18);
      expect(await seqBehind(1, 30, 10)).toBeUndefined();
      expect(await seqBehind(4, 29, 8)).toBeUndefined();
      expect(await seqBehind(4, 29, 7)).toBe(6);
    });

    test('a failed read ends its readers, and the next reader succeeds', async () => {
      const machine = await insertMachine(storage);
      const { tails, write } = setUp();
      await write(machine, 1);
      const { signal } = new AbortController();
      let isFailing = true;
      const whole = countingSelection(machine);
      const selection: Selection = {
        name: 'rows',
        page: (...range) => (isFailing ? Promise.reject(new Error('broken')) : whole.page(...range)),
      };
      const [one, two] = [0, 0].map((since) => tails.subscribe(machine.id, selection, since, () => 0, signal));
      for (const frames of [one, two]) expect((await frames?.next())?.value).toMatchObject({ seq: 0, type: 'begin' });
      const both = await Promise.allSettled([one?.next(), two?.next()]);
      expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
      expect(tails.size).toBe(0);
      isFailing = false;
      const good = tails.subscribe(machine.id, selection, 0, () => 0, signal);
      expect(await take(good, 2)).toEqual(['begin', 1]);
      await good.return();
      expect(tails.size).toBe(0);
    });
  });
}
