// Worker threads that share the machines of a database find what one thread finds.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FsckFault } from '../../../src/services/fsck/faults.ts';
import { fsck } from '../../../src/services/fsck/fsck.ts';
import type { SharedDatabase } from '../../../src/services/fsck/machine-workers.ts';
import { rows } from '../../../src/storage/database/sql.ts';
import { openStorage, type Storage } from '../../../src/storage/storage.ts';
import { databaseUrl, dropSchema, freshSchema } from '../../storage/databases.ts';
import { LATER_MS, MachineGrower } from './grown-machine.ts';

const MACHINES = 7;
const ROWS = 30;

describe.skipIf(databaseUrl === undefined)('on PostgreSQL', () => {
  const schema = freshSchema();
  let storage: Storage;
  let shared: SharedDatabase;

  beforeAll(async () => {
    storage = await openStorage({ databaseUrl, schema });
    shared = { databaseUrl: databaseUrl ?? '', schema, workers: 2 };
    const grower = new MachineGrower(storage);
    for (let i = 0; i < MACHINES; i++) await grower.create(`machine-${i}`, ROWS);
  });
  afterAll(async () => {
    await dropSchema(storage.database, schema);
    await storage.close();
  });

  const check = async (by: SharedDatabase | undefined) => {
    const faults: FsckFault[] = [];
    const options = { keys: undefined, nowMs: LATER_MS, shared: by, onFault: (fault: FsckFault) => faults.push(fault) };
    const summary = await storage.database.snapshot((on) => fsck(on, options));
    return { summary, faults: faults.map((fault) => JSON.stringify(fault)).sort() };
  };

  test('they count and find the same, in the same snapshot', async () => {
    const { knex } = storage.database;
    const clean = await check(shared);
    expect(clean).toEqual(await check(undefined));
    expect(clean.summary).toMatchObject({ machines: MACHINES, rows: MACHINES * (ROWS + 1) });
    await knex.raw(`alter table audit disable trigger all`);
    await rows(knex, `update audit set body = '{"n":"other"}' where seq between 5 and 20`);
    const damaged = await check(shared);
    expect(damaged).toEqual(await check(undefined));
    // Each machine has 16 rows that do not match their commitment.
    expect(damaged.summary.faults - clean.summary.faults).toBe(MACHINES * 16);
  });

  test('a worker that cannot read ends the check with its error, and no worker stays', async () => {
    const unreachable = { ...shared, databaseUrl: `postgres://127.0.0.1:1/missing` };
    await expect(check(unreachable)).rejects.toThrow(/cannot be opened/);
    const others = await rows(
      storage.database.knex,
      `select 1 from pg_stat_activity where state like 'idle in transaction%' and query like 'set transaction snapshot%'`,
    );
    expect(others).toEqual([]);
  });
});
