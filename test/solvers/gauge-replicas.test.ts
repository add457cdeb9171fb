import { test } from 'vitest';
import { expectScatter, REPLICATED, replicaScatter } from './gauge-replicas.ts';

test.each(Object.entries(REPLICATED))('24 replicas of %s scatter as their ± says', async (_, input) => {
  expectScatter(await replicaScatter(input, 24), 0.6, 1.5);
});
