import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import type { Solution } from '../../src/solvers/definition.ts';
import type { inputs } from '../../src/solvers/flow/inputs.ts';
import { startedPlates, taylorGreen } from '../../src/solvers/flow/reference.ts';
import { flow } from '../../src/solvers/flow/solver.ts';
import { describeSolver } from '../suites/describe-solver.ts';
import { thrownDomainError } from '../suites/domain-error.ts';
import { coldInstance, runInGroups, runSolver } from '../suites/run-solver.ts';
import { quantityOf } from '../suites/solution-parts.ts';

type Input = z.input<typeof inputs>;

const seriesOf = ({ series }: Solution, name: string): Float64Array =>
  series.find((one) => one.name === name)?.data ?? new Float64Array();

/** Vortices that drift, with as many steps as refine the grid. */
const drifting = (level: number, scheme: NonNullable<Input['scheme']>): Input => ({
  case: 'taylor-green',
  N: 20 << level,
  steps: 20 << level,
  dt: 0.4 / (20 << level),
  visc: 1e-3,
  mean_u: 1,
  mean_v: 0.5,
  probe_x: 0.31,
  probe_y: 0.17,
  scheme,
});

const disc: Input = { case: 'channel', N: 24, steps: 60, dt: 0.03, visc: 0.03, obstacles: [[0.8, 0.5, 0.2]] };

describeSolver(flow, {
  cases: {
    'a cavity': { N: 24, steps: 120 },
    'a cavity with a probe, linear': { N: 16, steps: 40, scheme: 'linear', probe_x: 0.3, probe_y: 0.7 },
    'vortices in a wind': { case: 'taylor-green', N: 24, steps: 48, dt: 0.01, mean_u: 1, kx: 2, scheme: 'maccormack' },
    'plates that start': { case: 'plates', N: 16, steps: 40, dt: 0.1, force: 0.1 },
    'a disc in a channel': disc,
  },
  conservation: true,
  golden: [
    'a cavity',
    'a cavity with a probe, linear',
    'vortices in a wind',
    'plates that start',
    'a disc in a channel',
  ],
  convergence: [
    {
      name: 'of drifting vortices',
      order: 'space',
      levels: 4,
      at: (level) => drifting(level, 'cubic'),
      tolerance: 0.2,
    },
    {
      name: 'of starting plates',
      order: 'time',
      levels: 3,
      at: (level) => ({
        case: 'plates' as const,
        N: 20 << level,
        steps: 20 << level,
        dt: 4 / (20 << level),
        force: 0.3,
      }),
      tolerance: 0.2,
    },
    {
      name: 'of linear interpolation',
      order: 1,
      levels: 3,
      at: (level) => drifting(level + 1, 'linear'),
      tolerance: 0.3,
    },
  ],
  known: {
    // exp(−2 ν k² t) and exp(−4 ν k² t) / 4 of mean energy.
    'waves of a box of 2π': {
      input: { case: 'taylor-green', size: 2 * Math.PI, visc: 0.1, steps: 100, dt: 0.01, N: 48 },
      value: [0.818730753078, 2e-4],
      reference: [0.818730753078, 1e-12],
      quantities: { kinetic_energy: [0.670320046036 / 4, 1e-4], exact_kinetic_energy: [0.670320046036 / 4, 1e-12] },
    },
    'waves of a unit box': {
      input: { case: 'taylor-green', visc: 0.01, steps: 100, dt: 0.01, N: 48 },
      value: [0.454040738727, 5e-4],
      reference: [0.454040738727, 1e-12],
    },
    // Botella & Peyret (1998); Ghia, Ghia & Shin (1982) for the vortex.
    'a cavity at Re 100': {
      input: { N: 64, steps: 500, dt: 0.05 },
      value: [-0.2140424, 5e-4],
      quantities: {
        v_max: [0.1795728, 1e-3],
        v_min: [-0.253803, 1e-3],
        psi_min: [-0.103423, 4e-4],
        vortex_x: [0.6172, 0.01],
        vortex_y: [0.7344, 0.01],
        ghia_difference: [0, 6e-3],
      },
    },
  },
  random: {
    of: fc.record({
      case: fc.constantFrom('cavity', 'taylor-green', 'plates', 'channel'),
      N: fc.integer({ min: 8, max: 24 }),
      steps: fc.integer({ min: 4, max: 20 }),
      dt: fc.double({ min: 1e-6, max: 0.2, noNaN: true }),
      visc: fc.double({ min: 1e-9, max: 10, noNaN: true }),
      scheme: fc.constantFrom('cubic', 'linear', 'maccormack'),
    }) as fc.Arbitrary<Input>,
    count: 25,
  },
  outOfRange: [{ N: 161 }, { steps: 3 }],
  refused: [
    { input: { speed: 0 }, field: 'speed' },
    { input: { dt: 10 }, field: 'dt' },
    { input: { N: 160, steps: 100_000, dt: 1e-3 }, field: 'steps' },
    { input: { force: 1 }, field: 'force' },
    { input: { mean_v: 1 }, field: 'mean_v' },
    { input: { kx: 2 }, field: 'kx' },
    { input: { case: 'taylor-green', N: 12, ky: 3, dt: 0.01 }, field: 'ky' },
    { input: { probe_x: 2 }, field: 'probe_x' },
    { input: { case: 'plates', probe_x: 0.5 }, field: 'probe_x' },
    { input: { obstacles: [[0.5, 0.5, 0.1]] }, field: 'obstacles' },
    { input: { drawing: '.#.' }, field: 'drawing' },
    { input: { ...disc, obstacles: [[0.8, 0.5, 0.6]] }, field: 'obstacles' },
    { input: { ...disc, obstacles: [[0.8, 0.5, 0]] }, field: 'obstacles' },
    { input: { ...disc, drawing: '.#.' }, field: 'drawing' },
    { input: { case: 'channel', dt: 0.02, drawing: '.#x' }, field: 'drawing' },
    { input: { case: 'channel', dt: 0.02, drawing: '.#.' }, field: 'drawing' },
    { input: { case: 'channel', dt: 0.02, drawing: '.#\n..' }, field: 'drawing' },
    { input: { ...disc, probe_x: 0.8 }, field: 'probe_x' },
  ],
  illegalParameters: [{ columns: 3 }, { alongX: 3 }, { viscosity: 0 }, { tolerance: 0 }, { probeX: 1e6 }],
});

