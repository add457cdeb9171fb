import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { DomainError } from '../../src/core/errors.ts';
import type { KernelOutput } from '../../src/kernels/abi.ts';
import type { KernelInstance } from '../../src/kernels/instance.ts';
import { rowsOf } from '../../src/kernels/rows.ts';
import { initialProfile } from '../../src/solvers/heat/axis.ts';
import type { HeatFace } from '../../src/solvers/heat/face.ts';
import { problemOf } from '../../src/solvers/heat/problem.ts';
import { exactAt } from '../../src/solvers/heat/reference.ts';
import { heat } from '../../src/solvers/heat/solver.ts';
import { getArray, withoutRoundOff } from '../../src/solvers/plot.ts';
import { identityPlus, multiply, solveDense } from '../suites/dense-matrix.ts';
import { describeSolver } from '../suites/describe-solver.ts';
import { coldInstance, runInGroups, runSolver } from '../suites/run-solver.ts';
import { numbersOf, quantityOf } from '../suites/solution-parts.ts';

type HeatFields = z.input<typeof heat.inputs>;

const rod = { dim: 1 } as const;
const explicitRod = { dim: 1, method: 'explicit' } as const;
const stepRod = { dim: 1, mode: 'step' } as const;

describeSolver(heat, {
  cases: {
    defaults: {},
    rod: { ...rod, steps: 40 },
    'explicit plate': { method: 'explicit', nx: 20, ny: 13, lx: 2, kx: 2, steps: 90 },
    'step-initial-data': { ...stepRod, kx: 3 },
    'hot spot between insulated ends': { mode: 'gaussian', boundary: 'neumann', nx: 33, ny: 24, ly: 0.5, steps: 60 },
    'a wall of two layers': {
      ...rod,
      layers: [
        { to: 0.4, k: 2, c: 1 },
        { to: 1, k: 0.1, c: 3 },
      ],
      initial: '1 + 0*x',
      left: 'convective 5 20*sin(t)',
      nx: 50,
      t_end: 2,
    },
    'a plate with own data': {
      nx: 24,
      ny: 20,
      conductivity: '1 + x*y',
      initial: 'sin(pi*x)*y',
      source: 'exp(-t)*x',
      top: 'flux 1',
      t_end: 0.1,
      probe_x: [0.3, 0.77],
      probe_y: [0.4, 0.5],
    },
    'a steady plate': { nx: 20, ny: 32, steady: true, top: 'fixed 1', probe_x: [0.31], probe_y: [0.52] },
    'explicit insulated step': { ...stepRod, boundary: 'neumann', method: 'explicit', nx: 17, kx: 2, steps: 50 },
  },
  conservation: true,
  golden: [
    'defaults',
    'step-initial-data',
    'explicit plate',
    'hot spot between insulated ends',
    'a wall of two layers',
    'a plate with own data',
    'a steady plate',
  ],
  convergence: [
    {
      name: 'Crank–Nicolson in space',
      order: 'space',
      levels: 4,
      at: (level) => ({ ...rod, nx: 8 << level, dt: 1e-4, steps: 1000 }),
    },
    {
      name: 'Crank–Nicolson in time',
      order: 'time',
      levels: 4,
      at: (level) => ({ ...rod, nx: 128, dt: 0.1 / (2 << level), steps: 2 << level }),
      error: (solution) => discreteError(solution.value, 128, 1),
    },
    {
      name: 'ADI, step and both grids halved together',
      order: 'time',
      levels: 4,
      at: (level) => ({ nx: 8 << level, ny: 12 << level, dt: 0.02 / (1 << level), steps: 5 << level, ky: 2 }),
    },
    {
      name: 'ADI in time',
      order: 'time',
      levels: 4,
      at: (level) => ({ nx: 64, ny: 64, dt: 0.1 / (2 << level), steps: 2 << level }),
      error: (solution) => discreteError(solution.value, 64, 2),
    },
    {
      name: 'FTCS in space',
      order: 'space',
      levels: 3,
      at: (level) => ({ ...explicitRod, nx: 8 << level, dt: 2e-6, steps: 50_000 }),
    },
    {
      name: 'FTCS in time',
      order: 1,
      levels: 4,
      at: (level) => ({ ...explicitRod, nx: 16, dt: 0.001 / (1 << level), steps: 100 << level }),
      error: (solution) => discreteError(solution.value, 16, 1),
    },
    {
      name: 'FTCS at r = 1/6',
      order: 4,
      levels: 3,
      at: (level) => ({ ...explicitRod, nx: 8 << level, dt: 4 ** -(3 + level) / 6, steps: 48 << (2 * level) }),
    },
    {
      name: 'ADI at the default step, where the errors in time and space cancel',
      order: 4,
      levels: 4,
      at: (level) => ({ nx: 12 << level, ny: 8 << level, ly: 0.5 }),
      tolerance: 0.25,
    },
    {
      name: 'FTCS at the default step',
      order: 4,
      levels: 4,
      at: (level) => ({ method: 'explicit', nx: 12 << level, ny: 8 << level, ly: 0.5 }),
      tolerance: 0.25,
    },
    {
      name: 'Crank–Nicolson from a jump, damped by backward Euler',
      order: 2,
      levels: 4,
      at: (level) => ({ ...stepRod, nx: 16 << level, dt: 0.02 / (1 << level), steps: 5 << level }),
    },
  ],
  known: {
    // λ = (4/h²) sin²(πh/2) to the power of the steps, evaluated to 30 digits: the discrete decay on 64 cells.
    'Crank–Nicolson': { input: { ...rod, dt: 1e-3, steps: 100 }, value: [0.3727787184169578, 1e-12] },
    ADI: { input: { dt: 1e-3, steps: 100 }, value: [0.1389639729045895, 1e-12] },
    FTCS: { input: { ...explicitRod, dt: 1e-4, steps: 1000 }, value: [0.372600139236621, 1e-12] },
    'error of Crank–Nicolson': { input: { ...rod, dt: 1e-3, steps: 100 }, quantities: { error: [7.1e-5, 5e-7] } },
    // exp(−α (π/L)² t), evaluated to 30 digits.
    'sine at 0.1': exactSine(1, 1, 0.1, 0.37270783885344),
    'sine at 5': exactSine(1, 0.01, 5, 0.6104980252658),
    'sine at 0.3': exactSine(2, 0.5, 0.3, 0.69065824005294),
    // Centre of a rod at 1 whose ends are set to 0 at t = 0; the Fourier series evaluated to 30 digits.
    'cooled rod at 0.01': cooledRod(0.01, 0.99918609596511),
    'cooled rod at 0.05': cooledRod(0.05, 0.77231160685859),
    'cooled rod at 0.1': cooledRod(0.1, 0.47448746037975),
  },
  random: { of: randomInputs(), count: 150 },
  refused: [
    {
      input: { ...explicitRod, dt: 1e-3 },
      code: 'UNSTABLE_SCHEME',
      field: 'dt',
      facts: { dt_max: 0.5 / 64 ** 2, r: 4.096 },
    },
    { input: { nx: 16, kx: 9 }, field: 'kx', message: 'kx is 9; 16 cells resolve at most 8' },
    { input: { mode: 'gaussian', ky: 9 }, field: 'ky' },
    { input: { method: 'explicit', source: '1' }, field: 'method' },
    { input: { ...rod, initial: '1', samples: [1, 2] }, field: 'initial' },
    { input: { conductivity: '1', layers: [{ to: 1, k: 1, c: 1 }] }, field: 'conductivity' },
    { input: { samples: [1, 2] }, field: 'samples' },
    { input: { ...rod, top: 'fixed 1' }, field: 'top' },
    { input: { left: 'convective' }, field: 'left', message: '"convective h T"' },
    { input: { left: 'convective -1 20' }, field: 'left' },
    { input: { left: 'insulated 1' }, field: 'left' },
    { input: { left: 'cold' }, field: 'left', message: 'left is "cold"' },
    { input: { steady: true, boundary: 'neumann' }, field: 'steady' },
    { input: { steady: true, source: 'sin(t)' }, field: 'source', message: 'source depends on t' },
    { input: { steady: true, steps: 9 }, field: 'steps' },
    { input: { left: 'fixed x' }, field: 'left', message: 'an expression in t is expected' },
    { input: { initial: 'x +' }, field: 'column 4', code: 'EXPRESSION_INVALID' },
    { input: { layers: [{ to: 0.5, k: 1, c: 1 }] }, field: 'layers', message: 'ends at 0.5' },
    { input: { layers: [{ to: 2, k: 1, c: 1 }] }, field: 'layers[0].to' },
    {
      input: {
        layers: [
          { to: 0.5, k: 1, c: 1 },
          { to: 0.4, k: 1, c: 1 },
        ],
      },
      field: 'layers[1].to',
    },
    { input: { layers: [{ to: 1, k: -1, c: 1 }] }, field: 'layers[0].k' },
    { input: { ...rod, probe_x: [1.5] }, field: 'probe_x[0]' },
    { input: { ...rod, probe_x: [0.5], probe_y: [0.5] }, field: 'probe_y' },
    { input: { probe_x: [0.5, 0.6], probe_y: [0.5] }, field: 'probe_y' },
    { input: { dt: 1, steps: 2, t_end: 2 }, field: 't_end' },
    { input: { dt: 1e-9, t_end: 1 }, field: 't_end' },
  ],
  outOfRange: [
    ...[{ nx: 7 }, { ny: 129 }, { kx: 1.5 }, { alpha: 0 }, { dt: -1 }, { steps: 0 }, { dim: 3 }],
    ...[{ boundary: 'robin' }, { alpha: Number.POSITIVE_INFINITY }],
  ],
  illegalParameters: [{ rx: Number.NaN }, { cellsX: 1 }],
});

