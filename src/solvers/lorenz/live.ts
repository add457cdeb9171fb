// Live frames: the largest exponent so far, of either method.

import type { LiveFrames } from '../live.ts';
import { at } from '../parts/arrays.ts';
import { series } from '../parts/fields.ts';
import type { LorenzFace } from './face.ts';
import type { LorenzInput } from './inputs.ts';

export const lorenzLive: LiveFrames<LorenzInput, LorenzFace> = {
  view: 'blocks',
  frameLength: (parameter) => Math.max(1, parameter('blocks')) * (parameter('states') + 3),
  draw(frame, { parameter }) {
    const n = parameter('states');
    const width = n + 3;
    const rows = Array.from({ length: Math.floor(frame.length / width) }, (_, row) => row * width).filter(
      (from) => at(frame, from) > 0,
    );
    if (rows.length === 0) return undefined;
    const largest = (from: number) => frame.subarray(from + 1, from + 1 + n).reduce((max, one) => Math.max(max, one));
    return {
      plot: { kind: 'line', title: 'The largest exponent so far', x: 't', y: ['lambda'] },
      arrays: [
        series(
          't',
          't',
          rows.map((from) => at(frame, from)),
        ),
        series(
          'lambda',
          '1/t',
          rows.map((from) => largest(from) / at(frame, from)),
        ),
      ],
    };
  },
};
