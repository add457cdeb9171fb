import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadHarness } from './compile.ts';

interface Exports {
  readonly memory: WebAssembly.Memory;
  resetArena(): void;
  allocate(bytes: number): number;
  allocateF64(n: number): number;
  chainFromMatrix(d: number, e: number, n: number, a: number, v: number, m: number): void;
  lowerBound(v: number, n: number): number;
  upperBound(a: number, v: number, m: number, n: number): number;
  countBelow(a: number, v: number, m: number, n: number, x: number): number;
  countBelow8(a: number, v: number, m: number, n: number, shifts: number, counts: number): void;
  initialIntervals(a: number, v: number, m: number, n: number, lo: number, hi: number, k: number): number;
  narrow(
    a: number,
    v: number,
    m: number,
    n: number,
    lo: number,
    hi: number,
    k: number,
    base: number,
    tol: number,
    floor: number,
    scratch: number,
  ): number;
  isMirrored(a: number, v: number, m: number, n: number): number;
  inversePass(
    a: number,
    v: number,
    m: number,
    n: number,
    byParity: number,
    z: number,
    lambda: number,
    strain: number,
    residual: number,
    scratch: number,
    j: number,
    pass: number,
    lo: number,
    hi: number,
  ): number;
  countNodes(z: number, n: number, floor: number): number;
}

let wasm: Exports;
beforeAll(async () => {
  wasm = await loadHarness<Exports>('test/harness/symmetric-tridiagonal.ts');
});

/** Bonds a[n + 1], potentials v[n], masses m[n], as symmetric-tridiagonal.ts of the kernels defines them. */
interface Chain {
  readonly a: readonly number[];
  readonly v: readonly number[];
  readonly m: readonly number[];
}

const numbers = (address: number, n: number) => new Float64Array(wasm.memory.buffer, address, n);

function write(values: readonly number[]): number {
  const address = wasm.allocateF64(values.length);
  numbers(address, values.length).set(values);
  return address;
}

function writeChain({ a, v, m }: Chain) {
  wasm.resetArena();
  return [write(a), write(v), write(m), v.length] as const;
}

function fromMatrix(d: readonly number[], e: readonly number[]): Chain {
  wasm.resetArena();
  const n = d.length;
  const [a, v, m] = [wasm.allocateF64(n + 1), wasm.allocateF64(n), wasm.allocateF64(n)];
  wasm.chainFromMatrix(write(d), write(e), n, a, v, m);
  return { a: [...numbers(a, n + 1)], v: [...numbers(v, n)], m: [...numbers(m, n)] };
}

/** The k lowest eigenvalues as intervals, and the number of sweeps. */
function lowestIntervals(chain: Chain, k: number, tol: number) {
  const args = writeChain(chain);
  const [lo, hi, scratch] = [wasm.allocateF64(k), wasm.allocateF64(k), wasm.allocate(128)];
  const floor = wasm.initialIntervals(...args, lo, hi, k);
  const base = wasm.lowerBound(args[1], args[3]);
  let sweeps = 0;
  while (wasm.narrow(...args, lo, hi, k, base, tol, floor, scratch) > 0 && sweeps < 2000) sweeps++;
  return { args, lo: [...numbers(lo, k)], hi: [...numbers(hi, k)], sweeps };
}

interface Pair {
  readonly energy: number;
  readonly vector: Float64Array;
  readonly nodes: number;
  /** An eigenvalue is within this distance of the energy. */
  readonly residual: number;
}

