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
/** Cells across of the coarsest grid below which no order above 1 is trusted. */
const RESOLVED_ROWS = 8;
/** Part of its scale that bounds a number of a flow whose layers beside walls are thinner than a cell. */
const UNSEEN = 0.5;
/** A number's error is at least this part of that of the mean velocity. */
const OF_STATE = 0.5;
/** Of twice the largest change, where the changes of a number show no order. */
const WITHOUT_ORDER = 2;

export interface Judge {
  /** Of the whole velocity. */
  readonly order: number | undefined;
  readonly isRegular: boolean;
  /** Whether layers beside walls, size/√Re, are as thick as a cell. */
  readonly isLayerSeen: boolean;
  /** @param scale  of the number, for roundings. @param highest  order that the number can have */
  of(values: Triple, scale: number, reference?: number, highest?: number): Uncertain;
}

export function judgeOf(
  { levels, scale, sides, exact, reynolds }: Problem,
  velocities: readonly [Velocity, Velocity, Velocity],
  scheme: FlowInput['scheme'],
): Judge {
  const [own, middle, coarse] = velocities;
  const maxOrder = MAX_ORDER[scheme];
  const [rows, middleRows, coarseRows] = levels.map((level) => level.rows) as [number, number, number];
  const logRatio = log(rows / middleRows);
  const evened = evenOut(maxOrder, rows / middleRows, middleRows / coarseRows);
  const [near, far] = [meanChange(own, middle), meanChange(middle, coarse)];
  const refinement = (order: number) => ({ logRatio, maxOrder: order, maxPower: exp(order * logRatio) });
  const state = estimateOf([near + evened * far, evened * far, 0], scale, refinement(maxOrder));
  const mean = 0.5 * log(rows / coarseRows);
  const plain = { logRatio: mean, maxOrder, maxPower: exp(maxOrder * mean) };
  const isShrinking = state.isRegular || estimateOf([near + far, far, 0], scale, plain).isRegular;
  const shown = state.isRegular && state.order !== undefined ? state.order : maxOrder;
  const order = Math.min(maxOrder, shown, coarseRows < RESOLVED_ROWS ? 1 : maxOrder);
  const isLayerSeen = sides[1] !== 'wall' || exact !== undefined || rows * rows >= reynolds;
  return {
    order: state.order,
    isLayerSeen,
    isRegular: isShrinking || Math.max(near, far) <= FINE * scale,
    of([fine, half, least], size, reference = fine, highest = order) {
      const even: Triple = [fine, half, half + evened * (least - half)];
      const { error: estimate, isRegular } = estimateOf(even, size, refinement(Math.min(order, highest)), state.order);
      const own = isRegular ? estimate : WITHOUT_ORDER * estimate;
      // A number may agree on grids whose flows differ.
      const error = Math.max(own, (OF_STATE * state.error * size) / scale, isLayerSeen ? 0 : UNSEEN * size);
      return uncertain([
        bound('rounding', ROUNDING * size, 'of every step'),
        bound(
          'discretisation',
          Math.max(error, Math.abs(fine - reference)),
          'grids and steps of two thirds and four ninths, and the witness',
        ),
      ]);
    },
  };
}

/**
 * What makes the change between the two coarser grids that of one ratio throughout: cells across are whole numbers, so
 * that 10, 7 and 4 have two ratios.
 */
function evenOut(order: number, fine: number, coarse: number): number {
  const power = exp(order * log(fine));
  return (power - 1) / (exp(order * log(coarse)) - 1);
}
