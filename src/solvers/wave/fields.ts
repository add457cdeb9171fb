// Fields and plots of a run.

import type { Field } from '../definition.ts';
import { field, series } from '../parts/fields.ts';
import { recordedTimes } from '../parts/sampling.ts';
import type { Plot } from '../plot.ts';
import type { WaveInput } from './inputs.ts';
import type { Problem } from './problem.ts';

/** Places of the nodes along an axis. */
export const nodesOf = (cells: number, h: number): Float64Array =>
  Float64Array.from({ length: cells + 1 }, (_, i) => i * h);

/** u of strings and membranes, E_z or H_z of Maxwell's equations. */
export const fieldName = ({ mode, polarization }: Pick<WaveInput, 'mode' | 'polarization'>): 'u' | 'E_z' | 'H_z' => {
  if (mode !== 'maxwell') return 'u';
  return polarization === 'te' ? 'H_z' : 'E_z';
};

/** @param frames  row-major [time, y, x]; a line has no y */
export function gridFields(
  { cellsX, cellsY, hx, hy, dt, steps, frameEvery, isLine }: Problem,
  name: string,
  frames: Float64Array,
): Field[] {
  const times = recordedTimes(steps, frameEvery, dt);
  const shape = isLine ? [times.length, cellsX + 1] : [times.length, cellsY + 1, cellsX + 1];
  return [
    series('frame_t', 's', times),
    series('x', 'm', nodesOf(cellsX, hx)),
    ...(isLine ? [] : [series('y', 'm', nodesOf(cellsY, hy))]),
    field(name, 'E', shape, frames),
  ];
}

export function fieldPlots({ isLine }: Problem, name: string): Plot[] {
  if (!isLine) return [{ kind: 'field', title: `Field ${name}`, x: 'x', y: 'y', time: 'frame_t', values: name }];
  return [
    { kind: 'line', title: `Field ${name}`, x: 'x', y: [name], time: 'frame_t' },
    { kind: 'field', title: `Field ${name} over place and time`, x: 'x', time: 'frame_t', values: name },
  ];
}
