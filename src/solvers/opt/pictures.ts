// Pictures of a run: f and its slopes over the iterations, the map of two variables with the path, and the starts.

import { log } from '../../core/elementary.ts';
import type { KernelOutput } from '../../kernels/abi.ts';
import { rowsOf } from '../../kernels/rows.ts';
import type { Field } from '../definition.ts';
import { at } from '../parts/arrays.ts';
import { field, series } from '../parts/fields.ts';
import type { Plot } from '../plot.ts';
import { contourLines } from './contours.ts';
import type { OptFace } from './face.ts';
import { MAP_POINTS } from './plan.ts';
import type { Problem } from './problem.ts';

export interface Pictures {
  readonly series: readonly Field[];
  readonly fields: readonly Field[];
  readonly plots: readonly Plot[];
}

const log10 = (value: number) => log(value) * Math.LOG10E;
/** Decades that a picture shows below its largest value. */
const DECADES = 40;
const MAP_DECADES = 8;

export function picturesOf({ views, statistics, columns }: KernelOutput<OptFace>, problem: Problem): Pictures {
  const { trace = new Float64Array(), map = new Float64Array() } = views;
  const { traced = 0, f = 0, witnessF = 0, left = 0, right = 0, bottom = 0, top = 0 } = statistics;
  const width = Object.keys(columns.trace).length;
  const rows = rowsOf(trace.subarray(0, traced * width), columns.trace);
  const lowest = Math.min(f, Number.isFinite(witnessF) ? witnessF : f);
  const slopes = rows.column('slope');
  const hasSlopes = problem.method !== 'nelder-mead';
  const isMap = problem.x0.length === 2 && map.length > 0;
  const steps = (from: number, to: number) =>
    Array.from({ length: MAP_POINTS }, (_, i) => from + ((to - from) * i) / (MAP_POINTS - 1));
  const [first, second] = [rows.column('first'), rows.column('second')];
  const logMap = isMap ? heights(map, lowest) : new Float64Array();
  const { names } = problem.model;
  const [across = '', up = ''] = names;
  const words = names.join(' and ');
  const path = Array.from(first, (one, i) => [one, at(second, i)] as const);
  const lines = isMap ? contourLines(logMap, steps(left, right), steps(bottom, top), path) : undefined;
  return {
    series: [
      series('iteration', '1', rows.column('iteration')),
      series('f', '1', rows.column('f')),
      ...(hasSlopes ? [series('slope', '1', slopes)] : []),
      series('log10_excess', '1', decades(rows.column('f').map((one) => one - lowest))),
      ...(hasSlopes ? [series('log10_slope', '1', decades(slopes))] : []),
      ...(isMap
        ? [
            series('path_x', '1', first),
            series('path_y', '1', second),
            series('first_variable', '1', steps(left, right)),
            series('second_variable', '1', steps(bottom, top)),
          ]
        : []),
    ],
    fields:
      lines === undefined
        ? []
        : [
            field('log10_map', '1', [MAP_POINTS, MAP_POINTS], logMap),
            field('along_first', '1', [lines.count, lines.x.length / lines.count], lines.x),
            field('along_second', '1', [lines.count, lines.y.length / lines.count], lines.y),
          ],
    plots: [
      {
        kind: 'line',
        title: 'log₁₀ of f less its end, and of the largest slope',
        x: 'iteration',
        y: ['log10_excess', ...(hasSlopes ? ['log10_slope'] : [])],
      },
      ...(isMap
        ? ([
            {
              kind: 'phase',
              title: `The path of the descent, and lines of equal f, over ${words}`,
              x: 'along_first',
              y: 'along_second',
              words: { along_first: across, along_second: up },
            },
            {
              kind: 'field',
              title: `log₁₀ of f less its end, over ${words}`,
              x: 'first_variable',
              y: 'second_variable',
              values: 'log10_map',
              words: { first_variable: across, second_variable: up },
            },
          ] as const)
        : []),
    ],
  };
}

/** log₁₀, not lower than the decades of a picture; where there is none, the lowest. */
function decades(values: Float64Array, depth = DECADES): Float64Array {
  const finite = [...values].filter((one) => one > 0 && Number.isFinite(one));
  const largest = finite.reduce((max, one) => Math.max(max, one), 0);
  if (largest === 0) return values.map(() => 0);
  const smallest = finite.reduce((min, one) => Math.min(min, one), largest);
  const floor = Math.max(log10(smallest), log10(largest) - depth);
  return values.map((one) => (one > 0 && Number.isFinite(one) ? Math.max(log10(one), floor) : floor));
}

/** Where f has no value, the largest. */
function heights(map: Float64Array, lowest: number): Float64Array {
  const largest = [...map].reduce((max, one) => (Number.isFinite(one) ? Math.max(max, one) : max), lowest);
  return decades(
    map.map((one) => (Number.isFinite(one) ? one : largest) - lowest),
    MAP_DECADES,
  );
}

/** Local minima of several starts: values that differ, how often, and the smallest first. */
export function minimaOf(starts: Float64Array, n: number, finished: number, same: number) {
  const width = n + 4;
  const ended = Array.from({ length: finished }, (_, i) => i * width).filter((row) => [1, 2].includes(at(starts, row)));
  const values = ended.map((row) => at(starts, row + 1)).sort((a, b) => a - b);
  const minima: { value: number; count: number }[] = [];
  for (const value of values) {
    const last = minima.at(-1);
    if (last !== undefined && value - last.value <= Math.max(same, 1e-6 * Math.abs(last.value))) last.count++;
    else minima.push({ value, count: 1 });
  }
  return minima;
}
