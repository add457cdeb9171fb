import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadKernel } from '../../src/kernels/load-node.ts';
import { LocalRunner } from '../../src/kernels/local-runner.ts';
import { form } from '../../src/solvers/device/form.ts';
import { device } from '../../src/solvers/device/solver.ts';
import { runPlan } from '../../src/solvers/run.ts';
import { describeSolver } from '../suites/describe-solver.ts';
import { thrownDomainError } from '../suites/domain-error.ts';
import { runSolver } from '../suites/run-solver.ts';

const BOX = { mode: 'plane', left: '0', right: '0', top: '0', bottom: '0' } as const;
const SINE = { ...BOX, source: '2*pi^2*sin(pi*x)*sin(pi*y)' };

describeSolver(device, {
  cases: {
    defaults: {},
    'one-sided, reverse bias': { Na: 1e17, Nd: 1e15, bias: -5 },
    'a linear grade': { profile: 'linear', width: 4e-7, cells: 512 },
    'a box': { mode: 'plane', nx: 32, ny: 32, probe_x: 0.25, probe_y: 0.75 },
    'two media': {
      mode: 'plane',
      nx: 32,
      ny: 32,
      left: 'insulated',
      right: 'insulated',
      permittivity: 'y > 0.75 ? 3.9 : 11.7',
      probe_y: 0.6,
    },
    'an inverted surface': { mode: 'mos', bias: 1, cells: 512 },
    'a coaxial line': {
      mode: 'plane',
      nx: 32,
      ny: 32,
      left: 'insulated',
      bottom: 'insulated',
      right: '1-log((x^2+y^2)/0.09)/2',
      top: '1-log((x^2+y^2)/0.09)/2',
      electrode: '0.09-x^2-y^2',
      probe_x: 0.4,
      probe_y: 0.5,
    },
  },
  conservation: true,
  golden: [
    'an inverted surface',
    'a coaxial line',
    'defaults',
    'one-sided, reverse bias',
    'a linear grade',
    'a box',
    'two media',
  ],
  convergence: [
    {
      name: 'of a junction',
      order: 'space',
      levels: 4,
      at: (level) => ({ cells: 128 << level, cv_from: 0 }),
    },
    {
      name: 'of a surface under an oxide',
      order: 'space',
      levels: 4,
      at: (level) => ({ mode: 'mos' as const, bias: 1, cells: 128 << level }),
    },
    {
      name: 'of a mode in a box',
      order: 'space',
      levels: 3,
      at: (level) => ({ ...SINE, nx: 16 << level, ny: 16 << level }),
      error: ({ value }) => value - 1,
    },
  ],
  known: {
    'symmetric, 1e16': {
      input: {},
      value: [0.242827252, 2e-6],
      reference: [0.242827252, 5e-9],
      quantities: {
        built_in: [0.714317152, 1e-9],
        depletion_width: [4.298210035e-7, 1e-15],
        depletion_field: [3.323788954e6, 1e-2],
        depletion_capacitance: [2.410166012e-4, 1e-12],
        field_max: [3.201237981e6, 25],
      },
    },
    'one-sided': {
      input: { Na: 1e17, Nd: 1e15 },
      quantities: {
        built_in: [0.714317152, 1e-9],
        depletion_width: [9.659025728e-7, 1e-15],
        depletion_xp: [9.56339181e-9, 1e-17],
        depletion_xn: [9.56339181e-7, 1e-15],
        depletion_field: [1.479066672e6, 1e-2],
        depletion_capacitance: [1.072509799e-4, 1e-12],
      },
    },
    '1e18 on 1e16': {
      input: { Na: 1e18, Nd: 1e16 },
      quantities: {
        built_in: [0.8333700107, 1e-9],
        depletion_width: [3.299185369e-7, 1e-15],
        depletion_field: [5.051974456e6, 1e-2],
      },
    },
    'at -5 V': {
      input: { Na: 1e17, Nd: 1e15, bias: -5 },
      quantities: {
        depletion_width: [2.731932433e-6, 1e-14],
        depletion_field: [4.183351743e6, 1e-2],
        depletion_capacitance: [3.791967772e-5, 1e-12],
      },
    },
    // Flat band and threshold of aluminium on silicon, by hand: V_FB = 4.1 − 4.05 − 0.56 − φ_F.
    'a stack of 10 nm': {
      input: { mode: 'mos' },
      quantities: {
        bulk_potential: [0.357158576, 1e-9],
        flat_band: [-0.867158576, 1e-9],
        oxide_capacitance: [(3.9 * 8.8541878188e-12) / 1e-8, 1e-12],
        depletion_max: [3.039293464e-7, 1e-15],
      },
    },
    'even charge in a square': {
      input: { ...BOX, source: '1', nx: 128, ny: 128 },
      value: [0.07367135328151382, 5e-6],
      reference: [0.07367135328151382, 5e-9],
      quantities: { integral: [0.03514425373878843, 1e-5] },
    },
    'a square with one side at 1': { input: { mode: 'plane' }, value: [0.25, 1e-9] },
    'off its middle': {
      input: { mode: 'plane', probe_x: 0.25, probe_y: 0.75, nx: 128, ny: 128 },
      value: [0.43202833188694, 5e-6],
      reference: [0.43202833188694, 1e-7],
    },
    // (π h/2)² / sin²(π h/2), exact for five points.
    'a sine on 16 cells': { input: { ...SINE, nx: 16, ny: 16 }, value: [1.0032189644401, 1e-10] },
    'a sine on 32 cells': { input: { ...SINE, nx: 32, ny: 32 }, value: [1.0008035776794, 1e-10] },
    'a sine on 64 cells': { input: { ...SINE, nx: 64, ny: 64 }, value: [1.0002008218097, 1e-10] },
    'a sine on 128 cells': { input: { ...SINE, nx: 128, ny: 128 }, value: [1.0000502009159, 1e-10] },
  },
  refused: [
    { input: { mode: 'plane', doping: '1e16' }, field: 'doping' },
    { input: { mode: 'plane', probe: 0 }, field: 'probe' },
    { input: { mode: 'mos', lp: 1e-6 }, field: 'lp' },
    { input: { electrode: '1' }, field: 'electrode' },
    { input: { mode: 'mos', probe_x: 0 }, field: 'probe_x' },
    { input: { bias: 0.8 }, field: 'bias', reason: 'OUT_OF_RANGE' },
    { input: { cv_from: 1 }, field: 'cv_from', reason: 'OUT_OF_RANGE' },
    { input: { mode: 'mos', cv_from: 6 }, field: 'cv_to', reason: 'OUT_OF_RANGE' },
    { input: { mode: 'mos', probe: -1e-9 }, field: 'probe', reason: 'OUT_OF_RANGE' },
    { input: { mode: 'mos', doping: '1e23' }, field: 'doping', reason: 'OUT_OF_RANGE' },
    { input: { probe: 0.005 }, field: 'probe', reason: 'OUT_OF_RANGE' },
    { input: { doping: '1e23' }, field: 'doping', reason: 'OUT_OF_RANGE' },
    { input: { doping: 'y' }, field: 'doping', message: 'symbol y' },
    {
      input: { mode: 'plane', left: 'insulated', right: 'insulated', top: 'insulated', bottom: 'insulated' },
      field: 'left',
      reason: 'FLOATING',
      saysLimit: false,
    },
    { input: { mode: 'plane', permittivity: 'x-0.5' }, field: 'permittivity', reason: 'OUT_OF_RANGE' },
    { input: { mode: 'plane', source: '1/(x-x)' }, field: 'source', reason: 'OUT_OF_RANGE' },
    { input: { mode: 'plane', probe_x: 2 }, field: 'probe_x', reason: 'OUT_OF_RANGE' },
    { input: { mode: 'plane', ly: 1e-3 }, field: 'nx', reason: 'FLAT_CELLS' },
  ],
  random: {
    of: fc.record({
      Na: fc.double({ min: 1e10, max: 1e21, noNaN: true }),
      Nd: fc.double({ min: 1e10, max: 1e21, noNaN: true }),
      bias: fc.double({ min: -100, max: 0, noNaN: true }),
      cv_from: fc.constantFrom(0, -1),
      cells: fc.constantFrom(64, 256),
    }),
    count: 20,
  },
  illegalParameters: [{ columns: 2 }, { tolerance: 1 }, { maxSteps: 0 }, { minority: 2 }],
});

