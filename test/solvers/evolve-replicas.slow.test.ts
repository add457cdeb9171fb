import { describe, test } from 'vitest';
import { expectScatter, REPLICATED, replicaScatter } from './evolve-replicas.ts';

describe('96 replicas scatter as much as each states', () => {
  test.each(Object.entries(REPLICATED))('%s', async (_, input) => {
    expectScatter(await replicaScatter({ ...input, steps: 3 * (input.steps ?? 0) }, 96), 0.8, 1.2);
  });
});
