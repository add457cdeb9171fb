// A run in progress: the voltages of the last iteration.

import type { LiveFrames } from '../live.ts';
import { series } from '../parts/fields.ts';
import type { GridFace } from './face.ts';
import type { GridInput } from './inputs.ts';

export const live: LiveFrames<GridInput, GridFace> = {
  view: 'profiles',
  frameLength: (parameter) => parameter('buses'),
  draw: (frame) => ({
    plot: { kind: 'line', title: 'Voltages in the order of the buses', x: 'position', y: ['voltage'] },
    arrays: [
      series(
        'position',
        '1',
        frame.map((_, i) => i + 1),
      ),
      series('voltage', 'pu', frame),
    ],
  }),
};