describe('physics', () => {
  test('the inflow of a free channel is its own steady state', async () => {
    const solution = await runSolver(flow, { case: 'channel', visc: 0.05, dt: 0.04, steps: 100 });
    expect(Math.abs(solution.value - 1.5)).toBeLessThan(3e-3);
    expect(quantityOf(solution, 'probe_v')).toBeCloseTo(0, 9);
  });

  test('a disc in the middle feels drag and no lift', async () => {
    const solution = await runSolver(flow, disc);
    expect(quantityOf(solution, 'drag_coefficient')).toBeGreaterThan(1);
    expect(Math.abs(quantityOf(solution, 'lift_coefficient'))).toBeLessThan(1e-8);
  });

  test('a drawing of the same cells as an obstacle gives the same flow', async () => {
    const drawing = ['......', '..#...', '......'].join('\n');
    const upside = ['......', '......', '..#...'].join('\n');
    const [drawn, low] = await Promise.all(
      [drawing, upside].map((text) =>
        runSolver(flow, { case: 'channel', N: 24, length: 2, steps: 60, dt: 0.03, visc: 0.03, drawing: text }),
      ),
    );
    expect(Math.abs(quantityOf(drawn as Solution, 'lift'))).toBeLessThan(1e-8);
    expect(quantityOf(drawn as Solution, 'drag')).toBeGreaterThan(quantityOf(low as Solution, 'drag'));
  });

  test('a cavity twice as large and fast at the same Reynolds number has twice the velocity', async () => {
    const one = await runSolver(flow, { N: 16, steps: 50 });
    const two = await runSolver(flow, { N: 16, steps: 50, size: 2, speed: 2, visc: 0.04 });
    expect(two.value / one.value).toBeCloseTo(2, 10);
  });

  test('the streamfunction is one constant on all walls', async () => {
    const { fields } = await runSolver(flow, { N: 16, steps: 50 });
    const psi = fields.find(({ name }) => name === 'psi')?.data ?? new Float64Array();
    for (let i = 0; i <= 16; i++) expect(Math.abs(psi[16 * 17 + i] ?? 1)).toBeLessThan(1e-14);
  });

  test('the energy of vortices without wind falls like exp(−4 ν k² t)', async () => {
    const solution = await runSolver(flow, { case: 'taylor-green', N: 32, steps: 100, dt: 0.01, visc: 0.01 });
    const [t, kinetic] = [seriesOf(solution, 't'), seriesOf(solution, 'kinetic')];
    const rate = 4 * 0.01 * (2 * Math.PI) ** 2;
    for (const [k, time] of t.entries())
      expect(Math.abs((kinetic[k] ?? 0) / ((kinetic[0] ?? 0) * Math.exp(-rate * time)) - 1)).toBeLessThan(0.01);
  });
});

