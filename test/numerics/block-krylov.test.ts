import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadHarness } from './compile.ts';

interface Exports {
  readonly memory: WebAssembly.Memory;
  resetArena(): void;
  allocate(bytes: number): number;
  allocateF64(n: number): number;
  symmetricEigen(a: number, v: number, m: number): number;
  solve(k: number, g: number, n: number, wanted: number, block: number, capacity: number, out: number): number;
  negativePivots(values: number, starts: number, n: number): number;
}

let wasm: Exports;

beforeAll(async () => {
  wasm = await loadHarness<Exports>('test/harness/block-krylov.ts');
  wasm.resetArena();
});

const write = (values: readonly number[]) => {
  const address = wasm.allocateF64(values.length + 1);
  new Float64Array(wasm.memory.buffer, address, values.length).set(values);
  return address;
};
const read = (address: number, n: number) => [...new Float64Array(wasm.memory.buffer, address, n)];

/** A product of reflections: an orthogonal matrix that depends on the seed. */
function orthogonal(n: number, seed: number): number[][] {
  const q = Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => Number(i === j)));
  let state = seed;
  for (let round = 0; round < 3; round++) {
    const v = Array.from({ length: n }, () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state / 2 ** 31 - 1;
    });
    const square = v.reduce((sum, one) => sum + one * one, 0);
    for (const row of q) {
      const dot = row.reduce((sum, one, i) => sum + one * (v[i] ?? 0), 0);
      for (let i = 0; i < n; i++) row[i] = (row[i] ?? 0) - (2 * dot * (v[i] ?? 0)) / square;
    }
  }
  return q;
}

/** Q diag Qᵀ, row by row. */
function withValues(values: readonly number[], seed: number): number[] {
  const n = values.length;
  const q = orthogonal(n, seed);
  return Array.from({ length: n * n }, (_, index) => {
    const [i, j] = [Math.floor(index / n), index % n];
    return values.reduce((sum, one, k) => sum + one * (q[i]?.[k] ?? 0) * (q[j]?.[k] ?? 0), 0);
  });
}

describe('all eigenvalues of a dense symmetric matrix', () => {
  test.each([
    ['spread', [5, 3, 1, -2, -7, 0.5]],
    ['equal', [2, 2, 2, -1, -1]],
    ['none', [0, 0, 0]],
    ['one', [4]],
    ['scales', [1e8, 1, 1e-8, -1e8]],
    ['many', Array.from({ length: 30 }, (_, i) => Math.sin(3 * i))],
  ])('%s', (_, values) => {
    const n = values.length;
    const matrix = withValues(values, 11);
    const [a, v] = [write(matrix), wasm.allocateF64(n * n)];
    expect(wasm.symmetricEigen(a, v, n)).toBeGreaterThanOrEqual(0);
    const [after, vectors] = [read(a, n * n), read(v, n * n)];
    const scale = Math.max(1e-300, ...values.map(Math.abs));
    const sorted = [...values].sort((x, y) => y - x);
    let [value, residual, angle] = [0, 0, 0];
    for (let j = 0; j < n; j++) {
      const own = after[j * n + j] ?? 0;
      value = Math.max(value, Math.abs(own - (sorted[j] ?? 0)));
      for (let i = 0; i < n; i++) {
        let [product, dot] = [0, 0];
        for (let k = 0; k < n; k++) {
          product += (matrix[i * n + k] ?? 0) * (vectors[j * n + k] ?? 0);
          dot += (vectors[i * n + k] ?? 0) * (vectors[j * n + k] ?? 0);
        }
        residual = Math.max(residual, Math.abs(product - own * (vectors[j * n + i] ?? 0)));
        angle = Math.max(angle, Math.abs(dot - Number(i === j)));
      }
    }
    expect(value).toBeLessThanOrEqual(1e-14 * n * scale);
    expect(residual).toBeLessThanOrEqual(1e-14 * n * scale);
    expect(angle).toBeLessThanOrEqual(1e-14 * n);
  });
});

