// θ: a phase modulo 2π, or the phase of the pulse at a time, with its ±.

import { nsFromSeconds, PULSE_HZ, pulseFraction, roundingOfSeconds } from '../../core/clock.ts';
import { decimalError } from '../../core/decimal-error.ts';

export const TWO_PI: number = 2 * Math.PI;

/** 2π in three parts, the first two of 25 bits, so that their products with the number of turns are exact. */
const PARTS = [6.283185243606567, 6.357301884918343e-8, 2.4492935982947064e-16] as const;

export interface Angle {
  /** From 0 up to 2π. */
  readonly theta: number;
  /** Absolute, from the rounding of the given number. */
  readonly uncertainty: number;
}

/** A phase within rounding of a whole number of turns is 0: 2π itself has no double. */
export function angleOf(phase: number): Angle {
  const written = decimalError(phase);
  const rounding = Math.abs(phase) * 2 ** -53;
  const turns = Math.floor(phase / TWO_PI);
  // The quotient may have been rounded across a whole number.
  for (const n of [turns - 1, turns, turns + 1]) {
    const theta = remainder(phase, n);
    if (Math.abs(theta) <= rounding) return { theta: 0, uncertainty: 0 };
    if (theta > 0 && theta < TWO_PI - rounding) return { theta, uncertainty: written + Number.EPSILON * theta };
  }
  return { theta: 0, uncertainty: 0 };
}

function remainder(phase: number, turns: number): number {
  const [first, second, third] = PARTS;
  return phase - turns * first - turns * second - turns * third;
}

/** The phase of the pulse, 2π frac(f t). */
export function pulseAngle(t: number): Angle {
  const theta = TWO_PI * pulseFraction(nsFromSeconds(t));
  return { theta, uncertainty: TWO_PI * PULSE_HZ * roundingOfSeconds(t) + 2 * Number.EPSILON * theta };
}
