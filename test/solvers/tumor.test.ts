import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import type { Solution } from '../../src/solvers/definition.ts';
import type { inputs } from '../../src/solvers/tumor/inputs.ts';
import { asymptoticSpeed, bramsonMean, exactWave, linearRadius } from '../../src/solvers/tumor/reference.ts';
import { tumor } from '../../src/solvers/tumor/solver.ts';
import { describeSolver } from '../suites/describe-solver.ts';
import { runSolver } from '../suites/run-solver.ts';

type Input = z.input<typeof inputs>;

const quantityOf = ({ quantities }: Solution, name: string): number =>
  quantities.find((one) => one.name === name)?.value ?? Number.NaN;

const SPEED = 5 / Math.sqrt(6);
/** Ablowitz & Zeppetella's wave with D = ρ = 1. */
const wave = (cells: number, L = 60): Input => ({
  geometry: 'planar',
  D_grey: 1,
  rho: 1,
  L,
  nx: cells,
  t_end: 10,
  t_from: 5,
  initial_u: '1/(1+exp((x-20)/sqrt(6)))^2',
  dt: (0.02 * 500) / cells,
});

/** A compact start with D = ρ = 1, of which the speed from 40 to 50 is known; 128 is a multiple of 8 cells. */
const compact = (h: number): Input => ({
  geometry: 'planar',
  D_grey: 1,
  rho: 1,
  L: 128,
  u0: 'ramp',
  r0: 5,
  peak: 1,
  nx: Math.round(128 / h),
  t_end: 50,
  t_from: 40,
  dt: 0.01,
});

const small: Input = { nx: 64, L: 6, t_end: 400 };

/** A slice with a hole, of two tissues. */
const slice: Input = {
  map: ['...gggg...', '.ggwwwwgg.', 'ggwwwwwwgg', 'gww.wwwwwg', 'ggwwwwwwgg', '.ggwwwwgg.', '...gggg...'].join('\n'),
  L: 10,
  r0: 1.2,
  t_end: 300,
  level: 0.3,
};

const square = (cells: number) => Array.from({ length: cells }, () => 'g'.repeat(cells)).join('\n');
/** Pure motion of a Gaussian on a square of tissue. */
const spreading = (side: number): Input => ({
  map: square(12),
  L: 10,
  nx: 36 * side,
  D_grey: 0.01,
  rho: 0,
  r0: 1,
  x0: 5.2,
  y0: 4.9,
  level: 0.3,
  t2: 0.2,
  t_end: 30,
  t_from: 15,
  dt: 1 / side,
});
const spread = (t: number, level: number): number => {
  const square = 1 + 0.04 * t;
  return Math.sqrt(square * Math.log(0.8 / (square * level)));
};

