import { expect, test } from 'vitest';

import { branchCount, crackSpeed } from '../../src/solvers/fracture/crack.ts';
import { motionOf } from '../../src/solvers/fracture/motion.ts';
import { barPeak, phaseSpeed, rayleighSpeed } from '../../src/solvers/fracture/reference.ts';
import { fracture } from '../../src/solvers/fracture/solver.ts';
import { stableStep } from '../../src/solvers/fracture/stencil.ts';
import { coldInstance, runInGroups, runSolver } from '../suites/run-solver.ts';
import { yardsticksOf } from '../suites/yardstick.ts';

type Input = Parameters<typeof fracture.inputs.parse>[0];

const solve = (input: Record<string, unknown>) => runSolver(fracture, input as never);
const numberOf = ({ quantities }: Awaited<ReturnType<typeof solve>>, name: string) =>
  quantities.find((one) => one.name === name)?.value ?? Number.NaN;
const driftOf = ({ invariants }: Awaited<ReturnType<typeof solve>>, name: string) =>
  invariants.find((one) => one.name === name)?.drift ?? Number.NaN;
const slopeOf = (coarse: number, fine: number, ratio: number) => Math.log(coarse / fine) / Math.log(ratio);

test('Rayleigh speed of glass in plane stress', () => {
  expect(rayleighSpeed(72e9, 2440)).toBeCloseTo(3058.3858, 3);
});

test.each([
  [0.1, 0.99979169126],
  [0.5, 0.994807021674],
  [1, 0.979411541693],
  [2, 0.920533550006],
  [3, 0.831651146832],
  [5, 0.616659818959],
])('dispersion of an endless bar at k δ = %d', (x, ratio) => {
  expect(phaseSpeed(x)).toBeCloseTo(ratio, 10);
});

// k δ = 2π waves m / N.
test.each([
  [0.5, 2, 0.994807021674],
  [1, 5, 0.979411541693],
  [2, 10, 0.920533550006],
])('a wave in a ring at k δ = %d runs at the speed of the peridynamic bar', async (x, waves, ratio) => {
  const solution = await solve({
    mode: 'bar',
    load: 'wave',
    N: 100,
    waves,
    horizonM: (100 * x) / (2 * Math.PI * waves),
  });
  const speed = numberOf(solution, 'phase_speed_ratio');
  expect(Math.abs(speed - ratio)).toBeLessThan(solution.uncertainty / numberOf(solution, 'bar_speed'));
  expect(Math.abs(speed - ratio)).toBeLessThan(0.01);
});

test('delta-convergence: waves approach the local speed at order 2 as the horizon shrinks', async () => {
  const errors: number[] = [];
  for (const N of [24, 48, 96, 192])
    errors.push(Math.abs(1 - numberOf(await solve({ mode: 'bar', load: 'wave', N, waves: 1 }), 'phase_speed_ratio')));
  for (let i = 1; i < errors.length; i++)
    expect(Math.abs(slopeOf(errors[i - 1] ?? 0, errors[i] ?? 0, 2) - 2), errors.join()).toBeLessThan(0.1);
});