/** The k lowest eigenpairs. @param useParity  false separates mirror images by Gram–Schmidt like any other cluster */
function eigenpairs(chain: Chain, k: number, useParity = true): Pair[] {
  const { args, lo, hi } = lowestIntervals(chain, k, 1e-12);
  const n = args[3];
  const lambda = write(lo.map((low, j) => 0.5 * (low + (hi[j] ?? low))));
  const [strain, residuals, z] = [wasm.allocateF64(k), wasm.allocateF64(k), wasm.allocateF64(k * n)];
  const scratch = wasm.allocateF64(3 * n);
  const byParity = useParity ? wasm.isMirrored(args[0], args[1], args[2], n) : 0;
  return lo.map((low, j) => {
    let pass = 0;
    const state = [byParity, z, lambda, strain, residuals, scratch, j] as const;
    while (!wasm.inversePass(...args, ...state, pass, low, hi[j] ?? low) && pass < 10) pass++;
    const address = z + 8 * j * n;
    const vector = numbers(address, n).slice();
    const [energy, residual] = [numbers(lambda, k)[j] ?? Number.NaN, numbers(residuals, k)[j] ?? Number.NaN];
    return { energy, residual, vector, nodes: wasm.countNodes(address, n, 0) };
  });
}

/** −ψ''/2 + V ψ on n inner nodes of (−half, half). */
function well(n: number, half: number, V: (x: number) => number): Chain {
  const h = (2 * half) / (n + 1);
  return {
    a: Array.from({ length: n + 1 }, () => 0.5 / h),
    v: Array.from({ length: n }, (_, i) => V((half * (2 * (i + 1) - (n + 1))) / (n + 1))),
    m: Array.from({ length: n }, () => h),
  };
}

/** (K − x M) z, written out spring by spring. */
function apply({ a, v, m }: Chain, x: number, z: Float64Array): number[] {
  return v.map((potential, i) => {
    const current = z[i] ?? 0;
    const springs = (a[i] ?? 0) * (current - (z[i - 1] ?? 0)) + (a[i + 1] ?? 0) * (current - (z[i + 1] ?? 0));
    return springs + (potential - x) * (m[i] ?? 0) * current;
  });
}

const dot = (m: readonly number[], y: Float64Array, z: Float64Array): number =>
  m.reduce((sum, mass, i) => sum + mass * (y[i] ?? 0) * (z[i] ?? 0), 0);

const size = fc.integer({ min: 1, max: 30 });
const chains: fc.Arbitrary<Chain> = size.chain((n) =>
  fc.record({
    a: fc.array(fc.double({ min: 0.01, max: 10, noNaN: true }), { minLength: n + 1, maxLength: n + 1 }),
    v: fc.array(fc.double({ min: -5, max: 5, noNaN: true }), { minLength: n, maxLength: n }),
    m: fc.array(fc.double({ min: 0.1, max: 3, noNaN: true }), { minLength: n, maxLength: n }),
  }),
);
/** Small integers, which give pivots of exactly zero and equal eigenvalues. */
const wholeMatrices = size.chain((n) =>
  fc.record({
    d: fc.array(fc.integer({ min: -2, max: 2 }), { minLength: n, maxLength: n }),
    e: fc.array(fc.integer({ min: -1, max: 2 }), { minLength: n - 1, maxLength: n - 1 }),
  }),
);

