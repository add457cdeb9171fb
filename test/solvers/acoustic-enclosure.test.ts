// The witness of outlines: bounds from both sides that hold numbers known otherwise, and contradict grids that are wrong.

import { describe, expect, test } from 'vitest';
import type { KernelOutput } from '../../src/kernels/abi.ts';
import { loadKernel } from '../../src/kernels/load-node.ts';
import { LocalRunner } from '../../src/kernels/local-runner.ts';
import { enclosureOf } from '../../src/solvers/acoustic/enclosure.ts';
import type { AcousticFace } from '../../src/solvers/acoustic/face.ts';
import { acoustic } from '../../src/solvers/acoustic/solver.ts';
import { triangulate } from '../../src/solvers/acoustic/triangulation.ts';
import { runPlan } from '../../src/solvers/run.ts';

type Corners = readonly (readonly [number, number])[];

const L: Corners = [
  [0, 0],
  [2, 0],
  [2, 1],
  [1, 1],
  [1, 2],
  [0, 2],
];
const RECTANGLE: Corners = [
  [0, 0],
  [1, 0],
  [1, 0.7],
  [0, 0.7],
];
const TRIANGLE: Corners = [
  [0, 0],
  [1, 0],
  [0.5, Math.sqrt(0.75)],
];
const STRIP: Corners = [
  [0, 0],
  [50, 0],
  [50, 0.7],
  [0, 0.7],
];
const PI2 = Math.PI * Math.PI;

describe('bounds of eigenvalues', () => {
  const known: readonly (readonly [string, Corners, string, number, number, number])[] = [
    // Betcke & Trefethen, SIAM Review 47 (2005) 469.
    ['an L with p = 0 around', L, '111111', 1, 9.6397238440219, 0.01],
    // Dauge's benchmark.
    ['a rigid L', L, '000000', 2, 1.47562182408, 0.005],
    ['a rigid L', L, '000000', 3, 3.53403136678, 0.005],
    ['a pair of a rigid L', L, '000000', 4, PI2, 0.01],
    ['a pair of a rigid L', L, '000000', 5, PI2, 0.01],
    ['a rigid L', L, '000000', 6, 11.3894793979, 0.01],
    ['a rigid rectangle', RECTANGLE, '0000', 4, PI2 * (1 + 1 / 0.49), 0.01],
    ['a rectangle, open at its left side', RECTANGLE, '0001', 1, PI2 / 4, 0.002],
    // Lamé's triangle.
    ['a rigid triangle', TRIANGLE, '000', 2, (16 * PI2) / 9, 0.005],
    ['a pair of a rigid triangle', TRIANGLE, '000', 3, (16 * PI2) / 9, 0.005],
    ['a triangle with p = 0 around', TRIANGLE, '111', 1, (16 * PI2) / 3, 0.01],
    ['a strip', STRIP, '0000', 2, PI2 / 2500, 0.001],
  ];

  test.each(known)('of %s, number %#', (_, corners, open, index, exact, width) => {
    const isOpen = [...open].map((one) => one === '1');
    const { low, high } = enclosureOf(corners, isOpen, index, 1.03 * exact) ?? { low: Number.NaN, high: Number.NaN };
    expect(low).toBeLessThanOrEqual(exact);
    expect(high).toBeGreaterThanOrEqual(exact);
    expect((high - low) / exact).toBeLessThan(width);
  });

  test('do not depend on where the search begins', () => {
    const found = [0.3, 0.9, 2, 9].map((factor) => enclosureOf(TRIANGLE, [false, false, false], 2, 17 * factor));
    for (const one of found) expect((one?.low ?? 0) / (found[0]?.low ?? 1)).toBeCloseTo(1, 3);
  });
});

test('triangles fill the polygon, whichever way it runs, and none is longer than allowed', () => {
  for (const corners of [L, [...L].reverse(), STRIP, TRIANGLE]) {
    const mesh = triangulate(corners, { size: 0.3, sharp: [[1, 1]], reach: 1, most: 1e5 });
    let area = 0;
    for (const [a, b, c] of mesh?.triangles ?? []) {
      const [p, q, r] = [a, b, c].map((k) => mesh?.points[k] ?? [0, 0]) as [Corners[0], Corners[0], Corners[0]];
      const own = 0.5 * ((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]));
      expect(own).toBeGreaterThan(0);
      area += own;
    }
    expect(area).toBeCloseTo(corners === STRIP ? 35 : corners === TRIANGLE ? Math.sqrt(3) / 4 : 3, 10);
    // Euler: a disc of triangles.
    expect((mesh?.points.length ?? 0) - (mesh?.edges.length ?? 0) + (mesh?.triangles.length ?? 0)).toBe(1);
  }
});

describe('a solution', () => {
  const input = acoustic.inputs.parse({ shape: 'l_shape', lx: 2, ly: 2, modes: 3, cells: 48 });
  /** Solves with eigenvalues of all grids that are wrong by a factor. */
  async function solveWith(change: (lambda: number, i: number) => number) {
    const { outputs } = await runPlan(acoustic.plan(input), await loadKernel('acoustic'), new LocalRunner());
    const wrong = outputs.map((output) => ({
      ...output,
      views: { ...output.views, eigenvalues: output.views.eigenvalues?.map(change) },
    })) as unknown as readonly KernelOutput<AcousticFace>[];
    return acoustic.collect(wrong, input);
  }

  test('of grids that are right lies between its bounds, within its ±', async () => {
    const { converged, value, uncertainty, witness } = await solveWith((lambda) => lambda);
    expect(converged).toBe(true);
    expect(Math.abs(value - witness.reference)).toBeLessThanOrEqual(uncertainty);
    expect(Math.abs(value - (343 * Math.sqrt(1.47562182408)) / (2 * Math.PI))).toBeLessThanOrEqual(uncertainty);
  });

  test('is contradicted where a kernel makes fluxes larger or smaller on all grids alike', async () => {
    for (const factor of [0.97, 1.03]) {
      const { converged, notes, uncertainty, value } = await solveWith((lambda) => factor * lambda);
      expect(converged).toBe(false);
      expect(notes.join()).toContain('contradict');
      expect(Math.abs(value - 66.313688)).toBeLessThanOrEqual(uncertainty);
    }
  });

  test('is contradicted where a kernel leaves a mode out', async () => {
    const { outputs } = await runPlan(acoustic.plan(input), await loadKernel('acoustic'), new LocalRunner());
    const wrong = outputs.map((output) => {
      const [zero = 0, , ...rest] = output.views.eigenvalues ?? [];
      return {
        ...output,
        views: { ...output.views, eigenvalues: Float64Array.from([zero, ...rest, rest.at(-1) ?? 0]) },
      };
    }) as unknown as readonly KernelOutput<AcousticFace>[];
    expect(acoustic.collect(wrong, input).converged).toBe(false);
  });
});