function exactSine(lx: number, alpha: number, t: number, expected: number) {
  return { input: { ...rod, lx, alpha, dt: t / 100, steps: 100 }, reference: [expected, 1e-14] } as const;
}

function cooledRod(t: number, expected: number) {
  const input = { ...stepRod, nx: 128, dt: t / 400, steps: 400 };
  return { input, reference: [expected, 2e-14], value: [expected, 3e-5] } as const;
}

/** Steps are the default one times a power of ten, explicit ones at most the default. */
function randomInputs(): fc.Arbitrary<HeatFields> {
  const length = fc.double({ min: 1e-6, max: 1e6, noNaN: true });
  const whole = (min: number, max: number) => fc.integer({ min, max });
  return fc
    .record({
      ...{
        nx: whole(16, 30),
        ny: whole(16, 30),
        kx: whole(1, 2),
        ky: whole(1, 2),
        steps: whole(1, 300),
        dim: whole(1, 2),
      },
      ...{ alpha: fc.double({ min: 1e-12, max: 1e6, noNaN: true }), lx: length, ly: length },
      method: fc.constantFrom('implicit' as const, 'explicit' as const),
      mode: fc.constantFrom('sine' as const, 'step' as const, 'gaussian' as const),
      boundary: fc.constantFrom('dirichlet' as const, 'neumann' as const),
      exponent: fc.double({ min: -6, max: 6, noNaN: true }),
    })
    .map(({ exponent, ...fields }) => {
      const { dt } = problemOf(heat.inputs.parse(fields));
      return { ...fields, dt: dt * 10 ** (fields.method === 'explicit' ? Math.min(exponent, 0) : exponent) };
    });
}

