// Ten thousand sequences on a contract with parties, in ten batches with a database each.

import { expect, test } from 'vitest';
import { openStorage } from '../../../src/storage/storage.ts';
import { inMemory } from '../../storage/migrated-database.ts';
import { comparePartiesWithModel } from './compare-parties.ts';

const SEQUENCES = 1_000;

test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])(
  'batch %i of 1,000 sequences',
  async (seed) => {
    const storage = await openStorage(await inMemory());
    try {
      const counts = await comparePartiesWithModel(storage, SEQUENCES, seed);
      console.info(`batch ${seed}: ${JSON.stringify(counts)}`);
      for (const count of Object.values(counts)) expect(count).toBeGreaterThan(0);
    } finally {
      await storage.close();
    }
  },
  1_800_000,
);