describe('Sturm counts', () => {
  test('increase with the shift, from 0 below the bounds to n above', () => {
    const shifts = fc.array(fc.double({ min: -20, max: 300, noNaN: true }), { minLength: 2, maxLength: 12 });
    fc.assert(
      fc.property(chains, shifts, (chain, unsorted) => {
        const args = writeChain(chain);
        const n = args[3];
        const bounds = [wasm.lowerBound(args[1], n), wasm.upperBound(args[0], args[1], args[2], n)] as const;
        expect(wasm.countBelow(...args, bounds[0])).toBe(0);
        expect(wasm.countBelow(...args, bounds[1] * (1 + Number.EPSILON * Math.sign(bounds[1])))).toBe(n);
        // Shifts within a few roundings count as equal: no floating-point count is monotone below that.
        const ascending = [...unsorted]
          .sort((x, y) => x - y)
          .filter((x, i, all) => i === 0 || x - (all[i - 1] ?? x) > 1e-11);
        const counts = ascending.map((x) => wasm.countBelow(...args, x));
        expect(counts).toEqual([...counts].sort((x, y) => x - y));
      }),
    );
  });

  test('eight at once equal eight single counts, also for zero pivots and free ends', () => {
    fc.assert(
      fc.property(
        wholeMatrices,
        fc.array(fc.integer({ min: -8, max: 8 }), { minLength: 8, maxLength: 8 }),
        (matrix, halfShifts) => {
          const chain = fromMatrix(matrix.d, matrix.e);
          const args = writeChain(chain);
          const shifts = write(halfShifts.map((half) => half / 2));
          const counts = wasm.allocate(32);
          wasm.countBelow8(...args, shifts, counts);
          const parallel = [...new Int32Array(wasm.memory.buffer, counts, 8)];
          expect(parallel).toEqual(halfShifts.map((half) => wasm.countBelow(...args, half / 2)));
        },
      ),
      { numRuns: 300 },
    );
  });

  test('find the eigenvalues of Wilkinson’s W21+, whose upper eigenvalues are nearly equal pairs', () => {
    // To 30 digits with mpmath.eigsy; the topmost pair is 7.2e-14 apart.
    const chain = fromMatrix(
      Array.from({ length: 21 }, (_, i) => Math.abs(i - 10)),
      Array.from({ length: 20 }, () => 1),
    );
    const { lo, hi } = lowestIntervals(chain, 21, 1e-15);
    const found = lo.map((low, j) => 0.5 * (low + (hi[j] ?? low)));
    expect(found[0]).toBeCloseTo(-1.125441522119984, 13);
    expect(found[1]).toBeCloseTo(0.2538058170966782, 13);
    expect(found[2]).toBeCloseTo(0.9475343675292933, 13);
    expect(found[20]).toBeCloseTo(10.746194182903393, 13);
    expect((found[20] ?? 0) - (found[19] ?? 0)).toBeLessThan(1e-12);
  });
});

describe('sectioning', () => {
  test('keeps every eigenvalue inside its interval, and narrows all intervals', () => {
    fc.assert(
      fc.property(chains, fc.integer({ min: 1, max: 12 }), (chain, count) => {
        const k = Math.min(count, chain.v.length);
        const { args, lo, hi } = lowestIntervals(chain, k, 1e-12);
        const base = wasm.lowerBound(args[1], args[3]);
        for (const [j, low] of lo.entries()) {
          const high = hi[j] ?? Number.NaN;
          expect(high - low).toBeLessThanOrEqual(1e-12 * (high - base) + 1e-14);
          expect(wasm.countBelow(...args, low - 1e-13)).toBeLessThanOrEqual(j);
          expect(wasm.countBelow(...args, high + 1e-13)).toBeGreaterThan(j);
        }
      }),
    );
  });

  test('finds the eigenvalues of a fine grid to the last digits, where eps max|T| is 4e-10', () => {
    const n = 999;
    const h = 1 / (n + 1);
    const grid = well(n, 0.5, () => 0);
    const { lo, hi } = lowestIntervals(grid, 6, 1e-15);
    for (const [j, low] of lo.entries()) {
      const exact = (2 / (h * h)) * Math.sin(((j + 1) * Math.PI * h) / 2) ** 2;
      expect(Math.abs((low + (hi[j] ?? low)) / (2 * exact) - 1)).toBeLessThan(2e-14);
    }
  });

  test('six eigenvalues of a grid take about forty sweeps, a single one about fifteen', () => {
    const grid = well(2000, 10, (x) => 0.5 * x * x);
    expect(lowestIntervals(grid, 6, 1e-12).sweeps).toBeLessThan(45);
    expect(lowestIntervals(grid, 1, 1e-12).sweeps).toBeLessThan(20);
  });
});