/** Distance at t = 0.1 from the exact decay of the mode on the grid: the error in time only. */
function discreteError(value: number, cells: number, axes: number): number {
  const rate = (2 * cells * Math.sin(Math.PI / (2 * cells))) ** 2;
  return Math.abs(value - Math.exp(-rate * 0.1 * axes));
}

describe('the exact solution', () => {
  const modes = fc.constantFrom('sine' as const, 'step' as const, 'gaussian' as const);
  const axes = fc
    .record({
      cells: fc.integer({ min: 8, max: 40 }),
      halfWaves: fc.integer({ min: 1, max: 4 }),
      mode: modes,
      isInsulated: fc.boolean(),
    })
    .map((drawn) => ({ ...drawn, length: 1 }));

  test('equals the initial profile at t = 0 where the profile is continuous', () => {
    fc.assert(
      fc.property(axes, (axis) => {
        for (const [i, value] of initialProfile(axis).entries()) {
          const jumps = axis.mode === 'step' && value !== 0 && value !== 1;
          const atEnd = !axis.isInsulated && (i === 0 || i === axis.cells);
          if (!jumps && !atEnd) expect(exactAt(axis, { a: i, b: axis.cells }, 0)).toBeCloseTo(value, 12);
        }
      }),
    );
  });

  test('satisfies the heat equation', () => {
    // Fourth-order differences in τ and ξ at a node in the middle, where all series have converged.
    fc.assert(
      fc.property(axes, fc.double({ min: 0.002, max: 0.05, noNaN: true }), (axis, tau) => {
        const fine = { ...axis, cells: 400 };
        const [h, dt] = [1 / 400, tau / 400];
        const i = 170;
        const u = (di: number, dtau: number) => exactAt(fine, { a: i + di, b: 400 }, tau + dtau * dt);
        const inTime = (8 * (u(0, 1) - u(0, -1)) - (u(0, 2) - u(0, -2))) / (12 * dt);
        const inSpace = (16 * (u(1, 0) + u(-1, 0)) - (u(2, 0) + u(-2, 0)) - 30 * u(0, 0)) / (12 * h * h);
        expect(Math.abs(inTime - inSpace)).toBeLessThan(1e-3 * Math.max(1, Math.abs(inTime)));
      }),
    );
  });
});

