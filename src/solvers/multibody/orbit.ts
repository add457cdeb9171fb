// Elements of an orbit about another body, and back.

import { cos, sin } from '../../core/elementary.ts';

export type Vector = readonly [x: number, y: number, z: number];

/** Angles in degrees; the anomaly is the mean one. */
export interface Elements {
  readonly a: number;
  readonly e: number;
  readonly inclination: number;
  readonly node: number;
  readonly periapsis: number;
  readonly anomaly: number;
}

const DEGREE = Math.PI / 180;
const MAX_ITERATIONS = 60;

/** E of Kepler's equation M = E − e sin E with 0 ≤ e < 1, by Newton's method within a bracket. */
export function eccentricAnomaly(mean: number, e: number): number {
  const turns = Math.round(mean / (2 * Math.PI));
  const m = mean - 2 * Math.PI * turns;
  let [low, high] = [m - e, m + e];
  let anomaly = m + e * sin(m);
  for (let k = 0; k < MAX_ITERATIONS; k++) {
    const residual = anomaly - e * sin(anomaly) - m;
    if (residual > 0) high = anomaly;
    else low = anomaly;
    const newton = anomaly - residual / (1 - e * cos(anomaly));
    const next = newton >= low && newton <= high ? newton : 0.5 * (low + high);
    if (Math.abs(next - anomaly) <= Number.EPSILON * Math.abs(next)) return next;
    anomaly = next;
  }
  return anomaly;
}

/** Place and velocity relative to the other body. @param mu  G times the sum of both masses */
export function stateOf(
  { a, e, inclination, node, periapsis, anomaly }: Elements,
  mu: number,
): readonly [Vector, Vector] {
  const E = eccentricAnomaly((anomaly % 360) * DEGREE, e);
  const minor = Math.sqrt((1 - e) * (1 + e));
  const rate = Math.sqrt(mu / a) / (1 - e * cos(E));
  const [p, q] = [a * (cos(E) - e), a * minor * sin(E)];
  const [vp, vq] = [-rate * sin(E), rate * minor * cos(E)];
  const [cn, sn] = [cos((node % 360) * DEGREE), sin((node % 360) * DEGREE)];
  const [ci, si] = [cos(inclination * DEGREE), sin(inclination * DEGREE)];
  const [cw, sw] = [cos((periapsis % 360) * DEGREE), sin((periapsis % 360) * DEGREE)];
  const P = [cn * cw - sn * sw * ci, sn * cw + cn * sw * ci, sw * si] as const;
  const Q = [-cn * sw - sn * cw * ci, -sn * sw + cn * cw * ci, cw * si] as const;
  const at = (u: number, v: number): Vector => [u * P[0] + v * Q[0], u * P[1] + v * Q[1], u * P[2] + v * Q[2]];
  return [at(p, q), at(vp, vq)];
}

export const cross = (r: Vector, v: Vector): Vector => [
  r[1] * v[2] - r[2] * v[1],
  r[2] * v[0] - r[0] * v[2],
  r[0] * v[1] - r[1] * v[0],
];

export const dot = (r: Vector, v: Vector): number => r[0] * v[0] + r[1] * v[1] + r[2] * v[2];

/** Semi-major axis, negative of a hyperbola, and eccentricity of the relative motion of two bodies. */
export function shapeOf(r: Vector, v: Vector, mu: number): { readonly a: number; readonly e: number } {
  const distance = Math.sqrt(dot(r, r));
  const h = cross(r, v);
  const turned = cross(v, h);
  const e = [0, 1, 2].map((k) => (turned[k] ?? 0) / mu - (r[k] ?? 0) / distance);
  return {
    a: 1 / (2 / distance - dot(v, v) / mu),
    e: Math.sqrt(e.reduce((sum, one) => sum + one * one, 0)),
  };
}
