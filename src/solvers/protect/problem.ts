// The problem of a request: the guard, where it stands on its curve, and the pulse at its time.

import { modulation, nsFromSeconds, pulseFraction, tickOf } from '../../core/clock.ts';
import { type Angle, angleOf, pulseAngle } from '../parts/angle.ts';
import { type Guard, guardOf } from './guard.ts';
import type { ProtectInput } from './inputs.ts';

export interface Problem extends Guard {
  /** Unix seconds; 0 where nobody has bound a time. */
  readonly t: number;
  readonly angle: Angle;
  /** μ = 2l − 1 of P'' + μ P = 0. */
  readonly mu: number;
  readonly k: number;
  /** R(t) at `t`. */
  readonly R_t: number;
  readonly svcond: number;
  readonly isPulsePhase: boolean;
}

export function problemOf(input: ProtectInput): Problem {
  const { t = 0, phase } = input;
  const guard = guardOf(input);
  const mu = 2 * guard.l - 1;
  const ns = nsFromSeconds(t);
  return {
    ...guard,
    t,
    angle: phase === undefined ? pulseAngle(t) : angleOf(phase),
    mu,
    k: Math.sqrt(Math.abs(mu)),
    R_t: modulation(pulseFraction(ns)),
    svcond: tickOf(ns),
    isPulsePhase: phase === undefined,
  };
}