describeSolver(tumor, {
  cases: {
    'a ball': small,
    'a layer': { ...small, geometry: 'planar', u0: 'ramp', r0: 1 },
    'two tissues': { ...small, nx: 240, L: 12, white_from: 1.01, white_to: 4.3, level: 0.1 },
    therapies: { ...small, therapy: 'resect 100 0.8\nradiate 120 6 2\nchemo 150 180 0.01', t_from: 380, level: 0.05 },
    'no growth': { ...small, rho: 0, level: 0.01 },
    'a map': { ...slice, therapy: 'resect 100 0.7; radiate 120 3 2' },
  },
  conservation: true,
  golden: ['a ball', 'a layer', 'two tissues', 'therapies', 'no growth', 'a map'],
  convergence: [
    {
      name: 'of the exact wave',
      order: 'space',
      levels: 3,
      at: (level) => wave(256 << level),
      error: (solution) => Math.abs(quantityOf(solution, 'c_grid') - SPEED),
    },
    {
      name: 'of the exact wave, extrapolated',
      order: 4,
      levels: 3,
      at: (level) => wave(256 << level),
      error: ({ value }) => Math.abs(value - SPEED),
      tolerance: 0.4,
    },
    {
      name: 'of a spreading hump on a map',
      order: 'space',
      levels: 3,
      at: (level) => spreading(1 << level),
      error: ({ value }) => Math.abs(value - (spread(30, 0.3) - spread(15, 0.3)) / 15),
      tolerance: 0.2,
    },
    {
      name: 'in time',
      order: 'time',
      levels: 3,
      at: (level) => ({ ...wave(2000), dt: 0.3125 / 2 ** level }),
      error: (solution) => Math.abs(quantityOf(solution, 'c_grid') - SPEED),
      tolerance: 0.35,
    },
  ],
  known: {
    // The method of lines with LSODA on nodes, mean speed from 40 to 50; the last is extrapolated from these.
    'the speed of a compact start on cells of 0.2': { input: compact(0.2), quantities: { c_grid: [1.970775, 2e-5] } },
    'the speed of a compact start on cells of 0.1': { input: compact(0.1), quantities: { c_grid: [1.968394, 2e-5] } },
    'the speed of a compact start on cells of 0.05': { input: compact(0.05), quantities: { c_grid: [1.967796, 2e-5] } },
    'the speed of a compact start': { input: compact(0.1), value: [1.967597, 1e-5] },
  },
  random: {
    of: fc.record({
      D_grey: fc.double({ min: 1e-3, max: 0.05, noNaN: true }),
      rho: fc.double({ min: 0, max: 0.03, noNaN: true }),
      geometry: fc.constantFrom('radial', 'planar'),
      u0: fc.constantFrom('gauss', 'step', 'ramp', 'point'),
      L: fc.double({ min: 30, max: 60, noNaN: true }),
      N0: fc.constant(1e9),
      r0: fc.double({ min: 2, max: 5, noNaN: true }),
      level: fc.constant(0.01),
      nx: fc.integer({ min: 100, max: 200 }),
      t_end: fc.double({ min: 1, max: 100, noNaN: true }),
    }) as fc.Arbitrary<Input>,
    count: 30,
  },
  outOfRange: [{ rho: 1.1 }, { nx: 8 }],
  refused: [
    { input: { t_from: 2000 }, field: 't_from' },
    { input: { map: 'gxg' }, field: 'map' },
    { input: { map: '...' }, field: 'map' },
    { input: { map: 'g'.repeat(201) }, field: 'map' },
    { input: { map: 'g.g' }, field: 'x0' },
    { input: { map: 'ggg', x0: 11 }, field: 'x0' },
    { input: { map: 'ggg', white_from: 1 }, field: 'white_from' },
    { input: { map: square(200), nx: 8000 }, field: 't_end' },
    { input: { x0: 1 }, field: 'x0' },
    { input: { white_from: 3, white_to: 2 }, field: 'white_from' },
    { input: { white_to: 11 }, field: 'white_to' },
    { input: { dt: 1e-6 }, field: 'dt' },
    { input: { initial_u: '2' }, field: 'initial_u' },
    { input: { therapy: 'resect 3' }, field: 'therapy' },
    { input: { therapy: 'radiate 3 1.5 2' }, field: 'therapy' },
    { input: { therapy: 'chemo 5 4 1' }, field: 'therapy' },
    { input: { therapy: 'resect 3 -1' }, field: 'therapy' },
  ],
  illegalParameters: [{ cells: 3 }, { width: 0 }, { isRadial: 2 }, { historyRows: 0 }, { outer: 0 }, { rows: -1 }],
});

describe('canonical numbers', () => {
  test('speeds in grey and white matter', () => {
    expect(asymptoticSpeed(0.0013, 0.012)).toBeCloseTo(0.0078993670632526, 15);
    expect(asymptoticSpeed(0.0065, 0.012)).toBeCloseTo(0.0176635217326557, 15);
    expect(bramsonMean(1, 1, 40, 50)).toBeCloseTo(1.966528, 6);
  });

  test('a compact start is slower than 2 √(D ρ) and near the law of Bramson', async () => {
    const { value, quantities } = await runSolver(tumor, compact(0.1));
    expect(value).toBeLessThan(2);
    const mean = quantities.find(({ name }) => name === 'c_bramson_mean')?.value ?? Number.NaN;
    expect(Math.abs(value - mean)).toBeLessThan(0.003);
  });

  test('the exact wave keeps its shape to order 2', async () => {
    const errors: number[] = [];
    for (const cells of [504, 1008]) {
      const { fields } = await runSolver(tumor, wave(cells, 60.48));
      const u = fields.find(({ name }) => name === 'u')?.data.slice(-cells) ?? new Float64Array();
      const x = fields.find(({ name }) => name === 'x')?.data ?? new Float64Array();
      // Away from the closed end, where the wave is not 0 or 1 exactly.
      errors.push(
        Math.max(...x.map((place, i) => (place < 15 ? 0 : Math.abs((u[i] ?? 0) - exactWave(place - 20, 10))))),
      );
    }
    const [coarse = Number.NaN, fine = Number.NaN] = errors;
    // The method of lines has 2.15e-4 and 5.37e-5 on the same spacings.
    expect(coarse).toBeLessThan(4.3e-4);
    expect(coarse / fine).toBeGreaterThan(3.6);
    expect(coarse / fine).toBeLessThan(4.4);
  });
});

