import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { loadHarness } from './compile.ts';

interface Exports {
  readonly memory: WebAssembly.Memory;
  allocateF64(n: number): number;
  orthonormalize(v: number, count: number, n: number, diagonal: number): number;
}

const MAX = 6;

let wasm: Exports;
let v = 0;
let diagonal = 0;

beforeAll(async () => {
  wasm = await loadHarness<Exports>('test/harness/orthonormal.ts');
  v = wasm.allocateF64(MAX * MAX);
  diagonal = wasm.allocateF64(MAX);
});

function factor(vectors: readonly (readonly number[])[]) {
  const n = vectors[0]?.length ?? 0;
  const memory = new Float64Array(wasm.memory.buffer);
  memory.set(vectors.flat(), v / 8);
  const isIndependent = wasm.orthonormalize(v, vectors.length, n, diagonal) !== 0;
  const q = vectors.map((_, i) => Array.from(memory.subarray(v / 8 + i * n, v / 8 + (i + 1) * n)));
  return { isIndependent, q, r: Array.from(memory.subarray(diagonal / 8, diagonal / 8 + vectors.length)) };
}

const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, one, i) => sum + one * (b[i] ?? 0), 0);

test('the vectors become orthonormal, also where they are almost parallel', () => {
  const sizes = fc.integer({ min: 2, max: MAX });
  const vectors = sizes.chain((n) =>
    fc.record({
      rows: fc.array(fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: n, maxLength: n }), {
        minLength: n,
        maxLength: n,
      }),
      closeness: fc.constantFrom(1, 1e-3, 1e-6, 1e-9),
    }),
  );
  fc.assert(
    fc.property(vectors, ({ rows, closeness }) => {
      const [first = []] = rows;
      const close = rows.map((row, i) =>
        row.map((one, j) => (i === 0 ? one + 1 : (first[j] ?? 0) + 1 + closeness * one)),
      );
      const { isIndependent, q, r } = factor(close);
      if (!isIndependent || Math.min(...r) < 1e-13) return;
      for (const [i, a] of q.entries())
        for (const [j, b] of q.entries()) expect(Math.abs(dot(a, b) - (i === j ? 1 : 0))).toBeLessThan(1e-13);
      for (const [i, length] of r.entries()) {
        // R is upper triangular: vector i has no part along later ones, and its own part is the length.
        expect(Math.abs(dot(close[i] ?? [], q[i] ?? []) - length)).toBeLessThan(1e-14 * 10);
      }
    }),
  );
});

test('the product of the diagonal is the volume', () => {
  const { r } = factor([
    [1, 2, 3],
    [0, 1, 4],
    [5, 6, 0],
  ]);
  expect(Math.abs(r.reduce((product, one) => product * one, 1) - 1)).toBeLessThan(1e-13);
});

test('dependent vectors, zeros and numbers that are not finite are told', () => {
  expect(
    factor([
      [1, 0],
      [0, 0],
    ]).isIndependent,
  ).toBe(false);
  expect(
    factor([
      [1, 2],
      [Number.NaN, 1],
    ]).isIndependent,
  ).toBe(false);
  expect(
    factor([
      [1e308, 1e308],
      [1, 0],
    ]).isIndependent,
  ).toBe(false);
});
