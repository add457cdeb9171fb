// Exact flows, and published numbers of the cavity.

import { cos, exp, sin } from '../../core/elementary.ts';

/** Waves that decay as they drift: u at a place and time (Taylor & Green 1937). Lengths in metres. */
export function taylorGreen(
  {
    speed,
    kx,
    ky,
    mean_u: meanU,
    mean_v: meanV,
    visc,
    size,
  }: {
    readonly speed: number;
    readonly kx: number;
    readonly ky: number;
    readonly mean_u: number;
    readonly mean_v: number;
    readonly visc: number;
    readonly size: number;
  },
  x: number,
  y: number,
  t: number,
): { readonly u: number; readonly v: number; readonly kinetic: number } {
  const unit = (2 * Math.PI) / size;
  const [p, q] = [unit * kx, unit * ky];
  const decay = exp(-visc * (p * p + q * q) * t);
  // Phases are reduced to one period.
  const phase = (wave: number, place: number, mean: number) => {
    const periods = (wave * (place - mean * t)) / size;
    return 2 * Math.PI * (periods - Math.floor(periods));
  };
  const u = meanU + speed * decay * sin(phase(kx, x, meanU)) * cos(phase(ky, y, meanV));
  const ratio = kx / ky;
  const v = meanV - speed * ratio * decay * cos(phase(kx, x, meanU)) * sin(phase(ky, y, meanV));
  const waves = 0.125 * speed * speed * decay * decay * (1 + ratio * ratio);
  return { u, v, kinetic: waves + 0.5 * (meanU * meanU + meanV * meanV) };
}

/** Terms of the series of plates. */
const MAX_TERMS = 4000;
/** exp of less is 0 beside 1. */
const SMALLEST = -45;

/**
 * Flow between plates that starts from rest, by the series of its modes; undefined so early that it needs too many terms.
 *
 * @param y  in heights
 */
export function startedPlates(
  {
    speed,
    force,
    visc,
    size,
  }: {
    readonly speed: number;
    readonly force: number;
    readonly visc: number;
    readonly size: number;
  },
  y: number,
  t: number,
): number | undefined {
  const rate = (visc * Math.PI * Math.PI * t) / (size * size);
  const drive = (force * size * size) / visc;
  let sum = speed * y + 0.5 * drive * y * (1 - y);
  for (let n = 1; ; n++) {
    const exponent = -rate * n * n;
    if (exponent < SMALLEST) return sum;
    if (n > MAX_TERMS) return undefined;
    const a = n * Math.PI;
    const couette = ((n % 2 === 0 ? 2 : -2) * speed) / a;
    const poiseuille = n % 2 === 0 ? 0 : (-4 * drive) / (a * a * a);
    sum += (couette + poiseuille) * sin(a * y) * exp(exponent);
  }
}

/** Ghia, Ghia & Shin (1982), table I: heights, and u on the vertical through the middle, by Reynolds number. */
export const GHIA_Y = [
  0, 0.0547, 0.0625, 0.0703, 0.1016, 0.1719, 0.2813, 0.4531, 0.5, 0.6172, 0.7344, 0.8516, 0.9531, 0.9609, 0.9688,
  0.9766, 1,
];
const GHIA_U: Readonly<Record<number, readonly number[]>> = {
  100: [
    0, -0.03717, -0.04192, -0.04775, -0.06434, -0.1015, -0.15662, -0.2109, -0.20581, -0.13641, 0.00332, 0.23151,
    0.68717, 0.73722, 0.78871, 0.84123, 1,
  ],
  400: [
    0, -0.08186, -0.09266, -0.10338, -0.14612, -0.24299, -0.32726, -0.17119, -0.11477, 0.02135, 0.16256, 0.29093,
    0.55892, 0.61756, 0.68439, 0.75837, 1,
  ],
};

interface PublishedCavity {
  readonly uMin: number;
  readonly vMax: number;
  readonly vMin: number;
  /** Ghia's u at `GHIA_Y`. */
  readonly ghia: readonly number[] | undefined;
}

/** Botella & Peyret (1998), of a unit cavity with a lid of speed 1. */
const EXTREMES: Readonly<Record<number, Omit<PublishedCavity, 'ghia'>>> = {
  100: { uMin: -0.2140424, vMax: 0.1795728, vMin: -0.253803 },
  1000: { uMin: -0.3885698, vMax: 0.3769447, vMin: -0.5270771 },
};

/** Relative distance of Reynolds numbers that are the same. */
const SAME = 1e-9;

/** What is published of the steady cavity at a Reynolds number, over the speed of the lid. */
export function publishedCavity(reynolds: number): Partial<PublishedCavity> | undefined {
  const key = [100, 400, 1000].find((one) => Math.abs(reynolds - one) <= SAME * one);
  return key === undefined ? undefined : { ...EXTREMES[key], ghia: GHIA_U[key] };
}
