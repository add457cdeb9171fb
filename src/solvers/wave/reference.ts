// Reference solutions: standing waves in closed form, of the equation and of its grid, and leapfrog in the plainest
// TypeScript.

import { sin } from '../../core/elementary.ts';

/** Angular frequency of a wave with these numbers of waves. */
export const angularFrequency = (speed: number, kx: number, ky: number): number => speed * Math.sqrt(kx * kx + ky * ky);

/** Angular frequency of the same wave on a grid: sin²(ω dt/2) = (c dt)² (sin²(kx hx/2)/hx² + sin²(ky hy/2)/hy²). */
export function gridFrequency(
  speed: number,
  [kx, ky]: readonly [number, number],
  [hx, hy]: readonly [number, number],
  dt: number,
): number {
  const x = sin(0.5 * kx * hx) / hx;
  const y = hy === 0 ? 0 : sin(0.5 * ky * hy) / hy;
  return (2 / dt) * arcsine(Math.min(1, speed * dt * Math.sqrt(x * x + y * y)));
}

/** The angle from 0 to π/2 with this sine, by bisection to the last bit. */
function arcsine(value: number): number {
  let [low, high] = [0, Math.PI / 2];
  for (let i = 0; i < 64; i++) {
    const middle = 0.5 * (low + high);
    if (sin(middle) < value) low = middle;
    else high = middle;
  }
  return high;
}

/** u of a string with fixed ends after some steps of u⁺ = 2 u − u⁻ + (c dt / h)² δ² u, from rest. */
export function leapfrogString(u0: readonly number[], courant: number, steps: number): number[] {
  const square = courant * courant;
  const bend = (u: readonly number[], i: number) =>
    i === 0 || i === u.length - 1 ? 0 : (u[i - 1] ?? 0) - 2 * (u[i] ?? 0) + (u[i + 1] ?? 0);
  let before = [...u0];
  let now = u0.map((value, i) => value + 0.5 * square * bend(u0, i));
  for (let step = 1; step < steps; step++) {
    const next = now.map((value, i) => 2 * value - (before[i] ?? 0) + square * bend(now, i));
    before = now;
    now = next;
  }
  return steps === 0 ? before : now;
}