describe('the kernel with random data', () => {
  let instance: KernelInstance;
  beforeAll(async () => {
    instance = await coldInstance('heat');
  });

  const profile = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 4, maxLength: 20 });
  const cases: fc.Arbitrary<Case> = fc
    .record({
      x: profile,
      y: fc.oneof(fc.constant([]), profile),
      isImplicit: fc.boolean(),
      isInsulated: fc.boolean(),
      rx: fc.double({ min: 0.01, max: 0.24, noNaN: true }),
      ry: fc.double({ min: 0.01, max: 0.24, noNaN: true }),
      startSteps: fc.integer({ min: 0, max: 3 }),
      steps: fc.integer({ min: 1, max: 6 }),
    })
    .map((drawn) => (drawn.isImplicit ? { ...drawn, rx: 20 * drawn.rx, ry: 20 * drawn.ry } : drawn));

  function runCase(sample: Case): KernelOutput<HeatFace> {
    const isPlate = sample.y.length > 0;
    const parameters = {
      cellsX: sample.x.length - 1,
      cellsY: isPlate ? sample.y.length - 1 : 8,
      isImplicit: Number(sample.isImplicit),
      isInsulated: Number(sample.isInsulated),
      dim: isPlate ? 2 : 1,
      rx: sample.rx,
      ry: sample.ry,
      startSteps: sample.startSteps,
      steps: sample.steps,
      historyEvery: 1,
      frameEvery: sample.steps,
      probes: 1,
    };
    const inputs = {
      probeNodes: Float64Array.of(1, 1),
      probeWeights: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0),
      profileX: Float64Array.from(sample.x),
      ...(isPlate ? { profileY: Float64Array.from(sample.y) } : {}),
    };
    return runInGroups<HeatFace>(
      instance,
      { parameters, inputs, steps: sample.steps, outputs: ['history', 'frames'] },
      1,
    );
  }

  test('it agrees with the schemes computed with dense matrices', () => {
    fc.assert(
      fc.property(cases, (sample) => {
        const frames = runCase(sample).views.frames ?? new Float64Array();
        const final = frames.subarray(frames.length / 2);
        const expected = referenceRun(sample);
        expect(final.length).toBe(expected.length);
        for (const [i, value] of expected.entries()) expect(final[i]).toBeCloseTo(value, 12);
      }),
    );
  });

  test('every scheme conserves the heat between insulated ends to 1e-13', () => {
    fc.assert(
      fc.property(cases, (drawn) => {
        const { views, columns } = runCase({ ...drawn, isInsulated: true });
        const heats = rowsOf(views.history ?? new Float64Array(), columns.history).column('heat');
        expect(heats.length).toBe(drawn.steps + 1);
        const nodes = drawn.x.length * Math.max(1, drawn.y.length);
        for (const now of heats) expect(Math.abs(now - (heats[0] ?? 0))).toBeLessThanOrEqual(1e-13 * nodes);
      }),
    );
  });

  test('FTCS grows beyond its stability limit, and an overflow is reported', () => {
    const sample = { x: [0, 1, -1, 1, -1, 0], y: [], isImplicit: false, isInsulated: false, ry: 0, startSteps: 0 };
    expect(runCase({ ...sample, rx: 0.6, steps: 20_000 }).info).toBe(2);
    expect(runCase({ ...sample, rx: 0.5, steps: 20_000 }).info).toBe(0);
  });
});

