import { describe, test } from 'vitest';
import { expectScatter, REPLICATED, replicaScatter, SHORT } from './evolve-replicas.ts';

describe('24 replicas scatter as much as each states', () => {
  test.each(Object.entries({ ...REPLICATED, 'bussi, a short run': SHORT }))('%s', async (_, input) => {
    expectScatter(await replicaScatter(input, 24), 0.6, 1.5);
  });
});
