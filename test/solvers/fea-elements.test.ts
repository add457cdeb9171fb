// The three elements on four distorted quadrilaterals, beside a dense solution that keeps the incompatible modes as unknowns.

import { describe, expect, test } from 'vitest';
import { fea } from '../../src/solvers/fea/solver.ts';
import { runSolver } from '../suites/run-solver.ts';

const MESH = `*NODE
1, 1.0, 0.0
2, 1.5, 0.1
3, 2.1, -0.1
4, 0.9, 0.6
5, 1.6, 0.5
6, 2.0, 0.55
7, 1.05, 1.0
8, 1.45, 1.1
9, 2.2, 1.05
*ELEMENT, TYPE=CPS4
1, 1, 2, 5, 4
2, 2, 3, 6, 5
3, 4, 5, 8, 7
4, 5, 6, 9, 8
`;
const [E, NU, ALPHA, THICKNESS] = [7e6, 0.31, 2e-4, 0.4];
const heat = (x: number, y: number) => 40 + 30 * x - 20 * y;
const SIGNS = [
  [-1, -1],
  [1, -1],
  [1, 1],
  [-1, 1],
] as const;
type Kind = 'full' | 'bbar' | 'incompatible';
type State = 'stress' | 'strain' | 'axisymmetric';

/** Strains xx, yy, xy, zz of each unknown at a Gauss point, the weight of the point, and its place in the element. */
interface GaussPoint {
  readonly strains: number[][];
  readonly weight: number;
  readonly rise: number;
}

function pointOf(corners: readonly (readonly number[])[], state: State, xi: number, eta: number): GaussPoint {
  const shapes = SIGNS.map(([a, b]) => 0.25 * (1 + a * xi) * (1 + b * eta));
  const bySpace = SIGNS.map(([a, b]) => [0.25 * a * (1 + b * eta), 0.25 * b * (1 + a * xi)] as const);
  const sum = (f: (i: number) => number) => [0, 1, 2, 3].reduce((total, i) => total + f(i), 0);
  const c = (i: number, d: number) => corners[i]?.[d] ?? Number.NaN;
  const [xXi, xEta, yXi, yEta] = [0, 1, 2, 3].map((k) => sum((i) => (bySpace[i]?.[k % 2] ?? 0) * c(i, k >> 1))) as [
    number,
    number,
    number,
    number,
  ];
  const det = xXi * yEta - xEta * yXi;
  const radius = sum((i) => (shapes[i] ?? 0) * c(i, 0));
  const gradient = (a: number, b: number) => [(a * yEta - b * yXi) / det, (b * xXi - a * xEta) / det] as const;
  const isRound = state === 'axisymmetric';
  const ofShape = (value: number, [x, y]: readonly [number, number]) => [
    [x, 0, y, isRound ? value / radius : 0],
    [0, y, x, 0],
  ];
  return {
    strains: [
      ...bySpace.flatMap(([a, b], i) => ofShape(shapes[i] ?? 0, gradient(a, b))),
      ...ofShape(1 - xi * xi, gradient(-2 * xi, 0)),
      ...ofShape(1 - eta * eta, gradient(0, -2 * eta)),
    ],
    weight: det * (isRound ? 2 * Math.PI * radius : THICKNESS),
    rise: sum((i) => (shapes[i] ?? 0) * heat(c(i, 0), c(i, 1))),
  };
}

/** The modes follow the shapes; they are taken as they are by `kind`, or left out by a stiffness of their own. */
function pointsOf(corners: readonly (readonly number[])[], state: State, kind: Kind): GaussPoint[] {
  const g = 1 / Math.sqrt(3);
  const points = SIGNS.map(([a, b]) => pointOf(corners, state, a * g, b * g));
  const volume = points.reduce((sum, { weight }) => sum + weight, 0);
  const mean = (f: (point: GaussPoint) => number) =>
    points.reduce((sum, point) => sum + point.weight * f(point), 0) / volume;
  const trace = (row: readonly number[] = []) => (row[0] ?? 0) + (row[1] ?? 0) + (row[3] ?? 0);
  return points.map((point) => ({
    ...point,
    strains: point.strains.map((row, j) => {
      if (j >= 8)
        return kind === 'incompatible' ? row.map((x, k) => x - mean((one) => one.strains[j]?.[k] ?? 0)) : [0, 0, 0, 0];
      if (kind !== 'bbar') return row;
      const change = (mean((one) => trace(one.strains[j])) - trace(row)) / 3;
      return row.map((x, k) => (k === 2 ? x : x + change));
    }),
  }));
}

function stressOf([xx = 0, yy = 0, xy = 0, zz = 0]: readonly number[], state: State): number[] {
  const shear = E / (2 * (1 + NU));
  const lame = state === 'stress' ? (E * NU) / (1 - NU * NU) : (E * NU) / ((1 + NU) * (1 - 2 * NU));
  const along = (own: number, others: number) => (lame + 2 * shear) * own + lame * others;
  return state === 'stress'
    ? [along(xx, yy), along(yy, xx), shear * xy, 0]
    : [along(xx, yy + zz), along(yy, xx + zz), shear * xy, along(zz, xx + yy)];
}

