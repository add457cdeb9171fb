// Live frames of molecular dynamics: the positions that were recorded last.

import type { LiveFrames } from '../live.ts';
import { field, series } from '../parts/fields.ts';
import type { EvolveFace } from './face.ts';
import { wrapped } from './observables.ts';
import type { EvolveInput } from './problem.ts';

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
        series('box', 'sigma', box),
        field(
          'positions',
          'sigma',
          [frame.length / 3, 3],
          frame.map((x, i) => wrapped(x, box[i % 3] ?? 1)),
        ),
      ],
    };
  },
};
