import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { parseCases } from '../../src/solvers/epi/cases.ts';
import type { inputs } from '../../src/solvers/epi/inputs.ts';
import { wholeShares } from '../../src/solvers/epi/problem.ts';
import { peakDay, timeUntil } from '../../src/solvers/epi/reference.ts';
import { radiusBySquaring, spectralRadius } from '../../src/solvers/epi/reproduction.ts';
import { epi } from '../../src/solvers/epi/solver.ts';
import { describeSolver } from '../suites/describe-solver.ts';
import { planError } from '../suites/refusals.ts';
import { runSolver } from '../suites/run-solver.ts';
import { faultsOf, numbersOf, quantityOf } from '../suites/solution-parts.ts';

type Input = z.input<typeof inputs>;

const plain = { preset: 'sir' } as const;
const rates = (top: number) => fc.double({ min: 0.05, max: top, noNaN: true });

describeSolver(epi, {
  cases: {
    defaults: {},
    seir: { preset: 'seir' },
    lockdown: { preset: 'lockdown' },
    vaccination: { preset: 'vaccination', samples: 60 },
    endemic: { preset: 'endemic', days: 2_000 },
    waning: { preset: 'waning', days: 400 },
    'age groups': { preset: 'age' },
    village: { preset: 'village', ensemble: 20 },
    'age groups in whole people': {
      preset: 'age',
      groups: [60, 150, 51],
      days: 90,
      ensemble: 8,
      mu: 0.001,
      waning: 0.01,
      windows: [{ from: 10, to: 30, vaccination: 0.02 }],
    },
    'a fit': { preset: 'school', samples: 30 },
    'a fit of new cases with a window': {
      model: 'seir',
      N: 5_000,
      cases: 'day,cases\n7,9\n14,30\n21,NA\n28,140\n35,95\n42,81\n49,60\n56,33\n',
      windows: [{ from: 28, to: 40, factor: 0.6 }],
      fit: ['beta', 'I0', 'reporting'],
    },
    'nobody infected': { I0: 0 },
    'R0 below 1': { R0: 0.7, I0: 50 },
  },
  conservation: true,
  golden: ['defaults', 'seir', 'lockdown', 'endemic', 'age groups', 'village', 'age groups in whole people', 'a fit'],
  known: {
    'an attack rate of 0.797 at R0 = 2, 30 digits': {
      input: { ...plain, R0: 2, gamma: 0.1, N: 1_000, I0: 1, days: 2_000 },
      quantities: {
        final_size: [797.1540996, 1e-7],
        infected: [796.1540996, 1e-6],
        susceptible_end: [202.845900403, 1e-6],
        peak_infectious: [153.9266599, 1e-7],
        peak_day: [67.57305793, 2e-8],
      },
    },
  },
  random: {
    of: fc.record({
      model: fc.constantFrom('sir' as const, 'seir' as const),
      beta: rates(3),
      gamma: rates(1),
      sigma: rates(2),
      N: fc.integer({ min: 100, max: 1e7 }),
      I0: fc.integer({ min: 0, max: 50 }),
      immune: fc.double({ min: 0, max: 0.5, noNaN: true }),
      mu: fc.constantFrom(0, 1e-4, 0.02),
      waning: fc.constantFrom(0, 0.01),
      days: fc.integer({ min: 1, max: 400 }),
    }),
    count: 60,
  },
  uncheckedParameters: [],
  illegalParameters: [{ groups: 17 }, { rtol: 1 }, { kind: 3 }],
  refused: [
    { input: { R0: 2, beta: 0.2 }, field: 'R0', reason: 'GIVEN_TWICE' },
    { input: { N: 10, I0: 11 }, field: 'I0', reason: 'MORE_THAN_N', saysLimit: true },
    { input: { preset: 'seir', N: 10, I0: 6, E0: 6 }, field: 'E0', reason: 'MORE_THAN_N', saysLimit: true },
    { input: { N: 10, I0: 6, immune: 0.5 }, field: 'immune', reason: 'MORE_THAN_N', saysLimit: true },
    { input: { E0: 3 }, field: 'E0', reason: 'NOT_ALLOWED' },
    { input: { N: 10.5, ensemble: 5 }, field: 'N', reason: 'NOT_WHOLE' },
    { input: { I0: 0.5, ensemble: 5 }, field: 'I0', reason: 'NOT_WHOLE' },
    { input: { contacts: [[1]] }, field: 'groups', reason: 'MISSING' },
    { input: { groups: [10, 10] }, field: 'contacts', reason: 'MISSING' },
    { input: { groups: [10, 10], contacts: [[1, 1], [1]] }, field: 'contacts', reason: 'COUNTS_DIFFER' },
    { input: { groups: [10], contacts: [[-1]] }, field: 'contacts.0.0', reason: 'OUT_OF_RANGE' },
    { input: { groups: [10], contacts: [[0]] }, field: 'contacts' },
    { input: { groups: [0.5], contacts: [[1]] }, field: 'groups.0', reason: 'OUT_OF_RANGE' },
    { input: { N: 11, groups: [10], contacts: [[1]] }, field: 'N', reason: 'COUNTS_DIFFER', saysLimit: true },
    { input: { preset: 'school', ensemble: 5 }, field: 'ensemble' },
    { input: { preset: 'school', days: 13 }, field: 'days', reason: 'TOO_SHORT', saysLimit: true },
    { input: { cases: '1\n2\n4\n8\n16', fit: ['sigma'] }, field: 'fit', reason: 'NOT_ALLOWED' },
    { input: { cases: '1\n2\n4', fit: ['beta', 'I0'] }, field: 'cases', reason: 'TOO_FEW', message: 'need 4 or more' },
    { input: { cases: '0\n0\n0\n0' }, field: 'cases', reason: 'NO_CASES' },
    { input: { cases: '5\n6' }, field: 'cases', reason: 'TOO_FEW' },
    { input: { cases: '5\n6\n7\n9\n10', I0: 0 }, field: 'I0' },
    { input: { windows: [{ from: -1, to: 3 }] }, field: 'windows.0.from', reason: 'OUT_OF_RANGE' },
    { input: { windows: [{ from: 10, to: 201 }] }, field: 'windows.0.to', reason: 'OUT_OF_RANGE' },
    { input: { windows: [{ from: 10, to: 10 }] }, field: 'windows.0.to', reason: 'OUT_OF_RANGE' },
    { input: { windows: [{ from: 1, to: 3, factor: -1 }] }, field: 'windows.0.factor', reason: 'OUT_OF_RANGE' },
    { input: { windows: [{ from: 1, to: 3, vaccination: 11 }] }, field: 'windows.0.vaccination' },
    {
      input: {
        windows: [
          { from: 20, to: 40 },
          { from: 10, to: 21 },
        ],
      },
      field: 'windows.0.from',
      reason: 'OVERLAP',
      message: 'windows.1 ends on day 21',
    },
  ],
});

