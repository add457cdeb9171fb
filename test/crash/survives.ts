// The crash test of both suites: the same writer, killed a few times or many.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/storage/database/database.ts';
import { dropSchema, freshSchema } from '../storage/databases.ts';
import { crashDatabases, killWriters } from './kill.ts';

export interface CrashCase {
  readonly kills: number;
  readonly seed: number;
  readonly mostRows: number;
  /** Fewer acknowledged rows than this would prove nothing. */
  readonly leastRows: number;
  readonly timeoutMs: number;
}

export function describeSurvival({ kills, seed, mostRows, leastRows, timeoutMs }: CrashCase): void {
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
    `$name: after ${kills} kills -9 everything acknowledged is there`,
    async ({ database }) => {
      const acknowledged = await killWriters({ database, kills, seed, mostRows });
      expect(acknowledged).toBeGreaterThanOrEqual(leastRows);
    },
    timeoutMs,
  );
}