interface Case {
  readonly x: readonly number[];
  readonly y: readonly number[];
  readonly isImplicit: boolean;
  readonly isInsulated: boolean;
  readonly rx: number;
  readonly ry: number;
  readonly startSteps: number;
  readonly steps: number;
}

/** Reference implementation of the schemes: dense matrices of vector axis, applied to rows and columns. */
function referenceRun({ x, y, isImplicit, isInsulated, rx, ry, startSteps, steps }: Case): number[] {
  const columns = x.length;
  const rows = Math.max(1, y.length);
  const alongX = secondDifference(columns, isInsulated);
  const alongY = secondDifference(rows, isInsulated);
  let u = Array.from({ length: rows * columns }, (_, k) => (x[k % columns] ?? 0) * (y[Math.floor(k / columns)] ?? 1));
  if (!isInsulated)
    u = u.map((value, k) =>
      isEnd(k % columns, columns) || (y.length > 0 && isEnd(Math.floor(k / columns), rows)) ? 0 : value,
    );

  const row = (k: number) => u.slice(k * columns, (k + 1) * columns);
  const column = (k: number) => u.filter((_, i) => i % columns === k);
  const eachRow = (change: (row: number[]) => number[]) => {
    u = Array.from({ length: rows }, (_, k) => change(row(k))).flat();
  };
  const eachColumn = (change: (column: number[]) => number[]) => {
    if (y.length === 0) return;
    const changed = Array.from({ length: columns }, (_, k) => change(column(k)));
    u = u.map((_, i) => changed[i % columns]?.[Math.floor(i / columns)] ?? 0);
  };
  for (let step = 0; step < steps; step++) {
    if (!isImplicit) {
      const acrossX = Array.from({ length: rows }, (_, k) => multiply(alongX, row(k))).flat();
      const previous = u;
      eachColumn((vector) => multiply(alongY, vector));
      const acrossY = y.length === 0 ? u.map(() => 0) : u;
      u = previous.map((value, i) => value + rx * (acrossX[i] ?? 0) + ry * (acrossY[i] ?? 0));
    } else if (step < startSteps) {
      for (let half = 0; half < 2; half++) {
        eachRow((vector) => solveDense(identityPlus(alongX, -rx / 2), vector));
        eachColumn((vector) => solveDense(identityPlus(alongY, -ry / 2), vector));
      }
    } else {
      // Peaceman–Rachford as published: explicit in y, implicit in x, explicit in x, implicit in y.
      eachColumn((vector) => multiply(identityPlus(alongY, ry / 2), vector));
      eachRow((vector) => (y.length === 0 ? vector : solveDense(identityPlus(alongX, -rx / 2), vector)));
      eachRow((vector) => multiply(identityPlus(alongX, rx / 2), vector));
      if (y.length === 0) eachRow((vector) => solveDense(identityPlus(alongX, -rx / 2), vector));
      eachColumn((vector) => solveDense(identityPlus(alongY, -ry / 2), vector));
    }
  }
  return u;
}

