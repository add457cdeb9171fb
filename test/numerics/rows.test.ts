import { beforeAll, describe, expect, test } from 'vitest';
import { exp, log } from '../../src/core/elementary.ts';
import { normalDistribution } from '../../src/core/normal.ts';
import { loadHarness } from './compile.ts';

interface Rows {
  readonly memory: WebAssembly.Memory;
  out(): number;
  state(): number;
  seedRandom(seed: number): void;
  uniformPair(out: number, stream: number, index: bigint): void;
  uniformRow(out: number, half: number, stream: number, index: bigint): void;
  normalQuantile(p: number): number;
  normalQuantileRow(row: number, n: number): void;
  scrambleSobol(state: number, dimensions: number, replicate: number, key0: number, key1: number): void;
  sobolRow(state: number, dimensions: number, d: number, out: number, n: number, index: number): void;
  expAt(at: number): void;
  expRow(row: number, n: number): void;
  logAt(at: number): void;
  cosinesAt(at: number): void;
  cosineOf(x: number): number;
}

let rows: Rows;
beforeAll(async () => {
  rows = await loadHarness<Rows>('test/harness/rows.ts');
});

const outRow = (n: number) => new Float64Array(rows.memory.buffer, rows.out(), n);

/** Distance in units of the last place of `expected`. */
const ulps = (found: number, expected: number): number =>
  Math.abs(found - expected) / 2 ** (Math.floor(Math.log2(Math.abs(expected))) - 52);

test('a row of uniform deviates has the bits of single pairs, also where the index passes 2^32', () => {
  rows.seedRandom(2 ** 40 + 17);
  for (const index of [0n, 64n, 2n ** 32n - 8n, 2n ** 32n]) {
    rows.uniformRow(rows.out(), 64, 3, index);
    const row = [...outRow(128)];
    for (let k = 0; k < 64; k++) {
      rows.uniformPair(rows.out(), 3, index + BigInt(k));
      expect([...outRow(2)]).toEqual([row[k], row[64 + k]]);
    }
  }
});

test('a row of quantiles agrees with single ones, in the centre, in the shoulders and far out', () => {
  const given = [
    1e-300,
    1e-17,
    1e-11,
    1.4e-11,
    1e-6,
    0.01,
    0.0749,
    0.075,
    0.0751,
    0.3,
    0.5,
    0.7,
    0.925,
    0.99,
    1 - 1e-9,
    1 - 1e-15,
  ];
  outRow(given.length).set(given);
  rows.normalQuantileRow(rows.out(), given.length);
  const found = [...outRow(given.length)];
  for (const [i, p] of given.entries()) {
    const single = rows.normalQuantile(p);
    expect(Math.abs((found[i] ?? 0) - single)).toBeLessThanOrEqual(4e-16 * Math.max(1, Math.abs(single)));
    if (p < 0.999) expect(Math.abs(normalDistribution(found[i] ?? 0) / p - 1)).toBeLessThan(3e-12);
  }
});

test('exp and ln of two lanes are within an ulp of those of the core', () => {
  for (let k = 0; k < 4000; k++) {
    const x = -700 + (1400 * k) / 3999;
    outRow(2).set([x, x / 1000]);
    rows.expAt(rows.out());
    const [wide = 0, narrow = 0] = outRow(2);
    expect(ulps(wide, exp(x))).toBeLessThanOrEqual(1);
    expect(ulps(narrow, exp(x / 1000))).toBeLessThanOrEqual(1);
    const y = exp(x);
    outRow(2).set([y, 1 + k / 4000]);
    rows.logAt(rows.out());
    const [far = 0, near = 0] = outRow(2);
    expect(ulps(far, log(y))).toBeLessThanOrEqual(1);
    expect(Math.abs(near - log(1 + k / 4000))).toBeLessThanOrEqual(2e-16);
  }
});

test('exp of a row has the bits of exp of its pairs, also beyond the range', () => {
  const given = Array.from({ length: 64 }, (_, k) => (k - 32) * 23.7 + k / 77);
  outRow(64).set(given);
  rows.expRow(rows.out(), 64);
  const found = [...outRow(64)];
  for (let k = 0; k < 64; k += 2) {
    outRow(2).set(given.slice(k, k + 2));
    rows.expAt(rows.out());
    expect([...outRow(2)]).toEqual(found.slice(k, k + 2));
  }
  expect(found[0]).toBe(found[1]);
  expect(found[63]).toBe(found[62]);
});

