// Rows are read in batches of 2,000: a fault in the first or last row of a batch is named like any other.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FsckFault } from '../../../src/services/fsck/faults.ts';
import { fsck } from '../../../src/services/fsck/fsck.ts';
import { rows } from '../../../src/storage/database/sql.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { testDatabases } from '../../storage/databases.ts';
import { LATER_MS, MachineGrower } from './grown-machine.ts';

const EVENTS = 4_500;

class Rollback extends Error {}

describe.each(testDatabases())('on $name', (tested) => {
  let storage: Storage;

  beforeAll(async () => {
    storage = await tested.open();
    await new MachineGrower(storage).create('long', EVENTS);
  });
  afterAll(() => tested.dispose(storage));

  /** The faults after an edit, which is undone. */
  const faultsAfter = async (edit: string) => {
    const faults: FsckFault[] = [];
    const outcome = storage.database.knex.transaction(async (on) => {
      await on.raw('alter table audit disable trigger all');
      await rows(on, edit);
      await fsck(on, { keys: undefined, nowMs: LATER_MS, onFault: (fault) => faults.push(fault) });
      throw new Rollback();
    });
    await expect(outcome).rejects.toThrow(Rollback);
    return faults.map(({ code, key, column }) => ({ code, key, column }));
  };

  test('an intact machine of several batches has no faults', async () => {
    expect(await faultsAfter('select 1')).toEqual([]);
  });

  test.each([0, 1_999, 2_000, 3_999, 4_000, EVENTS])('row %i', async (seq) => {
    const edit = `update audit set hash = set_byte(hash, 3, get_byte(hash, 3) # 1) where seq = ${seq}`;
    const found = await faultsAfter(edit);
    expect(found).toContainEqual({ code: 'HASH', key: { seq }, column: 'hash' });
    expect(found.filter(({ code }) => code === 'HASH')).toHaveLength(1);
  });

  test('rows that are missing across two batches', async () => {
    const found = await faultsAfter('delete from audit where seq between 1998 and 2003');
    expect(found).toEqual([{ code: 'GAP', key: { seq: 2_004 }, column: 'seq' }]);
  });
});
