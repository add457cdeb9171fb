import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { isConverged } from '../../src/protocol/convergence.ts';
import { chiSquareQuantile, chiSquareTail } from '../../src/solvers/kalman/chi-square.ts';
import { discretised } from '../../src/solvers/kalman/discretise.ts';
import { diagonalOf, type Matrix, maxDifference, plus, scaled } from '../../src/solvers/kalman/matrix.ts';
import { observabilityOf } from '../../src/solvers/kalman/observability.ts';
import { PRESETS } from '../../src/solvers/kalman/presets.ts';
import { plainFilter } from '../../src/solvers/kalman/reference.ts';
import { kalman } from '../../src/solvers/kalman/solver.ts';
import { josephOf, steadyOf } from '../../src/solvers/kalman/steady.ts';
import { runSolver } from '../suites/run-solver.ts';
import { numbersOf, quantityOf, uncertaintyOf } from '../suites/solution-parts.ts';

type Input = z.input<typeof kalman.inputs>;

const TRACK = { F: '1 1; 0 1', H: '1 0', Q: '0.01 0; 0 0.01', R: '0.5' } as const;
const F: Matrix = [
  [1, 1],
  [0, 1],
];
const H: Matrix = [[1, 0]];
const Q: Matrix = [
  [0.01, 0],
  [0, 0.01],
];

const trace = (a: Matrix) => diagonalOf(a).reduce((sum, one) => sum + one, 0);

describe('Joseph’s form', () => {
  test('keeps P symmetric and positive semi-definite where R goes to zero; the standard form loses both', async () => {
    let lost = 0;
    for (const R of [1, 1e-6, 1e-9, 1e-12, 1e-14]) {
      const solution = await runSolver(kalman, {
        F: '1 1 0.5; 0 1 1; 0 0 1',
        H: '1 0 0; 1 1 0',
        Q: '1e-6 0 0; 0 1e-6 0; 0 0 1e-6',
        R: [R, R],
        P0: '100 30 20; 30 100 40; 20 40 100',
        steps: 40,
        runs: 1,
      });
      expect(quantityOf(solution, 'joseph_asymmetry')).toBe(0);
      expect(quantityOf(solution, 'joseph_smallest_eigenvalue')).toBeGreaterThanOrEqual(0);
      if (R >= 1e-6) expect(quantityOf(solution, 'standard_smallest_eigenvalue')).toBeGreaterThan(0);
      if (R <= 1e-12 && quantityOf(solution, 'standard_smallest_eigenvalue') < 0) lost++;
      if (R <= 1e-12) expect(quantityOf(solution, 'standard_asymmetry')).toBeGreaterThan(1e-6);
    }
    expect(lost).toBe(2);
  });

  test('is the same as the standard form where the problem is well conditioned', async () => {
    const { value, witness } = await runSolver(kalman, { ...TRACK, steps: 100, runs: 1 });
    const rows = Array.from({ length: 100 }, () => [0]);
    const plain = plainFilter(
      {
        F,
        H,
        Q,
        R: [[0.5]],
        x0: [0, 0],
        P0: [
          [1, 0],
          [0, 1],
        ],
      },
      rows,
    );
    expect(Math.abs(Math.sqrt(plain.P[0]?.[0] ?? 0) - value)).toBeLessThan(1e-14);
    expect(Math.abs(witness.reference - value)).toBeLessThan(1e-14);
  });

  test('holds for any gain, and any other gain has a larger trace', () => {
    const P: Matrix = [
      [2, 0.3],
      [0.3, 1],
    ];
    const steady = steadyOf(F, H, Q, [[0.5]]);
    const best = josephOf(P, [[2 / 2.5], [0.3 / 2.5]], H, [[0.5]]);
    for (const [i, j] of [
      [0.01, 0],
      [-0.01, 0],
      [0, 0.02],
      [-0.3, 0.4],
    ] as const) {
      const changed = josephOf(P, [[2 / 2.5 + i], [0.3 / 2.5 + j]], H, [[0.5]]);
      expect(trace(changed)).toBeGreaterThan(trace(best));
      // The loss is the change of the gain in the innovation's covariance.
      expect(trace(changed) - trace(best)).toBeCloseTo(2.5 * (i * i + j * j), 12);
    }
    expect(steady).toBeDefined();
  });
});

