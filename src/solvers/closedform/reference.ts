// The same number a second way: Runge and Kutta's method of order 4 with equal steps, in the plainest TypeScript.

import { cos, sin } from '../../core/elementary.ts';
import type { Coefficients } from './coefficients.ts';

type State = readonly [phi: number, dphi: number];

/** φ and φ′ at the end. */
export function rungeKutta(coefficients: Coefficients, start: State, end: number, steps: number): State {
  const { a, b, c, constant, cosine, sine, omega } = coefficients;
  const slope = (t: number, [phi, dphi]: State): State => [
    dphi,
    constant + cosine * cos(omega * t) - sine * sin(omega * t) - c * dphi - phi * (a + b * phi * phi),
  ];
  const along = ([x, v]: State, [dx, dv]: State, h: number): State => [x + h * dx, v + h * dv];
  const h = end / steps;
  let y = start;
  for (let i = 0; i < steps; i++) {
    const t = i * h;
    const k1 = slope(t, y);
    const k2 = slope(t + 0.5 * h, along(y, k1, 0.5 * h));
    const k3 = slope(t + 0.5 * h, along(y, k2, 0.5 * h));
    const k4 = slope(t + h, along(y, k3, h));
    const mean: State = [k1[0] + 2 * k2[0] + 2 * k3[0] + k4[0], k1[1] + 2 * k2[1] + 2 * k3[1] + k4[1]];
    y = along(y, mean, h / 6);
  }
  return y;
}
