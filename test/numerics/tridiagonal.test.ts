import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadHarness } from './compile.ts';

interface Exports {
  readonly memory: WebAssembly.Memory;
  allocateF64(n: number): number;
  padded(n: number): number;
  factor(
    lower: number,
    diagonal: number,
    upper: number,
    below: number,
    inverse: number,
    above: number,
    n: number,
  ): number;
  factorDiffusion(
    excess: number,
    coupling: number,
    end: number,
    below: number,
    inverse: number,
    above: number,
    n: number,
  ): number;
  solve(
    below: number,
    inverse: number,
    above: number,
    b: number,
    x: number,
    scratch: number,
    n: number,
    alpha: number,
    beta: number,
  ): void;
  solveColumns(
    below: number,
    inverse: number,
    above: number,
    source: number,
    sourceStride: number,
    target: number,
    targetStride: number,
    scratch: number,
    n: number,
    m: number,
    alpha: number,
    beta: number,
  ): void;
}

const MAX_SIZE = 256;
let wasm: Exports;
let lower = 0;
let diagonal = 0;
let upper = 0;
let below = 0;
let inverse = 0;
let above = 0;
let b = 0;
let x = 0;
let scratch = 0;

beforeAll(async () => {
  wasm = await loadHarness<Exports>('test/harness/tridiagonal.ts');
  lower = wasm.allocateF64(MAX_SIZE);
  diagonal = wasm.allocateF64(MAX_SIZE);
  upper = wasm.allocateF64(MAX_SIZE);
  below = wasm.allocateF64(MAX_SIZE);
  inverse = wasm.allocateF64(MAX_SIZE);
  above = wasm.allocateF64(MAX_SIZE);
  b = wasm.allocateF64(MAX_SIZE * MAX_SIZE);
  x = wasm.allocateF64(MAX_SIZE * MAX_SIZE);
  scratch = wasm.allocateF64(8 * MAX_SIZE);
});

const view = (address: number, n: number) => new Float64Array(wasm.memory.buffer, address, n);

interface System {
  readonly lower: readonly number[];
  readonly diagonal: readonly number[];
  readonly upper: readonly number[];
  readonly x: readonly number[];
}

/** A diagonally dominant matrix, by a margin of at least 0.1, and a solution. */
const systems: fc.Arbitrary<System> = fc.integer({ min: 1, max: 60 }).chain((n) => {
  const entries = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: n, maxLength: n });
  return fc.record({ lower: entries, upper: entries, slack: entries, x: entries }).map((drawn) => ({
    ...drawn,
    diagonal: drawn.slack.map((slack, i) => {
      const size = Math.abs(drawn.lower[i] ?? 0) + Math.abs(drawn.upper[i] ?? 0) + 0.1 + Math.abs(slack);
      return slack < 0 ? -size : size;
    }),
  }));
});

/** Row i of the product of the matrix with x. */
function product(system: System, i: number): number {
  const entry = (column: readonly number[], k: number) => column[k] ?? 0;
  const left = i === 0 ? 0 : entry(system.lower, i) * entry(system.x, i - 1);
  const right = i === system.x.length - 1 ? 0 : entry(system.upper, i) * entry(system.x, i + 1);
  return left + entry(system.diagonal, i) * entry(system.x, i) + right;
}

describe('variable coefficients', () => {
  test('solves a diagonally dominant system with a known solution', () => {
    fc.assert(
      fc.property(systems, (system) => {
        const n = system.x.length;
        view(lower, n).set(system.lower);
        view(diagonal, n).set(system.diagonal);
        view(upper, n).set(system.upper);
        view(b, n).set(system.x.map((_, i) => product(system, i)));
        expect(wasm.factor(lower, diagonal, upper, below, inverse, above, n)).toBe(0);
        wasm.solve(below, inverse, above, b, x, scratch, n, 1, 0);
        const error = Math.max(...view(x, n).map((value, i) => Math.abs(value - (system.x[i] ?? 0))));
        expect(error).toBeLessThan(1e-12);
      }),
    );
  });

  test('a zero pivot reports its row', () => {
    view(lower, 3).set([0, 1, 1]);
    view(diagonal, 3).set([1, 1, 1]);
    view(upper, 3).set([1, 1, 0]);
    expect(wasm.factor(lower, diagonal, upper, below, inverse, above, 3)).toBe(2);
  });
});

