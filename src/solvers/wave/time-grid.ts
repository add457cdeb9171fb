// Time step, number of steps and end of a run from what is given of them.

import type { DomainError } from '../../core/errors.ts';
import { unstableError, validationError } from '../parts/errors.ts';
import { MAX_STEPS, type WaveInput } from './inputs.ts';

const DEFAULT_STEPS = 200;

export interface TimeGrid {
  readonly dt: number;
  readonly steps: number;
}

/** @param standard  the step by default. @throws DomainError VALIDATION_FAILED for all three, or for too many steps */
export function timeGrid({ dt, steps, t_end: end }: WaveInput, standard: number): TimeGrid {
  if (end === undefined) return { dt: dt ?? standard, steps: steps ?? DEFAULT_STEPS };
  if (dt !== undefined && steps !== undefined)
    throw validationError('t_end', 'dt, steps and t_end are given; leave one out.');
  const count = steps ?? Math.max(1, Math.ceil((end / (dt ?? standard)) * (1 - 1e-12)));
  if (count > MAX_STEPS)
    throw validationError(
      't_end',
      `t_end is ${end} s; with steps of ${dt ?? standard} s it takes ${count} steps, and ${MAX_STEPS} are allowed.`,
      'OUT_OF_RANGE',
    );
  return { dt: end / count, steps: count };
}

export function unstableStep(dt: number, dtMax: number): DomainError {
  const message = `dt is ${dt} s; leapfrog is stable up to ${dtMax} s on this grid in this medium.`;
  return unstableError('dt', message, 'UNSTABLE_SCHEME', { dt_max: dtMax });
}
