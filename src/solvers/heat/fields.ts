// Fields and plots that all problems have.

import type { Field } from '../definition.ts';
import { field, series } from '../parts/fields.ts';
import { recordedTimes } from '../parts/sampling.ts';
import type { Plot } from '../plot.ts';
import { type Axis, nodePositions } from './axis.ts';
import type { Problem } from './problem.ts';

/** Bound of the accumulated rounding of a run, relative to its largest temperature. */
export const roundOff = (steps: number): number => 1e-12 + 4 * Number.EPSILON * steps;

export const heatUnit = (axes: readonly Axis[]): string => (axes.length === 1 ? 'T m' : 'T m^2');

/** @param frames  row-major [time, y, x], of a steady state [y, x]; a rod has no y */
export function gridFields({ axes, dt, steps, frameEvery, general }: Problem, frames: Float64Array): Field[] {
  const coordinates = axes.map(({ cells, length }, d) => {
    return series(d === 0 ? 'x' : 'y', 'm', nodePositions(cells, length));
  });
  const shape = axes.map((axis) => axis.cells + 1).reverse();
  if (general?.isSteady) return [...coordinates, field('T', 'T', shape, frames)];
  const times = recordedTimes(steps, frameEvery, dt);
  return [series('frame_t', 's', times), ...coordinates, field('T', 'T', [times.length, ...shape], frames)];
}

export function profilePlot(axes: number, isSteady = false): Plot {
  if (isSteady && axes === 1) return { kind: 'line', title: 'Temperature along the rod', x: 'x', y: ['T'] };
  return {
    kind: 'field',
    title: axes === 1 ? 'Temperature over place and time' : 'Temperature',
    x: 'x',
    ...(axes === 1 ? {} : { y: 'y' }),
    ...(isSteady ? {} : { time: 'frame_t' }),
    values: 'T',
  };
}
