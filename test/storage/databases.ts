// Databases that storage is tested on: PGlite always, PostgreSQL if DATABASE_URL is set.

import { randomBytes } from 'node:crypto';
import type { Database, DatabaseOptions } from '../../src/storage/database/database.ts';
import { openStorage, type Storage } from '../../src/storage/storage.ts';
import { inMemory } from './migrated-database.ts';

export interface TestDatabase {
  readonly name: string;
  /** Opens a database with no rows. */
  open(): Promise<Storage>;
  /** Closes it and deletes its schema. */
  dispose(storage: Storage): Promise<void>;
}

export const databaseUrl = process.env.DATABASE_URL;

/** A schema of its own, so that suites may run side by side on one server. */
export function freshSchema(): string {
  return `test_${randomBytes(8).toString('hex')}`;
}

export async function dropSchema(database: Database, schema: string): Promise<void> {
  await database.knex.raw(`drop schema if exists ${schema} cascade`);
}

const embedded: TestDatabase = {
  name: 'PGlite',
  open: async () => openStorage(await inMemory()),
  dispose: (storage) => storage.close(),
};

function postgresql(url: string): TestDatabase {
  const schema = freshSchema();
  const options: DatabaseOptions = { databaseUrl: url, schema };
  return {
    name: 'PostgreSQL',
    open: () => openStorage(options),
    dispose: async (storage) => {
      await dropSchema(storage.database, schema);
      await storage.close();
    },
  };
}

export function testDatabases(): readonly TestDatabase[] {
  return databaseUrl === undefined ? [embedded] : [embedded, postgresql(databaseUrl)];
}
