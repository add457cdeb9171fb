// The smooth part of the number of zeros: θ(t)/π + 1, Gram points, and how many Gram blocks prove a count.

import { log } from '../../core/elementary.ts';

/** Riemann–Siegel θ by its asymptotic series, for t >= 9 within 2e-13 and rounding. Edwards (1974), §6.5. */
export function theta(t: number): number {
  const r = 1 / t;
  const s = r * r;
  const tail = 1 / 48 + s * (7 / 5760 + s * (31 / 80640 + s * (127 / 430080 + s * (511 / 1216512))));
  return 0.5 * t * (log(t / (2 * Math.PI)) - 1) - Math.PI / 8 + r * tail;
}

/** θ(t)/π + 1: what the number of zeros up to t is on average. */
export const smoothCount = (t: number): number => theta(t) / Math.PI + 1;

/** How far rounding moves θ(t)/π. */
export const smoothRounding = (t: number): number => 4 * Number.EPSILON * (1 + smoothCount(Math.max(t, 20)) + t);

/** g_n, where θ is nπ, for n >= −1. Newton's method from above, where θ is convex. */
export function gramPoint(n: number): number {
  let t = 20 + 6 * (n + 1);
  for (let i = 0; i < 60; i++) {
    const step = (theta(t) - n * Math.PI) / (0.5 * log(t / (2 * Math.PI)));
    t -= step;
    if (Math.abs(step) < 1e-12 * t) break;
  }
  return t;
}

/** Mean distance of zeros near t. */
export const meanGap = (t: number): number => (2 * Math.PI) / log(Math.max(t, 20) / (2 * Math.PI));

/**
 * Blocks in a row that keep Rosser's rule and so bound the number of zeros before, or after, a good Gram point up to t.
 * Brent, Math. Comp. 33 (1979) 1361, theorem 3.2: K >= 0.0061 ln² g + 0.08 ln g.
 */
export function blocksNeeded(t: number): number {
  const ln = log(t);
  return Math.ceil(0.0061 * ln * ln + 0.08 * ln);
}

/** The bound of Lehman that the theorem stands on holds from here on. */
export const RULE_FROM = 168 * Math.PI;
