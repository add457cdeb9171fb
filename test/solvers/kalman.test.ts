import fc from 'fast-check';
import { kalman } from '../../src/solvers/kalman/solver.ts';
import { describeSolver } from '../suites/describe-solver.ts';

const TRACK = { F: '1 1; 0 1', H: '1 0', Q: '0.01 0; 0 0.01', R: '0.5' } as const;
const SERIES = '0, 1.1\n1, 1.9\n2, 3.2\n3, NA\n5, 5.8\n6, 7.1\n7, 8.3\n8, 8.8';

/** α of the tracking index λ: 1 − r², r = (4 + λ − √(8 λ + λ²)) / 4; β = 2 (2 − α) − 4 √(1 − α). Kalata 1984. */
const kalata = (index: number) => {
  const r = (4 + index - Math.sqrt(8 * index + index * index)) / 4;
  const alpha = 1 - r * r;
  return { alpha, beta: 2 * (2 - alpha) - 4 * Math.sqrt(1 - alpha) };
};
const { alpha, beta } = kalata(0.2);

describeSolver(kalman, {
  cases: {
    defaults: { runs: 30 },
    'constant acceleration': { preset: 'ca', time: 'continuous', runs: 10 },
    'a random walk': { preset: 'walk', steps: 60, runs: 10 },
    autoregression: { preset: 'ar1', runs: 5, steps: 50 },
    pendulum: { preset: 'pendulum', steps: 100, runs: 5 },
    gps: { preset: 'gps', runs: 10 },
    'two sensors, tuned': { preset: 'fusion', tune: 'each', steps: 60, runs: 2 },
    nile: { preset: 'nile' },
    'own matrices with a gap': { ...TRACK, measurements: SERIES, state: 2 },
    'an input': { ...TRACK, B: '0.5; 1', u: 0.2, steps: 30, runs: 3 },
    'not observable': { ...TRACK, H: '0 1', steps: 50, runs: 3 },
  },
  conservation: true,
  golden: ['defaults', 'gps', 'nile', 'two sensors, tuned', 'own matrices with a gap'],
  known: {
    // Closed forms, and scipy's solve_discrete_are with 12 digits.
    'a random walk with Q = R = 1': {
      input: { preset: 'walk', runs: 1 },
      value: [Math.sqrt(0.618033988749895), 1e-14],
      quantities: {
        steady_variance_predicted: [1.618033988749895, 1e-14],
        steady_gain_level_z: [0.618033988749895, 1e-14],
      },
    },
    'a random walk with Q = 0.01': {
      input: { preset: 'walk', q: 0.01, runs: 1 },
      quantities: { steady_variance_predicted: [0.10512492197250393, 1e-15] },
    },
    'autoregression with a = 0.9': {
      input: { preset: 'ar1', runs: 1 },
      quantities: { steady_variance_predicted: [0.226120772738, 1e-12], steady_gain_level_z: [0.311409315403, 1e-12] },
    },
    'constant velocity, tracking index 0.2': {
      input: { runs: 1 },
      value: [Math.sqrt(0.4673280449304491), 1e-14],
      quantities: {
        steady_gain_position_position: [0.46732804493, 1e-11],
        steady_gain_velocity_position: [0.145968757626, 1e-12],
        steady_variance_predicted: [0.87732804493, 1e-11],
        steady_variance: [0.4673280449304491, 1e-14],
      },
    },
    'constant velocity in the closed form of Kalata': {
      input: { runs: 1 },
      quantities: {
        steady_gain_position_position: [alpha, 1e-14],
        steady_gain_velocity_position: [beta, 1e-14],
      },
    },
    'the velocity of it': {
      input: { runs: 1, state: 2 },
      quantities: { steady_variance_predicted: [0.148062484749, 1e-12] },
    },
    'constant velocity with noise that is white in time': {
      input: { q: 0.01, time: 'continuous', runs: 1 },
      quantities: {
        steady_gain_position_position: [0.360591664527, 1e-12],
        steady_gain_velocity_position: [0.079963012417, 1e-12],
      },
    },
    'constant velocity, ten rows a second': {
      input: { dt: 0.1, q: 1, r: 0.25, runs: 1 },
      quantities: {
        steady_gain_position_position: [0.181201093165, 1e-12],
        steady_gain_velocity_position: [0.180975015605, 1e-12],
      },
    },
    // statsmodels, local level with the start N(0, 10⁷).
    'the Nile': {
      input: { preset: 'nile' },
      quantities: { log_likelihood: [-641.5855784, 1e-5], q: [1469, 3], r: [15099, 3] },
    },
  },
  random: {
    of: fc.record({
      preset: fc.constantFrom('cv', 'ca', 'walk', 'pendulum', 'gps', 'fusion'),
      q: fc.double({ min: 0, max: 100, noNaN: true }),
      r: fc.double({ min: 1e-6, max: 100, noNaN: true }),
      dt: fc.double({ min: 1e-3, max: 10, noNaN: true }),
      missing: fc.double({ min: 0, max: 0.9, noNaN: true }),
      time: fc.constantFrom('discrete', 'continuous'),
      steps: fc.integer({ min: 1, max: 60 }),
      runs: fc.constant(2),
    }),
    count: 40,
  },
  refused: [
    { input: { preset: 'walk', q: 0, P0: 0 }, field: 'P0', reason: 'NOTHING_TO_ESTIMATE' },
    { input: { ...TRACK, Q: '0.01 0.02; 0.03 0.01' }, field: 'Q', reason: 'NOT_SYMMETRIC', message: 'row 2, column 1' },
    { input: { ...TRACK, Q: '0.01 0.02; 0.02 0.01' }, field: 'Q', reason: 'NOT_DEFINITE' },
    { input: { ...TRACK, Q: '0 0.02; 0.02 0.01' }, field: 'Q', reason: 'NOT_DEFINITE' },
    { input: { ...TRACK, R: -1 }, field: 'R', reason: 'NEGATIVE_VARIANCE', message: '-1' },
    { input: { ...TRACK, P0: '1 2; 2 1' }, field: 'P0', reason: 'NOT_DEFINITE' },
    { input: { ...TRACK, F: '1 1' }, field: 'F', reason: 'WRONG_SHAPE', message: '1 × 2' },
    { input: { ...TRACK, F: '1 x; 0 1' }, field: 'F', reason: 'MALFORMED_MATRIX', message: '"x"' },
    { input: { ...TRACK, F: '1 1; 0' }, field: 'F', reason: 'MALFORMED_MATRIX', message: 'row 2' },
    { input: { ...TRACK, F: '1e99 1; 0 1' }, field: 'F', reason: 'MALFORMED_MATRIX', message: '1e+99' },
    { input: { ...TRACK, H: '1 0 0' }, field: 'H', reason: 'WRONG_SHAPE', message: '1 × 2' },
    { input: { ...TRACK, x0: [1, 2, 3] }, field: 'x0', reason: 'WRONG_SHAPE' },
    { input: { ...TRACK, B: '1; 1' }, field: 'u', reason: 'MISSING' },
    { input: { ...TRACK, u: 1 }, field: 'B', reason: 'MISSING' },
    { input: { ...TRACK, B: '1; 1', u: '1 2' }, field: 'u', reason: 'MALFORMED_SERIES' },
    { input: { F: 1, H: 1, R: 1 }, field: 'Q', reason: 'MISSING' },
    { input: { F: 1, Q: 1, R: 1 }, field: 'H', reason: 'MISSING' },
    { input: { F: 1, H: [[1], [1], [1], [1], [1]], Q: 1, R: 1 }, field: 'H', reason: 'TOO_MANY_CHANNELS' },
    { input: { ...TRACK, q: 1 }, field: 'q', reason: 'NOT_ALLOWED' },
    { input: { Q: 1 }, field: 'Q', reason: 'NOT_ALLOWED' },
    { input: { a: 0.5 }, field: 'a', reason: 'NOT_ALLOWED' },
    { input: { r: 1, R: 1 }, field: 'r', reason: 'GIVEN_TWICE' },
    { input: { state: 3 }, field: 'state', reason: 'OUT_OF_RANGE', saysLimit: true },
    { input: { measurements: '1\n2', steps: 3 }, field: 'steps', reason: 'NOT_ALLOWED' },
    { input: { measurements: '1\n2', true_q: 3 }, field: 'true_q', reason: 'NOT_ALLOWED' },
    { input: { steps: 100_000, runs: 1_000 }, field: 'runs', reason: 'TOO_MANY_RUNS' },
    { input: { ...TRACK, steps: 5, tune: 'both' }, field: 'tune', reason: 'TOO_FEW', saysLimit: true },
  ],
});
