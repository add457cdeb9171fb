import { describe, expect, test } from 'vitest';
import { correlatedMean, correlatedMeanAlong } from '../../src/core/correlated-mean.ts';

/** Uniform noise in (-1/2, 1/2) from a small congruential generator (Park & Miller, 1988). */
function noise(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647 - 0.5;
  };
}

/** x[k] = memory x[k - 1] + noise: neighbours correlate by `memory`. */
function history(length: number, memory: number, seed: number): Float64Array {
  const draw = noise(seed);
  const values = new Float64Array(length);
  let x = 0;
  for (let k = 0; k < length; k++) {
    x = memory * x + draw();
    values[k] = 3 + x;
  }
  return values;
}

/** Root mean square of (mean - truth) / error over 200 histories. */
function spread(length: number, of: (seed: number) => { readonly mean: number; readonly error: number }): number {
  let squares = 0;
  for (let seed = 1; seed <= 200; seed++) {
    const { mean, error } = of(1000 * seed + length);
    squares += ((mean - 3) / error) ** 2 / 200;
  }
  return Math.sqrt(squares);
}

describe('the error of a mean', () => {
  test.each([
    [0, 1000],
    [0.5, 1000],
    [0.9, 1000],
    [0.98, 2000],
    // Ten correlation times only.
    [0.98, 1000],
  ])('is the standard error of histories with memory %d and %d values', (memory, length) => {
    const ratio = spread(length, (seed) => correlatedMean(history(length, memory, seed)));
    expect(ratio).toBeGreaterThan(0.8);
    expect(ratio).toBeLessThan(1.2);
  });

  test('is seen behind an oscillation that almost cancels', () => {
    const length = 2000;
    const ratio = spread(length, (seed) => {
      const slow = history(length, 0.8, seed);
      return correlatedMean(history(length, -0.7, seed + 7).map((value, i) => value + 0.3 * ((slow[i] ?? 0) - 3)));
    });
    expect(ratio).toBeGreaterThan(0.75);
    expect(ratio).toBeLessThan(1.25);
  });

  test('is that of the slow part and of the rest, where the slow part is known', () => {
    const length = 1000;
    const ratio = spread(length, (seed) => {
      const slow = history(length, 0.98, seed);
      const noisy = history(length, 0, seed + 7).map((value, i) => value + 0.2 * ((slow[i] ?? 0) - 3));
      return correlatedMeanAlong(noisy, slow);
    });
    expect(ratio).toBeGreaterThan(0.8);
    expect(ratio).toBeLessThan(1.2);
  });

  test('counts independent values', () => {
    expect(correlatedMean(history(10_000, 0, 5)).independent / 10_000).toBeCloseTo(1, 0);
    // (1 + memory) / (1 - memory) = 19 values for one.
    expect((correlatedMean(history(20_000, 0.9, 5)).independent * 19) / 20_000).toBeCloseTo(1, 0);
  });

  test('is zero for a constant, and for a single value', () => {
    expect(correlatedMean([2, 2, 2, 2])).toEqual({ mean: 2, error: 0, independent: 4 });
    expect(correlatedMean([7])).toEqual({ mean: 7, error: 0, independent: 1 });
  });
});
