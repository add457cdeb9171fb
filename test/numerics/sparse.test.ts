import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadHarness } from './compile.ts';

interface Exports {
  readonly memory: WebAssembly.Memory;
  allocateF64(n: number): number;
  begin(n: number, entries: number, fill: number): number;
  starts(): number;
  neighbours(): number;
  place(): number;
  columns(): number;
  order(steps: number): number;
  entryOf(a: number, b: number): number;
  ldl(values: number, diagonal: number, x: number): number;
  factor(lower: number, upper: number, diagonal: number): number;
  solve(lower: number, upper: number, diagonal: number, x: number, isTransposed: number): void;
}

type Edge = readonly [number, number];

let kernel: Exports;
beforeAll(async () => {
  kernel = await loadHarness<Exports>('test/harness/sparse.ts');
});

const f64 = (at: number, n: number) => new Float64Array(kernel.memory.buffer, at, n);
const i32 = (at: number, n: number) => new Int32Array(kernel.memory.buffer, at, n);

/** Orders a graph; edges once each. @returns entries of the factor, or −1 if there is no room */
function ordered(n: number, edges: readonly Edge[], steps = 3, fill = Math.max(1, (n * (n - 1)) / 2)): number {
  expect(kernel.begin(n, 2 * edges.length, fill)).toBe(1);
  const lists = Array.from({ length: n }, (_, i) => edges.flatMap(([a, b]) => (a === i ? [b] : b === i ? [a] : [])));
  let at = 0;
  for (const [i, list] of lists.entries()) {
    i32(kernel.starts(), n + 1)[i] = at;
    for (const other of list) i32(kernel.neighbours(), 2 * edges.length)[at++] = other;
  }
  i32(kernel.starts(), n + 1)[n] = at;
  if (kernel.order(steps) !== 0) return -1;
  return i32(kernel.columns(), n + 1)[n] ?? -1;
}

const graphs = fc.integer({ min: 1, max: 24 }).chain((n) =>
  fc.record({
    n: fc.constant(n),
    edges: fc
      .array(fc.tuple(fc.nat(n - 1), fc.nat(n - 1)), { maxLength: 60 })
      .map((pairs) => [
        ...new Map(pairs.flatMap(([a, b]) => (a < b ? [[a * n + b, [a, b] as Edge] as const] : []))).values(),
      ]),
    seed: fc.integer({ min: 1, max: 1e6 }),
  }),
);

