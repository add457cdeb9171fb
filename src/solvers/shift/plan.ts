// The kernel run of a series: the pulse as a rotating pair, which checks the sines of the clock.

import { ALPHA, nsFromSeconds, pulseFraction } from '../../core/clock.ts';
import { INSTANCE_BYTES } from '../../kernels/abi.ts';
import type { Plan } from '../definition.ts';
import { TWO_PI } from '../parts/angle.ts';
import type { ShiftFace } from './face.ts';
import type { ShiftInput } from './inputs.ts';
import { STEP_NS } from './problem.ts';

export function planOf({ t = 0, steps }: ShiftInput): Plan<ShiftFace> {
  const phase = TWO_PI * pulseFraction(nsFromSeconds(t));
  const turn = TWO_PI * pulseFraction(STEP_NS);
  return {
    runs: [{ parameters: { phase, turn, alpha: ALPHA, steps }, steps, outputs: ['modulation'] }],
    estimateNs: 60_000 + 10 * steps,
    estimateBytes: INSTANCE_BYTES,
  };
}
