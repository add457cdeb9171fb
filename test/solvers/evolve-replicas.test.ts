import { describe, expect, test } from 'vitest';
import {
  expectScatter,
  REPLICATED,
  replicaScatter,
  SHORT,
  SLOW_THERMOSTAT,
  temperatureScatter,
} from './evolve-replicas.ts';

const SHORT_RUNS = { 'bussi, a short run': SHORT, 'bussi, a slow thermostat': SLOW_THERMOSTAT };

describe('24 replicas scatter as much as each states', () => {
  test.each(Object.entries({ ...REPLICATED, ...SHORT_RUNS }))('%s', async (_, input) => {
    expectScatter(await replicaScatter(input, 24), 0.6, 1.5);
  });
});

describe('under a thermostat the mean temperature of 24 replicas scatters about T0 as much as each states', () => {
  const canonical = Object.entries({ ...REPLICATED, ...SHORT_RUNS }).filter(
    ([, { thermostat }]) => thermostat === 'bussi',
  );
  test.each(canonical)('%s', async (_, input) => {
    const scatter = await temperatureScatter(input, 24);
    expect(scatter).toBeGreaterThan(0.6);
    expect(scatter).toBeLessThan(1.5);
  });
});
