// Fields and plots of a run.

import type { Field } from '../definition.ts';
import { field, series } from '../parts/fields.ts';
import { recordedTimes } from '../parts/sampling.ts';
import type { Plot } from '../plot.ts';
import type { Problem } from './problem.ts';

/** Centers of even cells. */
export const centersOf = (cells: number, width: number): Float64Array =>
  Float64Array.from({ length: cells }, (_, i) => (i + 0.5) * width);

/** @param frames  row-major [time, species, y, x]; a line has no y */
export function gridFields(
  { columns, rows, widthX, widthY, dt, steps, frameEvery }: Problem,
  frames: Float64Array,
): Field[] {
  const times = recordedTimes(steps, frameEvery, dt);
  const cells = columns * rows;
  const species = (index: 0 | 1) => {
    const values = new Float64Array(times.length * cells);
    for (let frame = 0; frame < times.length; frame++) {
      const from = (2 * frame + index) * cells;
      values.set(frames.subarray(from, from + cells), frame * cells);
    }
    return values;
  };
  const shape = rows === 1 ? [times.length, columns] : [times.length, rows, columns];
  return [
    series('frame_t', '1', times),
    series('x', '1', centersOf(columns, widthX)),
    ...(rows === 1 ? [] : [series('y', '1', centersOf(rows, widthY))]),
    field('u', 'c', shape, species(0)),
    field('v', 'c', shape, species(1)),
  ];
}

/** The species that shows most comes first: v of Gray–Scott, u of others. */
export function fieldPlots({ rows, model }: Problem): Plot[] {
  const names = model === 'gray-scott' ? ['v', 'u'] : ['u', 'v'];
  const maps = names.map((name): Plot => {
    const title = rows === 1 ? `Concentration ${name} over place and time` : `Concentration ${name}`;
    return { kind: 'field', title, x: 'x', ...(rows === 1 ? {} : { y: 'y' }), time: 'frame_t', values: name };
  });
  if (rows > 1) return maps;
  return [{ kind: 'line', title: 'Concentrations', x: 'x', y: ['u', 'v'], time: 'frame_t' }, ...maps];
}
