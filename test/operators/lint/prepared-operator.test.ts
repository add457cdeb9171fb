// Inputs with which the checks try a law: rows in coherent SI, points of the ranges, branches.

import { describe, expect, test } from 'vitest';
import { checkBranches } from '../../../src/operators/lint/branches.ts';
import { checkRescaling } from '../../../src/operators/lint/dimensions.ts';
import { exampleRows } from '../../../src/operators/lint/examples.ts';
import { boundsOf, samplePoints } from '../../../src/operators/lint/sampling.ts';
import type { OperatorRecord } from '../../../src/operators/operator.ts';
import { evaluator, preparedOf, sound } from './registry.ts';

describe('points of the box', () => {
  test('lie inside it, are whole where they must be, and come out again the same', () => {
    const prepared = preparedOf(sound('AA4'));
    const points = samplePoints(prepared, 200);
    for (const [n = 0, x = 0] of points) {
      expect(Number.isInteger(n) && n >= 1 && n <= 200).toBe(true);
      expect(Math.abs(x)).toBeLessThanOrEqual(6);
    }
    expect(new Set(points.map(([n]) => n)).size).toBeGreaterThan(60);
    expect(samplePoints(prepared, 200)).toEqual(points);
  });

  test('cover decades as well as the far end', () => {
    const prepared = preparedOf(sound('AA5'));
    const factors = samplePoints(prepared, 64).map(([a = 0]) => a * 3600);
    expect(factors.filter((a) => a < 1e8).length).toBeGreaterThan(10);
    expect(factors.filter((a) => a > 1e15).length).toBeGreaterThan(20);
    expect(Math.max(...factors)).toBeLessThanOrEqual(1e16 * (1 + 1e-12));
  });

  test('an open end lies ten times beyond the examples, on both sides of zero', () => {
    const record = sound('AA3');
    const prepared = preparedOf({ ...record, inputs: { ...record.inputs, t: { unit: 's', description: 'time' } } });
    const time = prepared.inputs.find(({ name }) => name === 't');
    if (time === undefined) throw new Error('AA3 has a time');
    expect(boundsOf(prepared, time)).toEqual({ lower: -17, upper: 17 });
  });
});

test('rows are in coherent SI, inputs first, then constants', () => {
  const { rows } = exampleRows(preparedOf(sound('AA1')));
  expect(rows[0]?.row).toEqual([2650, 998.2, 12.5e-6, 1.002e-3, 9.80665]);
});

test('numbers see a wrong dimension without the rules', () => {
  const record = sound('AA3');
  const prepared = preparedOf(record);
  const { rows } = exampleRows(prepared);
  expect(checkRescaling(prepared, rows, evaluator)).toEqual([]);
  const area = preparedOf({ ...record, output: { symbol: 'x', unit: 'm^2' } });
  expect(checkRescaling(area, rows, evaluator)[0]?.text).toMatch(/^in other units example 1 is not the same quantity/);
  const mixed = preparedOf({ ...record, equation: 'x = A*exp(-b*t)*cos(w*t) + t' });
  expect(checkRescaling(mixed, rows, evaluator)).toHaveLength(1);
});

describe('branches', () => {
  const unseen = (equation: string, values: readonly number[], where: OperatorRecord['where'] = {}) => {
    const record: OperatorRecord = {
      ...sound('AA2'),
      equation: `Cd = ${equation}`,
      where,
      inputs: { x: { unit: '1', description: '' } },
      examples: values.map((x) => ({ inputs: { x }, expected: 1, source: 'none' })),
    };
    const prepared = preparedOf(record);
    return checkBranches(prepared, exampleRows(prepared).rows, evaluator).map(({ text }) => text);
  };

  test('both sides of a choice are wanted', () => {
    expect(unseen('x < 2 ? x : 3', [1, 5])).toEqual([]);
    expect(unseen('x < 2 ? x : 3', [1])).toEqual(['no example takes the second branch of x < 2 ? ... : ...']);
    expect(unseen('1 + 2*(x < 2 ? x : 3)', [5])).toEqual(['no example takes the first branch of x < 2 ? ... : ...']);
  });

  test('a branch inside a branch counts only when it is reached', () => {
    const nested = 'x < 2 ? (x < 1 ? 1 : 2) : (x < 4 ? 3 : 4)';
    expect(unseen(nested, [0, 1.5, 3, 5])).toEqual([]);
    // Every condition is true and false somewhere, but x < 4 is never asked of 5.
    expect(unseen(nested, [0, 1.5, 3])).toEqual(['no example takes the second branch of x < 4 ? ... : ...']);
    expect(unseen(nested, [3, 5]).length).toBe(3);
  });

  test('a branch inside a sum is taken if some term takes it', () => {
    expect(unseen('sum(k, 1, 5, k < x ? k : 1)', [3])).toEqual([]);
    expect(unseen('sum(k, 1, 5, k < x ? k : 1)', [9])).toHaveLength(1);
  });

  test('intermediate expressions have branches too', () => {
    expect(unseen('w*x', [1], { v: 'x + 1', w: 'v > 2 ? v : 2' })).toEqual([
      'no example takes the first branch of v > 2 ? ... : ...',
    ]);
  });
});