test('without growth the mass stays to 1e-13', async () => {
  const { quantities, series } = await runSolver(tumor, { ...small, rho: 0, level: 0.01 });
  const cells = series.find(({ name }) => name === 'cells')?.data ?? new Float64Array();
  const first = cells[0] ?? Number.NaN;
  for (const value of cells) expect(Math.abs(value / first - 1)).toBeLessThan(1e-13);
  expect(quantities.length).toBeGreaterThan(3);
});

/** Crowding of a faint Gaussian v to first order: w_t = D Δw + ρ w + ρ v², by Simpson's rule in time. */
function crowdingOf(v: (t: number) => readonly [height: number, square: number], D: number, rho: number, end: number) {
  const count = 2000;
  return (r: number): number => {
    let sum = 0;
    for (let k = 0; k <= count; k++) {
      const t = (end * k) / count;
      const [height, square] = v(t);
      const [half, later] = [square / 2, square / 2 + 4 * D * (end - t)];
      const source = rho * height * height * Math.exp(rho * (end - t)) * (half / later) ** 1.5;
      sum += (k === 0 || k === count ? 1 : k % 2 === 1 ? 4 : 2) * source * Math.exp((-r * r) / later);
    }
    return (sum * end) / (3 * count);
  };
}

test('a faint point grows as the linear theory says, and crowds as its first correction says', async () => {
  // A hump of width r0 is a point that has spread for r0²/(4 D) days.
  const [D, rho, r0, peak, t, threshold] = [0.0013, 0.02, 0.3, 3e-4, 365, 1e-3] as const;
  const input: Input = { D_grey: D, rho, r0, peak, t_end: t, t2: threshold, level: 1.5e-3, t_from: 360 };
  const radius = quantityOf(await runSolver(tumor, input), 'radius_t2_end');
  const before = (r0 * r0) / (4 * D);
  const N0 = peak * (Math.PI * r0 * r0) ** 1.5 * Math.exp(-rho * before);
  const linear = linearRadius(D, rho, t + before, N0, threshold);
  const v = (time: number) => {
    const square = r0 * r0 + 4 * D * time;
    return [peak * Math.exp(rho * time) * (r0 ** 2 / square) ** 1.5, square] as const;
  };
  const [height, square] = v(t);
  const crowding = crowdingOf(v, D, rho, t);
  const excess = (r: number) => height * Math.exp((-r * r) / square) - crowding(r) - threshold;
  let [low, high] = [0.9 * linear, linear];
  for (let k = 0; k < 50; k++) {
    const middle = (low + high) / 2;
    if (excess(middle) > 0) low = middle;
    else high = middle;
  }
  expect(Math.abs(radius / low - 1)).toBeLessThan(1e-5);
  expect(radius).toBeLessThan(linear);
});

test('therapies take cells', async () => {
  const input: Input = { t_end: 400, nx: 200 };
  const cells = async (therapy?: string) =>
    quantityOf(
      await runSolver(tumor, { ...input, level: 0.02, t_from: 395, ...(therapy ? { therapy } : {}) }),
      'cells_end',
    );
  const none = await cells();
  expect(await cells('radiate 399 1 2')).toBeLessThan(0.95 * none);
  expect(await cells('chemo 390 399 0.05')).toBeLessThan(0.8 * none);
  expect(await cells('resect 399 0.5')).toBeLessThan(none);
});