describe('the filter', () => {
  test('agrees with textbook TypeScript on a series', async () => {
    const rows = [[1.1], [1.9], [3.2], [4.1], [5.8]];
    const plain = plainFilter(
      {
        F,
        H,
        Q,
        R: [[0.5]],
        x0: [0.2, 1],
        P0: [
          [3, 0],
          [0, 2],
        ],
      },
      rows,
    );
    const solution = await runSolver(kalman, { ...TRACK, x0: '0.2 1', P0: [3, 2], measurements: rows.join('\n') });
    expect(Math.abs(quantityOf(solution, 'log_likelihood') - plain.logLikelihood)).toBeLessThan(1e-12);
    expect(Math.abs(quantityOf(solution, 'estimate_x2') - (plain.x[1]?.[0] ?? 0))).toBeLessThan(1e-13);
  });

  test('settles linearly, with the square of the spectral radius of F − K H F', async () => {
    const solution = await runSolver(kalman, { preset: 'walk', steps: 30, runs: 1 });
    const steady = quantityOf(solution, 'steady_sd') ** 2;
    const variances = numbersOf(solution, 'sd').map((one) => one * one - steady);
    const factor = quantityOf(solution, 'error_factor');
    for (let row = 4; row < 10; row++)
      expect(Math.abs((variances[row + 1] ?? 0) / (variances[row] ?? 1) / factor - 1)).toBeLessThan(0.01);
  });

  test('simulated errors are what the filter says, also of a filter with the wrong noise', async () => {
    for (const input of [{}, { true_q: 25, true_r: 0.5 }, { preset: 'gps' }] as const satisfies readonly Input[]) {
      const solution = await runSolver(kalman, { ...input, steps: 60, runs: 400, seed: 3 });
      const [rmse, expected] = [numbersOf(solution, 'rmse'), numbersOf(solution, 'rmse_expected')];
      // A mean square of 400 runs scatters by √(2 / 400).
      const off = rmse.map((one, i) => Math.abs((one / (expected[i] ?? 1)) ** 2 - 1));
      expect(Math.max(...off)).toBeLessThan(5 * Math.sqrt(2 / 400));
    }
    const right = await runSolver(kalman, { steps: 60, runs: 400 });
    expect(Math.abs(quantityOf(right, 'nees_over_freedom') - 1)).toBeLessThan(0.05);
    expect(quantityOf(right, 'nees_rows_inside')).toBeGreaterThan(0.8);
    const wrong = await runSolver(kalman, { steps: 60, runs: 400, true_q: 25 });
    expect(quantityOf(wrong, 'nees_over_freedom')).toBeGreaterThan(1.5);
    expect(quantityOf(wrong, 'nees_rows_inside')).toBeLessThan(0.2);
  });

  test('of 60 series of the right model few are told wrong, and of a wrong one most', async () => {
    const tells = async (input: Input) => {
      let [size, white] = [0, 0];
      for (let seed = 1; seed <= 60; seed++) {
        const solution = await runSolver(kalman, { ...input, seed, steps: 150, runs: 1 });
        if (quantityOf(solution, 'nis_p') < 0.05) size++;
        if (quantityOf(solution, 'whiteness_p') < 0.05) white++;
      }
      return { size, white };
    };
    const right = await tells({});
    // 3 are expected; more than 9 have a chance below 1 in 1,000.
    expect(right.size).toBeLessThanOrEqual(9);
    expect(right.white).toBeLessThanOrEqual(9);
    const wrong = await tells({ true_q: 30 });
    expect(wrong.size).toBeGreaterThan(50);
    expect(wrong.white).toBeGreaterThan(50);
  });

  test('smoothing never makes a state less certain, and uses later rows', async () => {
    const solution = await runSolver(kalman, { preset: 'gps', runs: 1, missing: 0.4 });
    for (const name of ['east', 'north', 'v_east', 'v_north']) {
      const [filtered, smoothed] = [numbersOf(solution, `${name}_sd`), numbersOf(solution, `${name}_smoothed_sd`)];
      const larger = smoothed.filter((one, i) => one > (filtered[i] ?? 0) * (1 + 1e-12));
      expect(larger.length).toBe(0);
      expect(smoothed[50]).toBeLessThan(0.95 * (filtered[50] ?? 0));
    }
  });
});

