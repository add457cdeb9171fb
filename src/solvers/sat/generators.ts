// Families of formulas that papers use, in the usual encodings.

import { randomWord } from '../parts/random.ts';
import { type Formula, formulaOf } from './dimacs.ts';

export interface Shape {
  readonly n: number;
  /** Literals of a random clause. */
  readonly k: number;
  /** Clauses of a random formula over variables. */
  readonly ratio: number;
  readonly seed: number;
  readonly colours: number;
}

type Clauses = Generator<readonly number[], void, void>;

/** By name: the default and the largest n, what n is, and the formula. */
export const GENERATORS = {
  random: { n: 100, max: 5_000, of: 'variables', formula: ({ n, ...rest }) => formulaOf(n, random({ n, ...rest })) },
  pigeonhole: { n: 6, max: 30, of: 'holes', formula: ({ n }) => formulaOf((n + 1) * n, pigeonhole(n)) },
  queens: { n: 8, max: 40, of: 'rows', formula: ({ n }) => formulaOf(n * n, queens(n)) },
  mycielski: { n: 4, max: 7, of: 'chromatic number', formula: mycielski },
  ramsey: { n: 6, max: 60, of: 'people', formula: ({ n }) => formulaOf((n * (n - 1)) / 2, ramsey(n)) },
  waerden: { n: 35, max: 500, of: 'numbers', formula: ({ n }) => formulaOf(n, waerden(n)) },
  parity: { n: 10, max: 100, of: 'variables', formula: ({ n, seed }) => formulaOf(3 * n, parity(n, seed)) },
} as const satisfies Record<
  string,
  { readonly n: number; readonly max: number; readonly of: string; readonly formula: (shape: Shape) => Formula }
>;

export type GeneratorName = keyof typeof GENERATORS;

/** An integer from 0 to n − 1. */
const randomBelow = (n: number, seed: number, index: number): number =>
  Math.floor((randomWord(seed, index) * n) / 4_294_967_296);

/** Uniform random k-SAT: round(ratio n) clauses of k different variables, each negated or not. */
function* random({ n, k, ratio, seed }: Shape): Clauses {
  let index = 0;
  const size = Math.min(k, n);
  for (let clause = Math.round(ratio * n); clause > 0; clause--) {
    const chosen = new Set<number>();
    while (chosen.size < size) chosen.add(1 + randomBelow(n, seed, index++));
    yield Array.from(chosen, (variable) => (randomWord(seed, index++) < 2_147_483_648 ? variable : -variable));
  }
}

/** n + 1 pigeons in n holes: unsatisfiable. */
function* pigeonhole(n: number): Clauses {
  const at = (pigeon: number, hole: number) => pigeon * n + hole + 1;
  for (let p = 0; p <= n; p++) yield Array.from({ length: n }, (_, hole) => at(p, hole));
  for (let hole = 0; hole < n; hole++)
    for (let p = 0; p <= n; p++) for (let q = p + 1; q <= n; q++) yield [-at(p, hole), -at(q, hole)];
}

/** A queen in every row of a board, none attacking another: unsatisfiable for 2 and 3. */
function* queens(n: number): Clauses {
  for (let row = 0; row < n; row++) yield Array.from({ length: n }, (_, column) => row * n + column + 1);
  for (let a = 0; a < n * n; a++) {
    for (let b = a + 1; b < n * n; b++) {
      const rows = Math.floor(b / n) - Math.floor(a / n);
      const columns = Math.abs((b % n) - (a % n));
      if (rows === 0 || columns === 0 || rows === columns) yield [-(a + 1), -(b + 1)];
    }
  }
}

/** Edges of the Mycielski graph of chromatic number n, which has no triangle: 2 is one edge, 3 a ring of five. */
export function mycielskiEdges(n: number): { readonly vertices: number; readonly edges: readonly [number, number][] } {
  let vertices = 2;
  let edges: [number, number][] = [[0, 1]];
  for (let level = 2; level < n; level++) {
    const copies = edges.flatMap(([a, b]): [number, number][] => [
      [a, vertices + b],
      [b, vertices + a],
    ]);
    const apex = Array.from({ length: vertices }, (_, v): [number, number] => [vertices + v, 2 * vertices]);
    edges = [...edges, ...copies, ...apex];
    vertices = 2 * vertices + 1;
  }
  return { vertices, edges };
}

function mycielski({ n, colours }: Shape): Formula {
  const { vertices, edges } = mycielskiEdges(n);
  const at = (vertex: number, colour: number) => vertex * colours + colour + 1;
  const palette = Array.from({ length: colours }, (_, colour) => colour);
  return formulaOf(vertices * colours, [
    ...Array.from({ length: vertices }, (_, vertex) => palette.map((colour) => at(vertex, colour))),
    ...edges.flatMap(([a, b]) => palette.map((colour) => [-at(a, colour), -at(b, colour)])),
  ]);
}

/** Two colours for all pairs of n people without three of one colour: satisfiable up to 5. */
function* ramsey(n: number): Clauses {
  const at = (a: number, b: number) => a * n - (a * (a + 1)) / 2 + (b - a);
  for (let a = 0; a < n; a++) {
    for (let b = a + 1; b < n; b++) {
      for (let c = b + 1; c < n; c++) {
        const triangle = [at(a, b), at(a, c), at(b, c)];
        yield triangle;
        yield triangle.map((edge) => -edge);
      }
    }
  }
}

/** Two colours for 1 … n without four equally spaced numbers of one colour: satisfiable up to 34. */
function* waerden(n: number): Clauses {
  for (let step = 1; 1 + 3 * step <= n; step++) {
    for (let first = 1; first + 3 * step <= n; first++) {
      const progression = [0, 1, 2, 3].map((i) => first + i * step);
      yield progression;
      yield progression.map((number) => -number);
    }
  }
}

/** The parity of n variables along two orders, said to differ: unsatisfiable, and long for resolution. */
function* parity(n: number, seed: number): Clauses {
  const order = Array.from({ length: n }, (_, i) => i + 1);
  for (let i = n - 1; i > 0; i--) {
    const j = randomBelow(i + 1, seed, i);
    [order[i], order[j]] = [order[j] ?? 0, order[i] ?? 0];
  }
  yield* parityChain(
    Array.from({ length: n }, (_, i) => i + 1),
    n,
  );
  yield* parityChain(order, 2 * n);
  yield [2 * n, 3 * n];
  yield [-2 * n, -3 * n];
}

/** Variable `offset` + i is the parity of the first i of `order`. */
function* parityChain(order: readonly number[], offset: number): Clauses {
  for (const [i, x] of order.entries()) {
    const sum = offset + i + 1;
    if (i === 0) {
      yield [-sum, x];
      yield [sum, -x];
      continue;
    }
    const before = sum - 1;
    yield [-sum, before, x];
    yield [-sum, -before, -x];
    yield [sum, -before, x];
    yield [sum, before, -x];
  }
}
