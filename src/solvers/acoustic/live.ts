// Live frames of a search for modes: the wave numbers found so far.

import type { LiveFrames } from '../live.ts';
import { series } from '../parts/fields.ts';
import type { AcousticFace } from './face.ts';
import type { AcousticInput } from './inputs.ts';

export const acousticLive: LiveFrames<AcousticInput, AcousticFace> = {
  view: 'eigenvalues',
  frameLength: (parameter) => parameter('modes'),
  draw(frame) {
    const found = Array.from(frame)
      .filter((lambda) => lambda > 0)
      .sort((a, b) => a - b);
    if (found.length === 0) return undefined;
    return {
      plot: { kind: 'line', title: 'Wave numbers found so far', x: 'mode', y: ['wave_number'], marks: 'points' },
      arrays: [
        series(
          'mode',
          '1',
          found.map((_, i) => i + 1),
        ),
        series(
          'wave_number',
          '1/m',
          found.map((lambda) => Math.sqrt(lambda)),
        ),
      ],
    };
  },
};
