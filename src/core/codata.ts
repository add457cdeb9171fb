// Fundamental constants by their NIST names: only what an operator uses.
//
// Tiesinga, Mohr, Newell, Taylor (2024), The 2022 CODATA Recommended Values of the Fundamental Physical Constants
// (Web Version 9.0), https://physics.nist.gov/constants. Constants that the table prints with "..." are exact and are
// computed from the defining ones, because their printed digits are cut off.

export interface PhysicalConstant {
  readonly value: number;
  readonly unit: string;
}

/** Exact by the definition of the kilogram. */
const PLANCK = 6.626_070_15e-34;

export const CODATA: ReadonlyMap<string, PhysicalConstant> = new Map([
  ['Planck constant', { value: PLANCK, unit: 'J*s' }],
  ['reduced Planck constant', { value: PLANCK / (2 * Math.PI), unit: 'J*s' }],
]);
