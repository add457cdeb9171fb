import { expect, test } from 'vitest';
import { edgeCrackStrength } from '../../src/solvers/fracture/reference.ts';
import { fracture } from '../../src/solvers/fracture/solver.ts';
import { describeSolver } from '../suites/describe-solver.ts';
import { runSolver } from '../suites/run-solver.ts';

describeSolver(fracture, {
  cases: {
    'a small plate': { nx: 16, ny: 8, loadSteps: 4 },
    'a bar': { mode: 'bar', N: 20, strain: 1e-3, loadSteps: 3 },
    'a softening bar': { mode: 'bar', N: 20, strain: 2e-3, s0: 1e-3, sf: 0.1, loadSteps: 4 },
    'a wave in a ring': { mode: 'bar', load: 'wave', N: 40, waves: 3 },
    'a bar that spalls': { mode: 'bar', load: 'stress', N: 40, s0: 1e-3, stress: 50e6, t_end: 1.2e-5 },
    'a pulled plate in motion': { load: 'grips', nx: 16, ny: 8, t_end: 2e-5 },
    'a released plate with two notches': {
      load: 'release',
      nx: 20,
      ny: 10,
      strain: 1e-3,
      notches: [
        [0, 0.01, 0.012, 0.01],
        [0.025, 0.006, 0.03, 0.009],
      ],
      t_end: 1e-5,
    },
  },
  conservation: true,
  golden: ['a small plate', 'a bar', 'a wave in a ring', 'a bar that spalls', 'a released plate with two notches'],
  known: {
    // E ε of a bar below its limit.
    'a steel bar': {
      input: { mode: 'bar', E: 210e9, strain: 1e-3, s0: 2e-3 },
      value: [2.1e8, 1e-5],
      reference: [2.1e8, 1e-6],
    },
    // E s0 of a brittle bar, whatever the steps of the load.
    'a brittle bar': {
      input: { mode: 'bar', E: 72e9, strain: 1.93e-3, s0: 1e-3, loadSteps: 7 },
      value: [7.2e7, 1e-5],
      reference: [7.2e7, 1e-6],
      quantities: { peak_strain: [1e-3, 1e-8] },
    },
  },
  refused: [
    { input: { sf: 1e-4 }, code: 'VALIDATION_FAILED', field: 'sf', saysLimit: true },
    { input: { G0: 100, s0: 1e-3 }, code: 'VALIDATION_FAILED', field: 'G0' },
    { input: { G0: 100, mode: 'bar' }, code: 'VALIDATION_FAILED', field: 'G0' },
    { input: { nx: 100 }, field: 'nx', saysLimit: true },
    { input: { ny: 60 }, field: 'ny', saysLimit: true },
    { input: { dt: 1e-8 }, field: 'dt' },
    { input: { load: 'grips', dt: 1 }, code: 'UNSTABLE_SCHEME', field: 'dt', saysLimit: true },
    { input: { load: 'grips', t_end: 1 }, field: 't_end', saysLimit: true },
    { input: { load: 'grips', t_end: 1e-5, ramp: 2e-5 }, field: 'ramp', saysLimit: true },
    { input: { load: 'release', strain: 1e-3, ramp: 1e-6 }, field: 'ramp' },
    { input: { load: 'release', strain: 0.01 }, field: 'strain', saysLimit: true },
    { input: { load: 'stress', stress: 1e12 }, field: 'stress', saysLimit: true },
    { input: { load: 'grips', sf: 0.1 }, field: 'sf' },
    { input: { load: 'wave' }, field: 'load' },
    { input: { load: 'wave', mode: 'bar', waves: 7 }, field: 'waves', saysLimit: true },
    { input: { load: 'wave', mode: 'bar', t_end: 1 }, field: 't_end', saysLimit: true },
    { input: { mode: 'bar', notches: [[0, 0, 1, 1]] }, field: 'notches' },
    { input: { notch: 'no', notches: [[0, 0, 1, 1]] }, field: 'notches' },
    { input: { notches: [[0, 0.01, 0, 0.01]] }, field: 'notches.0' },
    { input: { notches: [[0.05, 0, 0.06, 0.01]] }, field: 'notches.0' },
  ],
});

const numberOf = (quantities: readonly { name: string; value: number }[], name: string) =>
  quantities.find((one) => one.name === name)?.value ?? Number.NaN;

test('strengths of edge cracks in glass of 40 mm', () => {
  // E = 72 GPa, G0 = 135 J/m²: 11.719 and 4.4006 MPa.
  expect(edgeCrackStrength(72e9, 135, 0.01, 0.04)).toBeCloseTo(11.719e6, -3);
  expect(edgeCrackStrength(72e9, 135, 0.02, 0.04)).toBeCloseTo(4.4006e6, -2);
});

test('s0 of glass by its surface energy', async () => {
  // E = 72 GPa, G0 = 135 J/m², a horizon of 1 mm: 1.6180215938e-3 is √(4π G0 / 9 E δ).
  const { quantities } = await runSolver(fracture, {
    nx: 16,
    ny: 8,
    width: 16e-3 / 3,
    G0: 135,
    strain: 1e-6,
    loadSteps: 2,
  });
  expect(numberOf(quantities, 's0')).toBeCloseTo(1.6180215938e-3, 12);
});

test('a crack between clamped ends grows at the strain of linear fracture mechanics', async () => {
  for (const notchFrac of [0.4, 0.5]) {
    const { quantities } = await runSolver(fracture, { G0: 135, notchFrac, strain: 1e-3 });
    const ratio = numberOf(quantities, 'peak_strain') / numberOf(quantities, 'strain_clamped_strip');
    expect(Math.abs(ratio - 1)).toBeLessThan(0.15);
  }
});

test('what is damaged stays so, and a crack only dissipates', async () => {
  const { fields, series } = await runSolver(fracture, { nx: 16, ny: 8, strain: 3e-3 });
  const damage = fields.find(({ name }) => name === 'damage');
  const size = 16 * 8;
  const frames = damage?.data ?? new Float64Array();
  expect(frames.length).toBeGreaterThan(size);
  for (let i = size; i < frames.length; i++)
    expect((frames[i] ?? 0) - (frames[i - size] ?? 0)).toBeGreaterThanOrEqual(-1e-12);
  const dissipated = series.find(({ name }) => name === 'dissipated')?.data ?? new Float64Array();
  expect(Math.max(...dissipated)).toBeGreaterThan(1);
  for (let i = 1; i < dissipated.length; i++)
    expect((dissipated[i] ?? 0) - (dissipated[i - 1] ?? 0)).toBeGreaterThan(-1e-6);
});

test('a notch along a row of points cuts them off from what is to its left', async () => {
  const [nx, ny, cell] = [16, 9, 1 / 64];
  for (const [from, to, lower] of [
    [-1, 8, 4],
    [8, -1, 3],
  ] as const) {
    const notches = [[from * cell, 4.5 * cell, to * cell, 4.5 * cell]];
    const plate = { nx, ny, width: nx * cell, strain: 1e-7, loadSteps: 2, notches };
    const { fields } = await runSolver(fracture, plate);
    const damage = fields.find(({ name }) => name === 'damage')?.data ?? new Float64Array();
    const at = (row: number) => damage[row * nx + 3] ?? Number.NaN;
    // Between rows 4 and 5, or 3 and 4.
    expect(at(lower)).toBeGreaterThan(0.2);
    for (const k of [0, 1, 2]) expect(at(lower - k)).toBeCloseTo(at(lower + 1 + k), 3);
  }
});
