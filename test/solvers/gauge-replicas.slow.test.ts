import { test } from 'vitest';
import { expectScatter, REPLICATED, replicaScatter } from './gauge-replicas.ts';

test.each(Object.entries(REPLICATED))('96 replicas of %s scatter as their ± says', async (_, input) => {
  expectScatter(await replicaScatter(input, 96), 0.8, 1.2);
});