describe('a step of an even wind over a layer is that of its interpolation', () => {
  const [n, c] = [16, 0.37];
  const layer = (j: number): number => (j >= 4 && j < 8 ? 1 : 0) + (j === 11 ? 0.5 : 0);
  const u = (j: number): number => layer((j + n) % n);
  const carried = (j: number): number => (1 - c) * u(j) + c * u(j - 1);
  /** Of the polynomial through rows −2 to 1 about the foot, c below row 0. */
  const cubic = (j: number): number =>
    [-2, -1, 0, 1].reduce((sum, node) => {
      const others = [-2, -1, 0, 1].filter((other) => other !== node);
      return sum + u(j + node) * others.reduce((product, other) => (product * (-c - other)) / (node - other), 1);
    }, 0);
  const corrected = (j: number): number => {
    const loss = u(j) - ((1 - c) * carried(j) + c * carried(j + 1));
    const [low, high] = [Math.min(u(j), u(j - 1)), Math.max(u(j), u(j - 1))];
    return Math.min(Math.max(carried(j) + 0.5 * loss, low), high);
  };

  test.each([
    ['linear', carried],
    ['cubic', cubic],
    ['maccormack', corrected],
  ] as const)('%s', async (scheme, expected) => {
    const input = flow.inputs.parse({ case: 'taylor-green', N: n, steps: 4, dt: 0.01, scheme });
    const [run] = flow.plan(input).runs;
    if (run === undefined || typeof run === 'function') throw new Error('The plan has no run.');
    const spacing = run.parameters.spacing ?? Number.NaN;
    const once = { steps: 1, recordEvery: 1, frameEvery: 1, viscosity: 1e-16, dt: c * spacing };
    const started = {
      ...run,
      parameters: { ...run.parameters, ...once },
      inputs: {
        ...run.inputs,
        initialU: Float64Array.from({ length: n * (n + 1) }, (_, at) => layer(Math.floor(at / (n + 1)))),
        initialV: new Float64Array((n + 1) * n).fill(1),
      },
      steps: 1,
    };
    const { views } = runInGroups(await coldInstance('flow'), started, 1);
    for (let j = 0; j < n; j++)
      for (let i = 0; i < n; i++) expect(views.u?.[j * (n + 1) + i], `row ${j}`).toBeCloseTo(expected(j), 12);
  });
});

