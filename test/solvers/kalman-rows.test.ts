import { describe, expect, test } from 'vitest';
import { readMatrix } from '../../src/solvers/kalman/matrix-text.ts';
import { readSeries } from '../../src/solvers/kalman/measurements.ts';
import { kalman } from '../../src/solvers/kalman/solver.ts';
import { planError } from '../suites/refusals.ts';
import { runSolver } from '../suites/run-solver.ts';
import { quantityOf } from '../suites/solution-parts.ts';

const OWN = { F: '1 1; 0 1', H: '1 0', Q: '0.01 0; 0 0.01', R: '0.5' } as const;

describe('a matrix as people type it', () => {
  test.each([
    ['1 1; 0 1'],
    ['1, 1; 0, 1'],
    ['[1 1; 0 1]'],
    ['[[1, 1], [0, 1]]'],
    ['[[1,1],[0,1]]'],
    ['1 1\n0 1\n'],
    [' 1\t1 ;\r\n 0  1e0 '],
    [
      [
        [1, 1],
        [0, 1],
      ],
    ],
  ] as const)('%j', (given) => {
    expect(readMatrix('F', given as never)).toEqual([
      [1, 1],
      [0, 1],
    ]);
  });

  test('a number, a row and a list', () => {
    expect(readMatrix('R', 0.5)).toEqual([[0.5]]);
    expect(readMatrix('R', '.5')).toEqual([[0.5]]);
    expect(readMatrix('R', [1, 2])).toEqual([[1, 2]]);
  });
});

describe('a series of measurements', () => {
  test('a header, comments, empty cells, other separators and line ends', () => {
    const text = 'time;x;y\r\n# a comment\r\n0;1.5;\r\n1;NA;-2e0\r\n\r\n2.5; 3 ; nan\r\n';
    const { times, values, missing } = readSeries(text, 2);
    expect(times).toEqual([0, 1, 2.5]);
    expect(values.map((row) => row.map(String))).toEqual([
      ['1.5', 'NaN'],
      ['NaN', '-2'],
      ['3', 'NaN'],
    ]);
    expect(missing).toBe(3);
  });

  test.each([
    ['hello world', 'no row of numbers'],
    ['', 'no row of numbers'],
    ['NA\nNA', 'every value is missing'],
    ['1\n2\nthree', 'line 3'],
    ['1\n2 3 4', 'line 2'],
    ['1 2 3', 'line 1'],
    ['0 1\n0 2', 'line 2'],
    ['0 1\nx 2', 'line 2'],
    ['NA 1\n1 2', 'line 1'],
    ['0 1\n1 1e99', 'line 2'],
    ['0 1\n1 Infinity', 'line 2'],
    ['0 1\n1 0x10', 'line 2'],
    ['0 1\n1 1e9999', 'line 2'],
  ])('%j is refused: %s', (measurements, message) => {
    const error = planError(kalman, { measurements });
    expect(error.code).toBe('VALIDATION_FAILED');
    expect(error.details.map(({ path }) => path)).toEqual(['measurements']);
    expect(error.message).toContain(message);
  });

  test('a megabyte is read or refused in well under a second of work', () => {
    for (const measurements of [
      '1\n'.repeat(499_999),
      ','.repeat(999_999),
      '\n'.repeat(999_999),
      '1 '.repeat(499_999),
      'x'.repeat(999_999),
    ])
      expect(planError(kalman, { measurements }).code).toBe('VALIDATION_FAILED');
    expect(planError(kalman, { measurements: '1\n'.repeat(499_999) }).message).toContain(
      'line 100001: more than 100000 rows',
    );
  });

  test('a longer text is beyond the schema', () => {
    expect(kalman.inputs.safeParse({ measurements: '1\n'.repeat(1_000_000) }).success).toBe(false);
  });

  test('rows of discrete matrices lie whole steps apart; each preset has a step of any length', async () => {
    expect(planError(kalman, { ...OWN, measurements: '0 1\n1.5 2' }).message).toContain('no whole multiple of dt = 1');
    const far = planError(kalman, { ...OWN, measurements: '0 1\n9000000 2' });
    expect(far.details.map(({ code }) => code)).toEqual(['GAP_TOO_LONG']);
    const { value } = await runSolver(kalman, { measurements: '0 1\n1.5 2' });
    expect(value).toBeGreaterThan(0);
  });

  test('too many different distances are refused', () => {
    let t = 0;
    const rows = Array.from({ length: 6_000 }, (_, i) => {
      t += 1 + i / 7_919;
      return `${t} 1`;
    });
    expect(planError(kalman, { measurements: rows.join('\n') }).details.map(({ code }) => code)).toEqual([
      'TOO_MANY_STEPS',
    ]);
  });

  test('a gap in time equals rows without a value', async () => {
    const gap = await runSolver(kalman, { ...OWN, P0: 1, measurements: '0 1\n1 2\n4 5\n5 6' });
    const rows = await runSolver(kalman, { ...OWN, P0: 1, measurements: '0 1\n1 2\n2 NA\n3 NA\n4 5\n5 6' });
    const preset = await runSolver(kalman, { preset: 'walk', measurements: '0 1\n1 2\n4 5', x0: 0, P0: 1 });
    const same = await runSolver(kalman, { preset: 'walk', measurements: '1\n2\nNA\nNA\n5', x0: 0, P0: 1 });
    for (const [one, other] of [
      [gap, rows],
      [preset, same],
    ] as const) {
      expect(Math.abs(one.value / other.value - 1)).toBeLessThan(1e-13);
      expect(Math.abs(quantityOf(one, 'log_likelihood') - quantityOf(other, 'log_likelihood'))).toBeLessThan(1e-12);
    }
  });

  test('an input moves the state by B u, held from row to row', async () => {
    // Without noise to speak of, the state is the sum of the inputs.
    const own = { F: 1, H: 1, Q: 1e-12, R: 1e6, B: 2, P0: 1e-12, x0: 1, measurements: '0 0\n1 0\n3 0' };
    expect(quantityOf(await runSolver(kalman, { ...own, u: '1\n10\n100' }), 'estimate_x1')).toBeCloseTo(1 + 2 + 40, 6);
    expect(quantityOf(await runSolver(kalman, { ...own, u: 1 }), 'estimate_x1')).toBeCloseTo(1 + 2 + 4, 6);
    const continuous = { ...own, F: 0, time: 'continuous' } as const;
    expect(quantityOf(await runSolver(kalman, { ...continuous, u: 1 }), 'estimate_x1')).toBeCloseTo(1 + 2 + 4, 6);
  });
});
