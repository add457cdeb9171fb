// Live frames: where the bodies are.

import type { LiveFrames } from '../live.ts';
import { series } from '../parts/fields.ts';
import type { MultibodyFace } from './face.ts';
import type { MultibodyInput } from './inputs.ts';

export const multibodyLive: LiveFrames<MultibodyInput, MultibodyFace> = {
  view: 'frame',
  frameLength: (parameter) => parameter('bodies') * parameter('dimensions'),
  draw(frame, { parameter, input }) {
    const [n, d] = [parameter('bodies'), parameter('dimensions')];
    const unit = input.units === 'au' ? 'au' : 'm';
    const coordinate = (k: number) => Float64Array.from({ length: n }, (_, i) => frame[i * d + k] ?? Number.NaN);
    if (d === 1)
      return {
        plot: { kind: 'bars', title: 'Displacements now', y: ['phi'] },
        arrays: [series('phi', unit, coordinate(0))],
      };
    return {
      plot: { kind: 'phase', title: 'Bodies now', x: 'x', y: 'y', hasOneScale: true, marks: 'points' },
      arrays: [series('x', unit, coordinate(0)), series('y', unit, coordinate(1))],
    };
  },
};