/** The first run of a case, with parameters and inputs of one's own. */
async function kernelViews(
  input: Input,
  parameters: Readonly<Record<string, number>>,
  inputs: Readonly<Record<string, Float64Array>>,
  steps: number,
) {
  const [run] = flow.plan(flow.inputs.parse(input)).runs;
  if (run === undefined || typeof run === 'function') throw new Error('The plan has no run.');
  const once = { steps, recordEvery: steps, frameEvery: steps };
  const started = { ...run, parameters: { ...run.parameters, ...once, ...parameters }, inputs, steps };
  return runInGroups(await coldInstance('flow'), started, steps).views;
}

const largestDifference = (one: ArrayLike<number>, other: ArrayLike<number>): number =>
  Array.from(one).reduce((most, value, at) => Math.max(most, Math.abs(value - (other[at] ?? Number.NaN))), 0);

test.each(['linear', 'cubic', 'maccormack'] as const)(
  'a moved periodic flow is the flow, moved: %s',
  async (scheme) => {
    const n = 8;
    /** A fixed disorder of some cells a step, so that feet cross every side. */
    const wild = (i: number, j: number, of: number): number => Math.sin(12.9898 * i + 78.233 * j + 37.719 * of) * 1.7;
    const wrap = (i: number): number => ((i % n) + n) % n;
    const flowFrom = (a: number, b: number) =>
      kernelViews(
        { case: 'taylor-green', N: n, steps: 4, dt: 0.01, scheme },
        { spacing: 1, dt: 0.9, viscosity: 0.02 },
        {
          initialU: Float64Array.from({ length: n * (n + 1) }, (_, at) =>
            wild(wrap((at % (n + 1)) - a), wrap(Math.floor(at / (n + 1)) - b), 1),
          ),
          initialV: Float64Array.from({ length: (n + 1) * n }, (_, at) =>
            wild(wrap((at % n) - a), wrap(Math.floor(at / n) - b), 2),
          ),
        },
        3,
      );
    const still = await flowFrom(0, 0);
    for (const [a, b] of [
      [3, 0],
      [0, 3],
      [4, 6],
    ] as const) {
      const moved = await flowFrom(a, b);
      const { u = new Float64Array(), v = new Float64Array() } = still;
      expect(Math.max(...u.map(Math.abs))).toBeGreaterThan(0.1);
      const movedU = u.map((_, at) => u[wrap(Math.floor(at / (n + 1)) - b) * (n + 1) + wrap((at % (n + 1)) - a)] ?? 0);
      const movedV = v.map((_, at) => v[wrap(Math.floor(at / n) - b) * n + wrap((at % n) - a)] ?? 0);
      expect(largestDifference(moved.u ?? [], movedU), `u by ${a}, ${b}`).toBeLessThan(1e-12);
      expect(largestDifference(moved.v ?? [], movedV), `v by ${a}, ${b}`).toBeLessThan(1e-12);
    }
  },
);

test('a channel that is fed its discrete parabola stays, and its pressure falls evenly to 0 on the outflow', async () => {
  const [columns, rows, h, visc, steps] = [6, 8, 0.125, 0.4, 400];
  // Second differences of −2, and ghosts of −u beyond walls.
  const parabola = (j: number): number => (j + 0.5) * (rows - j - 0.5) + 0.25;
  const inflow = Float64Array.from({ length: rows }, (_, j) => parabola(j) / 16);
  const fall = ((2 / 16) * visc) / (h * h);
  const { u, v, pressure } = await kernelViews(
    { case: 'channel', N: rows, steps: 4, dt: 0.01 },
    { columns, rows, spacing: h, dt: 0.05, viscosity: visc, probeX: 0, probeY: 0 },
    {
      initialU: Float64Array.from(
        { length: rows * (columns + 1) },
        (_, at) => inflow[Math.floor(at / (columns + 1))] ?? 0,
      ),
      initialV: new Float64Array((rows + 1) * columns),
      inflow,
    },
    steps,
  );
  const even = Float64Array.from({ length: columns * rows }, (_, at) => fall * h * (columns - (at % columns) - 0.5));
  const same = Float64Array.from(u ?? [], (_, at) => inflow[Math.floor(at / (columns + 1))] ?? 0);
  expect([u?.length, v?.length, pressure?.length]).toEqual([
    rows * (columns + 1),
    (rows + 1) * columns,
    rows * columns,
  ]);
  expect(largestDifference(u ?? [], same)).toBeLessThan(1e-11);
  expect(Math.max(...(v ?? new Float64Array([1])).map(Math.abs))).toBeLessThan(1e-11);
  expect(largestDifference(pressure ?? [], even)).toBeLessThan(1e-9 * fall);
});

