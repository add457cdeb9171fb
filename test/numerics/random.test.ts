import { beforeAll, describe, expect, test } from 'vitest';
import { loadHarness } from './compile.ts';

interface Random {
  readonly memory: WebAssembly.Memory;
  out(): number;
  philox(out: number, c0: number, c1: number, c2: number, c3: number, k0: number, k1: number): void;
  seedRandom(seed: number): void;
  uniformPair(out: number, stream: number, index: bigint): void;
  normalPair(out: number, stream: number, index: bigint): void;
  gamma(shape: number, stream: number, index: bigint): number;
}

let random: Random;
beforeAll(async () => {
  random = await loadHarness<Random>('test/harness/random.ts');
});

const pairAt = (): readonly [number, number] => {
  const [a = Number.NaN, b = Number.NaN] = new Float64Array(random.memory.buffer, random.out(), 2);
  return [a, b];
};

/** Mean and variance of `draw(0)`, `draw(1)`, … */
function moments(count: number, draw: (index: bigint) => readonly number[]): { mean: number; variance: number } {
  let sum = 0;
  let squares = 0;
  let n = 0;
  for (let k = 0; k < count; k++) {
    for (const x of draw(BigInt(k))) {
      sum += x;
      squares += x * x;
      n++;
    }
  }
  const mean = sum / n;
  return { mean, variance: squares / n - mean * mean };
}

describe('philox', () => {
  // The known-answer vectors of Random123 (kat_vectors, philox4x32 10): all zeros, all ones, digits of pi.
  test.each([
    [[0, 0, 0, 0, 0, 0], '6627e8d5 e169c58d bc57ac4c 9b00dbd8'],
    [[-1, -1, -1, -1, -1, -1], '408f276d 41c83b0e a20bc7c6 6d5451fd'],
    [[0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0], 'd16cfe09 94fdcceb 5001e420 24126ea1'],
  ])('of %o is %s', ([c0 = 0, c1 = 0, c2 = 0, c3 = 0, k0 = 0, k1 = 0], expected) => {
    random.philox(random.out(), c0, c1, c2, c3, k0, k1);
    const words = [...new Uint32Array(random.memory.buffer, random.out(), 4)];
    expect(words.map((word) => word.toString(16).padStart(8, '0')).join(' ')).toBe(expected);
  });
});

describe('deviates', () => {
  test('a deviate depends on seed, stream and index only, and on all three', () => {
    const draw = (seed: number, stream: number, index: bigint): string => {
      random.seedRandom(seed);
      random.normalPair(random.out(), stream, index);
      return pairAt().join();
    };
    const first = draw(42, 1, 7n);
    const changed = [
      draw(43, 1, 7n),
      draw(42, 2, 7n),
      draw(42, 1, 8n),
      draw(42 + 2 ** 32, 1, 7n),
      draw(42, 1, 7n + 2n ** 32n),
    ];
    expect(draw(42, 1, 7n)).toBe(first);
    expect(new Set([first, ...changed]).size).toBe(6);
  });

  test('uniform deviates lie inside (0, 1) with mean 1/2 and variance 1/12', () => {
    random.seedRandom(1);
    let minimum = 1;
    let maximum = 0;
    const { mean, variance } = moments(100_000, (index) => {
      random.uniformPair(random.out(), 1, index);
      const pair = pairAt();
      minimum = Math.min(minimum, ...pair);
      maximum = Math.max(maximum, ...pair);
      return pair;
    });
    expect(minimum).toBeGreaterThan(0);
    expect(maximum).toBeLessThan(1);
    // Five standard errors of 200,000 draws.
    expect(Math.abs(mean - 1 / 2)).toBeLessThan(5 * Math.sqrt(1 / 12 / 200_000));
    expect(Math.abs(variance - 1 / 12)).toBeLessThan(5 * Math.sqrt(1 / 180 / 200_000));
  });

  test('normal deviates have mean 0, variance 1, kurtosis 3, and the two of a pair are independent', () => {
    random.seedRandom(2);
    let fourth = 0;
    let product = 0;
    const { mean, variance } = moments(100_000, (index) => {
      random.normalPair(random.out(), 1, index);
      const [a, b] = pairAt();
      fourth += (a ** 4 + b ** 4) / 200_000;
      product += (a * b) / 100_000;
      return [a, b];
    });
    expect(Math.abs(mean)).toBeLessThan(5 / Math.sqrt(200_000));
    expect(Math.abs(variance - 1)).toBeLessThan(5 * Math.sqrt(2 / 200_000));
    expect(Math.abs(fourth - 3)).toBeLessThan(5 * Math.sqrt(96 / 200_000));
    expect(Math.abs(product)).toBeLessThan(5 / Math.sqrt(100_000));
  });

  test.each([1, 1.5, 40.5])('gamma deviates of shape %d have that mean and variance', (shape) => {
    random.seedRandom(3);
    const count = 100_000;
    const { mean, variance } = moments(count, (index) => [random.gamma(shape, 1, index)]);
    expect(Math.abs(mean - shape)).toBeLessThan(5 * Math.sqrt(shape / count));
    // The fourth central moment of a gamma deviate is 3 k² + 6 k.
    expect(Math.abs(variance - shape)).toBeLessThan(5 * Math.sqrt((2 * shape * shape + 6 * shape) / count));
  });
});
