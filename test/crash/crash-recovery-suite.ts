// The crash test shared by the fast and the slow suite.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/storage/database/database.ts';
import { dropSchema, freshSchema } from '../storage/databases.ts';
import { crashDatabases, killWriters } from './kill-writers.ts';

export interface CrashRecoveryOptions {
  readonly kills: number;
  readonly seed: number;
  readonly maxRows: number;
  /** Minimum number of acknowledged rows for a meaningful result. */
  readonly minRows: number;
  readonly timeoutMs: number;
}

export function describeCrashRecovery({ kills, seed, maxRows, minRows, timeoutMs }: CrashRecoveryOptions): void {
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
    `$name: after ${kills} kills -9 every acknowledged row exists`,
    async ({ database }) => {
      const acknowledged = await killWriters({ database, kills, seed, maxRows });
      expect(acknowledged).toBeGreaterThanOrEqual(minRows);
    },
    timeoutMs,
  );
}