const isEnd = (i: number, n: number): boolean => i === 0 || i === n - 1;

/** The second difference of n nodes as a matrix; rows of fixed ends are zero. */
function secondDifference(n: number, isInsulated: boolean): number[][] {
  return Array.from({ length: n }, (_, i) =>
    Array.from({ length: n }, (_, j) => {
      if (isEnd(i, n) && !isInsulated) return 0;
      if (i === j) return -2;
      return Math.abs(i - j) !== 1 ? 0 : isEnd(i, n) ? 2 : 1;
    }),
  );
}

describe('data of its own', () => {
  const failure = async (input: HeatFields) => {
    const error: unknown = await runSolver(heat, input).catch((thrown: unknown) => thrown);
    return error instanceof DomainError ? error.message : String(error);
  };

  test.each([
    [{ ...rod, initial: '1/(x - 0.5)' }, 'initial has no value at x = 0.5'],
    [{ conductivity: 'x - 0.5' }, 'conductivity has no value at x ='],
    [{ ...rod, source: 'log(0.05 - t)', t_end: 1 }, 'source has no value at x = 0.015625, t ='],
    [{ ...rod, left: 'fixed sqrt(0.01 - t)', t_end: 1 }, 'left has no value at t ='],
    [{ ...rod, capacity: '0*x' }, 'a positive number is expected everywhere'],
  ] satisfies [HeatFields, string][])('%j is refused with the place', async (input, message) => {
    expect(await failure(input)).toContain(message);
  });

  test('the antinode off the grid is interpolated, and the ± covers the truth', async () => {
    const { value, uncertainty } = await runSolver(heat, { ...rod, nx: 9, kx: 1 });
    const end = quantityOf(await runSolver(heat, { ...rod, nx: 9, kx: 1 }), 't_end');
    expect(Math.abs(value - Math.exp(-(Math.PI ** 2) * end))).toBeLessThanOrEqual(uncertainty);
  });

  test('no heat is lost between insulated ends, whatever the coefficients', async () => {
    const solution = await runSolver(heat, {
      boundary: 'neumann',
      initial: 'x*y',
      conductivity: '1 + x^2',
      capacity: '1 + y',
      t_end: 0.2,
    });
    const [heatContent] = solution.invariants;
    expect(heatContent).toMatchObject({ name: 'energy_balance' });
    expect(Math.abs(heatContent?.drift ?? 1)).toBeLessThan(1e-12);
  });

  test('the scheme is of order 2 in time and space together', async () => {
    const errors = [16, 32, 64].map(async (n) => {
      const solution = await runSolver(heat, {
        initial: 'sin(pi*x)*sin(pi*y)',
        conductivity: '1+x',
        source: 'exp(-t)*(-sin(pi*x)*sin(pi*y)-pi*cos(pi*x)*sin(pi*y)+2*(1+x)*pi^2*sin(pi*x)*sin(pi*y))',
        ...{ nx: n, ny: n, steps: n, t_end: 0.1 },
      });
      return Math.abs(solution.value - Math.exp(-0.1));
    });
    const [coarse = 0, middle = 0, fine = 0] = await Promise.all(errors);
    expect(Math.log2(coarse / middle)).toBeCloseTo(2, 0);
    expect(Math.log2(middle / fine)).toBeCloseTo(2, 0);
  });
});