const iterationsOf = async (input: Parameters<typeof runSolver<typeof device.inputs>>[1]) =>
  (await runSolver(device, input)).quantities.find(({ name }) => name === 'iterations')?.value ?? Number.NaN;

describe('multigrid', () => {
  test('takes about ten iterations on every grid, also across media and about electrodes', async () => {
    for (const n of [32, 64, 128, 256]) {
      expect(await iterationsOf({ mode: 'plane', nx: n, ny: n })).toBeLessThanOrEqual(11);
      const permittivity = '(x-0.4)^2+(y-0.4)^2 < 0.04 ? 80 : 1';
      expect(await iterationsOf({ mode: 'plane', nx: n, ny: n, permittivity })).toBeLessThanOrEqual(15);
      // Electrodes between the nodes of the coarsest grid are refused.
      const electrode = `sin(${Math.min(40, n / 2)}*x)*sin(${Math.min(40, n / 2)}*y)-0.5`;
      expect(await iterationsOf({ mode: 'plane', nx: n, ny: n, top: '0', electrode })).toBeLessThanOrEqual(15);
    }
  });

  test('takes as many for cells ten times as long as wide, and for numbers of cells that do not halve', async () => {
    expect(await iterationsOf({ mode: 'plane', nx: 128, ny: 128, ly: 0.1 })).toBeLessThanOrEqual(15);
    expect(await iterationsOf({ mode: 'plane', nx: 128, ny: 128, lx: 0.021 })).toBeLessThanOrEqual(15);
    expect(await iterationsOf({ mode: 'plane', nx: 200, ny: 72 })).toBeLessThanOrEqual(15);
  });
});

