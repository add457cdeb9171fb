// Live frames of a simulation: the running mean, group by group.

import type { LiveFrames } from '../live.ts';
import { series } from '../parts/fields.ts';
import { GROUPS } from './estimates.ts';
import { QUANT_FACE, type QuantFace } from './face.ts';
import type { QuantInput } from './inputs.ts';
import { centresOf } from './plan.ts';
import { problemOf } from './problem.ts';

const WIDTH = QUANT_FACE.columns.record.length;
const PRICE = QUANT_FACE.columns.record.indexOf('price');

export const quantLive: LiveFrames<QuantInput, QuantFace> = {
  view: 'records',
  frameLength: () => GROUPS * WIDTH,
  draw(frame, { input }) {
    const [, centre = 0] = centresOf(problemOf(input));
    const samples: number[] = [];
    const means: number[] = [];
    let [count, sum] = [0, 0];
    for (let at = 0; at < frame.length && (frame[at] ?? 0) > 0; at += WIDTH) {
      count += frame[at] ?? 0;
      sum += frame[at + PRICE] ?? 0;
      samples.push(count);
      means.push(centre + sum / count);
    }
    return {
      plot: { kind: 'line', title: 'Mean of the samples so far', x: 'samples', y: ['mean'] },
      arrays: [series('samples', '1', samples), series('mean', '$', means)],
    };
  },
};
