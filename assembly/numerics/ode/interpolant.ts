// Dense output: values inside a step from five vectors, in the same form for all methods:
//
//   y(t + θ h) = y + θ (Δ + (1 − θ) (a + θ (b + (1 − θ) c))),  Δ = y(t + h) − y(t).
//
// c = 0, a = h f₀ − Δ, b = 2Δ − h (f₀ + f₁) is Hermite's cubic. Hairer, Nørsett & Wanner, Solving Ordinary Differential
// Equations I (2nd ed.), §II.6.
import { get, set } from '../vector';

/** Number of vectors of an interpolant: y, Δ, a, b, c. */
export const INTERPOLANT_VECTORS: i32 = 5;

/** Hermite's cubic: third order, with slopes that match those of the neighbouring steps. */
export function hermite(y: usize, f0: usize, after: usize, f1: usize, h: f64, n: i32, out: usize): void {
  for (let i = 0; i < n; i++) {
    const change = get(after, i) - get(y, i);
    const bend = h * get(f0, i) - change;
    set(out, i, get(y, i));
    set(out, n + i, change);
    set(out, 2 * n + i, bend);
    set(out, 3 * n + i, change - h * get(f1, i) - bend);
    set(out, 4 * n + i, 0);
  }
}

/** @param theta  0 … 1, the position within the step */
export function interpolate(coefficients: usize, theta: f64, n: i32, out: usize): void {
  const left = 1 - theta;
  for (let i = 0; i < n; i++) {
    const inner = get(coefficients, 3 * n + i) + left * get(coefficients, 4 * n + i);
    const middle = get(coefficients, 2 * n + i) + theta * inner;
    set(out, i, get(coefficients, i) + theta * (get(coefficients, n + i) + left * middle));
  }
}

/** The derivative of the interpolant by t. @param h  the step */
export function interpolateSlopes(coefficients: usize, theta: f64, h: f64, n: i32, out: usize): void {
  const left = 1 - theta;
  const slope = left - theta;
  for (let i = 0; i < n; i++) {
    const b = get(coefficients, 3 * n + i);
    const c = get(coefficients, 4 * n + i);
    const middle = get(coefficients, 2 * n + i) + theta * (b + left * c);
    set(out, i, (get(coefficients, n + i) + slope * middle + theta * left * (b + slope * c)) / h);
  }
}
