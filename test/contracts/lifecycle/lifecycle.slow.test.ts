// Ten thousand command sequences, in five batches with a database each.

import { expect, test } from 'vitest';
import { openStorage } from '../../../src/storage/storage.ts';
import { inMemory } from '../../storage/migrated-database.ts';
import { compareWithModel } from './compare-with-model.ts';

const SEQUENCES = 2_000;

test.each([1, 2, 3, 4, 5])(
  'batch %i of 2,000 sequences',
  async (seed) => {
    const storage = await openStorage(await inMemory());
    try {
      const { fires } = await compareWithModel(storage, SEQUENCES, seed, seed % 2 === 1);
      console.info(`batch ${seed}: ${SEQUENCES} sequences, ${fires} fires`);
      expect(fires).toBeGreaterThan(SEQUENCES);
    } finally {
      await storage.close();
    }
  },
  1_200_000,
);
