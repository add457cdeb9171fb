import { describe, test } from 'vitest';
import { expectScatter, REPLICATED, replicaScatter } from './epi-replicas.ts';

describe('24 ensembles scatter as much as each states', () => {
  test.each(Object.entries(REPLICATED))('%s', async (_, input) => {
    expectScatter(await replicaScatter(input, 24), 0.6, 1.5);
  });
});
