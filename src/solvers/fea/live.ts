// Live frames of the finest mesh: what the iteration has left so far.

import { log } from '../../core/elementary.ts';
import type { LiveFrames } from '../live.ts';
import { series } from '../parts/fields.ts';
import type { FeaFace } from './face.ts';
import type { FeaInput } from './inputs.ts';

export const feaLive: LiveFrames<FeaInput, FeaFace> = {
  view: 'residuals',
  frameLength: (parameter) => parameter('maxIterations') + 1,
  draw(frame) {
    const left = Array.from(frame).filter((residual) => residual > 0);
    if (left.length === 0) return undefined;
    const iterations = left.map((_, i) => i);
    const decades = left.map((residual) => log(residual) / Math.LN10);
    return {
      plot: { kind: 'line', title: 'Residual by iteration, log10', x: 'iteration', y: ['residual'] },
      arrays: [series('iteration', '1', iterations), series('residual', '1', decades)],
    };
  },
};
