// Live frames: the depth at the last sample.

import type { LiveFrames } from '../live.ts';
import { field, series } from '../parts/fields.ts';
import type { ClimateFace } from './face.ts';
import type { ClimateInput } from './inputs.ts';

/** Places of the centers along an axis. */
export const centersOf = (cells: number, h: number): Float64Array =>
  Float64Array.from({ length: cells }, (_, i) => (i + 0.5) * h);

export const climateLive: LiveFrames<ClimateInput, ClimateFace> = {
  view: 'depth',
  frameLength: (parameter) => parameter('columns') * parameter('rows'),
  draw(frame, { parameter }) {
    const [columns, rows] = [parameter('columns'), parameter('rows')];
    const x = series('x', 'm', centersOf(columns, parameter('spacingX')));
    if (rows === 1)
      return { plot: { kind: 'line', title: 'Depth', x: 'x', y: ['h'] }, arrays: [x, series('h', 'm', frame)] };
    const y = series('y', 'm', centersOf(rows, parameter('spacingY')));
    return {
      plot: { kind: 'field', title: 'Depth', x: 'x', y: 'y', values: 'h' },
      arrays: [x, y, field('h', 'm', [rows, columns], frame)],
    };
  },
};