describe('what cannot be observed', () => {
  test('is named, and P grows', async () => {
    const solution = await runSolver(kalman, { ...TRACK, H: '0 1', steps: 200, runs: 1 });
    expect(quantityOf(solution, 'observable_states')).toBe(1);
    expect(quantityOf(solution, 'is_detectable')).toBe(0);
    expect(solution.notes.join(' ')).toContain('Not observable: x1');
    expect(quantityOf(solution, 'steady_sd')).toBeNaN();
    const sd = numbersOf(solution, 'x1_sd');
    expect(sd.at(-1)).toBeGreaterThan(2 * (sd[20] ?? 0));
  });

  test('is told from what decays by itself', async () => {
    const decaying = await runSolver(kalman, { ...TRACK, F: '0.5 0; 0 1', H: '0 1', runs: 1 });
    expect(quantityOf(decaying, 'is_detectable')).toBe(1);
    expect(decaying.notes.join(' ')).toContain('decay by themselves');
    expect(quantityOf(decaying, 'steady_sd')).toBeCloseTo(Math.sqrt(0.01 / 0.75), 12);
    expect(observabilityOf(F, H)).toMatchObject({ rank: 2, unseen: [], isDetectable: true });
    const rotated = observabilityOf(
      [
        [0, 1],
        [-1, 0],
      ],
      H,
    );
    expect(rotated.rank).toBe(2);
  });

  test('beyond all numbers, it is a refusal that names the states', async () => {
    const input = { F: '4 0; 0 1', H: '0 1', Q: [1, 1], R: 1, steps: 2_000, runs: 1 };
    await expect(runSolver(kalman, input)).rejects.toThrow('x1 cannot be observed, and P grows beyond all numbers');
  });

  test('without noise in R the estimate is exact, and a second exact measurement is refused by its row', async () => {
    const { value, uncertainty, converged } = await runSolver(kalman, { ...TRACK, R: 0, steps: 20, runs: 1 });
    expect(converged).toBe(true);
    expect(value).toBeLessThanOrEqual(uncertainty);
    const known = { F: 1, H: 1, Q: 0, R: 0, P0: 1, steps: 5, runs: 1 };
    await expect(runSolver(kalman, known)).rejects.toThrow('row 2');
    const twice = { F: 1, H: [[1], [1]], Q: 1, R: [0, 0], P0: 1, steps: 5, runs: 1 };
    await expect(runSolver(kalman, twice)).rejects.toThrow('row 1');
  });
});

describe('maximum likelihood', () => {
  test('intervals of q and r hold the numbers that drew the series', async () => {
    let held = 0;
    const seeds = 40;
    for (let seed = 1; seed <= seeds; seed++) {
      const solution = await runSolver(kalman, { preset: 'walk', tune: 'both', steps: 200, runs: 1, seed });
      const inside = (name: string) =>
        quantityOf(solution, `${name}_low`) <= 1 && quantityOf(solution, `${name}_high`) >= 1;
      held += Number(inside('q')) + Number(inside('r'));
      expect(Math.abs(quantityOf(solution, 'q') - 1)).toBeLessThan(3 * uncertaintyOf(solution, 'q'));
    }
    // 95 of 100 are expected; fewer than 68 of 80 have a chance below 1 in 1,000.
    expect(held).toBeGreaterThanOrEqual(68);
  });

  test('finds the factor that the simulated world has', async () => {
    const solution = await runSolver(kalman, { true_q: 400, true_r: 9, tune: 'both', steps: 600, runs: 1 });
    expect(Math.abs(quantityOf(solution, 'q') - 16)).toBeLessThan(uncertaintyOf(solution, 'q'));
    expect(Math.abs(quantityOf(solution, 'r') - 9)).toBeLessThan(uncertaintyOf(solution, 'r'));
    expect(quantityOf(solution, 'nis_p')).toBeGreaterThan(0.001);
  });

  test('an answer that the data do not tell is not converged, with the reason', async () => {
    const constant = await runSolver(kalman, {
      preset: 'walk',
      tune: 'q',
      measurements: '1\n1\n1\n1\n1\n1\n1\n1',
      P0: 1,
    });
    expect(constant.converged).toBe(false);
    expect(constant.notes.join(' ')).toContain('no maximum');
  });
});

test.each(Object.keys(PRESETS) as (keyof typeof PRESETS)[])('strict mode seals the preset %s', async (preset) => {
  expect(isConverged(await runSolver(kalman, { preset, runs: 2 }))).toBe(true);
});

test('chi-square has the quantiles of tables', () => {
  // Abramowitz & Stegun, table 26.8.
  for (const [tail, k, x] of [
    [0.05, 1, 3.84146],
    [0.95, 1, 0.00393214],
    [0.05, 10, 18.307],
    [0.025, 30, 46.9792],
    [0.95, 100, 77.9295],
  ] as const) {
    expect(Math.abs(chiSquareQuantile(tail, k) / x - 1)).toBeLessThan(1e-5);
    expect(Math.abs(chiSquareTail(chiSquareQuantile(tail, k), k) - tail)).toBeLessThan(1e-12);
  }
});

test('two steps of a continuous system are one of twice the length', () => {
  const A: Matrix = [
    [0, 1],
    [-30, -0.4],
  ];
  const B: Matrix = [[0], [1]];
  const density: Matrix = [
    [0, 0],
    [0, 2],
  ];
  const [one, two] = [discretised(A, density, B, 0.7), discretised(A, density, B, 1.4)];
  const again = (P: Matrix, step: Matrix) => {
    const product = (a: Matrix, b: Matrix) =>
      a.map((row) => (b[0] ?? []).map((_, j) => row.reduce((sum, value, k) => sum + value * (b[k]?.[j] ?? 0), 0)));
    return product(
      product(step, P),
      (step[0] ?? []).map((_, j) => step.map((row) => row[j] ?? 0)),
    );
  };
  expect(maxDifference(plus(again(one.Q, one.F), one.Q), two.Q)).toBeLessThan(1e-14);
  expect(scaled(two.Q, 1)).toEqual(two.Q);
});