test('a shear that drifts across a channel leaves it as it came: the outflow hands on what is before it', async () => {
  // So slow along the channel that nothing moves a cell, and c of a cell across it; the inflow holds back what is near.
  const [columns, rows, slow, c] = [48, 8, 1e-9, 0.37];
  const wave = (j: number): number => slow * (2 + Math.sin((2 * Math.PI * j) / rows));
  const carried = (j: number): number => (1 - c) * wave(j) + c * wave(j - 1);
  const rowsOf = (value: (j: number) => number) => (_: unknown, at: number) => value(Math.floor(at / (columns + 1)));
  const { u = new Float64Array() } = await kernelViews(
    { case: 'channel', N: rows, steps: 4, dt: 0.01, scheme: 'linear' },
    { columns, rows, alongY: 1, spacing: 1, dt: 1, viscosity: 1e-16, probeX: 0, probeY: 0 },
    {
      initialU: Float64Array.from({ length: rows * (columns + 1) }, rowsOf(wave)),
      initialV: new Float64Array((rows + 1) * columns).fill(c),
      inflow: Float64Array.from({ length: rows }, (_, j) => carried(j)),
    },
    1,
  );
  expect(u.length).toBe(rows * (columns + 1));
  const far = (_: unknown, at: number): boolean => at % (columns + 1) > columns - 8;
  expect(largestDifference(u.filter(far), Float64Array.from(u, rowsOf(carried)).filter(far))).toBeLessThan(1e-6 * slow);
});

test('on each side of a solid cell friction is 2 ν times the velocity half a cell beside it', async () => {
  const [columns, rows, visc] = [8, 8, 0.3];
  const [down, up, left, right] = [0.7, 1.1, 0.2, 0.5];
  const beside = (one: number, low: number, high: number): number => (one === 3 ? low : one === 5 ? high : 0);
  const solid = new Float64Array(columns * rows);
  solid[4 * columns + 4] = 1;
  const inflow = Float64Array.from({ length: rows }, (_, j) => beside(j, down, up));
  const [run] = flow.plan(flow.inputs.parse({ case: 'channel', N: rows, steps: 4, dt: 0.01 })).runs;
  if (run === undefined || typeof run === 'function') throw new Error('The plan has no run.');
  const places = { columns, rows, alongY: 1, spacing: 0.25, viscosity: visc, hasSolid: 1, probeX: 0, probeY: 0 };
  const initialU = Float64Array.from({ length: rows * (columns + 1) }, (_, at) =>
    beside(Math.floor(at / (columns + 1)), down, up),
  );
  const initialV = Float64Array.from({ length: (rows + 1) * columns }, (_, at) => beside(at % columns, left, right));
  const started = {
    ...run,
    parameters: { ...run.parameters, ...places },
    inputs: { initialU, initialV, inflow, solid },
  };
  const { views, columns: names } = runInGroups(await coldInstance('flow'), started, 1);
  // Before the first step there is no pressure.
  expect(views.history?.[names.history?.drag ?? -1]).toBeCloseTo(2 * visc * (down + up), 12);
  expect(views.history?.[names.history?.lift ?? -1]).toBeCloseTo(2 * visc * (left + right), 12);
});