describe('closed forms', () => {
  // solve_ivp and mpmath with 30 digits, of the design's tables: R0, gamma, N, I0, final size, peak, day of the peak.
  test.each([
    [2, 0.1, 1_000, 1, 797.1540996, 153.9266599, 67.57305793],
    [3, 0.1, 1_000, 1, 940.5522317, 300.7960706, 38.355307672],
    [2.5, 1 / 7, 1e6, 10, 892_646.221, 233_487.7073, 55.6378304977],
    [1.5, 0.2, 1e4, 10, 5839.230671, 636.9026148, 56.9627702104],
  ])('R0 = %d, gamma = %d, N = %d, I0 = %d', async (R0, gamma, N, I0, finalSize, peak, day) => {
    const solution = await runSolver(epi, { ...plain, R0, gamma, N, I0, days: 40 / gamma });
    const near = (name: string, truth: number, printed: number) =>
      expect(Math.abs((quantityOf(solution, name) ?? 0) - truth), name).toBeLessThan(printed);
    near('peak_infectious', peak, 1e-9 * N);
    near('peak_day', day, 1e-7);
    near('final_size', finalSize, 1e-9 * N);
    const s0 = 1 - I0 / N;
    expect(Math.abs(peakDay({ R0, gamma, s0, i0: I0 / N }) - day)).toBeLessThan(1e-8 * day);
  });

  test('the time until the susceptible of the end is the length of the run', async () => {
    const solution = await runSolver(epi, { ...plain, days: 90 });
    const left = (quantityOf(solution, 'susceptible_end') ?? 0) / 1_000;
    const time = timeUntil({ R0: 2, gamma: 0.1, s0: 0.999, i0: 0.001 }, left);
    expect(Math.abs(time - 90)).toBeLessThan(1e-6);
  });
});

