// Selects audit rows by the name of their event.

import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { appendRow, type OpenRow, SALT_BYTES } from '../../../src/chain/row.ts';
import type { Machine } from '../../../src/storage/machines/machines.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { eventRow, insertMachine } from '../../services/machines/stored-machine-fixture.ts';
import { testDatabases } from '../databases.ts';

describe.each(testDatabases())('rows on $name', (database) => {
  let storage: Storage;
  let machine: Machine;
  beforeAll(async () => {
    storage = await database.open();
    machine = await insertMachine(storage);
    let last: OpenRow | undefined;
    const next = (payload: object) => {
      last = appendRow(last ?? machine.head, eventRow(payload), randomBytes(SALT_BYTES));
      return { machineId: machine.id, row: last };
    };
    const rows = [
      next({ name: 'rare' }),
      next({ name: 'noise', payload: { name: 'rare' } }),
      { ...next({ name: 'noise' }), sealed: randomBytes(40) },
      next({ name: 'rare', payload: { text: '\u0000' } }),
      next({ name: 'other' }),
    ];
    await storage.transaction((on) => storage.audit.insert(rows, on));
  });
  afterAll(() => database.dispose(storage));

  const selectSeqs = async (filter: object) => {
    const selected = await storage.audit.select(machine.id, machine.head.slug, {
      type: 'event',
      order: 'newest first',
      limit: 3,
      ...filter,
    });
    return selected.map(({ seq }) => seq - machine.head.seq);
  };

  test('a filter by names matches rows with one of them, and encrypted rows, whose names are unknown', async () => {
    expect(await selectSeqs({ names: ['rare'] })).toEqual([4, 3, 1]);
    expect(await selectSeqs({ names: ['rare', 'other'] })).toEqual([5, 4, 3]);
    expect(await selectSeqs({ names: [] })).toEqual([3]);
  });

  test('a filter by name matches rows with that name only', async () => {
    expect(await selectSeqs({ name: 'rare' })).toEqual([4, 1]);
    expect(await selectSeqs({ name: 'unknown' })).toEqual([]);
  });
});
