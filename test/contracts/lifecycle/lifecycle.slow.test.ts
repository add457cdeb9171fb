// Ten thousand command sequences, in five batches with a database each, then as many on the ticket of the second edition.

import { expect, test } from 'vitest';
import { openStorage } from '../../../src/storage/storage.ts';
import { inMemory } from '../../storage/migrated-database.ts';
import { compareWithModel } from './compare-with-model.ts';

const SEQUENCES = 2_000;

test.each([1, 2, 3, 4, 5].flatMap((seed) => [[seed, false] as const, [seed, true] as const]))(
  'batch %i of 2,000 sequences, second edition: %s',
  async (seed, isSecond) => {
    const storage = await openStorage(await inMemory());
    try {
      const { fires } = await compareWithModel(storage, SEQUENCES, seed, isSecond);
      console.info(`batch ${seed}: ${SEQUENCES} sequences, ${fires} fires`);
      expect(fires).toBeGreaterThan(SEQUENCES);
    } finally {
      await storage.close();
    }
  },
  1_200_000,
);