/** The pencil G x = μ K x with these values: G = S Q diag Qᵀ S with K = S². */
function solved(values: readonly number[], wanted: number, block: number, capacity: number) {
  const n = values.length;
  const k = values.map((_, i) => 10 ** ((i % 7) - 3));
  const inner = withValues(values, 5);
  const g = inner.map((one, index) => one * Math.sqrt((k[Math.floor(index / n)] ?? 0) * (k[index % n] ?? 0)));
  const out = wasm.allocateF64(2 * wanted);
  const restarts = wasm.solve(write(k), write(g), n, wanted, block, capacity, out);
  const numbers = read(out, 2 * wanted);
  return { restarts, found: numbers.slice(0, wanted), bounds: numbers.slice(wanted) };
}

describe('the largest positive values of a pencil', () => {
  const inverseSquares = Array.from({ length: 60 }, (_, i) => 1 / (i + 1) ** 2);
  test.each<[string, readonly number[], number]>([
    ['inverse squares', inverseSquares, 6],
    ['G of both signs', inverseSquares.map((one, i) => (i % 3 === 0 ? -3 * one : one)), 5],
    ['pairs', inverseSquares.map((_, i) => 1 / (1 + Math.floor(i / 2)) ** 2), 6],
    ['five alike', [1, 1, 1, 1, 1, ...inverseSquares.map((one) => 0.5 * one)], 6],
    ['close ones', [1, 1 - 1e-9, 1 - 2e-9, ...inverseSquares.map((one) => 0.3 * one)], 4],
    ['nearly all alike', [1, 0.5, ...Array.from({ length: 40 }, () => 0.1)], 2],
  ])('%s', (_, values, wanted) => {
    const { found, bounds } = solved(values, wanted, 2, 2 * wanted + 12);
    const exact = [...values].sort((x, y) => y - x).slice(0, wanted);
    for (const [j, value] of exact.entries()) {
      expect(Math.abs((found[j] ?? 0) - value)).toBeLessThanOrEqual(1e-12 * (exact[0] ?? 1));
      // The bound holds: rounding of the pencil itself is left out.
      expect(Math.abs((found[j] ?? 0) - value)).toBeLessThanOrEqual((bounds[j] ?? 0) * value + 1e-12);
    }
  });

  test('no positive value is none found, and a small pencil is solved whole', () => {
    expect(solved([-1, -2, -3, -4], 2, 2, 4).found).toEqual([Number.NaN, Number.NaN]);
    const { found } = solved([3, 2, 1], 3, 2, 3);
    for (const [j, value] of [3, 2, 1].entries()) expect(Math.abs((found[j] ?? 0) - value)).toBeLessThan(1e-13);
  });
});

test('pivots count the negative eigenvalues of any symmetric matrix of a profile', () => {
  const profiles = fc.integer({ min: 1, max: 24 }).chain((n) =>
    fc.record({
      n: fc.constant(n),
      values: fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: n, maxLength: n }),
      reach: fc.array(fc.integer({ min: 0, max: 5 }), { minLength: n, maxLength: n }),
    }),
  );
  let counted = 0;
  fc.assert(
    fc.property(profiles, ({ n, values, reach }) => {
      // L D Lᵀ with a unit L of this profile has the signs of D.
      const first = reach.map((one, k) => Math.max(0, k - one));
      const d = values.map((one) => (one < 0 ? -1 : 1) * (0.1 + Math.abs(one)));
      const l = (i: number, j: number) => (i === j ? 1 : j >= (first[i] ?? 0) ? 0.5 * Math.sin(i + 7 * j) : 0);
      const starts = [0];
      const entries: number[] = [];
      for (let i = 0; i < n; i++) {
        for (let j = first[i] ?? 0; j <= i; j++) {
          let sum = 0;
          for (let k = 0; k <= j; k++) sum += l(i, k) * l(j, k) * (d[k] ?? 0);
          entries.push(sum);
        }
        starts.push(entries.length);
      }
      const address = wasm.allocate(4 * starts.length);
      new Int32Array(wasm.memory.buffer, address, starts.length).set(starts);
      const negative = d.filter((one) => one < 0).length;
      counted += negative;
      expect(wasm.negativePivots(write(entries), address, n)).toBe(negative);
    }),
    { numRuns: 200 },
  );
  expect(counted).toBeGreaterThan(100);
});
