// A change that the database refuses, among the changes of other tenants: they are written, in few transactions.

import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { into } from '../../src/storage/database/writer.ts';
import { eventKeys } from '../../src/storage/machines/event-keys.ts';
import { Ledger } from '../../src/storage/machines/ledger.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { eventRow, insertMachine } from '../services/machines/stored-machine-fixture.ts';
import { testDatabases } from '../storage/databases.ts';

const CHANGES = 512;
/** The whole batch, and two halves of each half with the faulty change: 1 + 2 log2(512). */
const MAX_TRANSACTIONS = 19;

for (const database of testDatabases()) {
  let storage: Storage;
  beforeAll(async () => {
    storage = await database.open();
  });
  afterAll(() => database.dispose(storage));

  test(`one refused change of ${CHANGES} fails alone, found by halving, on ${database.name}`, async () => {
    let transactions = 0;
    const counting: Storage['database'] = Object.create(storage.database, {
      transaction: {
        value: (...given: Parameters<Storage['database']['transaction']>) => {
          transactions++;
          return storage.database.transaction(...given);
        },
      },
    });
    const ledger = new Ledger({ ...storage, database: counting, randomBytes });
    const { id } = await insertMachine(storage);
    const settled = await Promise.allSettled(
      Array.from({ length: CHANGES }, (_, i) =>
        ledger.commit(id, ({ head: { seq, svcond } }) => ({
          rows: [eventRow({ i })],
          // PostgreSQL has no text with NUL.
          writes: i === 300 ? [into(eventKeys, { machineId: id, key: '\0', seq: seq + 1, svcond })] : [],
          answer: i,
        })),
      ),
    );
    const failed = settled.flatMap(({ status }, i) => (status === 'rejected' ? [i] : []));
    expect(failed).toEqual([300]);
    const [machine] = await storage.machines.byIds([id], false);
    expect(machine?.head.seq).toBe(CHANGES - 1);
    expect(transactions).toBeLessThanOrEqual(MAX_TRANSACTIONS);
  });
}
