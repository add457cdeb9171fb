import { describe, expect, test } from 'vitest';
import { blockAverage } from '../../src/core/block-average.ts';

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

describe('the error of a mean', () => {
  test.each([0, 0.5, 0.9, 0.98])('is near the true standard error of a history with memory %d', (memory) => {
    const length = 1 << 14;
    // For long histories Var(mean) = Var(noise) / (n (1 - memory)²).
    const trueError = Math.sqrt(1 / 12 / length) / (1 - memory);
    let ratio = 0;
    for (let seed = 1; seed <= 8; seed++) {
      const { mean, error } = blockAverage(history(length, memory, 1000 * seed));
      expect(Math.abs(mean - 3)).toBeLessThan(5 * trueError);
      ratio += error / trueError / 8;
    }
    // The maximum over the levels errs on the safe side.
    expect(ratio).toBeGreaterThan(0.9);
    expect(ratio).toBeLessThan(1.6);
  });

  test('is zero for a constant', () => {
    expect(blockAverage([2, 2, 2, 2])).toEqual({ mean: 2, error: 0 });
  });

  test('is reported as zero for a single value', () => {
    expect(blockAverage([7])).toEqual({ mean: 7, error: 0 });
  });
});
