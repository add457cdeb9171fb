// The seven timestamps of a computation, the parity rule, and every other result that depends on when a call ran.
//
// All of it is a function of the recorded stamps and the pure value, so a replay can recompute it.

import { ALPHA, modulation, PULSE_HZ, pulseFraction, readPulse, ticksBetween } from '../core/clock.ts';

export const STEPS = ['SELECT', 'BIND', 'VALIDATE', 'COMPUTE', 'VERIFY', 'PULSE', 'RETURN'] as const;
export type Step = (typeof STEPS)[number];

/** Above this variance in ticks², which a computation of about 0.15 s reaches, α is reduced. */
export const PARITY_VARIANCE = 0.0091;

/** Seven readings of the clock, one at the start of each step; RETURN shares the stamp of PULSE. */
export type Stamps = readonly bigint[];

export interface Timing {
  readonly R_t: number;
  readonly phase: number;
  readonly svcond: number;
  /** Reduced α, if the parity rule applies. */
  readonly shift: { readonly alpha: number; readonly delta_alpha: number; readonly variance: number } | undefined;
}

/** Collects the stamps of one call in order. */
export class Stamper {
  readonly #now: () => bigint;
  readonly #stamps: bigint[] = [];

  constructor(now: () => bigint) {
    this.#now = now;
  }

  mark(step: Step): void {
    const expected = STEPS[this.#stamps.length];
    if (step !== expected) throw new Error(`Step ${step} is out of order; expected ${expected ?? 'no further step'}.`);
    const isReturn = step === 'RETURN';
    this.#stamps.push(isReturn ? (this.#stamps.at(-1) ?? 0n) : this.#now());
  }

  finish(): Stamps {
    if (this.#stamps.length !== STEPS.length)
      throw new Error(`Stamped ${this.#stamps.length} of ${STEPS.length} steps; all are required.`);
    return this.#stamps;
  }
}

/** Population variance of the stamps, in ticks². Ticks count from the first stamp: from 1970 they would lose digits. */
export function stampVariance(stamps: Stamps): number {
  const first = stamps[0] ?? 0n;
  const ticks = stamps.map((stamp) => ticksBetween(first, stamp));
  const mean = ticks.reduce((sum, tick) => sum + tick, 0) / ticks.length;
  return ticks.reduce((sum, tick) => sum + (tick - mean) * (tick - mean), 0) / ticks.length;
}

/**
 * Timing fields of the envelope: the clock at PULSE, under the parity rule.
 *
 * @param phi0  phase of KO42 in rad
 */
export function timingOf(stamps: Stamps, phi0 = 0): Timing {
  const pulse = stamps[STEPS.indexOf('PULSE')] ?? 0n;
  const { phase, svcond, frac } = readPulse(pulse);
  const variance = stampVariance(stamps);
  if (variance <= PARITY_VARIANCE) return { R_t: modulation(frac, ALPHA, phi0), phase, svcond, shift: undefined };
  const delta_alpha = ALPHA * (1 - PARITY_VARIANCE / variance);
  const alpha = ALPHA - delta_alpha;
  return { R_t: modulation(frac, alpha, phi0), phase, svcond, shift: { alpha, delta_alpha, variance } };
}

const NS_PER_SECOND = 1e9;

/**
 * Pearson correlation of a series with R(t) over one period of the pulse from the PULSE stamp on, with evenly spaced
 * samples. By design, it depends on when the call ran. A value near zero means that the signal does not follow the
 * modulation. It is 0 for fewer than three samples or a constant series. See docs/decisions/0003.
 */
export function rtCorrelation(series: ArrayLike<number>, stamps: Stamps): number {
  const n = series.length;
  if (n < 3) return 0;
  const pulse = stamps[STEPS.indexOf('PULSE')] ?? 0n;
  const period = NS_PER_SECOND / PULSE_HZ;
  let meanX = 0;
  let meanY = 0;
  const modulations = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    const y = modulation(pulseFraction(pulse + BigInt(Math.floor((period * i) / n)))) - 1;
    modulations[i] = y;
    meanX += series[i] ?? 0;
    meanY += y;
  }
  meanX /= n;
  meanY /= n;
  let xy = 0;
  let xx = 0;
  let yy = 0;
  for (let i = 0; i < n; i++) {
    const x = (series[i] ?? 0) - meanX;
    const y = (modulations[i] ?? 0) - meanY;
    xy += x * y;
    xx += x * x;
    yy += y * y;
  }
  const norm = Math.sqrt(xx) * Math.sqrt(yy);
  return norm > 0 && Number.isFinite(xy / norm) ? xy / norm : 0;
}
