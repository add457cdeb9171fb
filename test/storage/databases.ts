// Databases that storage is tested on: PGlite always, PostgreSQL if DATABASE_URL is set.

import type { Database, DatabaseOptions } from '../../src/storage/database/database.ts';
import { openStorage, type Storage } from '../../src/storage/storage.ts';
import { inMemory } from './migrated-database.ts';
import { claimOwner, ownedSchema } from './schema-owner.ts';

export interface TestDatabase {
  readonly name: string;
  /** Opens a database with no rows. */
  open(): Promise<Storage>;
  /** Closes it and deletes its schema. */
  dispose(storage: Storage): Promise<void>;
}

export const databaseUrl = process.env.DATABASE_URL;

const owner = databaseUrl === undefined ? '00000000' : await claimOwner(databaseUrl);

/** A schema of its own, so that suites may run side by side on one server. Dropped later if this process is killed. */
export function freshSchema(): string {
  return ownedSchema(owner);
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