test('m-convergence: waves approach the peridynamic speed at order 2 as points fill the horizon', async () => {
  // The kernel alone, for horizons beyond the range of the input; δ and the step over it stay.
  const instance = await coldInstance('fracture');
  const errors: number[] = [];
  for (const m of [2, 4, 8]) {
    const input = fracture.inputs.parse({ mode: 'bar', load: 'wave', N: 24 * (m / 2), waves: 3, horizonM: 2 } as Input);
    const problem = motionOf(input);
    const [lattice] = problem.lattices;
    const [run] = fracture.plan(input).runs;
    if (lattice === undefined || run === undefined) throw new Error('The plan has no run.');
    const dt = 0.02 * m;
    const steps = Math.round((80 * m) / dt / 2);
    const parameters = { ...run.parameters, horizon: m, dt, steps, historyEvery: 20 };
    const { views, info } = runInGroups(instance, { ...run, parameters, steps }, 64);
    expect(info).toBe(0);
    const motion = views.motion ?? new Float64Array();
    const amplitudes = Array.from({ length: motion.length / 12 }, (_, i) => motion[12 * i + 9] ?? Number.NaN);
    let [above, below] = [0, 0];
    for (let i = 1; i + 1 < amplitudes.length; i++) {
      above += (amplitudes[i] ?? 0) * ((amplitudes[i - 1] ?? 0) + (amplitudes[i + 1] ?? 0));
      below += 2 * (amplitudes[i] ?? 0) ** 2;
    }
    const k = (2 * Math.PI * 3) / (12 * m);
    const speed = Math.acos(above / below) / (20 * dt) / k;
    errors.push(Math.abs(speed - phaseSpeed(k * m)));
  }
  const slopes = [slopeOf(errors[0] ?? 0, errors[1] ?? 0, 2), slopeOf(errors[1] ?? 0, errors[2] ?? 0, 2)];
  for (const slope of slopes) expect(Math.abs(slope - 2), `${errors.join()} ${slopes.join()}`).toBeLessThan(0.35);
});

test('a wave converges at order 2 in the time step', async () => {
  const ring = { mode: 'bar', load: 'wave', N: 48, waves: 3 };
  const { dtMax } = motionOf(fracture.inputs.parse(ring));
  const values: number[] = [];
  for (const share of [0.8, 0.4, 0.2, 0.1]) values.push((await solve({ ...ring, dt: share * dtMax })).value);
  const changes = values.slice(1).map((value, i) => Math.abs(value - (values[i] ?? 0)));
  expect(Math.abs(slopeOf(changes[0] ?? 0, changes[1] ?? 0, 2) - 2), changes.join()).toBeLessThan(0.3);
  expect(Math.abs(slopeOf(changes[1] ?? 0, changes[2] ?? 0, 2) - 2), changes.join()).toBeLessThan(0.3);
});

test('the budget of a bar closes to rounding, also while its bonds break, at any step', async () => {
  for (const dt of [undefined, 1.1e-7]) {
    const spall = { mode: 'bar', load: 'stress', N: 200, width: 0.1, s0: 1e-3, stress: 50e6, t_end: 3e-5 };
    const solution = await solve(dt === undefined ? spall : { ...spall, dt });
    expect(numberOf(solution, 'broken_bonds')).toBeGreaterThan(0);
    expect(driftOf(solution, 'energy_budget')).toBeLessThan(1e-12);
    expect(driftOf(solution, 'momentum')).toBeLessThan(1e-12);
  }
});

test('the budget of a bar closes while grips tear it off', async () => {
  const solution = await solve({ mode: 'bar', load: 'grips', N: 60, s0: 1e-3, strain: 8e-3, t_end: 2e-5 });
  expect(numberOf(solution, 'broken_bonds')).toBeGreaterThan(0);
  // Beside a grip.
  expect(numberOf(solution, 'failure_y')).toBeLessThan(numberOf(solution, 'horizon'));
  expect(driftOf(solution, 'energy_budget')).toBeLessThan(1e-12);
});

test('the budget of a plate closes within 1e-6 before a bond breaks, and within 1e-4 with a crack', async () => {
  const plate = { load: 'grips', nx: 24, ny: 12, strain: 1e-3 };
  const whole = await solve({ ...plate, s0: 0.1 });
  expect(numberOf(whole, 'broken_bonds')).toBe(0);
  expect(driftOf(whole, 'energy_budget')).toBeLessThan(1e-6);
  const cracked = await solve({ ...plate, s0: 1e-3 });
  expect(numberOf(cracked, 'broken_bonds')).toBeGreaterThan(100);
  expect(driftOf(cracked, 'energy_budget')).toBeLessThan(1e-4);
});

