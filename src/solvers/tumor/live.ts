// Live frames of a front: the profile, or the map, that was recorded last.

import type { LiveFrames } from '../live.ts';
import { field, series } from '../parts/fields.ts';
import type { TumorFace } from './face.ts';
import type { TumorInput } from './inputs.ts';
import { centersOf } from './schedule.ts';

export const tumorLive: LiveFrames<TumorInput, TumorFace> = {
  view: 'frames',
  frameLength: (parameter) => parameter('cells') * Math.max(1, parameter('rows')),
  draw(frame, { parameter }) {
    const [width, rows, cells] = [parameter('width'), parameter('rows'), parameter('cells')];
    if (rows > 0)
      return {
        plot: { kind: 'field', title: 'Density over the capacity', x: 'x', y: 'y', values: 'u' },
        arrays: [
          series('x', 'cm', centersOf(cells, width)),
          series('y', 'cm', centersOf(rows, width)),
          field('u', '1', [rows, cells], frame),
        ],
      };
    return {
      plot: { kind: 'line', title: 'Density over the capacity', x: 'x', y: ['u'] },
      arrays: [series('x', 'cm', centersOf(cells, width)), series('u', '1', frame)],
    };
  },
};
