// Brings a database to the newest schema. The list is written out, so that it is the same from sources and packed.
//
// knex takes its lock row inside the one transaction that runs all migrations: a second node waits, finds nothing left
// to do, and a node killed half-way leaves nothing behind.

import type { Knex } from 'knex';
import * as accountsAndRuns from '../../migrations/0001_accounts_and_runs.ts';
import type { Database } from './database.ts';
import { asDomainError, CREATION_CONFLICTS, retrying } from './sql.ts';

interface Migration {
  readonly name: string;
  readonly up: (knex: Knex) => Promise<void>;
}

/** Append only: a merged migration is history, the next one corrects it. */
export const MIGRATIONS: readonly Migration[] = [{ name: '0001_accounts_and_runs', up: accountsAndRuns.up }];

const source: Knex.MigrationSource<Migration> = {
  getMigrations: async () => [...MIGRATIONS],
  getMigrationName: (migration) => migration.name,
  // knex insists on a way back; there is none: a merged migration is history.
  getMigration: async ({ name, up }) => ({ up, down: () => Promise.reject(new Error(`${name} is not undone.`)) }),
};

/** @returns the names of the migrations that were run now */
export async function migrate(database: Database): Promise<readonly string[]> {
  try {
    // Nodes that start together on an empty database may all create knex's own tables; the losers look again.
    const [, names]: [number, string[]] = await retrying(
      () => database.knex.migrate.latest({ migrationSource: source, tableName: 'migration' }),
      CREATION_CONFLICTS,
    );
    return names;
  } catch (error) {
    throw asDomainError(error);
  }
}
