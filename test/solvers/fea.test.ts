import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import type { Solution } from '../../src/solvers/definition.ts';
import type { inputs } from '../../src/solvers/fea/inputs.ts';
import { fea } from '../../src/solvers/fea/solver.ts';
import { parseOutline } from '../../src/solvers/parts/meshes/outline.ts';
import { outlineMesh } from '../../src/solvers/parts/meshes/outline-mesh.ts';
import { describeSolver } from '../suites/describe-solver.ts';
import { planError } from '../suites/refusals.ts';
import { runSolver } from '../suites/run-solver.ts';

type Input = z.input<typeof inputs>;

describeSolver(fea, {
  cases: {
    defaults: {},
    'full elements': { element: 'full', nx: 32, ny: 8 },
    cook: { problem: 'cook', nx: 16, ny: 16 },
    patch: { problem: 'patch' },
    'a hole': { problem: 'hole', nx: 16, ny: 16 },
    'a tube': { problem: 'tube', nx: 16, ny: 8, nu: 0.499, element: 'bbar' },
    'an outline': {
      outline: '0 0; 4 0; 4 2; 0 2 | circle 2 1 0.5 | 3 0.4; 3.4 0.4; 3.2 0.8',
      supports: 'edge4 fixed',
      loads: 'edge2 tx=1e6; hole1 p=1e5',
      size: 0.3,
    },
    'own conditions': {
      problem: 'block',
      length: 4,
      nx: 32,
      ny: 8,
      state: 'strain',
      supports: 'left fixed; right uy=0',
      loads: 'top p=1e7*x; gravity 0 -9.81; heat 2*y',
      component: 'uy',
    },
  },
  conservation: true,
  golden: ['defaults', 'full elements', 'cook', 'patch', 'a hole', 'a tube', 'an outline', 'own conditions'],
  convergence: [
    {
      name: 'in space',
      order: 'space',
      levels: 3,
      at: (level) => ({ nx: 32 << level, ny: 8 << level, element: 'full' as const }),
    },
    {
      name: 'with incompatible modes',
      order: 'space',
      levels: 3,
      at: (level) => ({ nx: 32 << level, ny: 8 << level, element: 'incompatible' as const }),
    },
  ],
  refused: [
    { input: { problem: 'block' }, field: 'supports', reason: 'MISSING' },
    { input: { supports: 'bottom uy=0' }, field: 'supports', reason: 'NOT_HELD', message: 'move along x' },
    { input: { supports: 'at 0 0 fixed' }, field: 'supports', reason: 'NOT_HELD', message: 'turn' },
    { input: { supports: 'nowhere fixed' }, field: 'supports', reason: 'UNKNOWN_SIDE' },
    { input: { supports: 'left held' }, field: 'supports', reason: 'MALFORMED_SUPPORT' },
    { input: { supports: 'left ux=1/0; left uy=0' }, field: 'supports', reason: 'NOT_FINITE' },
    { input: { supports: 'left fixed; at 1.1 0.3 ux=0' }, field: 'supports', reason: 'NO_NODE' },
    { input: { loads: 'right push' }, field: 'loads', reason: 'MALFORMED_LOAD' },
    { input: { loads: 'right tx=z' }, field: 'loads', message: 'symbol z' },
    { input: { loads: 'point 99 0 1 0' }, field: 'loads', reason: 'OUTSIDE' },
    { input: { element: 'bbar' }, field: 'element' },
    { input: { probe_x: 1 }, field: 'probe_y', reason: 'MISSING' },
    { input: { probe_x: 49, probe_y: 0 }, field: 'probe_x', reason: 'OUTSIDE' },
    { input: { problem: 'hole', radius: 11 }, field: 'radius' },
    { input: { problem: 'mesh' }, field: 'mesh', reason: 'MISSING' },
    { input: { outline: '0 0; 1 0', supports: 'left fixed' }, field: 'outline', message: 'at least 3' },
    { input: { outline: '0 0; 1 0; 1 one', supports: 'left fixed' }, field: 'outline', message: 'the outside' },
    { input: { outline: '0 0; 2 0; 2 2; 1 -0.5', supports: 'left fixed' }, field: 'outline', reason: 'CROSSING' },
    {
      input: { outline: '0 0; 2 0; 2 2 | circle 5 5 1', supports: 'left fixed' },
      field: 'outline',
      reason: 'HOLE_OUTSIDE',
    },
    { input: { outline: '0 0; 4 0; 4 0.05', supports: 'right fixed' }, field: 'outline', reason: 'TOO_NARROW' },
    {
      input: { outline: '0 0; 1 0; 1 1; 0 1', size: 1e-3, supports: 'left fixed' },
      field: 'size',
      reason: 'TOO_LARGE',
    },
    {
      input: { outline: '0 0; 1 0; 1 1', mesh: '*NODE', supports: 'left fixed' },
      field: 'outline',
      reason: 'TWO_SHAPES',
    },
    { input: { loads: 'right ty=exp(-((y-1.2345)/0.003)^2)' }, field: 'loads', reason: 'UNRESOLVED' },
    { input: { supports: 'left fixed; bottom uy=exp(-((x-30.123)/0.01)^2)' }, field: 'supports', reason: 'UNRESOLVED' },
    { input: { nx: 512, ny: 512 }, field: 'nx', reason: 'TOO_LARGE' },
    {
      input: { state: 'axisymmetric', problem: 'block', supports: 'x=0 fixed', probe_x: -1, probe_y: 0 },
      field: 'probe_x',
    },
  ],
});

