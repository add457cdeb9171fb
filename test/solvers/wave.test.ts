import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import type { Solution } from '../../src/solvers/definition.ts';
import type { inputs } from '../../src/solvers/wave/inputs.ts';
import { gridFrequency, leapfrogString } from '../../src/solvers/wave/reference.ts';
import { wave } from '../../src/solvers/wave/solver.ts';
import { describeSolver } from '../suites/describe-solver.ts';
import { thrownDomainError } from '../suites/domain-error.ts';
import { runSolver } from '../suites/run-solver.ts';

type Input = z.input<typeof inputs>;

const numberOf = ({ quantities }: Solution, name: string): number =>
  quantities.find((one) => one.name === name)?.value ?? Number.NaN;
const lastFrameOf = ({ fields }: Solution, name: string, count: number): Float64Array =>
  fields.find((one) => one.name === name)?.data.slice(-count) ?? new Float64Array();
const seriesOf = ({ series }: Solution, name: string): Float64Array =>
  series.find((one) => one.name === name)?.data ?? new Float64Array();

/** The mode (1, 1) of a square after two seconds, at its antinode. */
const drum: Input = { t_end: 2, courant: 0.9, probe_x: 0.5, probe_y: 0.5 };
const DRUM = Math.cos(2 * Math.SQRT2 * Math.PI);
const cavity: Input = { mode: 'maxwell', t_end: 4, courant: 0.99, probe_x: 0.5, probe_y: 0.5 };
const CAVITY = Math.cos(4 * Math.SQRT2 * Math.PI);
const string: Input = { mode: 'wave1d', nx: 100, t_end: 10, probe_x: 0.5 };

describeSolver(wave, {
  cases: {
    'a membrane': { nx: 24, ny: 17, steps: 40 },
    'a string in two media': { mode: 'wave1d', nx: 64, initial: 'gaussian', density: 'x > 0.5 ? 4 : 1', t_end: 0.5 },
    'a cavity': { mode: 'maxwell', nx: 20, ny: 16, kx: 2, ky: 1, steps: 60 },
    'a magnetic field between walls': {
      mode: 'maxwell',
      polarization: 'te',
      boundary: 'free',
      nx: 18,
      ny: 18,
      density: '1 + x',
      steps: 30,
    },
    'a tone with damping': { source: 'sine', nx: 20, ny: 20, damping: '0.3', frequency: 1.5, width: 0.1, steps: 80 },
    'ripples that leave': { boundary: 'open', initial: 'gaussian', nx: 24, ny: 24, width: 0.1, steps: 60 },
    'periodic along x': {
      left: 'periodic',
      right: 'periodic',
      nx: 20,
      ny: 16,
      steps: 30,
      initial_v: 'sin(2*pi*x)*sin(pi*y)',
    },
  },
  conservation: true,
  golden: [
    'a membrane',
    'a string in two media',
    'a cavity',
    'a magnetic field between walls',
    'a tone with damping',
    'ripples that leave',
    'periodic along x',
  ],
  convergence: [
    {
      name: 'of a membrane',
      order: 'space',
      levels: 3,
      at: (level) => ({ ...drum, nx: 32 << level, ny: 32 << level }),
      error: (solution) => Math.abs(numberOf(solution, 'probe_end') - DRUM),
    },
    {
      name: 'of Yee’s scheme',
      order: 'time',
      levels: 3,
      at: (level) => ({ ...cavity, courant: 0.5, nx: 32 << level, ny: 32 << level }),
      error: (solution) => Math.abs(numberOf(solution, 'probe_end') - CAVITY),
    },
  ],
  known: {
    // π²/4 less the discretisation of 128 cells, which the ± holds.
    'the energy of the mode (1, 1)': { input: { nx: 128, ny: 128 }, value: [Math.PI ** 2 / 4, 2.5e-4] },
  },
  random: {
    // Humps have a twentieth of the length, and show on squares.
    of: fc
      .record({
        nx: fc.integer({ min: 16, max: 28 }),
        ny: fc.integer({ min: 16, max: 28 }),
        lx: fc.double({ min: 0.1, max: 30, noNaN: true }),
        c: fc.double({ min: 0.1, max: 400, noNaN: true }),
        boundary: fc.constantFrom('fixed', 'free', 'periodic', 'open'),
        initial: fc.constantFrom('gaussian', 'standing'),
        courant: fc.double({ min: 0.05, max: 1, noNaN: true }),
        density: fc.constantFrom('1', '1 + x*x + y', 'x > y ? 3 : 0.5'),
        mode: fc.constantFrom('membrane', 'maxwell'),
        steps: fc.integer({ min: 1, max: 60 }),
      })
      .map((input) => ({ ...input, ly: input.lx })) as fc.Arbitrary<Input>,
    count: 20,
  },
  outOfRange: [{ courant: 1.01 }, { kx: 0 }],
  refused: [
    { input: { initial_u: '1/0' }, field: 'initial_u' },
    { input: { initial_u: 'log(x - 2)' }, field: 'initial_u' },
    { input: { initial_v: '1/(x - x)' }, field: 'initial_v' },
    { input: { waveform: '1/0' }, field: 'waveform' },
    { input: { dt: 0.02 }, field: 'dt', code: 'UNSTABLE_SCHEME' },
    { input: { nx: 16, kx: 9 }, field: 'kx' },
    { input: { mode: 'wave1d', dim: 2 }, field: 'dim' },
    { input: { left: 'periodic' }, field: 'right' },
    { input: { eps: 2 }, field: 'eps' },
    { input: { polarization: 'te' }, field: 'polarization' },
    { input: { mode: 'maxwell', polarization: 'te', damping: '1' }, field: 'damping' },
    { input: { mode: 'maxwell', initial_v: '1' }, field: 'initial_v' },
    { input: { density: 'x - 0.5' }, field: 'density' },
    { input: { damping: '-1' }, field: 'damping' },
    { input: { density: 'z' }, field: 'density' },
    { input: { waveform: 't', source: 'sine' }, field: 'waveform' },
    { input: { waveform: 'x' }, field: 'waveform' },
    { input: { x0: 2, initial: 'gaussian' }, field: 'x0' },
    { input: { probe_y: 1.5 }, field: 'probe_y' },
    { input: { dim: 1, top: 'free' }, field: 'top' },
    { input: { t_end: 1, dt: 0.01, steps: 3 }, field: 't_end' },
    { input: { t_end: 1e9 }, field: 't_end' },
    { input: { initial: 'gaussian', initial_u: 'x' }, field: 'initial' },
  ],
  illegalParameters: [{ east: 2 }, { columns: 3 }, { hasLayers: 1 }, { insetWest: 40 }, { dt: 0 }],
});