describe('Newton’s method', () => {
  test.each([
    [1e20, 1e13, 0],
    [1e13, 1e20, 0],
    [1e21, 1e10, 0],
    [1e20, 1e13, -100],
    [1e21, 1e21, -50],
  ])('converges for acceptors of %d and donors of %d at %d V, and the first integral agrees', async (Na, Nd, bias) => {
    const { converged, quantities, witness } = await runSolver(device, { Na, Nd, bias, cv_from: 0 });
    expect(converged).toBe(true);
    expect(witness.method).toContain('first integral');
    expect(quantities.find(({ name }) => name === 'iterations')?.value).toBeLessThan(60);
  });

  test('takes tens of changes for a gate of a hundred volts', async () => {
    for (const bias of [-100, -1, 3, 100])
      expect(await iterationsOf({ mode: 'mos', bias, cv_from: -100, cv_to: 100 })).toBeLessThan(40);
  });
});

describe('a stack of metal, oxide and semiconductor', () => {
  const stack = (given: object) => runSolver(device, { mode: 'mos', ...given });
  const of = ({ quantities }: Awaited<ReturnType<typeof stack>>, name: string) =>
    quantities.find((one) => one.name === name)?.value ?? Number.NaN;

  test('has flat bands at the flat-band voltage, where the capacitance is that of oxide and Debye length in series', async () => {
    for (const given of [{}, { body: 'n', Nd: 1e15 }, { Qf: 2e11, tox: 3e-8 }] as const) {
      const first = await stack(given);
      const flat = await stack({ ...given, bias: of(first, 'flat_band'), cells: 4096 });
      expect(Math.abs(flat.value)).toBeLessThan(1e-9);
      const semiconductor = (11.7 * 8.8541878188e-12) / of(flat, 'debye_length');
      const series = 1 / (1 / of(flat, 'oxide_capacitance') + 1 / semiconductor);
      expect(Math.abs(of(flat, 'capacitance') / series - 1)).toBeLessThan(2e-5);
    }
  });

  test('is at twice the bulk potential about the threshold', async () => {
    const first = await stack({});
    const { value } = await stack({ bias: of(first, 'threshold') });
    expect(Math.abs(value / (2 * of(first, 'bulk_potential')) - 1)).toBeLessThan(0.03);
  });

  test('the other body with charges and gate of the other sign mirrors it', async () => {
    const [p, n] = await Promise.all([stack({ bias: 1 }), stack({ body: 'n' })]);
    // The grid follows the range of the gate, so that is mirrored, too.
    const mirror = (gate: number) => of(n, 'flat_band') - (gate - of(p, 'flat_band'));
    const mirrored = await stack({ body: 'n', bias: mirror(1), cv_from: mirror(5), cv_to: mirror(-5) });
    expect(Math.abs(mirrored.value + p.value)).toBeLessThan(1e-9);
    for (const name of ['capacitance', 'capacitance_high'])
      expect(Math.abs(of(mirrored, name) / of(p, name) - 1)).toBeLessThan(1e-8);
  });

  test('a fast signal sees the depleted layer, a slow one the oxide', async () => {
    const { quantities } = await stack({ bias: 3 });
    const by = Object.fromEntries(quantities.map(({ name, value }) => [name, value])) as Record<string, number>;
    const depleted = (11.7 * 8.8541878188e-12) / (by.depletion_max ?? Number.NaN);
    const lowest = 1 / (1 / (by.oxide_capacitance ?? Number.NaN) + 1 / depleted);
    expect(Math.abs((by.capacitance_high ?? Number.NaN) / lowest - 1)).toBeLessThan(0.05);
    expect((by.capacitance ?? Number.NaN) / (by.oxide_capacitance ?? Number.NaN)).toBeGreaterThan(0.97);
  });
});

