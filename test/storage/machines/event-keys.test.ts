// Keys of events that a node of an earlier version stores have the tick of their row, too.

import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SYSTEM_ACTOR } from '../../../src/chain/row.ts';
import { rows } from '../../../src/storage/database/sql.ts';
import { Ledger } from '../../../src/storage/machines/ledger.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { newMachine } from '../../suites/new-machine.ts';
import { testDatabases } from '../databases.ts';

const TICK = 2_303_730_000;

describe.each(testDatabases())('on $name', (tested) => {
  let storage: Storage;
  beforeAll(async () => {
    storage = await tested.open();
  });
  afterAll(() => tested.dispose(storage));

  test('a key without a tick takes that of its row; one with a tick keeps it', async () => {
    const { machine, genesis } = newMachine('older-node', TICK);
    await storage.transaction(async (on) => {
      await storage.machines.insert({ ...machine, createdMs: Date.now() }, on);
      await storage.audit.insert([{ machineId: machine.id, row: genesis }], on);
    });
    const event = { svcond: TICK + 7, type: 'event', source: 'api', actor: SYSTEM_ACTOR, payload: { name: 'a' } };
    await new Ledger({ ...storage, randomBytes }).commit(machine.id, () => ({ rows: [event], answer: 0 }));
    const { knex } = storage.database;
    const insert = (columns: string, values: string) =>
      rows(knex, `insert into event_key (machine_id, key, seq${columns}) values (?, ${values})`, [machine.id]);
    await insert('', `'old', 1`);
    await insert(', svcond', `'new', 1, 5`);
    await expect(insert('', `'nowhere', 99`)).rejects.toThrow('null value');
    const found = await rows(knex, 'select key, svcond from event_key where machine_id = ? order by key', [machine.id]);
    expect(found).toEqual([
      { key: 'new', svcond: 5 },
      { key: 'old', svcond: TICK + 7 },
    ]);
  });
});
