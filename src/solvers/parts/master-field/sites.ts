// Places of a body of the master field: its weight by location, and its drag by medium.

/**
 * Acceleration of free fall at the surface, in m/s². Earth: the standard acceleration, exact (CGPM 1901). Sun and Jupiter:
 * nominal GM over the square of the nominal (equatorial) radius, IAU 2015 resolution B3. Mars and Moon: GM = 4.282837e13
 * and 4.9028e12 m³/s² over the square of the mean radii 3389.5 and 1737.4 km.
 */
export const GRAVITY_AT = {
  earth: 9.80665,
  mars: 4.282837e13 / (3.3895e6 * 3.3895e6),
  moon: 4.9028e12 / (1.7374e6 * 1.7374e6),
  jupiter: 1.2668653e17 / (7.1492e7 * 7.1492e7),
  sun: 1.3271244e20 / (6.957e8 * 6.957e8),
} as const;

/** Distance of the surface from the centre, in m: of the same sources; of the Earth its mean radius (IUGG). */
export const RADIUS_OF = {
  earth: 6.3710088e6,
  mars: 3.3895e6,
  moon: 1.7374e6,
  jupiter: 7.1492e7,
  sun: 6.957e8,
} as const;

export type Location = keyof typeof GRAVITY_AT;
export const LOCATIONS = Object.keys(GRAVITY_AT) as [Location, ...Location[]];

/** kg/m³. Air: the standard atmosphere at sea level (ISO 2533, 15 °C). Water: at 20 °C and 101 325 Pa, 998.2. */
export const DENSITY_OF = { vacuum: 0, air: 1.225, water: 998.2 } as const;

export type Medium = keyof typeof DENSITY_OF;
export const MEDIA = Object.keys(DENSITY_OF) as [Medium, ...Medium[]];

/** Drag coefficient times area in m² of a body whose own is not given: a sphere of 16 cm with the coefficient 0.5. */
export const DRAG_AREA = 0.01;

/** c of the quadratic drag −c v |v|, in 1/m: ρ C_d A / (2 m). */
export const dragOf = (medium: Medium, mass: number, dragArea: number): number =>
  (DENSITY_OF[medium] * dragArea) / (2 * mass);
