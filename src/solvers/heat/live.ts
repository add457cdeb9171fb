// Live frames of a rod or plate: the temperature that was recorded last.

import type { LiveFrames } from '../live.ts';
import { field, series } from '../parts/fields.ts';
import { nodePositions } from './axis.ts';
import type { HeatFace } from './face.ts';
import type { HeatInput } from './inputs.ts';

export const heatLive: LiveFrames<HeatInput, HeatFace> = {
  view: 'frames',
  frameLength: (parameter) => (parameter('cellsX') + 1) * (parameter('dim') === 2 ? parameter('cellsY') + 1 : 1),
  draw(frame, { input: { dim, nx, ny, lx, ly } }) {
    const x = series('x', 'm', nodePositions(nx, lx));
    const y = series('y', 'm', nodePositions(ny, ly));
    return dim === 1
      ? {
          plot: { kind: 'line', title: 'Temperature along the rod', x: 'x', y: ['T'] },
          arrays: [x, series('T', 'T', frame)],
        }
      : {
          plot: { kind: 'field', title: 'Temperature', x: 'x', y: 'y', values: 'T' },
          arrays: [x, y, field('T', 'T', [ny + 1, nx + 1], frame)],
        };
  },
};
