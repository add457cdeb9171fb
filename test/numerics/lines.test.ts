import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadHarness } from './compile.ts';

interface Exports {
  readonly memory: WebAssembly.Memory;
  allocateF64(n: number): number;
  resetArena(): void;
  factorLines(
    coupling: number,
    scale: number,
    below: number,
    inverse: number,
    above: number,
    n: number,
    stride: number,
  ): void;
  solveLines(
    below: number,
    inverse: number,
    above: number,
    field: number,
    scratch: number,
    n: number,
    stride: number,
    alpha: number,
    beta: number,
  ): void;
  transpose(source: number, target: number, rows: number, columns: number): void;
}

const LANES = 8;
let wasm: Exports;

beforeAll(async () => {
  wasm = await loadHarness<Exports>('test/harness/lines.ts');
});

/** alpha x − beta b, where (1 + scale B) x = b in each column. */
function solved(
  couplings: readonly number[],
  field: readonly number[],
  { n, stride, scale, alpha, beta }: { n: number; stride: number; scale: number; alpha: number; beta: number },
): Float64Array {
  wasm.resetArena();
  const [coupling, below, inverse, above, b] = [0, 0, 0, 0, 0].map(() => wasm.allocateF64(n * stride)) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const scratch = wasm.allocateF64(n * LANES);
  const view = (address: number) => new Float64Array(wasm.memory.buffer, address, n * stride);
  view(coupling).set(couplings);
  view(b).set(field);
  wasm.factorLines(coupling, scale, below, inverse, above, n, stride);
  wasm.solveLines(below, inverse, above, b, scratch, n, stride, alpha, beta);
  return view(b).slice();
}

/** Columns of their own, some couplings of which are 0: then the medium has gaps. */
const systems = fc
  .record({ n: fc.integer({ min: 1, max: 40 }), blocks: fc.integer({ min: 1, max: 3 }) })
  .chain(({ n, blocks }) => {
    const count = n * blocks * LANES;
    const value = fc.double({ min: -100, max: 100, noNaN: true });
    const coupling = fc.oneof(fc.double({ min: 1e-3, max: 50, noNaN: true }), fc.constant(0));
    return fc.record({
      n: fc.constant(n),
      stride: fc.constant(blocks * LANES),
      couplings: fc.array(coupling, { minLength: count, maxLength: count }),
      field: fc.array(value, { minLength: count, maxLength: count }),
      scale: fc.double({ min: 0, max: 20, noNaN: true }),
    });
  });

describe('tridiagonal systems of their own in every column', () => {
  test('are solved: the matrix times the answer is the right-hand side', () =>
    fc.assert(
      fc.property(systems, ({ n, stride, couplings, field, scale }) => {
        const x = solved(couplings, field, { n, stride, scale, alpha: 1, beta: 0 });
        const at = (values: ArrayLike<number>, i: number, column: number) => values[i * stride + column] ?? 0;
        for (let column = 0; column < stride; column++)
          for (let i = 0; i < n; i++) {
            const [down, up] = [
              i > 0 ? scale * at(couplings, i - 1, column) : 0,
              i < n - 1 ? scale * at(couplings, i, column) : 0,
            ];
            const own = at(x, i, column);
            const product =
              own +
              (down === 0 ? 0 : down * (own - at(x, i - 1, column))) +
              (up === 0 ? 0 : up * (own - at(x, i + 1, column)));
            const size = 100 * (1 + 2 * (down + up));
            expect(Math.abs(product - at(field, i, column))).toBeLessThanOrEqual(1e-13 * size);
          }
      }),
      { numRuns: 60 },
    ));

  test('keep the sum of each column to some roundings, and constant columns to the last', () =>
    fc.assert(
      fc.property(systems, ({ n, stride, couplings, field, scale }) => {
        const x = solved(couplings, field, { n, stride, scale, alpha: 1, beta: 0 });
        for (let column = 0; column < stride; column++) {
          let [before, after] = [0, 0];
          for (let i = 0; i < n; i++) {
            before += field[i * stride + column] ?? 0;
            after += x[i * stride + column] ?? 0;
          }
          expect(Math.abs(after - before)).toBeLessThanOrEqual(1e-13 * 100 * n);
        }
      }),
      { numRuns: 60 },
    ));

  test('give alpha x − beta b', () => {
    const [n, stride] = [5, 8];
    const couplings = Array.from({ length: n * stride }, (_, k) => (k % 7) / 3);
    const field = Array.from({ length: n * stride }, (_, k) => Math.sin(k));
    const x = solved(couplings, field, { n, stride, scale: 0.7, alpha: 1, beta: 0 });
    const mixed = solved(couplings, field, { n, stride, scale: 0.7, alpha: 2, beta: 1 });
    mixed.forEach((value, k) => {
      expect(value).toBe(2 * (x[k] ?? 0) - (field[k] ?? 0));
    });
  });

  test('without couplings keep every bit', () => {
    const field = Array.from({ length: 6 * 8 }, (_, k) => Math.sin(k));
    const x = solved(new Array(6 * 8).fill(0), field, { n: 6, stride: 8, scale: 3, alpha: 1, beta: 0 });
    expect(Array.from(x)).toEqual(field);
  });
});

test('a transpose swaps rows and columns, and twice gives the same', () => {
  wasm.resetArena();
  const [rows, columns] = [6, 10];
  const [source, target, back] = [0, 0, 0].map(() => wasm.allocateF64(rows * columns)) as [number, number, number];
  const view = (address: number) => new Float64Array(wasm.memory.buffer, address, rows * columns);
  view(source).set(Array.from({ length: rows * columns }, (_, k) => k));
  wasm.transpose(source, target, rows, columns);
  wasm.transpose(target, back, columns, rows);
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < columns; j++) expect(view(target)[j * rows + i]).toBe(i * columns + j);
  expect(view(back)).toEqual(view(source));
});