test('a bar spalls in the middle when two waves sum up to s0', async () => {
  const [width, E, rho] = [0.2, 72e9, 2440];
  const c = Math.sqrt(E / rho);
  const [s0, ramp] = [1e-3, 1e-5];
  const solution = await solve({
    mode: 'bar',
    load: 'stress',
    N: 200,
    width,
    s0,
    stress: 48e6,
    ramp,
    t_end: (1.3 * width) / c,
  });
  // 2 σ t / ramp = E s0 at three quarters of the ramp.
  const time = width / 2 / c + 0.75 * ramp;
  expect(Math.abs(numberOf(solution, 'failure_time') / time - 1)).toBeLessThan(0.03);
  expect(Math.abs(numberOf(solution, 'failure_y') - width / 2)).toBeLessThan(2 * numberOf(solution, 'horizon'));
  expect(barPeak({ load: 'stress', amount: 48e6 / E, ramp, tEnd: (1.3 * width) / c, passage: width / c }, s0)).toBe(s0);
});

test('a released strip: its crack stays below the energy of its surface, and runs slower than Rayleigh waves above', async () => {
  const strip = { load: 'release', nx: 64, ny: 16, notchFrac: 0.3, G0: 135, t_end: 4e-5 };
  const griffith = numberOf(await solve({ ...strip, strain: 1e-5, t_end: 1e-7 }), 'strain_clamped_strip');
  const held = await solve({ ...strip, strain: 0.7 * griffith });
  expect(numberOf(held, 'broken_bonds')).toBe(0);
  const running = await solve({ ...strip, strain: 1.25 * griffith });
  const ratio = numberOf(running, 'crack_speed') / numberOf(running, 'rayleigh_speed');
  expect(ratio).toBeGreaterThan(0.3);
  expect(ratio).toBeLessThan(1);
  expect(numberOf(running, 'branches')).toBe(1);
  expect(numberOf(running, 'crack_tip')).toBeCloseTo(0.04, 10);
  // Energy of the bonds over that of the new surface.
  const surface = 135 * 0.7 * 0.04;
  expect(numberOf(running, 'fracture_energy') / surface).toBeGreaterThan(0.8);
  expect(numberOf(running, 'fracture_energy') / surface).toBeLessThan(1.6);
});

test('a larger stress makes more branches, and no crack passes Rayleigh waves', async () => {
  const plate = { load: 'stress', nx: 64, ny: 26, width: 0.1, notchFrac: 0.5, G0: 135, ramp: 0 };
  const branches: number[] = [];
  for (const [stress, t_end] of [
    [2e6, 1e-4],
    [12e6, 7e-5],
    [20e6, 7e-5],
  ]) {
    const solution = await solve({ ...plate, stress, t_end });
    branches.push(numberOf(solution, 'branches'));
    expect(numberOf(solution, 'crack_speed') / numberOf(solution, 'rayleigh_speed')).toBeLessThan(1);
  }
  expect(branches).toEqual([1, 2, 3]);
});

test('a given level notch is that of notchFrac', async () => {
  const plate = { load: 'grips', nx: 20, ny: 10, width: 0.02, s0: 0.1, strain: 1e-4 };
  const one = await solve({ ...plate, notchFrac: 0.31 });
  const other = await solve({ ...plate, notches: [[-1, 0.005, 0.0062, 0.005]] });
  expect(other.value).toBe(one.value);
  const still = { nx: 20, ny: 10, width: 0.02, strain: 1e-4, loadSteps: 2 };
  expect((await solve({ ...still, notches: [[-1, 0.005, 0.0062, 0.005]] })).value).toBe(
    (await solve({ ...still, notchFrac: 0.31 })).value,
  );
});

