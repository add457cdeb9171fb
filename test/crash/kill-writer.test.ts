import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/storage/database.ts';
import { dropSchema, freshSchema } from '../storage/databases.ts';
import { crashDatabases, killWriters } from './kill.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-crash-'));
const schema = freshSchema();
const databases = crashDatabases(folder, schema);

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  for (const { database } of databases) {
    if (database.databaseUrl === undefined) continue;
    const cleaner = await openDatabase(database);
    await dropSchema(cleaner, schema);
    await cleaner.close();
  }
});

test.each(databases)(
  '$name: after 3 kills -9 everything acknowledged is there',
  async ({ database }) => {
    const acknowledged = await killWriters({ database, kills: 3, seed: 1287, mostRows: 200 });
    expect(acknowledged).toBeGreaterThanOrEqual(2);
  },
  120_000,
);
