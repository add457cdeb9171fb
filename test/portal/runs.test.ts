import { describe, expect, test } from 'vitest';
import { inputDifferences, runNames } from '../../src/portal/runs/compared-run.ts';
import { overlays } from '../../src/portal/runs/overlay.ts';
import type { Solution } from '../../src/solvers/definition.ts';

const of = (...all: Record<string, unknown>[]) => all.map((inputs) => ({ inputs }));

describe('inputs of compared runs', () => {
  test('lists only those that differ, with words where a run leaves one out', () => {
    expect(inputDifferences(of({ alpha: 1, nx: 16 }, { alpha: -2, nx: 16, source: 'x\ny' }))).toEqual([
      { name: 'alpha', texts: ['1', '−2'] },
      { name: 'source', texts: ['by default', 'x; y'] },
    ]);
    expect(inputDifferences(of({ a: [1, 2] }, { a: [1, 2] }))).toEqual([]);
  });

  test('long texts that differ at their end are still told apart', () => {
    const long = 'y'.repeat(100);
    const [difference] = inputDifferences(of({ equations: `${long}a` }, { equations: `${long}b` }));
    expect(difference?.texts[0]).toHaveLength(40);
    expect(runNames(of({ equations: `${long}a` }, { equations: `${long}b` }))).toEqual([
      expect.stringMatching(/ \(1\)$/),
      expect.stringMatching(/ \(2\)$/),
    ]);
  });

  test('runs are named by what tells them apart', () => {
    expect(runNames(of({ k: 1, n: 5 }, { k: 2, n: 5 }, { k: 3, n: 5 }))).toEqual(['k 1', 'k 2', 'k 3']);
    expect(runNames(of({ k: 1 }, { k: 1 }))).toEqual(['(1)', '(2)']);
  });
});

describe('charts of several runs', () => {
  const array = (name: string, data: number[], unit = '1') => ({
    name,
    unit,
    shape: [data.length],
    data: Float64Array.from(data),
  });
  const run = (t: number[], u: number[], title = 'u over t'): Pick<Solution, 'plots' | 'series' | 'fields'> => ({
    plots: [{ kind: 'line', title, x: 't', y: ['u'] }],
    series: [array('t', t, 's'), array('u', u, 'm')],
    fields: [],
  });

  test('a curve has values at the places of its run only', () => {
    const [chart, ...others] = overlays([run([0, 1, 2], [1, 2, 3]), run([0, 0.5, 2], [4, 5, 6])], ['a', 'b']);
    expect(others).toEqual([]);
    expect(chart?.x).toEqual({ name: 't', unit: 's', data: Float64Array.of(0, 0.5, 1, 2) });
    expect(chart?.ys).toEqual([
      { name: 'a', unit: 'm', data: Float64Array.of(1, Number.NaN, 2, 3) },
      { name: 'b', unit: 'm', data: Float64Array.of(4, 5, Number.NaN, 6) },
    ]);
  });

  test('a chart that one run lacks is left out, and so are curves beyond ten', () => {
    expect(overlays([run([0], [1]), run([0], [1], 'another')], ['a', 'b'])).toEqual([]);
    const many = Array.from({ length: 12 }, (_, k) => run([0, 1], [k, k]));
    expect(
      overlays(
        many,
        many.map((_, k) => `run ${k}`),
      )[0]?.ys,
    ).toHaveLength(10);
    expect(overlays([], [])).toEqual([]);
  });
});