// LSODA and DOP853 with 1e-12, of the design's table: beta, sigma, gamma, N, E0, I0, peak, its day.
test.each([
  [0.5, 0.2, 0.1, 1e6, 0, 1, 305_012.4418, 88.3213265],
  [0.4, 0.25, 0.2, 1e5, 0, 10, 8452.203716, 96.19626157],
  [0.5, 1 / 5.2, 1 / 7, 1e6, 10, 1, 198_403.4447, 87.82949263],
])('SEIR with beta = %d, sigma = %d, gamma = %d', async (beta, sigma, gamma, N, E0, I0, peak, day) => {
  const solution = await runSolver(epi, { model: 'seir', beta, sigma, gamma, N, E0, I0, days: 200 });
  expect(Math.abs((quantityOf(solution, 'peak_infectious') ?? 0) - peak)).toBeLessThan(1e-9 * N);
  expect(Math.abs((quantityOf(solution, 'peak_day') ?? 0) - day)).toBeLessThan(1e-7);
});

describe('groups', () => {
  test('that meet all alike are one population', async () => {
    const input: Input = { preset: 'seir', days: 120, waning: 0.01, mu: 1e-3, N: 1e5 };
    const one = await runSolver(epi, input);
    const share = (rows: readonly number[]) => rows.map(() => [0.2, 0.3, 0.5]);
    const three = await runSolver(epi, { ...input, groups: [2e4, 3e4, 5e4], contacts: share([0, 1, 2]) });
    for (const name of ['S', 'E', 'I', 'R', 'incidence'])
      numbersOf(three, name).forEach((value, i) => {
        expect(Math.abs(value - (numbersOf(one, name)[i] ?? 0))).toBeLessThan(1e-6 * 1e5);
      });
  });

  test('the spectral radius of any matrix, also one that falls apart, is that of its powers', () => {
    const entry = fc.oneof(fc.constant(0), fc.double({ min: 1e-3, max: 20, noNaN: true }));
    const matrix = fc
      .integer({ min: 1, max: 6 })
      .chain((n) => fc.array(fc.array(entry, { minLength: n, maxLength: n }), { minLength: n, maxLength: n }));
    fc.assert(
      fc.property(matrix, (rows) => {
        const { value, error } = spectralRadius(rows);
        expect(Math.abs(value - radiusBySquaring(rows))).toBeLessThanOrEqual(error + 1e-12 * value);
      }),
      { numRuns: 300 },
    );
    const exchanged = spectralRadius([
      [0, 4],
      [9, 0],
    ]);
    expect(exchanged.value).toBeCloseTo(6, 13);
    expect(
      spectralRadius([
        [0, 1],
        [0, 0],
      ]),
    ).toEqual({ value: 0, error: 0 });
  });

  test('whole shares add up and stay within the sizes', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(sizes, fc.double({ min: 0, max: 1, noNaN: true }), (given, part) => {
        const total = Math.round(part * given.reduce((sum, one) => sum + one, 0));
        const shares = wholeShares(total, given);
        expect(shares.reduce((sum, one) => sum + one, 0)).toBe(total);
        expect(shares.every((share, g) => share >= 0 && share <= (given[g] ?? 0) && Number.isInteger(share))).toBe(
          true,
        );
      }),
    );
  });
});

