// Closed forms that runs are compared with: the speed of a pulled front and its approach, an exact wave, and the linear
// growth from a point.

import { exp, log } from '../../core/elementary.ts';

/** 2 √(D ρ). */
export const asymptoticSpeed = (D: number, rho: number): number => 2 * Math.sqrt(D * rho);

/** Speed of a front from compact data at a time: 2 √(D ρ) − 3/2 √(D/ρ) / t. Bramson 1983. */
export const bramsonSpeed = (D: number, rho: number, t: number): number =>
  asymptoticSpeed(D, rho) - (1.5 * Math.sqrt(D / rho)) / t;

/** Its mean between two times. */
export const bramsonMean = (D: number, rho: number, from: number, to: number): number =>
  asymptoticSpeed(D, rho) - (1.5 * Math.sqrt(D / rho) * log(to / from)) / (to - from);

/** The exact wave of speed 5/√6 in units of D = ρ = 1. Ablowitz & Zeppetella 1979. */
export function exactWave(x: number, t: number): number {
  const front = 1 + exp((x - (5 / Math.sqrt(6)) * t) / Math.sqrt(6));
  return 1 / (front * front);
}

/** Where N0 cells from a point, that grow without a limit in space, have the density `threshold`; 0 if nowhere. */
export function linearRadius(D: number, rho: number, t: number, N0: number, threshold: number): number {
  const spread = 4 * Math.PI * D * t;
  const square = 4 * D * t * (rho * t + log(N0 / (threshold * spread * Math.sqrt(spread))));
  return square > 0 ? Math.sqrt(square) : 0;
}
