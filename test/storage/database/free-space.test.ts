// Free bytes where the database stores, on both databases.

import { mkdtempSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { freeBytesOf } from '../../../src/storage/database/free-space.ts';
import { testDatabases } from '../databases.ts';

const MAX_BYTES = 1e12;

for (const { name, open, dispose } of testDatabases()) {
  describe(`on ${name}`, () => {
    test('an embedded database measures its disk, PostgreSQL its size', async () => {
      const storage = await open();
      const { database } = storage;
      const dataFolder = mkdtempSync(join(tmpdir(), 'svc-free-'));
      const bytes = await freeBytesOf({ database, dataFolder, maxBytes: MAX_BYTES });
      const { bavail, bsize } = await statfs(dataFolder);
      if (database.kind === 'postgresql') {
        // An empty database of PostgreSQL 15 has some 7 MB.
        expect(MAX_BYTES - Number(bytes)).toBeGreaterThan(5e6);
        expect(MAX_BYTES - Number(bytes)).toBeLessThan(MAX_BYTES / 2);
      } else expect(Math.abs(Number(bytes) - bavail * bsize)).toBeLessThan(1e9);
      expect(await freeBytesOf({ database, dataFolder: undefined, maxBytes: undefined })).toBeUndefined();
      await dispose(storage);
    });
  });
}
