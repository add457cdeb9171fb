// The steps of a series: what the clock reads at each.

import { nsFromSeconds, readPulse, secondsFromNs } from '../../core/clock.ts';

/** Length of a step: 0.777 s, a little less than a tick. */
export const STEP_NS = 777_000_000n;

export interface Step {
  /** Unix seconds. */
  readonly t: number;
  /** Phase within the tick, 0..1. */
  readonly phase: number;
  readonly svcond: number;
  readonly R_t: number;
  /** R_t less that of the step before; 0 for the first. */
  readonly delta: number;
  /** Phase of the pulse, 0..1. */
  readonly frac: number;
}

/** @param start  Unix seconds of the first step */
export function clockSeries(start: number, count: number): readonly Step[] {
  const first = nsFromSeconds(start);
  const steps: Step[] = [];
  for (let k = 0; k < count; k++) {
    const ns = first + BigInt(k) * STEP_NS;
    const { phase, svcond, R_t, frac } = readPulse(ns);
    const before = steps.at(-1);
    steps.push({ t: secondsFromNs(ns), phase, svcond, R_t, frac, delta: before === undefined ? 0 : R_t - before.R_t });
  }
  return steps;
}
