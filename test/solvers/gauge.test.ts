import fc from 'fast-check';
import { expect, test } from 'vitest';
import { gauge } from '../../src/solvers/gauge/solver.ts';
import { binning, correlationTime, meanOf } from '../../src/solvers/gauge/statistics.ts';
import { randomWord } from '../../src/solvers/parts/random.ts';
import { describeSolver } from '../suites/describe-solver.ts';
import { runSolver } from '../suites/run-solver.ts';

const short = { thermalisation: 100, sweeps: 400 } as const;

describeSolver(gauge, {
  cases: {
    'SU(2) in a plane': { dim: 2, L: 8, beta: 4, ...short, loops: 3 },
    'SU(2), odd sides and Metropolis': { dim: 3, L: 3, Lt: 5, beta: 2, algorithm: 'metropolis', ...short },
    'SU(2) with over-relaxation': { L: 4, Lt: 2, overrelaxation: 2, ...short },
    'U(1) in space': { group: 'u1', dim: 3, L: 4, beta: 2, start: 'hot', ...short },
    'U(1) at a strong coupling': { group: 'u1', dim: 2, L: 5, beta: 5e-4, ...short },
    'U(1) by Metropolis': { group: 'u1', dim: 2, L: 6, beta: 1.5, algorithm: 'metropolis', ...short },
    'Z2 in space': { group: 'z2', dim: 3, L: 6, beta: 0.6, ...short },
    'Z2 with over-relaxation': { group: 'z2', dim: 4, L: 3, beta: 0.3, overrelaxation: 1, ...short },
    'SU(2) without a coupling': { dim: 2, L: 4, beta: 0, ...short },
  },
  conservation: true,
  golden: [
    'SU(2) in a plane',
    'SU(2), odd sides and Metropolis',
    'SU(2) with over-relaxation',
    'U(1) in space',
    'U(1) at a strong coupling',
    'U(1) by Metropolis',
    'Z2 in space',
    'Z2 with over-relaxation',
  ],
  known: {
    // mpmath, 30 digits: the sums over representations of a torus of 16 plaquettes.
    'U(1) on 4 x 4 sites': { input: { group: 'u1', dim: 2, L: 4, beta: 2 }, reference: [0.699251926818, 1e-12] },
    'SU(2) on 4 x 4 sites': { input: { dim: 2, L: 4, beta: 4 }, reference: [0.658185074567, 1e-12] },
    // I1 / I0, I2 / I1 and tanh.
    'U(1) in the infinite plane': {
      input: { group: 'u1', dim: 2, L: 4, beta: 3 },
      quantities: { plaquette_infinite: [0.809985293957, 1e-12] },
    },
    'SU(2) in the infinite plane': {
      input: { dim: 2, L: 4, beta: 8 },
      quantities: { plaquette_infinite: [0.81924941035, 1e-11] },
    },
    'Z2 in the infinite plane': {
      input: { group: 'z2', dim: 2, L: 4, beta: 2 },
      quantities: { plaquette_infinite: [0.964027580076, 1e-12] },
    },
  },
  random: {
    of: fc.record({
      group: fc.constantFrom('su2' as const, 'u1' as const, 'z2' as const),
      dim: fc.integer({ min: 2, max: 4 }),
      L: fc.integer({ min: 2, max: 4 }),
      Lt: fc.integer({ min: 2, max: 5 }),
      beta: fc.double({ min: 0, max: 20, noNaN: true }),
      algorithm: fc.constantFrom('heatbath' as const, 'metropolis' as const),
      overrelaxation: fc.integer({ min: 0, max: 2 }),
      start: fc.constantFrom('cold' as const, 'hot' as const),
      thermalisation: fc.constant(200),
      sweeps: fc.integer({ min: 100, max: 300 }),
      seed: fc.integer({ min: 0, max: 1e9 }),
    }),
    count: 40,
  },
  refused: [
    { input: { L: 20 }, field: 'L', reason: 'TOO_MANY_SITES', facts: { max: 65_536, sites: 160_000 }, saysLimit: true },
    {
      input: { L: 4, loops: 4 },
      field: 'loops',
      reason: 'LOOP_TOO_LARGE',
      facts: { max: 3, loops: 4 },
      saysLimit: true,
    },
    { input: { L: 4, Lt: 2, loops: 2 }, field: 'loops', reason: 'LOOP_TOO_LARGE' },
  ],
  outOfRange: [{ beta: -1 }, { dim: 5 }, { L: 1 }, { group: 'su3' }, { sweeps: 10 }],
  uncheckedParameters: [],
  illegalParameters: [{ group: 3 }, { dim: 5 }, { size: 200_000 }, { beta: -1 }, { replica: 0.5 }],
});

test('starts in the two phases of a first-order transition do not meet, and the answer says so', async () => {
  const { converged, notes } = await runSolver(gauge, {
    ...{ group: 'z2', dim: 4, L: 5, beta: 0.4407, thermalisation: 50, sweeps: 200 },
  });
  expect(converged).toBe(false);
  expect(notes.join()).toContain('more sweeps');
});

test('a history with a known autocorrelation has its time, and blocks grow to its error', () => {
  // Each element is 0.8 of the one before and a normal deviate: 2 tau = (1 + 0.8) / (1 - 0.8).
  const history = new Float64Array(40_000);
  for (let i = 1; i < history.length; i++) history[i] = 0.8 * (history[i - 1] ?? 0) + deviate(i);
  const mean = meanOf(history);
  const { tau, uncertainty } = correlationTime(mean, history.length);
  expect(Math.abs(tau - 4.5)).toBeLessThan(1.5 * uncertainty);
  const { sizes, errors } = binning(history);
  const block = sizes.findIndex((size) => size >= 128);
  expect(Math.abs((errors[block] ?? 0) / mean.error - 1)).toBeLessThan(0.25);
  expect((errors[0] ?? 1) / mean.error).toBeLessThan(0.4);
});

test('the mean link and its spread are of the heat bath: identity of Schwinger and Dyson for each group and update', async () => {
  for (const group of ['su2', 'u1', 'z2'] as const) {
    for (const algorithm of ['heatbath', 'metropolis'] as const) {
      const input = { group, algorithm, dim: 2, L: 6, beta: 0.9, sweeps: 4000, loops: 0 } as const;
      const { value, invariants } = await runSolver(gauge, input);
      const [identity] = invariants;
      expect(identity?.name).toBe('schwinger_dyson');
      // N <f> with f the sum of two plaquettes.
      expect(Math.abs((identity?.value ?? 0) - (group === 'su2' ? 3 : 1) * 2 * value)).toBeLessThan(0.05);
      expect(Math.abs(identity?.drift ?? 1)).toBeLessThan(0.03);
    }
  }
});

/** Nearly normal: the sum of twelve uniform deviates less 6. */
function deviate(index: number): number {
  let sum = -6;
  for (let i = 0; i < 12; i++) sum += randomWord(5, 12 * index + i) / 4_294_967_296;
  return sum;
}
