// One axis of the rod or plate: its grid, its initial profile and its probe node.
//
// The initial temperature is a product of profiles with amplitude 1, so two axes define a plate.

import { exp, sin } from '../../core/elementary.ts';

export type Mode = 'sine' | 'step' | 'gaussian';

export interface Axis {
  readonly cells: number;
  readonly length: number;
  /** Number of half-waves of the first mode; also sets the scale of the step and the hot spot. */
  readonly halfWaves: number;
  readonly mode: Mode;
  readonly isInsulated: boolean;
}

/** Coordinates of the nodes, in m. */
export const nodePositions = (cells: number, length: number): Float64Array =>
  Float64Array.from({ length: cells + 1 }, (_, i) => (i / cells) * length);

/** sin(π a / b); for integer a and b reduced exactly, so that symmetric nodes have symmetric values. */
export function sinPi(a: number, b: number): number {
  const phase = ((a % (2 * b)) + 2 * b) % (2 * b);
  const half = phase % b;
  const quarter = Math.min(half, b - half);
  const value = 2 * quarter === b ? 1 : sin((Math.PI * quarter) / b);
  return phase < b ? value : -value;
}

/** cos(π a / b). */
export const cosPi = (a: number, b: number): number => sinPi(2 * a + b, 2 * b);

/** Standard deviation of the hot spot, relative to the length of the axis. */
export const standardDeviation = (axis: Axis): number => 1 / (10 * axis.halfWaves);

/**
 * Maximum number of half-waves on a grid: at least two cells per half-wave, 0.8 per standard deviation of a hot spot.
 */
export function maxHalfWaves(cells: number, mode: Mode): number {
  return Math.floor(cells / (mode === 'gaussian' ? 8 : 2));
}

/**
 * The initial profile at the nodes, f64[cells + 1]:
 * - sine: the first mode, sin(kπx/L) between fixed ends and cos(kπx/L) between insulated ones;
 * - step: 1 where that mode is positive and 0 elsewhere, averaged over the control volume of each node;
 * - gaussian: a hot spot in the middle with images, so that it satisfies the boundary condition exactly.
 */
export function initialProfile(axis: Axis): Float64Array {
  const { cells, halfWaves, isInsulated } = axis;
  const profile = Float64Array.from({ length: cells + 1 }, (_, i) => {
    if (axis.mode === 'step') return positiveFraction(axis, i);
    if (axis.mode === 'gaussian') return hotSpot(axis, i / cells);
    return isInsulated ? cosPi(halfWaves * i, cells) : sinPi(halfWaves * i, cells);
  });
  if (!isInsulated) {
    profile[0] = 0;
    profile[cells] = 0;
  }
  return profile;
}

/** Fraction of the control volume of node i, within the rod, where the mode is positive. */
function positiveFraction({ cells, halfWaves, isInsulated }: Axis, i: number): number {
  const from = Math.max(0, i - 0.5);
  const to = Math.min(cells, i + 0.5);
  // The mode changes sign at multiples of `wave` cells, between insulated ends half a wave earlier.
  const wave = cells / halfWaves;
  const shift = isInsulated ? wave / 2 : 0;
  let hot = 0;
  for (let j = 0; 2 * j * wave - shift < to; j++) {
    const start = 2 * j * wave - shift;
    hot += Math.max(0, Math.min(to, start + wave) - Math.max(from, start));
  }
  return hot / (to - from);
}

/** exp(−(ξ − 1/2)² / 2σ²) with images beyond both ends: odd for fixed ends, even for insulated ones. */
function hotSpot(axis: Axis, xi: number): number {
  const sigma = standardDeviation(axis);
  const sign = axis.isInsulated ? 1 : -1;
  const bell = (centre: number) => exp((-(xi - centre) * (xi - centre)) / (2 * sigma * sigma));
  // The next images are at least 1.5 lengths away: e^−112.
  return bell(0.5) + sign * (bell(-0.5) + bell(1.5));
}

/** A place on an axis: the fraction a / b of its length, so that places of a mode are exact. */
export interface Place {
  readonly a: number;
  readonly b: number;
}

/** The antinode of the initial mode in the middle of the axis; the lower of two equally near. */
export function antinode({ halfWaves, mode, isInsulated }: Axis): Place {
  // Antinodes lie at odd multiples of half a half-wave between fixed ends, at multiples of a half-wave between
  // insulated ends.
  const isMiddle = mode === 'gaussian' || (halfWaves % 2 === 1) !== isInsulated;
  return isMiddle ? { a: 1, b: 2 } : { a: halfWaves - 1, b: 2 * halfWaves };
}
