// The Sun and the planets at J2000.0 (JD 2451545.0), in the ecliptic of J2000, solar masses, au and degrees.
//
// Keplerian elements: E. M. Standish and J. G. Williams, table 1, "valid for 1800 AD – 2050 AD", Jet Propulsion Laboratory;
// fits to an ephemeris, not osculating elements: positions to some 10 arcseconds, of Saturn to 600. The third row is the
// barycentre of Earth and Moon. Masses: ratios of the Sun's to the planet's, Luzum et al., Celest. Mech. Dyn. Astron. 110
// (2011) 293, doi:10.1007/s10569-011-9352-4.

import type { PresetBody } from './preset-body.ts';

/** Name; mass of the Sun over its own; a, e, inclination, mean longitude, longitude of perihelion, of the node. */
const ROWS = [
  ['Mercury', 6.0236e6, 0.38709927, 0.20563593, 7.00497902, 252.2503235, 77.45779628, 48.33076593],
  ['Venus', 4.08523719e5, 0.72333566, 0.00677672, 3.39467605, 181.9790995, 131.60246718, 76.67984255],
  ['Earth and Moon', 328900.5596, 1.00000261, 0.01671123, -0.00001531, 100.46457166, 102.93768193, 0],
  ['Mars', 3.09870359e6, 1.52371034, 0.0933941, 1.84969142, -4.55343205, -23.94362959, 49.55953891],
  ['Jupiter', 1047.348644, 5.202887, 0.04838624, 1.30439695, 34.39644051, 14.72847983, 100.47390909],
  ['Saturn', 3497.9018, 9.53667594, 0.05386179, 2.48599187, 49.95424423, 92.59887831, 113.66242448],
  ['Uranus', 22902.98, 19.18916464, 0.04725744, 0.77263783, 313.23810451, 170.9542763, 74.01692503],
  ['Neptune', 19412.26, 30.06992276, 0.00859048, 1.77004347, -55.12002969, 44.96476227, 131.78422574],
] as const;

export const PLANETS: readonly PresetBody[] = [
  { mass: 1, object: 'Sun' },
  ...ROWS.map(([object, ratio, a, e, inclination, longitude, perihelion, node]) => ({
    mass: 1 / ratio,
    object,
    orbit: { a, e, inclination, node, periapsis: perihelion - node, anomaly: longitude - perihelion },
  })),
];