const numbers = ({ series }: Solution, name: string) => [...(series.find((one) => one.name === name)?.data ?? [])];
const quantityOf = ({ quantities }: Solution, name: string) => quantities.find((one) => one.name === name);

describe('digits that others computed', () => {
  // An independent assembly of the same elements with a direct solver.
  test.each<[string, Input, readonly number[]]>([
    ['cantilever', { nx: 32, ny: 8 }, [7.968682033e-3, 8.644992979e-3, 8.834607818e-3]],
    ['cantilever, finer', { nx: 128, ny: 32 }, [8.834607818e-3, 8.88353941e-3, 8.89587716e-3]],
    ['cook', { problem: 'cook', nx: 8, ny: 8 }, [11.845179504, 18.299165833, 22.079183389]],
    ['cook, finer', { problem: 'cook', nx: 64, ny: 64 }, [23.43041126, 23.817633956, 23.924516229]],
  ])('%s', async (_, input, expected) => {
    const found = numbers(await runSolver(fea, { ...input, element: 'full' }), 'value_on_mesh');
    for (const [i, digits] of expected.entries()) expect(Math.abs((found[i] ?? 0) / digits - 1)).toBeLessThan(1e-9);
  });

  test.each([
    [8, 22.070121706],
    [16, 23.455349144],
    [32, 23.872199909],
    [64, 23.992038082],
  ])('F u of Cook’s membrane of %d by as many elements is %d', async (n, digits) => {
    const solution = await runSolver(fea, { problem: 'cook', nx: n, ny: n, element: 'full' });
    expect(Math.abs((2 * (quantityOf(solution, 'strain_energy')?.value ?? 0)) / digits - 1)).toBeLessThan(1e-9);
  });
});

describe.each(['full', 'incompatible', 'bbar'] as const)('patch test of %s', (element) => {
  test.each(['stress', 'strain', 'axisymmetric'] as const)('%s', async (state) => {
    if (element === 'bbar' && state === 'stress') {
      expect(planError(fea, { problem: 'patch', element, state }).details[0]?.path).toBe('element');
      return;
    }
    if (state === 'axisymmetric') {
      // A body of revolution under the same pressure everywhere has the same stress everywhere.
      const { fields } = await runSolver(fea, {
        problem: 'tube',
        element,
        supports: 'bottom uy=0',
        loads: 'left p=1e6; right p=1e6; top p=1e6',
        nx: 8,
        ny: 8,
      });
      const gauss = fields.find(({ name }) => name === 'gauss_stress')?.data ?? new Float64Array();
      for (const [i, value] of gauss.entries()) expect(Math.abs(value + (i % 4 === 2 ? 0 : 1e6))).toBeLessThan(1e-3);
      return;
    }
    const { fields } = await runSolver(fea, { problem: 'patch', element, state });
    const gauss = fields.find(({ name }) => name === 'gauss_stress')?.data ?? new Float64Array();
    // MacNeal & Harder: 1333.33 and 400 in plane stress; in plane strain E/((1 + ν)(1 − 2 ν)) 1e-3 = 1600.
    const direct = state === 'stress' ? 4000 / 3 : 1600;
    expect(gauss.length).toBe(80 * 16);
    for (let i = 0; i < gauss.length; i += 4) {
      expect(Math.abs((gauss[i] ?? 0) / direct - 1)).toBeLessThan(1e-10);
      expect(Math.abs((gauss[i + 1] ?? 0) / direct - 1)).toBeLessThan(1e-10);
      expect(Math.abs((gauss[i + 2] ?? 0) / 400 - 1)).toBeLessThan(1e-10);
    }
  });
});