test('of a flow that is a gradient nothing is left, and its friction is in the pressure', async () => {
  const [n, size, visc, dt] = [16, 1e-6, 0.05, 0.1];
  const input = flow.inputs.parse({ case: 'taylor-green', N: n, steps: 4, dt: 0.01, scheme: 'cubic' });
  const [run] = flow.plan(input).runs;
  if (run === undefined || typeof run === 'function') throw new Error('The plan has no run.');
  const h = run.parameters.spacing ?? Number.NaN;
  const kh = (2 * Math.PI) / n;
  const started = {
    ...run,
    parameters: { ...run.parameters, steps: 1, recordEvery: 1, frameEvery: 1, viscosity: visc, dt },
    inputs: {
      ...run.inputs,
      initialU: Float64Array.from({ length: n * (n + 1) }, (_, at) => size * Math.sin(kh * (at % (n + 1)))),
      initialV: new Float64Array((n + 1) * n),
    },
    steps: 1,
  };
  const { views } = runInGroups(await coldInstance('flow'), started, 1);
  const half = Math.sin(0.5 * kh);
  const left = size / (1 + (dt * visc * 4 * half * half) / (h * h));
  const height = left * (h / (2 * dt * half) + (2 * visc * half) / h);
  const { u = new Float64Array(), pressure = new Float64Array() } = views;
  expect([u.length, pressure.length]).toEqual([n * (n + 1), n * n]);
  expect(Math.max(...u.map(Math.abs))).toBeLessThan(1e-5 * size);
  // Up to a constant.
  const mean = pressure.reduce((sum, one) => sum + one, 0) / pressure.length;
  for (const [at, one] of pressure.entries())
    expect(Math.abs((one - mean) / height + Math.cos(kh * ((at % n) + 0.5)))).toBeLessThan(1e-4);
});

test('beside walls a velocity is that of the parabola through the wall and two faces', async () => {
  const n = 8;
  const [run] = flow.plan(flow.inputs.parse({ N: n, steps: 4, dt: 0.01 })).runs;
  if (run === undefined || typeof run === 'function') throw new Error('The plan has no run.');
  const u = (y: number) => (y / n) ** 2;
  const v = (x: number) => x * (n - x);
  const initialU = Float64Array.from({ length: n * (n + 1) }, (_, at) => u(Math.floor(at / (n + 1)) + 0.5));
  const initialV = Float64Array.from({ length: (n + 1) * n }, (_, at) => v((at % n) + 0.5));
  for (const near of [0.2, 0.6, n - 0.4, n - 0.2])
    for (const [probeX, probeY] of [
      [4, near],
      [near, 4],
    ] as const) {
      const parameters = { ...run.parameters, lid: 1, probeX, probeY };
      const started = { ...run, parameters, inputs: { ...run.inputs, initialU, initialV } };
      const { views, columns } = runInGroups(await coldInstance('flow'), started, 1);
      const [name, truth] = probeX === 4 ? (['probeU', u(near)] as const) : (['probeV', v(near)] as const);
      expect(views.history?.[columns.history?.[name] ?? -1], `${name} at ${near}`).toBeCloseTo(truth, 12);
    }
});

describe('references', () => {
  test('plates end in a straight line and a parabola', () => {
    const plates = { speed: 2, force: 0.4, visc: 0.1, size: 3 };
    expect(startedPlates(plates, 0.25, 1e5)).toBeCloseTo(0.5 + 0.5 * 36 * 0.25 * 0.75, 12);
    expect(startedPlates(plates, 0.5, 1e-12)).toBeUndefined();
    expect(startedPlates(plates, 0.5, 1e-2)).toBeCloseTo(0.4 * 1e-2, 12);
  });

  test('waves come back after a period of the wind', () => {
    const waves = { speed: 1, kx: 2, ky: 1, mean_u: 3, mean_v: 1, visc: 1e-9, size: 2 };
    expect(taylorGreen(waves, 0.3, 0.7, 2).u).toBeCloseTo(taylorGreen(waves, 0.3, 0.7, 0).u, 6);
  });
});