describe('on the grid exactly', () => {
  test.each([
    [0.5, 4.7e-7],
    [0.9, 8.0e-7],
  ])('a string at S = %d has the error of its dispersion alone', async (courant, error) => {
    const solution = await runSolver(wave, { ...string, courant });
    const found = numberOf(solution, 'probe_end');
    const { dt, steps } = { dt: numberOf(solution, 'dt'), steps: numberOf(solution, 'steps') };
    const omega = gridFrequency(1, [Math.PI, 0], [0.01, 0], dt);
    expect(Math.abs(found - Math.cos(omega * dt * steps))).toBeLessThanOrEqual(2e-13);
    // From the published figures of the same case, whose last step may differ.
    expect(Math.abs(found - 1)).toBeLessThan(1.2 * error);
  });

  // ω_h/ω − 1 of the tables, and their errors: at S = 0.9 they end after 1111 steps of 0.009 s, not at 10 s.
  test.each<[number, Input, number, number]>([
    [0.5, { courant: 0.5 }, -3.084e-5, 4.7e-7],
    [0.9, { dt: 0.009, t_end: undefined, steps: 1111 }, -7.814e-6, 8e-7],
  ])('a string at S = %d has the published dispersion and error', async (courant, more, dispersion, error) => {
    const solution = await runSolver(wave, { ...string, ...more });
    expect(numberOf(solution, 'courant_number')).toBeCloseTo(courant, 12);
    expect(Math.abs(numberOf(solution, 'dispersion') / dispersion - 1)).toBeLessThan(1e-4);
    const truth = Math.cos(Math.PI * numberOf(solution, 't_end'));
    expect(Math.abs(Math.abs(numberOf(solution, 'probe_end') - truth) / error - 1)).toBeLessThan(0.01);
  });

  test('a string at S = 1 is exact on its nodes', async () => {
    const solution = await runSolver(wave, { ...string, courant: 1 });
    expect(Math.abs(numberOf(solution, 'probe_end') - 1)).toBeLessThanOrEqual(1e-14);
  });

  test('Yee’s cavity has the phase of its grid', async () => {
    const solution = await runSolver(wave, { ...cavity, nx: 20, ny: 20 });
    const [dt, steps] = [numberOf(solution, 'dt'), numberOf(solution, 'steps')];
    const omega = gridFrequency(1, [Math.PI, Math.PI], [0.05, 0.05], dt);
    expect(Math.abs(numberOf(solution, 'probe_end') - Math.cos(omega * dt * steps))).toBeLessThanOrEqual(6e-14);
  });

  test.each([
    [32, 3.3e-4],
    [64, 8.8e-5],
    [128, 2.2e-5],
  ])('a membrane of %d cells has the published error', async (n, error) => {
    const found = numberOf(await runSolver(wave, { ...drum, nx: n, ny: n }), 'probe_end');
    expect(Math.abs(found - DRUM)).toBeLessThan(1.1 * error);
    expect(Math.abs(found - DRUM)).toBeGreaterThan(0.8 * error);
  });

  test('a plucked string agrees with leapfrog in plain TypeScript to the last digits', async () => {
    const pluck = (x: number) => (x < 0.3 ? x / 0.3 : (1 - x) / 0.7);
    const solution = await runSolver(wave, {
      mode: 'wave1d',
      nx: 50,
      initial_u: 'x < 0.3 ? x/0.3 : (1-x)/0.7',
      courant: 0.5,
      steps: 137,
    });
    const u0 = Array.from({ length: 51 }, (_, i) => (i === 0 || i === 50 ? 0 : pluck(i / 50)));
    const expected = leapfrogString(u0, 0.5, 137);
    const found = lastFrameOf(solution, 'u', 51);
    expect(Math.max(...expected.map((u, i) => Math.abs(u - (found[i] ?? Number.NaN))))).toBeLessThan(1e-12);
  });
});

