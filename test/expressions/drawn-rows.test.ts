// Rows that the expression kernel draws instead of being given them.

import { describe, expect, test } from 'vitest';
import {
  accelerateRows,
  compileExpression,
  type Draws,
  drawnRun,
  EXPRESSION_KERNEL,
} from '../../src/expressions/evaluate.ts';
import { loadKernel } from '../../src/kernels/load-node.ts';
import { LocalRunner } from '../../src/kernels/local-runner.ts';

describe('drawn rows', () => {
  const program = compileExpression('x - 2*y', ['x', 'y']);
  const draws = (more: Partial<Draws> = {}): Draws => ({
    centers: Float64Array.of(3, 1),
    // Both move with the first source, x with the second alone.
    factors: Float64Array.of(0.2, 0.5, 0.1, 0),
    limits: Float64Array.of(-9, 9, 0, -9, 9, 0),
    sources: 2,
    seed: 7,
    ...more,
  });
  const drawn = async (count: number, more?: Partial<Draws>, accelerate = true) => {
    const image = await loadKernel(EXPRESSION_KERNEL);
    const run = drawnRun(program, draws(more), count);
    return new LocalRunner().run(image, run, accelerate ? { accelerate: accelerateRows } : {});
  };

  test('are normal, and correlated by their sources', async () => {
    const { values = new Float64Array() } = (await drawn(100_000)).views;
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
    expect(mean).toBeCloseTo(1, 2);
    // The first source cancels in x - 2 y.
    expect(Math.sqrt(variance)).toBeCloseTo(0.5, 2);
    expect(values.filter((value) => Math.abs(value - 1) < 0.5 * 1.959964).length / values.length).toBeCloseTo(0.95, 2);
  });

  test('are the same in any number, and with the machine alone', async () => {
    const long = (await drawn(5_000)).views.values ?? new Float64Array();
    expect((await drawn(1_500)).views.values).toEqual(long.subarray(0, 1_500));
    expect((await drawn(5_000, {}, false)).views.values).toEqual(long);
    expect((await drawn(5_000, { seed: 8 })).views.values).not.toEqual(long);
  });

  test('that leave a limit have no value and are counted; a whole slot is rounded', async () => {
    const half = await drawn(20_000, { limits: Float64Array.of(3, 9, 0, -9, 9, 0) });
    const { values = new Float64Array() } = half.views;
    expect(values.filter(Number.isNaN).length).toBe(half.statistics.outside);
    expect((half.statistics.outside ?? 0) / 20_000).toBeCloseTo(0.5, 1);
    const whole = await drawn(2_000, { limits: Float64Array.of(-9, 9, 1, -9, 9, 1) });
    expect([...new Set(whole.views.values)].every(Number.isInteger)).toBe(true);
  });
});
