// Live frames of a pull: the damage after the last load step.

import type { LiveFrames } from '../live.ts';
import { field, series } from '../parts/fields.ts';
import type { FractureFace } from './face.ts';
import type { FractureInput } from './inputs.ts';
import { placesOf } from './places.ts';

export const fractureLive: LiveFrames<FractureInput, FractureFace> = {
  view: 'damage',
  frameLength: (parameter) => parameter('columns') * parameter('rows'),
  draw(frame, { input, parameter }) {
    const [columns, rows] = [parameter('columns'), parameter('rows')];
    const { width } = input;
    const spacing = columns === 1 ? width / rows : width / columns;
    const y = series('y', 'm', placesOf(rows, spacing));
    if (input.mode === 'bar')
      return {
        plot: { kind: 'line', title: 'Damage', x: 'y', y: ['damage'] },
        arrays: [y, series('damage', '1', frame)],
      };
    const x = series('x', 'm', placesOf(columns, spacing));
    return {
      plot: { kind: 'field', title: 'Damage', x: 'x', y: 'y', values: 'damage' },
      arrays: [x, y, field('damage', '1', [rows, columns], frame)],
    };
  },
};
