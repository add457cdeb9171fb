import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadHarness } from './compile.ts';

interface Exports {
  readonly memory: WebAssembly.Memory;
  resetArena(): void;
  allocateF64(n: number): number;
  multiply(c: number, a: number, b: number, n: number, k: number, m: number): void;
  multiplyTransposed(c: number, a: number, b: number, n: number, k: number, m: number): void;
  apply(y: number, a: number, x: number, n: number, k: number): void;
  congruence(c: number, a: number, p: number, q: number, factor: number, n: number, k: number, work: number): void;
  semidefiniteCholesky(l: number, a: number, n: number, tolerance: number): number;
  solveLower(l: number, x: number, n: number): void;
  solveLowerTransposed(l: number, x: number, n: number): void;
  triangularise(a: number, n: number, k: number): void;
}

let wasm: Exports;

beforeAll(async () => {
  wasm = await loadHarness<Exports>('test/harness/dense.ts');
});

const write = (values: readonly number[]) => {
  const address = wasm.allocateF64(values.length + 1);
  new Float64Array(wasm.memory.buffer, address, values.length).set(values);
  return address;
};
const read = (address: number, n: number) => [...new Float64Array(wasm.memory.buffer, address, n)];
const numbers = (count: number) =>
  fc.array(fc.double({ min: -10, max: 10, noNaN: true }), { minLength: count, maxLength: count });
const at = (a: readonly number[], i: number) => a[i] ?? Number.NaN;
/** a bᵀ of [n, k] and [m, k]. */
const product = (a: readonly number[], b: readonly number[], n: number, k: number, m: number) =>
  Array.from({ length: n * m }, (_, index) => {
    const [i, j] = [Math.floor(index / m), index % m];
    return Array.from({ length: k }, (__, l) => at(a, i * k + l) * at(b, j * k + l)).reduce((sum, one) => sum + one, 0);
  });
const expectClose = (got: readonly number[], expected: readonly number[], tolerance: number) => {
  expect(got.length).toBe(expected.length);
  for (const [i, one] of got.entries()) expect(Math.abs(one - at(expected, i))).toBeLessThanOrEqual(tolerance);
};

const SHAPE = fc.record({ n: fc.integer({ min: 1, max: 6 }), k: fc.integer({ min: 1, max: 6 }) });

describe('small dense matrices', () => {
  test('a triangle of reflections has the same a aᵀ, zeros above and a diagonal that is not negative', () => {
    const shaped = SHAPE.chain(({ n, k }) =>
      fc.record({ n: fc.constant(n), k: fc.constant(n + k), a: numbers(n * (n + k)) }),
    );
    fc.assert(
      fc.property(shaped, ({ n, k, a }) => {
        wasm.resetArena();
        const address = write(a);
        wasm.triangularise(address, n, k);
        const t = read(address, n * k);
        for (let i = 0; i < n; i++) {
          expect(at(t, i * k + i)).toBeGreaterThanOrEqual(0);
          for (let j = i + 1; j < k; j++) expect(Math.abs(at(t, i * k + j))).toBe(0);
        }
        expectClose(product(t, t, n, k, n), product(a, a, n, k, n), 1e-11);
      }),
    );
  });

  test('the factor of a semi-definite matrix gives it back, with its rank', () => {
    const shaped = SHAPE.chain(({ n, k }) => fc.record({ n: fc.constant(n), k: fc.constant(k), a: numbers(n * k) }));
    fc.assert(
      fc.property(shaped, ({ n, k, a }) => {
        wasm.resetArena();
        const matrix = product(a, a, n, k, n);
        const l = wasm.allocateF64(n * n);
        const rank = wasm.semidefiniteCholesky(l, write(matrix), n, 1e-13);
        expect(rank).toBeLessThanOrEqual(n);
        const factor = read(l, n * n);
        const size = Math.max(...matrix.map(Math.abs), 1e-300);
        // A pivot that is dropped leaves at most the root of its tolerance beside it.
        expectClose(product(factor, factor, n, n, n), matrix, 1e-6 * size);
      }),
    );
    wasm.resetArena();
    const one = wasm.allocateF64(4);
    expect(wasm.semidefiniteCholesky(one, write([4, 2, 2, 1]), 2, 1e-13)).toBe(1);
    expect(read(one, 4)).toEqual([2, 0, 1, 0]);
  });

  test('a congruence is exactly symmetric, and products and solutions are those of the definition', () => {
    const shaped = SHAPE.chain(({ n, k }) =>
      fc.record({ n: fc.constant(n), k: fc.constant(k), a: numbers(n * k), r: numbers(k * k), x: numbers(n) }),
    );
    fc.assert(
      fc.property(shaped, ({ n, k, a, r, x }) => {
        wasm.resetArena();
        const p = product(r, r, k, k, k);
        const [A, P, c, work] = [write(a), write(p), wasm.allocateF64(n * n), wasm.allocateF64(n * k)];
        wasm.congruence(c, A, P, 0, 0, n, k, work);
        const got = read(c, n * n);
        for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) expect(at(got, i * n + j)).toBe(at(got, j * n + i));
        // (a p) aᵀ, where p is symmetric.
        expectClose(got, product(product(a, p, n, k, k), a, n, k, n), 1e-9 * (1 + Math.max(...got.map(Math.abs))));
        wasm.multiplyTransposed(c, A, A, n, k, n);
        expectClose(read(c, n * n), product(a, a, n, k, n), 1e-10);
        const l = Array.from({ length: n * n }, (_, i) => {
          const [row, column] = [Math.floor(i / n), i % n];
          return row === column ? 2 + row : row > column ? 0.1 * (row - column) : 0;
        });
        const [L, v] = [write(l), write(x)];
        wasm.solveLower(L, v, n);
        wasm.solveLowerTransposed(L, v, n);
        const y = wasm.allocateF64(n);
        const [S, solution] = [write(product(l, l, n, n, n)), v];
        wasm.apply(y, S, solution, n, n);
        expectClose(read(y, n), x, 1e-10);
        const square = wasm.allocateF64(n * n);
        wasm.multiply(square, S, S, n, n, n);
        expectClose(read(square, n * n), product(read(S, n * n), read(S, n * n), n, n, n), 1e-8);
      }),
    );
  });
});
