// Live frames of a rod or plate: the temperature that was recorded last.

import type { LiveFrames } from '../live.ts';
import { nodePositions } from './axis.ts';
import type { HeatFace } from './face.ts';
import type { HeatInput } from './time-grid.ts';

export const heatLive: LiveFrames<HeatInput, HeatFace> = {
  view: 'frames',
  frameLength: (parameter) => (parameter('cellsX') + 1) * (parameter('dim') === 2 ? parameter('cellsY') + 1 : 1),
  draw(frame, { input: { dim, nx, ny, lx, ly } }) {
    const x = { name: 'x', unit: 'm', shape: [nx + 1], data: nodePositions(nx, lx) };
    const y = { name: 'y', unit: 'm', shape: [ny + 1], data: nodePositions(ny, ly) };
    const temperature = { name: 'T', unit: 'T', data: frame };
    return dim === 1
      ? {
          plot: { kind: 'line', title: 'Temperature along the rod', x: 'x', y: ['T'] },
          arrays: [x, { ...temperature, shape: [nx + 1] }],
        }
      : {
          plot: { kind: 'field', title: 'Temperature', x: 'x', y: 'y', values: 'T' },
          arrays: [x, y, { ...temperature, shape: [ny + 1, nx + 1] }],
        };
  },
};
