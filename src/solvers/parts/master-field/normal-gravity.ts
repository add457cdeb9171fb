// Normal gravity of the Earth by latitude and height: Somigliana's formula and the free-air reduction of WGS 84
// (NGA.STND.0036).

import { sin } from '../../../core/elementary.ts';

const EQUATOR = 9.7803253359;
const POLE_TERM = 0.00193185265241;
const ECCENTRICITY2 = 6.69437999014e-3;
const SEMI_MAJOR = 6_378_137;
const FLATTENING = 1 / 298.257223563;
/** ω² a² b / GM. */
const M = 0.00344978650684;

export interface NormalGravity {
  /** m/s². */
  readonly g: number;
  /** Distance in m of the centre whose inverse square falls with the height as g does. */
  readonly radius: number;
}

/** @param latitude  geodetic, in degrees; @param height  above the ellipsoid, in m */
export function normalGravity(latitude: number, height: number): NormalGravity {
  const s = sin((latitude * Math.PI) / 180);
  const square = s * s;
  const surface = (EQUATOR * (1 + POLE_TERM * square)) / Math.sqrt(1 - ECCENTRICITY2 * square);
  const steepness = 1 + FLATTENING + M - 2 * FLATTENING * square;
  const part = height / SEMI_MAJOR;
  return {
    g: surface * (1 - 2 * steepness * part + 3 * part * part),
    radius: SEMI_MAJOR / steepness + height,
  };
}
