import { describe, test } from 'vitest';
import { expectScatter, REPLICATED, replicaScatter, SHORT, SLOW_THERMOSTAT } from './evolve-replicas.ts';

describe('96 replicas scatter as much as each states', () => {
  test.each(Object.entries(REPLICATED))('%s', async (_, input) => {
    expectScatter(await replicaScatter({ ...input, steps: 3 * (input.steps ?? 0) }, 96), 0.8, 1.2);
  });
});

describe('96 replicas of the length asked for', () => {
  test.each(Object.entries({ SHORT, SLOW_THERMOSTAT }))('%s', async (_, input) => {
    expectScatter(await replicaScatter(input, 96), 0.7, 1.3);
  });
});