describe('windows', () => {
  test('with a factor of 1 change nothing but the steps', async () => {
    const [one, two] = await Promise.all([
      runSolver(epi, plain),
      runSolver(epi, { ...plain, windows: [{ from: 33.3, to: 61.7, factor: 1 }] }),
    ]);
    numbersOf(one, 'I').forEach((value, i) => {
      expect(Math.abs(value - (numbersOf(two, 'I')[i] ?? 0))).toBeLessThan(1e-5);
    });
  });

  test('without contacts end the rise at their begin, a peak at a kink', async () => {
    const solution = await runSolver(epi, { ...plain, windows: [{ from: 31.4, to: 200, factor: 0 }] });
    expect(quantityOf(solution, 'peak_day')).toBe(31.4);
    expect(quantityOf(solution, 'peaks')).toBe(1);
  });

  test('vaccinate at their rate: without contacts the susceptible fall exponentially', async () => {
    const window = { from: 0, to: 20, factor: 0, vaccination: 0.05 };
    const solution = await runSolver(epi, { ...plain, days: 20, windows: [window] });
    expect(quantityOf(solution, 'susceptible_end')).toBeCloseTo(999 * Math.exp(-1), 6);
  });

  test('vaccinate among people who were never infected, late in the run', async () => {
    const window = { from: 34_135.25, to: 34_145.25, factor: 1, vaccination: 0.1 };
    const solution = await runSolver(epi, { ...plain, I0: 0, days: 40_000, windows: [window] });
    expect(quantityOf(solution, 'susceptible_end')).toBeCloseTo(1_000 * Math.exp(-1), 6);
  });

  test('that let a wave come back after centuries without infected never make a number negative', async () => {
    const window = { from: 7_996.7, to: 21_785.2, factor: 3.1 };
    const input: Input = { model: 'seir', beta: 0.075, gamma: 0.13, sigma: 0.23, N: 87, I0: 4e-10, immune: 0.17 };
    const solution = await runSolver(epi, { ...input, days: 33_522, windows: [window] });
    for (const name of ['S', 'E', 'I', 'R'])
      expect(numbersOf(solution, name).every((value) => value >= -1e-20 * 87)).toBe(true);
    expect(faultsOf(solution)).toEqual([]);
  });

  test('given in any order are the same', async () => {
    const windows = [
      { from: 50, to: 70, factor: 0.5 },
      { from: 10, to: 20, factor: 0.2, vaccination: 0.1 },
    ];
    const values = await Promise.all(
      [windows, windows.toReversed()].map(async (one) =>
        numbersOf(await runSolver(epi, { ...plain, windows: one }), 'I'),
      ),
    );
    expect(values[0]).toEqual(values[1]);
  });
});

test('with births the endemic state is that of the equations at rest', async () => {
  const [R0, mu, gamma] = [5, 0.01, 0.2];
  const solution = await runSolver(epi, { ...plain, R0, mu, gamma, N: 1e5, days: 20_000 });
  expect(quantityOf(solution, 'susceptible_end')).toBeCloseTo(1e5 / R0, 4);
  expect(quantityOf(solution, 'infectious_end')).toBeCloseTo(((mu * 1e5) / (gamma + mu)) * (1 - 1 / R0), 4);
});