describe('inverse iteration', () => {
  test('gives orthonormal vectors with small residuals', () => {
    fc.assert(
      fc.property(chains, fc.integer({ min: 1, max: 8 }), (chain, count) => {
        const pairs = eigenpairs(chain, Math.min(count, chain.v.length));
        for (const [j, { energy, vector }] of pairs.entries()) {
          expect(Math.max(...apply(chain, energy, vector).map(Math.abs))).toBeLessThan(1e-9);
          for (const [i, other] of pairs.slice(0, j + 1).entries()) {
            expect(Math.abs(dot(chain.m, vector, other.vector) - Number(i === j))).toBeLessThan(1e-9);
          }
        }
      }),
    );
  });

  test('an eigenvalue lies within the residual of each energy', () => {
    const pairs = eigenpairs(
      well(199, 6, (x) => 0.5 * x * x),
      6,
    );
    const h = 12 / 200;
    for (const { energy, vector, residual } of pairs) {
      const r = apply(
        well(199, 6, (x) => 0.5 * x * x),
        energy,
        vector,
      );
      const measured = Math.sqrt(r.reduce((sum, part) => sum + (part * part) / h, 0));
      // Rounding of this sum is about 1e-12.
      expect(measured).toBeLessThan(residual + 3e-12);
      expect(residual).toBeLessThan(1e-9);
    }
  });

  test('equal eigenvalues of a reducible matrix get orthogonal vectors', () => {
    fc.assert(
      fc.property(wholeMatrices, ({ d, e }) => {
        const chain = fromMatrix(d, e);
        const pairs = eigenpairs(chain, Math.min(10, d.length));
        for (const [j, { energy, vector }] of pairs.entries()) {
          expect(Math.max(...apply(chain, energy, vector).map(Math.abs))).toBeLessThan(1e-9);
          for (const [i, other] of pairs.slice(0, j + 1).entries()) {
            expect(Math.abs(dot(chain.m, vector, other.vector) - Number(i === j))).toBeLessThan(1e-9);
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  test('state n of a well has n nodes, far into the tails', () => {
    const pairs = eigenpairs(
      well(601, 30, (x) => 0.5 * x * x),
      8,
    );
    expect(pairs.map(({ nodes }) => nodes)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(Math.abs(pairs[0]?.vector[20] ?? 1)).toBeLessThan(1e-150);
  });

  test('parity separates pairs whose eigenvalues agree to every digit', () => {
    const deep = well(801, 6, (x) => 400 * ((x / 4) ** 2 - 1) ** 2);
    const pairs = eigenpairs(deep, 6);
    expect((pairs[1]?.energy ?? 0) - (pairs[0]?.energy ?? 0)).toBeLessThan(1e-12);
    expect(pairs.map(({ nodes }) => nodes)).toEqual([0, 1, 2, 3, 4, 5]);
    for (const [j, { vector }] of pairs.entries()) {
      const sign = j % 2 === 0 ? 1 : -1;
      expect(vector.every((value, i) => value === sign * (vector[vector.length - 1 - i] ?? 0))).toBe(true);
    }
  });

  test('a cluster without symmetry is orthogonalised', () => {
    const deep = well(801, 6, (x) => 400 * ((x / 4) ** 2 - 1) ** 2);
    const pairs = eigenpairs(deep, 6, false);
    for (const [j, { energy, vector }] of pairs.entries()) {
      expect(Math.max(...apply(deep, energy, vector).map(Math.abs))).toBeLessThan(1e-8);
      for (const [i, other] of pairs.slice(0, j).entries()) {
        expect([i, j, Math.abs(dot(deep.m, vector, other.vector)) < 1e-10]).toEqual([i, j, true]);
      }
    }
  });

  test('three equal adjacent wells give three orthogonal vectors', () => {
    const triple = well(900, 15, (x) => 60 * Math.min((x - 10.1) ** 2, x * x, (x + 9.9) ** 2));
    const pairs = eigenpairs(triple, 6);
    for (const [j, { energy, vector }] of pairs.entries()) {
      expect(Math.max(...apply(triple, energy, vector).map(Math.abs))).toBeLessThan(1e-8);
      for (const other of pairs.slice(0, j)) expect(Math.abs(dot(triple.m, vector, other.vector))).toBeLessThan(1e-9);
    }
  });
});
