// Quotas of arrays that many requests of one tenant store at once.

import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { FieldStore } from '../../../src/services/compute/field-store.ts';
import { testDatabases } from '../../storage/databases.ts';

const PIECE_BYTES = 1_000;
const LIMITS = { addressBytes: 5_500, accountBytes: 9_000, nodeBytes: 1_000_000, minFreeBytes: 0 };

test.each(testDatabases())(
  'on $name, a tenant stores no more than its quota, however many requests do at once',
  async (database) => {
    const storage = await database.open();
    try {
      const { fields, transaction } = storage;
      const nowMs = () => 1_800_000_000_000;
      const store = new FieldStore({ fields, transaction, nowMs, freeBytes: async () => undefined, limits: LIMITS });
      const keep = (tenant: string) => store.keep([{ bytes: randomBytes(PIECE_BYTES) }], tenant, 'unfiled');
      const account = '01890000-0000-7000-8000-000000000000';
      const tenants = Array.from({ length: 60 }, (_, i) => (i % 2 === 0 ? '192.0.2.1' : account));
      const refused = await Promise.all(tenants.map(keep));
      expect(refused.filter((reason) => reason === undefined)).toHaveLength(5 + 9);
      expect(await fields.bytesOf('192.0.2.1', nowMs())).toBe(5 * PIECE_BYTES);
      expect(await fields.bytesOf(account, nowMs())).toBe(9 * PIECE_BYTES);
    } finally {
      await database.dispose(storage);
    }
  },
);