describe('a series of counts', () => {
  test.each([
    ['1\n2\nthree\n4', 3, 'got "three"'],
    ['1\n-2\n3', 2, 'got "-2"'],
    ['1,2\n3', 2, 'got 1 columns'],
    ['1,2,3', 1, 'got 3 columns'],
    ['1,2\n1,3', 2, 'expected a day after'],
    ['2020-01-01,2\n2019-12-31,3', 2, 'expected a day after'],
    ['2020-01-01,2\n2,3', 2, 'all dates, or all numbers'],
    ['1,2\n2020-01-02,3', 2, 'expected a day'],
    ['2020-01-31,2\n2020-02-30,3', 2, 'got "2020-02-30"'],
    ['1,2\n100001,3', 2, 'expected a day from 0 to 100000'],
    ['1\n1e400\n3', 2, 'expected a count'],
    [`${'1\n'.repeat(10_001)}`, 10_001, 'more than 10000 rows'],
  ])('%j is refused in its line', (cases, line, message) => {
    const error = planError(epi, { cases });
    expect(error.details.map(({ path }) => path)).toEqual(['cases']);
    expect(error.message).toContain(`cases, line ${line}: `);
    expect(error.message).toContain(message);
  });

  test('is read with headers, comments, missing counts, dates and gaps', () => {
    const plainRows = parseCases('# source\nday;cases\n1;3\n2;NA\n3;\n4;8\n7;9\n');
    expect(plainRows).toEqual({
      rows: [{ day: 1, count: 3 }, { day: 2 }, { day: 3 }, { day: 4, count: 8 }, { day: 7, count: 9 }],
      step: 1,
      missing: 2,
    });
    const dated = parseCases('2020-02-27 1\n2020-02-28 2\n2020-02-29 3\n2020-03-01 4\r\n2021-03-01 5');
    expect(dated.rows.map(({ day }) => day)).toEqual([1, 2, 3, 4, 369]);
  });

  test('of any text makes counts or a refusal that names it', () => {
    const piece = fc.constantFrom('1', '2', '30', ',', ';', '\n', 'NA', 'x', '-', '2020-01-01', ' ', '#', '1e3', '.5');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        try {
          const { rows } = parseCases(pieces.join(''));
          expect(rows.every(({ day, count = 0 }) => day >= 0 && count >= 0)).toBe(true);
        } catch (error) {
          expect(String(error)).toContain('cases');
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('a fit', () => {
  const curve = { preset: 'seir', N: 20_000, I0: 5, days: 60, samples: 61, R0: 2.2 } as const;

  test.each(['incidence', 'prevalence'] as const)(
    'of the counts of a curve finds its parameters: %s',
    async (observed) => {
      const truth = await runSolver(epi, curve);
      const [infections, infectious] = [numbersOf(truth, 'infections'), numbersOf(truth, 'I')];
      const counts = infectious
        .slice(1)
        .map((one, i) => (observed === 'prevalence' ? one : (infections[i + 1] ?? 0) - (infections[i] ?? 0)));
      const solution = await runSolver(epi, {
        ...curve,
        R0: 6,
        I0: 1,
        cases: counts.join('\n'),
        observed,
        fit: ['beta', 'gamma', 'I0'],
      });
      expect(Math.abs(solution.value / 2.2 - 1)).toBeLessThan(1e-6);
      expect(Math.abs((quantityOf(solution, 'fitted_gamma') ?? 0) / 0.25 - 1)).toBeLessThan(1e-6);
      expect(Math.abs((quantityOf(solution, 'fitted_I0') ?? 0) / 5 - 1)).toBeLessThan(1e-5);
      expect(solution.uncertainty).toBeGreaterThan(1e-3);
    },
  );

  test('with parameters that the counts cannot tell apart is refused', async () => {
    const rise = Array.from({ length: 8 }, (_, i) => Math.round(10 * 1.5 ** i)).join('\n');
    const input = { N: 1e9, I0: 10, cases: rise, fit: ['beta', 'gamma', 'I0', 'reporting'] } satisfies Input;
    await expect(runSolver(epi, input)).rejects.toThrow('do not tell these parameters apart');
  });
});