describe('physics', () => {
  test('a pulse at a boundary of glass splits by Fresnel’s amplitudes', async () => {
    // n = 1.5: reflected (1 − n)/(1 + n) = −0.2 of the incoming half of the hump, transmitted 0.8 of it.
    const solution = await runSolver(wave, {
      mode: 'maxwell',
      dim: 1,
      nx: 128,
      boundary: 'open',
      initial: 'gaussian',
      x0: 0.3,
      width: 0.04,
      density: 'x > 0.6 ? 2.25 : 1',
      probe_x: 0.1,
      t_end: 0.8,
    });
    expect(Math.abs(numberOf(solution, 'probe_end') - -0.1)).toBeLessThan(0.01);
    const field = lastFrameOf(solution, 'E_z', 129);
    expect(Math.max(...field.map((value, i) => (i > 80 ? value : 0)))).toBeCloseTo(0.4, 2);
  });

  test.each([
    ['along a line', { dim: 1, nx: 128, width: 0.05 }, 1e-9],
    ['in a plane, all angles', { nx: 48, ny: 48, width: 0.08 }, 1e-4],
  ])('an open side reflects little: %s', async (_, input, most) => {
    // What is left when all has left, against the energy at the start; in a plane beside what a larger domain holds.
    const small = await runSolver(wave, {
      boundary: 'open',
      initial: 'gaussian',
      mode: 'maxwell',
      t_end: 2.5,
      ...input,
    });
    const start = seriesOf(small, 'energy')[0] ?? Number.NaN;
    expect(small.value / start).toBeLessThan(most);
  });

  test('damping takes the energy of a mode at its rate', async () => {
    const solution = await runSolver(wave, { mode: 'wave1d', damping: '0.1', nx: 128, t_end: 6 });
    const start = seriesOf(solution, 'energy')[0] ?? Number.NaN;
    // u″ + r u′ + ω² u = 0 from rest, ω = π: the energy after whole periods of the damped mode is exp(−r t) to r/ω.
    expect(solution.value / start / Math.exp(-0.6)).toBeCloseTo(1, 1);
    expect(numberOf(solution, 'dissipated') + solution.value).toBeCloseTo(start, 3);
  });

  test('the spectrum of a string has its frequency', async () => {
    const solution = await runSolver(wave, { mode: 'wave1d', mode_k: 3, t_end: 20 });
    expect(numberOf(solution, 'peak_frequency')).toBeCloseTo(1.5, 1);
    expect(numberOf(solution, 'frequency')).toBeCloseTo(1.5, 12);
  });

  test('an expression that is cut short is named', () => {
    const error = thrownDomainError(() => wave.plan(wave.inputs.parse({ density: '1 +' })));
    expect(error.code).toBe('EXPRESSION_INVALID');
  });
});