test('a front that has left the tissue is refused with the level', async () => {
  await expect(runSolver(tumor, { nx: 64, t_end: 3000 })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
});

test('a ball that only spreads has the cells of its start: K π^(3/2) for exp(−r²)', async () => {
  const solution = await runSolver(tumor, {
    L: 20,
    D_grey: 0.2,
    rho: 0,
    initial_u: 'exp(-x^2)',
    t_end: 5,
    t_from: 1,
    level: 0.05,
    nx: 304,
  });
  expect(Math.abs(quantityOf(solution, 'cells_end') / (1e8 * Math.PI ** 1.5) - 1)).toBeLessThan(1e-9);
});

test('a resection leaves what lies outside of its ball: K u 4π/3 (r₀³ − R³)', async () => {
  for (const R of [1.037, 2.5, 0.31]) {
    const solution = await runSolver(tumor, {
      ...{ L: 6, nx: 120, D_grey: 1e-5, rho: 0, u0: 'step', r0: 4.2, peak: 0.8, t_end: 2, t_from: 1, level: 0.5 },
      therapy: `resect 1 ${R}`,
    });
    const cells = solution.series.find(({ name }) => name === 'cells')?.data.at(-1) ?? Number.NaN;
    expect(Math.abs(cells / ((0.8 * 1e8 * 4 * Math.PI * (4.2 ** 3 - R ** 3)) / 3) - 1)).toBeLessThan(1e-9);
  }
});

test('a resection on a map leaves what lies outside of its disc', async () => {
  const [r0, peak, x0, y0] = [3, 0.8, 5.2, 4.9];
  const hump: Input = { map: square(12), L: 10, nx: 48, D_grey: 1e-5, rho: 0, r0, peak, x0, y0, level: 0.3 };
  for (const R of [0.9, 1.37]) {
    const solution = await runSolver(tumor, { ...hump, t_end: 2, t_from: 1, therapy: `resect 1 ${R}` });
    const cells = solution.series.find(({ name }) => name === 'cells')?.data ?? new Float64Array();
    let [outside, all] = [0, 0];
    for (let j = 0; j < 1_000; j++)
      for (let i = 0; i < 1_000; i++) {
        const square = ((i + 0.5) / 100 - x0) ** 2 + ((j + 0.5) / 100 - y0) ** 2;
        const u = Math.exp(-square / (r0 * r0));
        all += u;
        if (square > R * R) outside += u;
      }
    const removed = 1 - outside / all;
    expect(Math.abs((1 - (cells.at(-1) ?? 0) / (cells[0] ?? 1)) / removed - 1)).toBeLessThan(0.02);
  }
});

test('far from the front cells grow as the logistic law says, before and after a dose', async () => {
  const [rho, before, after] = [0.02, 37.0137, 62.9863];
  const plateau: Input = {
    ...{ geometry: 'planar', L: 10, nx: 64, D_grey: 1e-5, rho, initial_u: 'x < 5 ? 0.5 : 0.01', level: 0.3 },
    ...{ t_end: before + after, t_from: before + after - 1, dt: 0.005, alpha: 0.1, beta: 0.01 },
  };
  const { fields } = await runSolver(tumor, { ...plateau, therapy: `radiate ${before} 1 2` });
  const grown = (u: number, t: number) => (u * Math.exp(rho * t)) / (1 + u * (Math.exp(rho * t) - 1));
  const u = fields.find(({ name }) => name === 'u')?.data.slice(-64) ?? new Float64Array();
  expect(u[0]).toBeCloseTo(grown(Math.exp(-0.1 * 2 - 0.01 * 4) * grown(0.5, before), after), 10);
});

test('beside what is outside of the tissue a level state has no slope', async () => {
  const even: Input = { map: '.gg.\n.gg.', L: 4, nx: 40, D_grey: 1e-5, rho: 0, initial_u: '0.31', level: 0.3 };
  const { series } = await runSolver(tumor, { ...even, t_end: 2, t_from: 1 });
  const radius = series.find(({ name }) => name === 'radius_level')?.data[0] ?? Number.NaN;
  expect(radius).toBeCloseTo(Math.sqrt(4 / Math.PI), 12);
});

test('the radius on a map is that of the disc whose area is above the level', async () => {
  const [r0, peak] = [1, 0.8];
  for (const [level, x0, y0] of [
    [0.3, 5.2, 4.9],
    [0.55, 4.87, 5.31],
  ] as const) {
    const hump: Input = { map: square(12), L: 10, nx: 36, D_grey: 1e-5, rho: 0, r0, peak, x0, y0, level };
    const { series } = await runSolver(tumor, { ...hump, t_end: 2, t_from: 1 });
    const found = series.find(({ name }) => name === 'radius_level')?.data[0] ?? Number.NaN;
    expect(Math.abs(found / (r0 * Math.sqrt(Math.log(peak / level))) - 1)).toBeLessThan(0.01);
  }
});

test('a front in the last cells before the end is found as closely as one in the middle', async () => {
  const [L, nx] = [4, 64];
  const spread = { geometry: 'planar', L, nx, D_grey: 1e-5, rho: 0, t_end: 2e-3, t_from: 1e-3 } as const;
  const initial_u = `0.5 + 0.4*cos(pi*x/${L})`;
  const cell = quantityOf(await runSolver(tumor, { ...spread, initial_u }), 'cell');
  // Means of two points of Gauss of a cosine, which the wall mirrors.
  const flattened = Math.cos((Math.PI * cell) / (L * Math.sqrt(12)));
  for (const cellsAway of [0.7, 1.4, 2.2, 30]) {
    const place = L - cellsAway * cell;
    const level = 0.5 + 0.4 * flattened * Math.cos((Math.PI * place) / L);
    const { series } = await runSolver(tumor, { ...spread, initial_u, level });
    const found = series.find(({ name }) => name === 'radius_level')?.data.at(-1) ?? Number.NaN;
    expect(Math.abs(found - place)).toBeLessThan(1e-5);
  }
});
