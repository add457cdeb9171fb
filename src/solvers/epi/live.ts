// Live frames of an epidemic: the infectious of the stochastic run that was completed last, or of the curve so far.

import type { LiveFrames } from '../live.ts';
import { series } from '../parts/fields.ts';
import type { EpiFace } from './face.ts';
import type { EpiInput } from './inputs.ts';

export const epiLive: LiveFrames<EpiInput, EpiFace> = {
  view: 'paths',
  frameLength: (parameter) => parameter('samples'),
  draw(frame, { parameter }) {
    const days = parameter('days');
    const isEnsemble = parameter('runs') > 0;
    return {
      plot: { kind: 'line', title: isEnsemble ? 'Infectious in one run' : 'Infectious so far', x: 't', y: ['I'] },
      arrays: [
        series(
          't',
          'day',
          frame.map((_, i) => (days * i) / (frame.length - 1)),
        ),
        series('I', 'people', frame),
      ],
    };
  },
};
