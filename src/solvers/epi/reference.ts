// Closed forms of the SIR model without births, windows and groups: the final size, the peak and its time.
//
// Kermack & McKendrick 1927; Ma & Earn, Bull. Math. Biol. 68 (2006) 679, doi:10.1007/s11538-005-9047-7. With i and s as
// shares, i = i₀ + s₀ − s + ln(s / s₀) / R0 on every path, so that time is a quadrature over s.

import { exp, expm1, log } from '../../core/elementary.ts';
import { exactly } from '../../expressions/precise/double-double.ts';
import { lambertW } from '../../expressions/precise/special/lambert-w.ts';

export interface SirShares {
  readonly R0: number;
  readonly gamma: number;
  /** Susceptible, and infected (exposed and infectious), as shares at the start. */
  readonly s0: number;
  readonly i0: number;
}

/** Share that stays susceptible for ever: −W₀(−R0 s₀ exp(−R0 (s₀ + i₀))) / R0. Holds for SEIR too. */
export function susceptibleLeft({ R0, s0, i0 }: SirShares): number {
  if (R0 === 0 || i0 === 0) return s0;
  const { high } = lambertW(exactly(0), exactly(-R0 * s0 * exp(-R0 * (s0 + i0))));
  return -high / R0;
}

/** Largest share infectious at one time: at s = 1 / R0, or at the start. */
export function peakShare({ R0, s0, i0 }: SirShares): number {
  return R0 * s0 > 1 ? s0 + i0 - (1 + log(R0 * s0)) / R0 : i0;
}

/** Days until the peak: ∫ du / (β i) from u = ln 1/R0 to ln s₀, s = exp u. 0 if the infectious fall at once. */
export function peakDay(shares: SirShares): number {
  const { R0, s0, i0 } = shares;
  if (!(R0 * s0 > 1) || i0 === 0) return 0;
  return timeUntil(shares, 1 / R0);
}

/** Days until so many are left susceptible; s must be above what is left for ever. */
export function timeUntil({ R0, gamma, s0, i0 }: SirShares, s: number): number {
  const beta = R0 * gamma;
  const reach = log(s0 / s);
  // With u = ln(s₀ / s): i = i₀ − s₀ expm1(−u) − u / R0.
  const infectious = (u: number) => i0 - s0 * expm1(-u) - u / R0;
  // The infectious grow from i₀ at first: equal steps of ln(1 + u / a), a = i₀ / (s₀ − 1/R0), make that smooth.
  const growth = s0 - 1 / R0;
  const a = growth > 0 ? i0 / growth : 1;
  const end = log(1 + reach / a);
  return gaussLegendre((x) => (a * exp(x)) / infectious(a * expm1(x)), 0, end, 200) / beta;
}

/** Nodes and weights of ten points on −1 … 1, positive half; Abramowitz & Stegun, table 25.4. */
const GAUSS = [
  [0.14887433898163122, 0.29552422471475287],
  [0.4333953941292472, 0.26926671930999635],
  [0.6794095682990244, 0.21908636251598204],
  [0.8650633666889845, 0.1494513491505806],
  [0.9739065285171717, 0.06667134430868814],
] as const;

function gaussLegendre(f: (x: number) => number, from: number, to: number, panels: number): number {
  const half = (to - from) / panels / 2;
  let sum = 0;
  for (let k = 0; k < panels; k++) {
    const middle = from + (2 * k + 1) * half;
    for (const [node, weight] of GAUSS) sum += weight * (f(middle - half * node) + f(middle + half * node));
  }
  return sum * half;
}
