// Common units of the same dimension as a declared unit.

const GROUPS: readonly (readonly string[])[] = [
  ['km', 'm', 'cm', 'mm', 'um', 'nm', 'pm', 'fm'],
  ['km^2', 'm^2', 'cm^2', 'mm^2', 'um^2'],
  ['m^3', 'L', 'mL', 'cm^3', 'mm^3'],
  ['t', 'kg', 'g', 'mg', 'ug', 'u'],
  ['yr', 'day', 'h', 'min', 's', 'ms', 'us', 'ns', 'ps'],
  ['1/s', '1/min', '1/h', '1/day', '1/yr'],
  ['GHz', 'MHz', 'kHz', 'Hz', 'THz'],
  ['rad', 'deg'],
  ['m/s', 'km/h', 'cm/s', 'mm/s', 'km/s'],
  ['m/s^2', 'cm/s^2'],
  ['MN', 'kN', 'N', 'mN', 'uN', 'nN'],
  ['N/m', 'kN/m', 'mN/m'],
  ['N*m', 'kN*m', 'mN*m'],
  ['GPa', 'MPa', 'bar', 'kPa', 'Pa'],
  ['MJ', 'kJ', 'J', 'kW*h', 'MeV', 'keV', 'eV', 'meV'],
  ['kJ/mol', 'J/mol'],
  ['MW', 'kW', 'W', 'mW'],
  ['W/m^2', 'kW/m^2'],
  ['K', 'mK'],
  ['W/(m^2*K)', 'kW/(m^2*K)'],
  ['W/(m*K)', 'mW/(m*K)'],
  ['J/(kg*K)', 'kJ/(kg*K)'],
  ['kV', 'V', 'mV', 'uV'],
  ['kA', 'A', 'mA', 'uA'],
  ['C', 'mC', 'uC', 'nC'],
  ['F', 'mF', 'uF', 'nF', 'pF'],
  ['T', 'mT', 'uT'],
  ['mol/L', 'mmol/L', 'umol/L', 'mol/m^3'],
  ['kg/m^3', 'g/cm^3', 'g/L', 'mg/L'],
  ['g/mol', 'kg/mol'],
  ['Pa*s', 'mPa*s'],
  ['m^2/s', 'cm^2/s', 'mm^2/s'],
  ['m^3/s', 'm^3/h', 'L/s', 'L/min'],
];

/** The group of the declared unit; empty if none. */
export function unitChoices(declared: string): readonly string[] {
  return GROUPS.find((group) => group.includes(declared)) ?? [];
}

/** Fields of equations without a scale are in units of their own time `t`, which are no tonnes. */
export const OWN_TIME = 't';

/** Scales of temperatures, for readings; a product such as W/degC would have no meaning. */
const TEMPERATURES = ['K', 'degC', 'degF'];

/** Units of a reading that is typed behind its number; a unit that begins with a digit cannot stand there. */
export function readingChoices(declared: string): readonly string[] {
  if (TEMPERATURES.includes(declared)) return TEMPERATURES;
  if (declared === OWN_TIME) return [];
  const choices = unitChoices(declared);
  return choices.every((unit) => /^\D/.test(unit)) ? choices : [];
}
