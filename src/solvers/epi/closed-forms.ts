// Results that are known without a step, of one group without births, loss of immunity and windows.

import type { Problem } from './problem.ts';
import { peakDay, peakShare, type SirShares, susceptibleLeft } from './reference.ts';

export interface ClosedForms {
  readonly shares: SirShares;
  /** People infected by the end of time, with those of the start. */
  readonly finalSize: number;
  /** Of SIR. */
  readonly peak?: number;
  readonly peakDay?: number;
}

/** Undefined if the problem has none. */
export function closedFormsOf(problem: Problem, R0: number): ClosedForms | undefined {
  const { sizes, mu, omega, windows, hasExposed, people, gamma, infectious, exposed, immune } = problem;
  if (sizes.length > 1 || mu > 0 || omega > 0 || windows.length > 0) return undefined;
  const i0 = ((infectious[0] ?? 0) + (exposed[0] ?? 0)) / people;
  const s0 = 1 - i0 - (immune[0] ?? 0) / people;
  const shares = { R0, gamma, s0, i0 };
  const finalSize = (s0 + i0 - susceptibleLeft(shares)) * people;
  if (hasExposed) return { shares, finalSize };
  return { shares, finalSize, peak: peakShare(shares) * people, peakDay: peakDay(shares) };
}