describe('scrambled points of Sobol', () => {
  const DIMENSIONS = 64;
  const POINTS = 1024;
  const points = (replicate: number): number[][] => {
    rows.scrambleSobol(rows.state(), DIMENSIONS, replicate, 5, 6);
    return Array.from({ length: DIMENSIONS }, (_, d) =>
      Array.from({ length: POINTS / 128 }, (__, block) => {
        rows.sobolRow(rows.state(), DIMENSIONS, d, rows.out(), 128, 128 * block);
        return [...outRow(128)];
      }).flat(),
    );
  };

  test('every dimension has one point in each of 1,024 equal parts, in every replicate', () => {
    for (const replicate of [0, 1, 31])
      for (const row of points(replicate)) expect(new Set(row.map((u) => Math.floor(u * POINTS))).size).toBe(POINTS);
  });

  test('the first two dimensions have one point in every elementary box', () => {
    const [a = [], b = []] = points(7);
    for (let k = 0; k <= 10; k++) {
      const boxes = a.map((u, i) => Math.floor(u * 2 ** k) * 2 ** (10 - k) + Math.floor((b[i] ?? 0) * 2 ** (10 - k)));
      expect(new Set(boxes).size).toBe(POINTS);
    }
  });

  test('replicates differ, and each coordinate of one point is uniform over them', () => {
    const first = Array.from({ length: 400 }, (_, replicate) => {
      rows.scrambleSobol(rows.state(), 2, replicate, 5, 6);
      rows.sobolRow(rows.state(), 2, 1, rows.out(), 2, 0);
      return outRow(2)[1] ?? 0;
    });
    const mean = first.reduce((sum, u) => sum + u, 0) / first.length;
    expect(new Set(first).size).toBe(first.length);
    expect(Math.abs(mean - 0.5)).toBeLessThan(5 / Math.sqrt(12 * first.length));
  });
});

describe('two cosines have the bits of two calls', () => {
  const equalBits = (first: number, second: number) => {
    const pair = outRow(2);
    pair.set([first, second]);
    rows.cosinesAt(rows.out());
    const found = [...pair];
    const isEqual = [first, second].every((x, i) => Object.is(found[i], rows.cosineOf(x)));
    if (!isEqual) expect([first, second, ...found]).toEqual([first, second, ...[first, second].map(rows.cosineOf)]);
  };

  test('of any magnitude and sign', () => {
    rows.seedRandom(7);
    for (let k = 0; k < 200_000; k++) {
      rows.uniformPair(rows.out(), 5, BigInt(k));
      const [u = 0, v = 0] = outRow(2);
      const size = 10 ** (12 * v - 5);
      equalBits((2 * u - 1) * size, (1 - 2 * v) * 40);
    }
  });

  test('beside multiples of π/4, at the ends of every road of the reduction, and of what is no number', () => {
    const words = new BigInt64Array(1);
    const edges = [0x3fe921fb, 0x3fe921fc, 0x3ff921fb, 0x3ff921fc, 0x4002d97b, 0x4002d97c, 0x413921fa, 0x413921fb];
    const ofWord = (high: number, low: bigint) => {
      words[0] = (BigInt(high) << 32n) + low;
      return new Float64Array(words.buffer)[0] ?? 0;
    };
    const given = [
      ...edges.flatMap((high) => [0n, 1n, 0x54442d18n, 0xffffffffn].map((low) => ofWord(high, low))),
      ...Array.from({ length: 4000 }, (_, k) => (k * Math.PI) / 4),
      ...[14, 20, 30, 40].flatMap((bits) =>
        Array.from({ length: 400 }, (_, k) => ((k * Math.PI) / 2) * (1 + 2 ** -bits)),
      ),
      // The sliver that is not reduced.
      ...Array.from({ length: 2000 }, (_, k) => Math.PI / 4 + 1.6e-10 * k),
      ...[0, 5e-324, 1e-9, 2e-8, 1e300, Number.NaN, Number.POSITIVE_INFINITY],
    ];
    for (const [i, x] of given.entries()) {
      equalBits(x, -(given[i + 1] ?? 0));
      equalBits(-x, 0.5);
    }
    expect(given.length).toBeGreaterThan(5000);
  });
});
