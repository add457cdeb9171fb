// Group commit on every database: order, isolation, and concurrent nodes.

import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHAIN_START, validateRows } from '../../../src/chain/validate.ts';
import { DomainError } from '../../../src/core/errors.ts';
import { uuidV7 } from '../../../src/core/ids.ts';
import { rows } from '../../../src/storage/database/sql.ts';
import { into } from '../../../src/storage/database/writer.ts';
import { erasures } from '../../../src/storage/machines/audit.ts';
import { eventKeys } from '../../../src/storage/machines/event-keys.ts';
import { Ledger, type LedgerOptions } from '../../../src/storage/machines/ledger.ts';
import type { Machine } from '../../../src/storage/machines/machines.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { eventRow, insertMachine } from '../../services/machines/stored-machine-fixture.ts';
import { testDatabases } from '../databases.ts';

for (const database of testDatabases()) {
  describe(`on ${database.name}`, () => {
    let storage: Storage;
    beforeAll(async () => {
      storage = await database.open();
    });
    afterAll(() => database.dispose(storage));

    const machine = () => insertMachine(storage);
    const ledger = (options: Partial<LedgerOptions> = {}) => new Ledger({ ...storage, randomBytes, ...options });

    async function expectValidChain({ id, head: { slug } }: Machine, length: number): Promise<void> {
      const all = await storage.audit.range(id, slug, 0, length + 10);
      expect(validateRows(all, slug, 0, CHAIN_START)).toMatchObject({ valid: true, checked: length, erased: 0 });
      const stored = await storage.machines.bySlug(slug);
      expect(stored?.head).toEqual({
        slug,
        seq: length - 1,
        svcond: all.at(-1)?.svcond,
        row_hash: all.at(-1)?.row_hash,
      });
    }

    test('rows of concurrent callers form one chain for each machine, in the order of the calls', async () => {
      const machines = [await machine(), await machine(), await machine()];
      const one = ledger();
      const committed = await Promise.all(
        Array.from({ length: 300 }, (_, i) =>
          one.commit((machines[i % 3] as Machine).id, () => ({ rows: [eventRow({ i })], answer: i })),
        ),
      );
      expect(committed.map(({ answer }) => answer)).toEqual(Array.from({ length: 300 }, (_, i) => i));
      expect(committed.map(({ rows: [row] }) => row?.seq)).toEqual(
        Array.from({ length: 300 }, (_, i) => 1 + Math.floor(i / 3)),
      );
      for (const each of machines) await expectValidChain(each, 101);
    });

    test('a row with an earlier tick than the head gets the tick of the head', async () => {
      const { id } = await machine();
      const one = ledger();
      await one.commit(id, () => ({ rows: [eventRow(1, 500)], answer: 0 }));
      const { rows: added } = await one.commit(id, () => ({ rows: [eventRow(2, 499), eventRow(3, 501)], answer: 0 }));
      expect(added.map(({ svcond }) => svcond)).toEqual([500, 501]);
    });

    test('a decision sees the changes of earlier decisions of the same flush', async () => {
      const { id } = await machine();
      const one = ledger();
      const pausing = one.commit(id, () => ({ rows: [eventRow('pause')], patch: { status: 'paused' }, answer: 0 }));
      const refused = one.commit(id, ({ status }) => {
        if (status === 'paused') throw new DomainError('CONFLICT', 'The machine is paused.');
        return { rows: [eventRow('fire')], answer: 0 };
      });
      await expect(refused).rejects.toMatchObject({ code: 'CONFLICT' });
      expect((await pausing).machine.status).toBe('paused');
      expect((await storage.machines.byIds([id], false))[0]?.status).toBe('paused');
    });

    test('a refused decision or a failed statement does not affect the others', async () => {
      const each = await machine();
      const one = ledger();
      const settled: string[] = [];
      const results = await Promise.allSettled([
        one.commit(each.id, () => ({ rows: [eventRow('a')], answer: 'a', settle: (is) => settled.push(`a ${is}`) })),
        one.commit(each.id, () => {
          throw new DomainError('VALIDATION_FAILED', 'no');
        }),
        one.commit(each.id, async (_, on) => {
          await rows(on, 'select * from there_is_no_such_table');
          return { rows: [], answer: 'never' };
        }),
        one.commit(each.id, () => ({ rows: [eventRow('b'), eventRow('c')], answer: 'b' })),
        one.commit(uuidV7(0, randomBytes(10)), () => ({ rows: [], answer: 0 })),
      ]);
      expect(results.map(({ status }) => status)).toEqual([
        'fulfilled',
        'rejected',
        'rejected',
        'fulfilled',
        'rejected',
      ]);
      expect(results[4]).toMatchObject({ reason: { code: 'NOT_FOUND' } });
      // The first flush was rolled back, and reported as such, before the same decision was taken again.
      expect(settled).toEqual(['a false', 'a true']);
      await expectValidChain(each, 4);
    });

    test('rows of other tables are written with the rows of the chain, or not at all', async () => {
      const each = await machine();
      const one = ledger();
      const keyed = (key: string) => () =>
        one.commit(each.id, async ({ id, head }, on) => {
          const before = await eventKeys.find(id, key, on);
          if (before !== undefined) return { rows: [], answer: { seq: before, duplicate: true } };
          const seq = head.seq + 1;
          return {
            rows: [eventRow(key)],
            writes: [into(eventKeys, { machineId: id, key, seq, svcond: head.svcond })],
            answer: { seq, duplicate: false },
          };
        });
      const answers = await Promise.all([keyed('k1')(), keyed('k2')(), keyed('k1')()]);
      expect(answers.map(({ answer }) => answer)).toEqual([
        { seq: 1, duplicate: false },
        { seq: 2, duplicate: false },
        { seq: 1, duplicate: true },
      ]);
      expect((await keyed('k2')()).answer).toEqual({ seq: 2, duplicate: true });
      await expectValidChain(each, 3);
    });

    test('two nodes that write to the same machines lose and duplicate no row', async () => {
      const machines = [await machine(), await machine()];
      const nodes = [ledger(), ledger()];
      await Promise.all(
        Array.from({ length: 200 }, (_, i) =>
          (nodes[i % 2] as Ledger).commit((machines[(i >> 1) % 2] as Machine).id, () => ({
            rows: [eventRow(i)],
            answer: 0,
          })),
        ),
      );
      for (const each of machines) await expectValidChain(each, 101);
    });

    test('a decision sees that another node has archived the machine', async () => {
      const { id } = await machine();
      const [here, there] = [ledger(), ledger()];
      await here.commit(id, () => ({ rows: [eventRow(0)], answer: 0 }));
      await there.commit(id, () => ({ rows: [eventRow(1)], patch: { status: 'archived' }, answer: 0 }));
      const seen = await here.commit(id, ({ status }) => ({ rows: [eventRow(2)], answer: status }));
      expect(seen.answer).toBe('archived');
    });

    test('`onCommitted` is called once for each commit, with its rows', async () => {
      const { id } = await machine();
      const committed: string[] = [];
      const one = ledger({
        onCommitted: (of, added) => committed.push(`${of.head.seq}: ${added.map(({ seq }) => seq)}`),
      });
      await one.commit(id, () => ({ rows: [eventRow(1), eventRow(2)], answer: 0 }));
      await one.commit(id, () => ({ rows: [], answer: 0 }));
      expect(committed).toEqual(['2: 1,2']);
    });

    test('rows cannot be changed or deleted, but payloads can be erased', async () => {
      const each = await machine();
      await ledger().commit(each.id, () => ({ rows: [eventRow('secret')], answer: 0 }));
      const { knex } = storage.database;
      for (const statement of [
        'update audit set type = type || ? where machine_id = ?',
        'update audit set salt = null, body = null, actor = ? where machine_id = ?',
      ]) {
        await expect(rows(knex, statement, ['x', each.id])).rejects.toThrow('append-only');
      }
      await expect(rows(knex, 'delete from audit where machine_id = ?', [each.id])).rejects.toThrow('append-only');
      await expect(rows(knex, 'truncate audit')).rejects.toThrow('append-only');
      await storage.transaction((on) => erasures.write([{ machineId: each.id, seq: 1 }], on));
      const all = await storage.audit.range(each.id, each.head.slug, 0, 9);
      expect(validateRows(all, each.head.slug, 0, CHAIN_START)).toMatchObject({ valid: true, checked: 2, erased: 1 });
    });
  });
}
