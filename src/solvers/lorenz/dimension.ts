// The dimension after Kaplan and Yorke, from exponents with a ±.
//
// Kaplan & Yorke, in: Functional Differential Equations and Approximation of Fixed Points, Lecture Notes in Mathematics
// 730 (1979) 204. It grows with every exponent, so the exponents at their ends enclose it.

import type { Exponent } from './spectrum.ts';

/** k and the part of the next that the sum of the first k still carries; the number of exponents if no sum is negative. */
export function kaplanYorke(exponents: readonly number[]): number {
  let sum = 0;
  for (const [k, one] of exponents.entries()) {
    if (sum + one < 0) return k + sum / -one;
    sum += one;
  }
  return exponents.length;
}

/**
 * One exponent of a bounded way that ends in no equilibrium is 0 (Haken, Phys. Lett. A 94 (1983) 71): the one that is closest
 * to it within its ±.
 */
export function withZero(exponents: readonly Exponent[]): readonly Pick<Exponent, 'value' | 'uncertainty'>[] {
  const closest = exponents.reduce((best, one) => (Math.abs(one.value) < Math.abs(best.value) ? one : best));
  const isZero = Math.abs(closest.value) <= closest.uncertainty;
  return exponents.map((one) => (isZero && one === closest ? { value: 0, uncertainty: 0 } : one));
}

export function dimensionOf(exponents: readonly Pick<Exponent, 'value' | 'uncertainty'>[]): {
  readonly value: number;
  readonly uncertainty: number;
} {
  const at = (side: number) =>
    kaplanYorke(exponents.map(({ value, uncertainty }) => value + side * uncertainty).sort((a, b) => b - a));
  const value = at(0);
  const rounding = 1e-13 * exponents.length;
  return { value, uncertainty: Math.max(at(1) - value, value - at(-1)) + rounding };
}