test('the limit of the step that is named is the kernel’s own', async () => {
  for (const input of [
    { load: 'grips', nx: 24, ny: 12 },
    { load: 'stress', nx: 40, ny: 30, horizonM: 2.6 },
    { load: 'stress', mode: 'bar', N: 30 },
  ]) {
    const parsed = fracture.inputs.parse(input);
    const { lattices, hasGrips } = motionOf(parsed);
    const [lattice] = lattices;
    const [run] = fracture.plan(parsed).runs;
    if (lattice === undefined || run === undefined) throw new Error('The plan has no run.');
    const cold = await coldInstance('fracture');
    const { statistics } = runInGroups(cold, run, 64);
    expect(Math.abs(stableStep(lattice, hasGrips) / Math.sqrt(2 / (statistics.stiffest ?? 0)) - 1)).toBeLessThan(1e-12);
    const beyond = { ...run, parameters: { ...run.parameters, dt: 1.001 * stableStep(lattice, hasGrips) } };
    expect(() => runInGroups(cold, beyond, 64)).toThrow(/dt/);
  }
});

test('a straight way has its slope, and runs of damage are counted', () => {
  const times = Float64Array.from({ length: 21 }, (_, i) => i);
  const tip = times.map((t) => 3 + Math.max(0, 0.5 * (t - 2)));
  expect(crackSpeed(times, tip, 0.2, 100)).toBeCloseTo(0.5, 12);
  expect(
    crackSpeed(
      times,
      times.map(() => 3),
      0.2,
      100,
    ),
  ).toBeNaN();
  const [rows, columns] = [12, 8];
  const damage = new Float64Array(rows * columns);
  for (let x = 0; x < columns; x++) damage[6 * columns + x] = 1;
  expect(branchCount(damage, rows, columns, 1, 3)).toBe(1);
  for (let x = 4; x < columns; x++) damage[3 * columns + x] = 1;
  expect(branchCount(damage, rows, columns, 1, 3)).toBe(2);
  expect(branchCount(damage, rows, columns, 6, 3)).toBe(0);
});

test('a step of the largest plate is short enough to cancel, and its memory is bounded', async () => {
  const input = fracture.inputs.parse({ load: 'stress', nx: 160, ny: 80, horizonM: 4, t_end: 2e-6 } as Input);
  const plan = fracture.plan(input);
  expect(plan.estimateBytes).toBeLessThan(64e6);
  const run = plan.runs[1];
  if (run === undefined) throw new Error('The plan has no run.');
  const instance = await coldInstance('fracture');
  const steps = yardsticksOf(() => runInGroups(instance, run, 1), 1);
  // Of all steps, records among them.
  expect(steps / run.steps).toBeLessThan(150);
});

test.each([
  ['a bar', { mode: 'bar', load: 'grips' }, { N: 200 }],
  ['a plate', { mode: '2d', load: 'stress', t_end: 2e-5, G0: 135 }, { nx: 48, ny: 24 }],
] as const)('the time of the peak of %s has a ± that holds that of a finer lattice', async (_, input, finer) => {
  const peakOf = async (more: object) =>
    (await runSolver(fracture, { ...input, ...more })).quantities.find(({ name }) => name === 'peak_time');
  const [own, fine] = [await peakOf({}), await peakOf(finer)];
  const { value = Number.NaN, uncertainty = Number.NaN } = own ?? {};
  expect(uncertainty).toBeGreaterThan(0);
  expect(Math.abs(value - (fine?.value ?? Number.NaN))).toBeLessThanOrEqual(uncertainty + (fine?.uncertainty ?? 0));
});

test('grips whose speed rises to the end have pulled the strain that was asked for', async () => {
  const passage = 0.04 / Math.sqrt(72e9 / 2440);
  const t_end = 60 * passage;
  const { value } = await solve({ mode: 'bar', load: 'grips', strain: 1e-3, ramp: t_end, t_end });
  expect(Math.abs(value / (72e9 * 1e-3) - 1)).toBeLessThan(2e-3);
});

test('a bar breaks first half-way between two of its points', async () => {
  const solution = await solve({
    ...{ mode: 'bar', load: 'stress', N: 200, width: 0.1, s0: 1e-3, stress: 50e6, t_end: 3e-5 },
  });
  const halves = (2 * numberOf(solution, 'failure_y')) / (0.1 / 200);
  expect(halves).toBeGreaterThan(1);
  expect(Math.abs(halves - Math.round(halves))).toBeLessThan(1e-9);
});