describe('what a reader found', () => {
  test('linear interpolation has order 1, which no observed order of 2 by chance may shorten', async () => {
    const solution = await runSolver(flow, { N: 40, steps: 400, dt: 0.1, scheme: 'linear' });
    const { quantities } = solution;
    // Botella & Peyret, Re 100; the vortex by Ghia, to his grid of 1/128.
    for (const [name, truth, published] of [
      ['v_max', 0.1795728, 0],
      ['v_min', -0.253803, 0],
      ['psi_min', -0.103519, 1e-4],
      ['vortex_x', 0.6172, 1 / 256],
      ['vortex_y', 0.7344, 1 / 256],
    ] as const) {
      const { value = Number.NaN, uncertainty = 0 } = quantities.find((one) => one.name === name) ?? {};
      expect(Math.abs(value - truth), name).toBeLessThanOrEqual(uncertainty + published);
    }
    expect(quantities.find(({ name }) => name === 'vortex_y')?.uncertainty).toBeGreaterThan(0.7425932 - 0.7373);
  });

  test('a disc that no cell shows is refused: its coefficients were no numbers', () => {
    const input = { case: 'channel', obstacles: [[1, 0.5, 0.001]], visc: 0.02, dt: 0.02, steps: 30 };
    const error = thrownDomainError(() => flow.plan(flow.inputs.parse(input)));
    expect(error.details).toEqual([expect.objectContaining({ path: 'obstacles', code: 'UNRESOLVED' })]);
  });

  test.each([
    [
      [
        [0.8, 0.5, 0.2],
        [2, 0.503, 0.001],
      ],
      undefined,
    ],
    [[], `${'.'.repeat(60)}#${'.'.repeat(140)}\n${'#'.repeat(3).padStart(40, '.')}${'.'.repeat(160)}\n`.repeat(2)],
  ])('what one of several shapes hides between cells is refused', (obstacles, drawing) => {
    const input = { case: 'channel', visc: 0.02, dt: 0.02, steps: 30, obstacles, drawing };
    const error = thrownDomainError(() => flow.plan(flow.inputs.parse(input)));
    expect(error.details).toEqual([
      expect.objectContaining({ path: drawing === undefined ? 'obstacles' : 'drawing', code: 'UNRESOLVED' }),
    ]);
  });

  test('the drag of a square, whose corners are singular, is within its ±: 3.8117 by FreeFem++ on two meshes', async () => {
    const drawing = '.........\n...#.....\n.........';
    const square = { case: 'channel', N: 54, steps: 300, dt: 0.02, visc: 0.05, drawing } as const;
    const { quantities } = await runSolver(flow, square);
    const { value = Number.NaN, uncertainty = 0 } = quantities.find(({ name }) => name === 'drag') ?? {};
    expect(Math.abs(value - 3.8117)).toBeLessThanOrEqual(uncertainty);
    expect(Math.abs(value / 3.8117 - 1)).toBeLessThan(0.06);
  });

  test('cells thicker than the layers beside walls are not converged', async () => {
    // P2-P1 elements of FreeFem++, Newton's method, two meshes.
    for (const [N, reynolds, truth] of [
      [9, 330, 0.25413],
      [10, 330, 0.25413],
      [9, 90, 0.15088],
    ] as const) {
      const at = { probe_x: 0.31, probe_y: 0.47 };
      const solution = await runSolver(flow, { N, steps: 324, dt: 0.2, visc: 1 / reynolds, scheme: 'linear', ...at });
      expect(solution.converged).toBe(N * N >= reynolds && solution.converged);
      const { value = 0, uncertainty = 0 } = solution.quantities.find(({ name }) => name === 'probe_v') ?? {};
      expect(Math.abs(value - truth)).toBeLessThanOrEqual(uncertainty);
    }
  });
});