test('an outline between nodes counts where it lies: a coaxial line is of second order', async () => {
  const text = '1-log((x^2+y^2)/0.09)/2';
  const at = (n: number) =>
    runSolver(device, {
      mode: 'plane',
      nx: n,
      ny: n,
      left: 'insulated',
      bottom: 'insulated',
      right: text,
      top: text,
      electrode: '0.09-x^2-y^2',
      probe_x: 0.37,
      probe_y: 0.41,
    });
  const truth = 1 - Math.log((0.37 ** 2 + 0.41 ** 2) / 0.09) / 2;
  const [coarse, fine] = [await at(64), await at(256)];
  expect(Math.abs(fine.value - truth)).toBeLessThan(Math.abs(coarse.value - truth) / 8);
  expect(fine.converged).toBe(true);
});

test('a square rotated by a right angle has the same potential', async () => {
  const [top, right] = await Promise.all([
    runSolver(device, { mode: 'plane', probe_x: 0.3, probe_y: 0.6 }),
    runSolver(device, { mode: 'plane', top: '0', right: '1', probe_x: 0.6, probe_y: 0.3 }),
  ]);
  expect(Math.abs(top.value - right.value)).toBeLessThan(1e-10);
});

test('the capacitance under reverse bias is that of the depletion model with two thermal voltages less', async () => {
  const { quantities } = await runSolver(device, { Na: 1e17, Nd: 1e15, bias: -5 });
  const of = (name: string) => quantities.find((one) => one.name === name)?.value ?? Number.NaN;
  expect(Math.abs(of('capacitance') / of('depletion_capacitance') - 1)).toBeLessThan(0.01);
});

test('every example converges', async () => {
  for (const { title, input } of form.examples ?? [])
    expect((await runSolver(device, input)).converged, title).toBe(true);
});

describe('what lies between nodes', () => {
  const spike = (width: string) => `x<0?-1e16:1e16+1e19*exp(-((x-4.123e-7)/${width})^2)`;
  /** Between neutral ends at ±1 μm, by scipy's solve_bvp on pieces of its own, tolerance 1e-8. */
  test.each([
    ['1e-9', 4.123e-7, 0.49260389273937055, 9472414.178375317],
    ['3e-10', 4.123e-7, 0.4400707056406125, 3879710.108664427],
    ['3e-10', 3.9e-7, 0.39316389104862604, 3879710.108664427],
    ['1e-10', 4.123e-7, 0.3983855343710924, 3201901.9984589466],
    ['1e-10', 3.9e-7, 0.37810956944646584, 3201901.9984589466],
  ])('a spike of donors %s m wide is in the potential at %f m', async (width, probe, potential, strength) => {
    const solution = await runSolver(device, { doping: spike(width), lp: 1e-6, ln: 1e-6, probe, cv_from: 0 });
    expect(Math.abs(solution.value - potential)).toBeLessThanOrEqual(solution.uncertainty);
    expect(solution.uncertainty).toBeLessThan(0.02);
    const { value = 0, uncertainty = 0 } = solution.quantities.find(({ name }) => name === 'field_max') ?? {};
    expect(Math.abs(value - strength)).toBeLessThanOrEqual(uncertainty);
  });

  test.each([
    ['permittivity', { permittivity: 'abs(x-0.5078)<0.001?0.001:1' }],
    ['permittivity', { permittivity: 'abs(x+y-1.0078)<0.001?0.001:1' }],
    ['electrode', { electrode: '0.001-abs(y-0.5078)' }],
    ['electrode', { electrode: '(x-0.3)^2+(y-0.3)^2<0.09?1:4e-6-(x-0.8078)^2-(y-0.8078)^2' }],
    ['left', { left: 'exp(-((y-0.5078)/0.001)^2)' }],
    ['electrode', { electrode: '1e-6-(x-0.4921875)^2-(y-0.503)^2' }],
    ['source', { source: '1e6*exp(-((x-0.3203)^2+(y-0.6015)^2)/0.00001)' }],
  ])('a thin %s of a plane is refused', (path, given) => {
    const error = thrownDomainError(() => device.plan(device.inputs.parse({ mode: 'plane', top: '0', ...given })));
    expect(error.details).toEqual([expect.objectContaining({ path, code: 'UNRESOLVED' })]);
  });
});

