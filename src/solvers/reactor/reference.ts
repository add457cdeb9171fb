// The inhour equation ρ = ω Λ + Σ β_i ω/(ω + λ_i): its seven roots, and the power after a step as the sum of their
// exponentials. Nothing here takes a step in time. Keepin, Physics of Nuclear Kinetics (1965).

import { exp } from '../../core/elementary.ts';
import type { Groups } from './groups.ts';

/** ρ of a root, and its slope. */
function inhour(omega: number, Lambda: number, { beta, lambda }: Groups): readonly [value: number, slope: number] {
  let [value, slope] = [omega * Lambda, Lambda];
  for (const [i, share] of beta.entries()) {
    const decay = lambda[i] ?? 0;
    const sum = omega + decay;
    value += (share * omega) / sum;
    slope += (share * decay) / (sum * sum);
  }
  return [value, slope];
}

/** The roots, the largest first; each lies between two −λ_i, so bisection brackets it and Newton finishes. */
export function inhourRoots(rho: number, Lambda: number, groups: Groups): readonly number[] {
  const poles = groups.lambda.map((one) => -one).sort((a, b) => b - a);
  const beta = groups.beta.reduce((sum, one) => sum + one, 0);
  const reach = (Math.abs(rho) + beta) / Lambda + 10;
  const edges = [reach, ...poles, -reach - Math.max(...groups.lambda)];
  return edges.slice(1).map((left, i) => rootBetween(left, edges[i] ?? 0, rho, Lambda, groups));
}

function rootBetween(left: number, right: number, rho: number, Lambda: number, groups: Groups): number {
  let [low, high] = [left, right];
  let omega = 0.5 * (low + high);
  for (let k = 0; k < 200; k++) {
    const [value, slope] = inhour(omega, Lambda, groups);
    const excess = value - rho;
    if (excess === 0) return omega;
    if (excess > 0) high = omega;
    else low = omega;
    const newton = omega - excess / slope;
    const next = newton > low && newton < high ? newton : 0.5 * (low + high);
    if (Math.abs(next - omega) <= 1e-16 * Math.abs(omega) || high - low <= 1e-16 * Math.abs(omega)) return next;
    omega = next;
  }
  return omega;
}

/** The power at t after a step at 0 from equilibrium with n0, and a source. ρ ≠ 0 where there is a source. */
export function powerAfterStep(
  t: number,
  rho: number,
  n0: number,
  source: number,
  Lambda: number,
  groups: Groups,
): number {
  let sum = source === 0 ? 0 : (-source * Lambda) / rho;
  for (const omega of inhourRoots(rho, Lambda, groups)) {
    const [, slope] = inhour(omega, Lambda, groups);
    // Λ + Σ β_i/(ω + λ_i), by the equation itself: (ρ − …)/ω loses digits near 0.
    let start = Lambda;
    for (const [i, share] of groups.beta.entries()) start += share / (omega + (groups.lambda[i] ?? 0));
    sum += ((n0 * start + (source === 0 ? 0 : (source * Lambda) / omega)) / slope) * exp(omega * t);
  }
  return sum;
}
