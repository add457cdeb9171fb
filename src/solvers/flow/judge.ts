// The ± of a number from three grids with steps of their own, by the observed order.

import { exp, log } from '../../core/elementary.ts';
import { bound, type Uncertain, uncertain } from '../../core/uncertainty.ts';
import { estimateOf, type Triple } from '../parts/refinement.ts';
import { meanChange, type Velocity } from './fields.ts';
import type { FlowInput } from './inputs.ts';
import type { Problem } from './problem.ts';

/** Of the method: linear interpolation errs by Δx²/Δt. */
const MAX_ORDER = { cubic: 2, maccormack: 2, linear: 1 } as const;
const ROUNDING = 1e-11;
/** Mean changes between grids below this fraction of the speed need no order: vortices out of step may change as much. */
const FINE = 0.03;

export interface Judge {
  /** Of the whole velocity. */
  readonly order: number | undefined;
  readonly isRegular: boolean;
  /** @param scale  of the number, for roundings */
  of(values: Triple, scale: number, reference?: number): Uncertain;
}

export function judgeOf(
  { levels, scale }: Problem,
  velocities: readonly [Velocity, Velocity, Velocity],
  scheme: FlowInput['scheme'],
): Judge {
  const [own, middle, coarse] = velocities;
  const logRatio = 0.5 * log(levels[0].rows / levels[2].rows);
  const maxOrder = MAX_ORDER[scheme];
  const refinement = { logRatio, maxOrder, maxPower: exp(maxOrder * logRatio) };
  const [near, far] = [meanChange(own, middle), meanChange(middle, coarse)];
  const state = estimateOf([near + far, far, 0], scale, refinement);
  return {
    order: state.order,
    isRegular: state.isRegular || Math.max(near, far) <= FINE * scale,
    of(values, size, reference = values[0]) {
      const { error } = estimateOf(values, size, refinement, state.order);
      return uncertain([
        bound('rounding', ROUNDING * size, 'of every step'),
        bound(
          'discretisation',
          Math.max(error, Math.abs(values[0] - reference)),
          'grids and steps of two thirds and four ninths, and the witness',
        ),
      ]);
    },
  };
}