describe('a round dielectric in an even field', () => {
  /** Sides have the potential of the field outside, x (1 − k a²/r²), k = (ε − 1)/(ε + 1). */
  test.each([
    [0.02, 32, 0.1474],
    [11.7, 48, 0.285],
    [80, 64, 0.1376],
    [0.2, 96, 0.166],
    [0.02, 48, 0.2242],
    [80, 128, 0.2751],
  ])('of permittivity %d on %d cells: ± holds the closed form, and the run has converged', async (eps, n, a) => {
    const [k, along, x, y] = [(eps - 1) / (eps + 1), '(0.8*(x-0.47)+0.6*(y-0.53))', 0.321, 0.774];
    const side = `${along}*(1-${k * a * a}/((x-0.47)^2+(y-0.53)^2))`;
    const solution = await runSolver(device, {
      mode: 'plane',
      nx: n,
      ny: n,
      left: side,
      right: side,
      bottom: side,
      top: side,
      permittivity: `(x-0.47)^2+(y-0.53)^2<${a * a}?${eps}:1`,
      probe_x: x,
      probe_y: y,
    });
    const square = (x - 0.47) ** 2 + (y - 0.53) ** 2;
    const far = 0.8 * (x - 0.47) + 0.6 * (y - 0.53);
    const truth = square > a * a ? far * (1 - (k * a * a) / square) : (far * 2) / (eps + 1);
    expect(Math.abs(solution.value - truth)).toBeLessThanOrEqual(solution.uncertainty);
    expect(solution.uncertainty).toBeLessThan(0.02);
    expect(solution.converged).toBe(true);
  });
});

describe('iterations', () => {
  const last = ({ series }: Awaited<ReturnType<typeof runSolver>>, name: string) =>
    series.find((one) => one.name === name)?.data.at(-1) ?? Number.NaN;

  test('go on to the tolerance that is asked for', async () => {
    for (const tolerance of [1e-7, 1e-9, 1e-11])
      for (const nx of [32, 64, 128])
        expect(last(await runSolver(device, { mode: 'plane', nx, tolerance }), 'residual')).toBeLessThanOrEqual(
          tolerance,
        );
  });

  test('of Newton’s method, in thermal voltages, too', async () => {
    for (const tolerance of [1e-7, 1e-9, 1e-11])
      for (const Nd of [1e15, 1e17, 3e18]) {
        const solution = await runSolver(device, { Nd, tolerance, cv_from: 0 });
        // By the potential between the contacts, which is below 60 thermal voltages.
        expect(last(solution, 'newton_change')).toBeLessThanOrEqual(60 * tolerance);
      }
  });
});

test('the derivative of a junction by its bias is that between two biases, up to both contacts', async () => {
  const given = { Na: 1e13, Nd: 2e12, ni: 1e12, lp: 3e-6, ln: 2e-6, cv_from: 0 } as const;
  const at = async (bias: number) => {
    const plan = device.plan(device.inputs.parse({ ...given, bias }));
    const { outputs } = await runPlan(plan, await loadKernel('device'), new LocalRunner());
    return { s: plan.runs[0]?.parameters.logDensity ?? Number.NaN, views: outputs[0]?.views ?? {} };
  };
  const [low, own, high] = await Promise.all([at(-1.001), at(-1), at(-0.999)]);
  const slope = own.views.slope ?? new Float64Array();
  const scale = slope.reduce((most, one) => Math.max(most, Math.abs(one)), 0);
  expect(scale).toBeGreaterThan(0.1);
  for (const [i, one] of slope.entries()) {
    const between = ((high.views.potential?.[i] ?? 0) - (low.views.potential?.[i] ?? 0)) / (high.s - low.s);
    expect(Math.abs(between - one)).toBeLessThan(2e-3 * scale);
  }
});