test('outlines are filled: area, sides and elements of every shape', () => {
  const loop = fc.array(fc.double({ min: 0.4, max: 1, noNaN: true }), { minLength: 5, maxLength: 9 });
  const shapes = fc.record({
    radii: loop,
    hole: fc.double({ min: 0.02, max: 0.2, noNaN: true }),
    size: fc.double({ min: 0.05, max: 0.2, noNaN: true }),
  });
  fc.assert(
    fc.property(shapes, ({ radii, hole, size }) => {
      const corners = radii.map((r, i) => {
        const angle = (2 * Math.PI * i) / radii.length;
        return [r * Math.cos(angle), r * Math.sin(angle)] as const;
      });
      const text = `${corners.map(([x, y]) => `${x.toFixed(6)} ${y.toFixed(6)}`).join('; ')} | circle 0 0 ${hole.toFixed(6)}`;
      const { points, quads, sides } = outlineMesh(parseOutline(text, 'outline'), 'outline', size);
      let area = 0;
      for (let e = 0; e < quads.length; e += 4) {
        const at = (i: number, d: number) => points[2 * (quads[e + i] ?? 0) + d] ?? 0;
        for (let i = 0; i < 4; i++) {
          const [before, after] = [(i + 3) % 4, (i + 1) % 4];
          const turn =
            (at(after, 0) - at(i, 0)) * (at(before, 1) - at(i, 1)) -
            (at(after, 1) - at(i, 1)) * (at(before, 0) - at(i, 0));
          expect(turn).toBeGreaterThan(0);
        }
        area += 0.5 * ((at(2, 0) - at(0, 0)) * (at(3, 1) - at(1, 1)) - (at(2, 1) - at(0, 1)) * (at(3, 0) - at(1, 0)));
      }
      const outside = corners.reduce((sum, [x, y], i) => {
        const [nx, ny] = corners[(i + 1) % corners.length] ?? [0, 0];
        return sum + 0.5 * (x * ny - nx * y);
      }, 0);
      // A polygon of at least 24 sides in place of the hole.
      expect(Math.abs(area - (outside - Math.PI * hole * hole))).toBeLessThan(0.02 * Math.PI * hole * hole + 1e-5);
      expect([...sides.keys()].filter((name) => name.startsWith('edge')).length).toBe(radii.length);
    }),
    { numRuns: 25 },
  );
});

test('a point load under the value does not converge, and says so', async () => {
  const solution = await runSolver(fea, {
    problem: 'block',
    supports: 'bottom fixed',
    nx: 64,
    ny: 64,
    loads: 'point 0.5 1 0 -1e6',
    probe_x: 0.5,
    probe_y: 1,
  });
  expect(solution.converged).toBe(false);
  expect(solution.notes.join(' ')).toContain('does not converge');
});

test('the stress of a singular corner is not sealed', async () => {
  const solution = await runSolver(fea, { problem: 'cook', nx: 64, ny: 64 });
  expect(quantityOf(solution, 'max_von_mises')).toBeUndefined();
  expect(solution.notes.join(' ')).toContain('largest von Mises stress is no result');
});

describe('a body without stress', () => {
  const hot: Input = {
    problem: 'block',
    length: 2,
    height: 1,
    E: 2e11,
    nu: 0.3,
    expansion: 1.7e-5,
    supports: 'left ux=0; bottom uy=0',
    loads: 'heat 55',
    probe_x: 1.3,
    probe_y: 0.7,
    component: 'ux',
  };

  test.each(['stress', 'strain', 'axisymmetric'] as const)('%s expands freely, to rounding', async (state) => {
    const more = state === 'axisymmetric' ? { supports: 'bottom uy=0', radius: 1e-9 } : {};
    const solution = await runSolver(fea, { ...hot, ...more, state });
    const truth = 1.7e-5 * 55 * 1.3 * (state === 'strain' ? 1.3 : 1);
    expect(Math.abs(solution.value - truth)).toBeLessThanOrEqual(solution.uncertainty);
    // Between nodes a straight line is exact; ± was 40 % of the value, the relative error of stresses of 1e-6 Pa.
    expect(solution.uncertainty).toBeLessThan(1e-9 * truth);
    const zero =
      state === 'strain' ? ['reaction_x', 'reaction_y'] : ['max_von_mises', 'von_mises_at_probe', 'reaction_y'];
    for (const name of zero) {
      const { value, uncertainty = 0 } = solution.quantities.find((one) => one.name === name) ?? { value: Number.NaN };
      expect(Math.abs(value), name).toBeLessThanOrEqual(uncertainty);
      expect(uncertainty, name).toBeLessThan(10);
    }
  });
});
