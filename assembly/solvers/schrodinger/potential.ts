// The potentials of the Schrödinger kernel, two coefficients each. The caller supplies potential 8, an expression.

import '../../numerics/trigonometric';

export const BOX: i32 = 0;
export const POLYNOMIAL: i32 = 1;
export const DOUBLE_WELL: i32 = 2;
export const FINITE_WELL: i32 = 3;
export const MORSE: i32 = 4;
export const COULOMB: i32 = 5;
export const LINEAR: i32 = 6;
export const POSCHL_TELLER: i32 = 7;
export const EXPRESSION: i32 = 8;

/**
 * @param kind    0 … 7
 * @param x       the node
 * @param h       distance of the nodes; only the finite well uses it, because of its jumps
 * @param c1, c2  0: none; 1: c1 x² + c2 x⁴; 2: c1 ((x/c2)² − 1)²; 3: −c1 for |x| < c2; 4: c1 (1 − e^{−c2 x})²;
 *                5: −c1/x + c2/x²; 6: c1 x; 7: −c1 / cosh²(c2 x)
 */
export function potential(kind: i32, x: f64, h: f64, c1: f64, c2: f64): f64 {
  if (kind === POLYNOMIAL) return x * x * (c1 + c2 * x * x);
  if (kind === DOUBLE_WELL) {
    const u = (x / c2) * (x / c2) - 1;
    return c1 * u * u;
  }
  if (kind === FINITE_WELL) return -c1 * (below((c2 - x) / h) - below((-c2 - x) / h));
  if (kind === MORSE) {
    const u = Math.expm1(-c2 * x);
    return c1 * u * u;
  }
  if (kind === COULOMB) return -c1 / x + c2 / (x * x);
  if (kind === LINEAR) return c1 * x;
  if (kind === POSCHL_TELLER) {
    const u = 1 / Math.cosh(c2 * x);
    return -c1 * u * u;
  }
  return 0;
}

/**
 * Fraction of a node's hat function below the point t, in units of h from the node.
 *
 * Averaging a jump with the hat makes the energies' h² term independent of the position of the jump in its cell, so
 * that extrapolation works: (ψ_{i−1} − 2ψ_i + ψ_{i+1}) / h² is the hat average of ψ'', and with the same average of V
 * the first moments that the two nodes beside a jump miss add up to h/6 for every position.
 */
function below(t: f64): f64 {
  if (t <= -1) return 0;
  if (t >= 1) return 1;
  return t < 0 ? 0.5 * (1 + t) * (1 + t) : 1 - 0.5 * (1 - t) * (1 - t);
}