test('a plane with open sides is the same with its axes exchanged', async () => {
  const shared: Input = { boundary: 'open', initial: 'gaussian', width: 0.06, t_end: 0.9 };
  const own = { ...shared, nx: 40, ny: 64, lx: 1, ly: 1.6, x0: 0.3, y0: 1.1, probe_x: 0.41, probe_y: 0.93 };
  const turned = { ...shared, nx: 64, ny: 40, lx: 1.6, ly: 1, x0: 1.1, y0: 0.3, probe_x: 0.93, probe_y: 0.41 };
  const [one, other] = [await runSolver(wave, own), await runSolver(wave, turned)];
  expect(Math.abs(one.value / other.value - 1)).toBeLessThan(1e-9);
  // The hump reaches beyond a side by 4e-6, where one axis takes it.
  expect(Math.abs(numberOf(one, 'probe_end') - numberOf(other, 'probe_end'))).toBeLessThan(1e-9);
});

test('what a source sends between open sides is, until it comes back from afar, what it sends in a wide string', async () => {
  const shared: Input = { mode: 'wave1d', source: 'pulse', width: 0.05, t_end: 1.25, damping: '0.3' };
  const open = await runSolver(wave, { ...shared, boundary: 'open', lx: 1, nx: 50, x0: 0.44, probe_x: 0.62 });
  const wide = await runSolver(wave, { ...shared, boundary: 'fixed', lx: 2.4, nx: 120, x0: 1.14, probe_x: 1.32 });
  const [one, other] = [seriesOf(open, 'probe'), seriesOf(wide, 'probe')];
  const largest = Math.max(...other.map(Math.abs));
  expect(one.length).toBe(other.length);
  expect(Math.max(...one.map((value, k) => Math.abs(value - (other[k] ?? 0)))) / largest).toBeLessThan(2e-4);
});

test('a string of free ends that is kicked and damped is that of the scheme: w of both halves about the start is the kick', async () => {
  const [dt, steps, r] = [0.02, 50, 2];
  const kicked: Input = { mode: 'wave1d', boundary: 'free', nx: 20, dt, steps, initial_v: '1', damping: `${r}` };
  const half = 0.5 * r * dt;
  let [w, u] = [1 - half, 0];
  for (let k = 0; k < steps; k++, w *= (1 - half) / (1 + half)) u += dt * w;
  const probe = seriesOf(await runSolver(wave, kicked), 'probe');
  expect(Math.abs((probe.at(-1) ?? Number.NaN) / u - 1)).toBeLessThan(1e-12);
  // Of order 2: (1 − exp(−r t)) / r.
  expect(Math.abs(u - (1 - Math.exp(-r)) / r)).toBeLessThan(2e-4);
});

test('a source at free sides works on half nodes and quarters of nodes as the energy counts them', async () => {
  const place = { nx: 20, ny: 16, x0: 0, y0: 0, probe_x: 0.2, probe_y: 0.1 };
  const { invariants } = await runSolver(wave, {
    ...{ ...place, source: 'sine', boundary: 'free', damping: '0.2', frequency: 1.5, width: 0.1, steps: 80 },
  });
  const balance = invariants.find(({ name }) => name === 'energy_balance');
  expect(balance?.drift).toBeLessThanOrEqual(balance?.bound ?? 0);
});

describe('two layers with a border anywhere in a cell', () => {
  // The frequency of a mode that is sin(ω x) before the border a and A sin(ω √ρ (L − x)) behind it.
  test.each([[0.9451957028069975, 0.45683445905235592, 19.748414892265306, 0.93529039073751452, 0.46223481586114468]])(
    'a mode of %f m keeps to its frequency within ±',
    async (L, a, rho, omega, A) => {
      const k = omega * Math.sqrt(rho);
      const [x, t] = [0.19450579721928052, 2.0920989222403232];
      const truth = Math.sin(omega * x) * Math.cos(omega * t);
      for (const nx of [64, 80, 91, 100, 111, 128]) {
        const solution = await runSolver(wave, {
          ...{ mode: 'wave1d', lx: L, nx, t_end: t, probe_x: x, density: `x<${a}?1:${rho}` },
          initial_u: `x<${a}?sin(${omega}*x):${A}*sin(${k}*(${L}-x))`,
        });
        const probe = solution.quantities.find(({ name }) => name === 'probe_end');
        expect(Math.abs((probe?.value ?? Number.NaN) - truth)).toBeLessThanOrEqual(probe?.uncertainty ?? 0);
        // Four samples of a cell for its mean moved the border by up to an eighth of it: 2.3e-4.
        expect(Math.abs((probe?.value ?? Number.NaN) - truth)).toBeLessThan(5e-5);
      }
    },
  );
});