describe('the solution', () => {
  test('backward Euler damps a jump with r > 1, so that Crank–Nicolson does not oscillate', async () => {
    const solution = await runSolver(heat, { ...stepRod, boundary: 'neumann', dt: 0.01, steps: 6 });
    expect(quantityOf(solution, 'r')).toBeGreaterThan(40);
    const all = numbersOf(solution, 'T');
    const profile = Array.from(all.subarray(all.length - 65));
    expect(profile.every((value, i) => i === 0 || value <= (profile[i - 1] ?? 0) + 1e-12)).toBe(true);
    expect(solution.notes.join(' ')).toContain('backward-Euler');
  });

  test('frames start with the initial profile and end with the value', async () => {
    const solution = await runSolver(heat, { nx: 16, ny: 10, steps: 7 });
    const field = solution.fields.find((entry) => entry.name === 'T');
    expect(field?.shape).toEqual([8, 11, 17]);
    expect(field?.data[5 * 17 + 8]).toBe(1);
    expect(field?.data[7 * 11 * 17 + 5 * 17 + 8]).toBe(solution.value);
    expect(numbersOf(solution, 'y').length).toBe(11);
  });

  test('long runs return at most 201 rows of history and 200,000 numbers of frames', async () => {
    const solution = await runSolver(heat, { nx: 128, ny: 128, steps: 1003, method: 'explicit' });
    const { series, fields } = solution;
    expect(series[0]?.data.length).toBeLessThanOrEqual(201);
    expect(series[0]?.data.at(-1)).toBeCloseTo(fields[0]?.data.at(-1) ?? Number.NaN, 15);
    expect(numbersOf(solution, 'T').length).toBeLessThanOrEqual(200_000);
  });

  test.each([
    ['plate', {}],
    ['rod', rod],
    ['insulated plate', { boundary: 'neumann', kx: 3, nx: 30 }],
    ['long rod', { ...rod, lx: 0.3, kx: 2, alpha: 1e-4 }],
  ] as const)('CHE17 with its inputs equals the exact sine on a %s', async (_, input) => {
    const { operatorInputs, witness } = await runSolver(heat, input);
    const { T0 = 0, kx = 0, ky = 0, x = 0, y = 0, alpha = 0, t = 0 } = operatorInputs.CHE17 ?? {};
    const decayed = T0 * Math.sin(kx * x) * Math.sin(ky * y) * Math.exp(-alpha * (kx ** 2 + ky ** 2) * t);
    expect(decayed).toBeCloseTo(witness.reference, 13);
  });

  test('CHE17 equals the solution of a step or hot spot after all finer terms have decayed', async () => {
    for (const input of [{ mode: 'step' }, { mode: 'gaussian' }] as const) {
      const { operatorInputs, witness } = await runSolver(heat, { ...input, dt: 0.005, steps: 60 });
      const { T0 = 0, kx = 0, ky = 0, x = 0, y = 0, alpha = 0, t = 0 } = operatorInputs.CHE17 ?? {};
      const term = T0 * Math.sin(kx * x) * Math.sin(ky * y) * Math.exp(-alpha * (kx ** 2 + ky ** 2) * t);
      expect(term / witness.reference).toBeCloseTo(1, 9);
    }
  });

  test('a plate becomes steady after many steps', async () => {
    const steady = async (steps: number) =>
      quantityOf(await runSolver(heat, { mode: 'gaussian', boundary: 'neumann', dt: 0.01, steps }), 'is_steady');
    expect([await steady(2), await steady(2000)]).toEqual([0, 1]);
  });
});

test('the largest stable step is accepted on any grid', () => {
  fc.assert(
    fc.property(fc.integer({ min: 8, max: 128 }), fc.integer({ min: 8, max: 128 }), (nx, ny) => {
      const dt = 0.5 / (nx * nx + ny * ny);
      const plan = heat.plan(heat.inputs.parse({ method: 'explicit', nx, ny, dt }));
      expect(plan.runs.length).toBe(1);
    }),
  );
});

test.each([1, 2, 4])('with %i half-waves the heat content is drawn without its rounding', async (kx) => {
  const { plots, series } = await runSolver(heat, { dim: 1, nx: 64, kx });
  const plot = plots.find(({ title }) => title === 'Heat content');
  const content = getArray(series, 'heat');
  const drawn = withoutRoundOff(content, plot?.kind === 'line' ? plot.roundOff : undefined);
  // Whole waves hold no heat, and what the kernel adds up is not exactly that.
  if (kx === 1) expect(drawn.data).toEqual(content.data);
  else
    expect([content.data.some((value) => value !== 0), drawn.data.every((value) => value === 0)]).toEqual([true, true]);
});