/** Numbers in [−1, 1), by a congruence. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return (2 * state) / 2_147_483_647 - 1;
  };
}

describe('the order of minimum degree', () => {
  test('is a permutation, and its pattern is that of elimination', () => {
    fc.assert(
      fc.property(graphs, fc.integer({ min: 1, max: 30 }), ({ n, edges }, steps) => {
        const count = ordered(n, edges, steps);
        const place = [...i32(kernel.place(), n)];
        expect(place.toSorted((a, b) => a - b)).toEqual(Array.from({ length: n }, (_, i) => i));
        // Elimination on sets, in the same order.
        const later = Array.from({ length: n }, () => new Set<number>());
        for (const [a, b] of edges) {
          const [i, j] = [place[a] ?? 0, place[b] ?? 0];
          later[Math.min(i, j)]?.add(Math.max(i, j));
        }
        let filled = 0;
        for (const set of later) {
          filled += set.size;
          const [first = -1, ...rest] = [...set].toSorted((a, b) => a - b);
          for (const other of rest) later[first]?.add(other);
        }
        expect(count).toBe(filled);
      }),
      { numRuns: 200 },
    );
  });

  test('leaves a tree without fill', () => {
    const edges = Array.from({ length: 199 }, (_, k): Edge => [Math.floor((k * 7) / 9), k + 1]);
    expect(ordered(200, edges)).toBe(199);
  });

  test('fills a square of 20 by 20 less than half as much as the order by rows', () => {
    const at = (x: number, y: number) => 20 * y + x;
    const edges = Array.from({ length: 400 }, (_, k) => [k % 20, Math.floor(k / 20)] as const).flatMap(
      ([x, y]): Edge[] => [
        ...(x < 19 ? [[at(x, y), at(x + 1, y)] as const] : []),
        ...(y < 19 ? [[at(x, y), at(x, y + 1)] as const] : []),
      ],
    );
    expect(ordered(400, edges)).toBeLessThan((400 * 20) / 2);
  });

  test('says that it has no room', () => {
    const edges = Array.from({ length: 45 }, (_, k): Edge => [k % 9, 9 - Math.floor(k / 9)]).filter(([a, b]) => a < b);
    expect(ordered(10, edges, 3, 5)).toBe(-1);
  });
});

test('LDLᵀ solves definite and indefinite systems with diagonals that dominate', () => {
  fc.assert(
    fc.property(graphs, fc.boolean(), ({ n, edges, seed }, isIndefinite) => {
      const next = numbers(seed);
      const count = ordered(n, edges);
      const [values, diagonal, x] = [Math.max(1, count), n, n].map((size) => kernel.allocateF64(size)) as [
        number,
        number,
        number,
      ];
      const matrix = Array.from({ length: n }, () => new Float64Array(n));
      const place = i32(kernel.place(), n);
      for (const [a, b] of edges) {
        const value = next();
        f64(values, count)[kernel.entryOf(a, b)] = value;
        for (const [i, j] of [
          [a, b],
          [b, a],
        ] as const)
          (matrix[i] ?? [])[j] = value;
      }
      for (let i = 0; i < n; i++) {
        const sum = (matrix[i] ?? new Float64Array()).reduce((total, one) => total + Math.abs(one), 0);
        const value = (sum + 1) * (isIndefinite && i % 2 === 1 ? -1 : 1);
        (matrix[i] ?? [])[i] = value;
        f64(diagonal, n)[place[i] ?? 0] = value;
      }
      const truth = Float64Array.from({ length: n }, next);
      for (let i = 0; i < n; i++) f64(x, n)[i] = truth.reduce((sum, one, j) => sum + one * (matrix[i]?.[j] ?? 0), 0);
      expect(kernel.ldl(values, diagonal, x)).toBe(0);
      const error = truth.reduce((most, one, i) => Math.max(most, Math.abs(one - (f64(x, n)[i] ?? 0))), 0);
      expect(error).toBeLessThan(1e-13);
    }),
    { numRuns: 200 },
  );
});

test('LDLᵀ names the column of a pivot that vanishes', () => {
  const count = ordered(2, [[0, 1]]);
  const [values, diagonal, x] = [kernel.allocateF64(count), kernel.allocateF64(2), kernel.allocateF64(2)];
  f64(values, 1).set([-1]);
  f64(diagonal, 2).set([1, 1]);
  expect(kernel.ldl(values, diagonal, x)).toBe(2);
});

test('block LU solves a system and its transpose', () => {
  fc.assert(
    fc.property(graphs, ({ n, edges, seed }) => {
      const next = numbers(seed);
      const count = ordered(n, edges);
      const [lower, upper, diagonal, x] = [4 * Math.max(1, count), 4 * Math.max(1, count), 4 * n, 2 * n].map((size) =>
        kernel.allocateF64(size),
      ) as [number, number, number, number];
      const size = 2 * n;
      const matrix = Array.from({ length: size }, () => new Float64Array(size));
      const place = i32(kernel.place(), n);
      const put = (target: number, block: number, i: number, j: number) => {
        for (let k = 0; k < 4; k++) {
          const value = next() + (i === j && (k === 0 || k === 3) ? 4 * n : 0);
          f64(target, 4 * (block + 1))[4 * block + k] = value;
          (matrix[2 * i + (k >> 1)] ?? [])[2 * j + (k & 1)] = value;
        }
      };
      for (const [a, b] of edges) {
        const [early, late] = (place[a] ?? 0) < (place[b] ?? 0) ? [a, b] : [b, a];
        put(lower, kernel.entryOf(a, b), late, early);
        put(upper, kernel.entryOf(a, b), early, late);
      }
      for (let i = 0; i < n; i++) put(diagonal, place[i] ?? 0, i, i);
      const truth = Float64Array.from({ length: size }, next);
      expect(kernel.factor(lower, upper, diagonal)).toBe(0);
      for (const isTransposed of [false, true]) {
        const entry = (i: number, j: number) => (isTransposed ? matrix[j]?.[i] : matrix[i]?.[j]) ?? 0;
        for (let i = 0; i < size; i++) f64(x, size)[i] = truth.reduce((sum, one, j) => sum + one * entry(i, j), 0);
        kernel.solve(lower, upper, diagonal, x, Number(isTransposed));
        const error = truth.reduce((most, one, i) => Math.max(most, Math.abs(one - (f64(x, size)[i] ?? 0))), 0);
        expect(error).toBeLessThan(1e-13);
      }
    }),
    { numRuns: 200 },
  );
});