/** Gauss elimination with pivots. */
function solved(matrix: number[][], right: number[]): number[] {
  const n = right.length;
  const rows = matrix.map((row, i) => [...row, right[i] ?? 0]);
  const entry = (i: number, j: number) => rows[i]?.[j] ?? Number.NaN;
  for (let k = 0; k < n; k++) {
    let pivot = k;
    for (let i = k; i < n; i++) if (Math.abs(entry(i, k)) > Math.abs(entry(pivot, k))) pivot = i;
    [rows[k], rows[pivot]] = [rows[pivot] ?? [], rows[k] ?? []];
    for (let i = k + 1; i < n; i++) {
      const factor = entry(i, k) / entry(k, k);
      if (factor !== 0) rows[i] = (rows[i] ?? []).map((x, j) => (j < k ? x : x - factor * entry(k, j)));
    }
  }
  const x = new Array<number>(n).fill(0);
  for (let i = n - 1; i >= 0; i--) {
    let sum = entry(i, n);
    for (let j = i + 1; j < n; j++) sum -= entry(i, j) * (x[j] ?? 0);
    x[i] = sum / entry(i, i);
  }
  return x;
}

function displacements(nodes: readonly number[][], quads: readonly number[][], state: State, kind: Kind): number[] {
  const n = 2 * nodes.length + 4 * quads.length;
  const matrix = Array.from({ length: n }, () => new Array<number>(n).fill(0));
  const right = new Array<number>(n).fill(0);
  const add = (i: number, j: number, value: number) => {
    const row = matrix[i];
    if (row !== undefined) row[j] = (row[j] ?? 0) + value;
  };
  for (const [e, quad] of quads.entries()) {
    const unknowns = [
      ...quad.flatMap((k) => [2 * k, 2 * k + 1]),
      ...[0, 1, 2, 3].map((m) => 2 * nodes.length + 4 * e + m),
    ];
    for (const { strains, weight, rise } of pointsOf(
      quad.map((k) => nodes[k] ?? []),
      state,
      kind,
    )) {
      const hot = stressOf([ALPHA * rise, ALPHA * rise, 0, state === 'stress' ? 0 : ALPHA * rise], state);
      const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, one, k) => sum + one * (b[k] ?? 0), 0);
      for (const [j, column] of strains.entries()) {
        const stress = stressOf(column, state);
        for (const [i, row] of strains.entries()) add(unknowns[i] ?? 0, unknowns[j] ?? 0, weight * dot(row, stress));
        right[unknowns[j] ?? 0] = (right[unknowns[j] ?? 0] ?? 0) + weight * dot(column, hot);
      }
    }
  }
  for (let m = 2 * nodes.length; m < n; m++) if (kind !== 'incompatible') add(m, m, 1);
  // Held at the bottom.
  for (const [k, [, y = 1]] of nodes.entries())
    if (y < 0.2)
      for (const i of [2 * k, 2 * k + 1]) {
        matrix[i] = new Array<number>(n).fill(0);
        add(i, i, 1);
        right[i] = 0;
      }
  return solved(matrix, right).slice(0, 2 * nodes.length);
}

const rowsOf = (data: ArrayLike<number> | undefined, width: number): number[][] =>
  Array.from({ length: (data?.length ?? 0) / width }, (_, i) =>
    Array.from(data ?? []).slice(width * i, width * (i + 1)),
  );

describe.each(['full', 'bbar', 'incompatible'] as const)('element %s', (element) => {
  test.each(['stress', 'strain', 'axisymmetric'] as const)('%s: displacements by uneven heat', async (state) => {
    if (element === 'bbar' && state === 'stress') return;
    const { fields } = await runSolver(fea, {
      mesh: MESH,
      refine: 0,
      state,
      element,
      E,
      nu: NU,
      thickness: THICKNESS,
      expansion: ALPHA,
      supports: 'at 1 0 fixed; at 1.5 0.1 fixed; at 2.1 -0.1 fixed',
      loads: 'heat 40+30*x-20*y',
      probe_x: 2.2,
      probe_y: 1.05,
    });
    const of = (name: string) => fields.find((one) => one.name === name)?.data;
    const [nodes, quads] = [rowsOf(of('nodes'), 2), rowsOf(of('elements'), 4)];
    expect(nodes.length).toBe(9);
    const expected = displacements(nodes, quads, state, element);
    const scale = Math.max(...expected.map(Math.abs));
    expect(scale).toBeGreaterThan(1e-3);
    for (const [i, one] of Array.from(of('displacement') ?? []).entries())
      expect(Math.abs(one - (expected[i] ?? Number.NaN))).toBeLessThan(1e-9 * scale);
  });
});
