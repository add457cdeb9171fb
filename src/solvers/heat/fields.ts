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

/** @param frames  row-major [time, y, x]; a rod has no y */
export function gridFields({ axes, dt, steps, frameEvery }: Problem, frames: Float64Array): Field[] {
  const nodes = axes.reduce((product, { cells }) => product * (cells + 1), 1);
  const all = recordedTimes(steps, frameEvery, dt);
  const times = frames.length === nodes ? all.slice(-1) : all;
  const coordinates = axes.map(({ cells, length }, d) => {
    return series(d === 0 ? 'x' : 'y', 'm', nodePositions(cells, length));
  });
  const shape = [times.length, ...axes.map((axis) => axis.cells + 1).reverse()];
  return [series('frame_t', 's', times), ...coordinates, field('T', 'T', shape, frames)];
}

export const profilePlot = (axes: number): Plot => ({
  kind: 'field',
  title: axes === 1 ? 'Temperature over place and time' : 'Temperature',
  x: 'x',
  ...(axes === 1 ? {} : { y: 'y' }),
  time: 'frame_t',
  values: 'T',
});
