// Live frames of a reaction: the concentrations that were recorded last.

import type { LiveFrames } from '../live.ts';
import { field, series } from '../parts/fields.ts';
import type { ReactFace } from './face.ts';
import { centersOf } from './fields.ts';
import type { ReactInput } from './inputs.ts';

export const reactLive: LiveFrames<ReactInput, ReactFace> = {
  view: 'frames',
  frameLength: (parameter) => 2 * parameter('columns') * parameter('rows'),
  draw(frame, { parameter }) {
    const [columns, rows] = [parameter('columns'), parameter('rows')];
    const cells = columns * rows;
    const x = series('x', '1', centersOf(columns, parameter('widthX')));
    if (rows === 1)
      return {
        plot: { kind: 'line', title: 'Concentrations', x: 'x', y: ['u', 'v'] },
        arrays: [x, series('u', 'c', frame.slice(0, cells)), series('v', 'c', frame.slice(cells))],
      };
    const isGrayScott = parameter('model') === 0;
    const name = isGrayScott ? 'v' : 'u';
    const y = series('y', '1', centersOf(rows, parameter('widthY')));
    const values = isGrayScott ? frame.slice(cells) : frame.slice(0, cells);
    return {
      plot: { kind: 'field', title: `Concentration ${name}`, x: 'x', y: 'y', values: name },
      arrays: [x, y, field(name, 'c', [rows, columns], values)],
    };
  },
};