describe('diffusion', () => {
  test.each([
    ['fixed', 1],
    ['insulated', 2],
  ])('factors with %s ends equal those of plain elimination', (_, times) => {
    for (const n of [1, 2, 3, 8, 65]) {
      const coupling = 0.75;
      view(lower, n).fill(-coupling);
      view(upper, n).fill(-coupling);
      view(diagonal, n).fill(1 + 2 * coupling);
      view(upper, n)[0] = -times * coupling;
      view(lower, n)[n - 1] = -times * coupling;
      expect(wasm.factor(lower, diagonal, upper, below, inverse, above, n)).toBe(0);
      const plain = [below, inverse, above].map((address) => [...view(address, n)]);
      expect(wasm.factorDiffusion(1, coupling, times * coupling, below, inverse, above, n)).toBe(0);
      const found = [below, inverse, above].map((address) => [...view(address, n)]);
      for (const [k, column] of found.entries()) {
        for (const [i, value] of column.entries()) expect(value).toBeCloseTo(plain[k]?.[i] ?? Number.NaN, 13);
      }
    }
  });

  test('a constant with insulated ends is preserved to a few roundings for any coupling', () => {
    for (const coupling of [1e-3, 1, 1e6, 1e12]) {
      const n = 200;
      expect(wasm.factorDiffusion(1, coupling, 2 * coupling, below, inverse, above, n)).toBe(0);
      view(b, n).fill(1);
      wasm.solve(below, inverse, above, b, x, scratch, n, 1, 0);
      expect(Math.max(...view(x, n).map((value) => Math.abs(value - 1)))).toBeLessThan(2e-14);
    }
  });

  test('an illegal coupling is rejected', () => {
    expect(wasm.factorDiffusion(1, Number.NaN, Number.NaN, below, inverse, above, 4)).toBe(1);
    expect(wasm.factorDiffusion(0, 0, 0, below, inverse, above, 4)).toBe(1);
  });
});

describe('many right-hand sides', () => {
  test('every column equals a single solve bit for bit, transposed, in every shape', () => {
    const size = fc.integer({ min: 1, max: 40 });
    const modes = fc.constantFrom([1, 0] as const, [2, 1] as const);
    fc.assert(
      fc.property(size, size, modes, fc.integer(), (n, m, [alpha, beta], seed) => {
        const [rows, columns] = [wasm.padded(n), wasm.padded(m)];
        const [sourceStride, targetStride] = [columns + 4, rows + 4];
        for (const address of [below, inverse, above]) view(address, MAX_SIZE).fill(0);
        expect(wasm.factorDiffusion(1, 0.8, 1.6, below, inverse, above, n)).toBe(0);
        const source = view(b, rows * sourceStride).fill(0);
        const target = view(x, columns * targetStride).fill(7);
        for (let i = 0; i < n; i++)
          for (let j = 0; j < m; j++) source[i * sourceStride + j] = ((seed + i * 37 + j * 101) % 97) / 97;
        wasm.solveColumns(below, inverse, above, b, 8 * sourceStride, x, 8 * targetStride, scratch, n, m, alpha, beta);

        const result = target.slice();
        for (let j = 0; j < columns; j++) {
          const column = Float64Array.from({ length: n }, (_, i) => source[i * sourceStride + j] ?? 0);
          const expected = solveSingle(column, n, alpha, beta);
          expect([...result.subarray(j * targetStride, j * targetStride + n)]).toEqual([...expected]);
          if (n % 2 === 1) expect(result[j * targetStride + n]).toBe(0);
        }
      }),
      { numRuns: 60 },
    );
  });
});

/** Solves one column by `solve`, in place at the end of b. */
function solveSingle(column: Float64Array, n: number, alpha: number, beta: number): Float64Array {
  const address = b + 8 * (MAX_SIZE * MAX_SIZE - MAX_SIZE);
  view(address, n).set(column);
  wasm.solve(below, inverse, above, address, address, scratch, n, alpha, beta);
  return view(address, n).slice();
}
