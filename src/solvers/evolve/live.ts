// Live frames of molecular dynamics: the positions that were recorded last.

import type { LiveFrames } from '../live.ts';
import type { EvolveFace } from './face.ts';
import { wrapped } from './observables.ts';
import type { EvolveInput } from './system.ts';

export const evolveLive: LiveFrames<EvolveInput, EvolveFace> = {
  view: 'trajectory',
  frameLength: (parameter) => 3 * parameter('atoms'),
  draw(frame, { parameter }) {
    const box = Float64Array.of(parameter('boxX'), parameter('boxY'), parameter('boxZ'));
    return {
      plot: {
        kind: 'particles',
        title: 'Trajectory',
        positions: 'positions',
        box: 'box',
        diameter: parameter('sig'),
      },
      arrays: [
        { name: 'box', unit: 'sigma', shape: [3], data: box },
        {
          name: 'positions',
          unit: 'sigma',
          shape: [frame.length / 3, 3],
          data: frame.map((position, i) => wrapped(position, box[i % 3] ?? 1)),
        },
      ],
    };
  },
};
