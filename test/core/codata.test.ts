import { describe, expect, test } from 'vitest';
import { CODATA } from '../../src/core/codata.ts';
import { correlationOf, relativeUncertaintyOf } from '../../src/core/codata-correlations.ts';
import type { Dimension } from '../../src/core/units/dimension.ts';
import {
  fromDecimal,
  ONE,
  product,
  quotient,
  type Rational,
  rational,
  toNumber,
} from '../../src/core/units/rational.ts';
import { coherentUnit, convert, multiply, parseUnit, power, printDimension } from '../../src/core/units.ts';

function constant(name: string) {
  const entry = CODATA.get(name);
  if (entry === undefined) throw new Error(`${name} not found in the table`);
  return entry;
}

/** Value of a constant in coherent SI. */
function si(name: string): number {
  const { value, unit } = constant(name);
  const declared = parseUnit(unit);
  return convert(value, declared, coherentUnit(declared));
}

const relativeUncertainty = (name: string) => Math.abs(constant(name).uncertainty / constant(name).value);

describe('the table', () => {
  test('has 175 entries with valid units and finite numbers', () => {
    expect(CODATA.size).toBe(175);
    for (const [name, { value, unit, uncertainty }] of CODATA) {
      expect(parseUnit(unit).factor, name).toBeGreaterThan(0);
      expect(Number.isFinite(value) && value !== 0, name).toBe(true);
      expect(uncertainty >= 0 && uncertainty < Math.abs(value), name).toBe(true);
    }
    expect(CODATA.get('__proto__')).toBeUndefined();
  });

  // As printed in https://physics.nist.gov/cuu/Constants/Table/allascii.txt (2022).
  test.each([
    ['electron mass', 9.1093837139e-31, 0.0000000028e-31],
    ['proton mass', 1.67262192595e-27, 0.00000000052e-27],
    ['neutron mass', 1.67492750056e-27, 0.00000000085e-27],
    ['muon mass', 1.883531627e-28, 0.000000042e-28],
    ['deuteron mass', 3.3435837768e-27, 0.000000001e-27],
    ['alpha particle mass', 6.644657345e-27, 0.0000000021e-27],
    ['atomic mass constant', 1.66053906892e-27, 0.00000000052e-27],
    ['fine-structure constant', 7.2973525643e-3, 0.0000000011e-3],
    ['vacuum electric permittivity', 8.8541878188e-12, 0.0000000014e-12],
    ['vacuum mag. permeability', 1.25663706127e-6, 0.0000000002e-6],
    ['Newtonian constant of gravitation', 6.6743e-11, 0.00015e-11],
    ['Rydberg constant', 10973731.568157, 0.000012],
    ['Bohr radius', 5.29177210544e-11, 0.00000000082e-11],
    ['Hartree energy', 4.359744722206e-18, 0.0000000000048e-18],
    ['Bohr magneton', 9.2740100657e-24, 0.0000000029e-24],
    ['electron g factor', -2.00231930436092, 0.00000000000036],
    ['Planck length', 1.616255e-35, 0.000018e-35],
    ['Boltzmann constant', 1.380649e-23, 0],
    ['Avogadro constant', 6.02214076e23, 0],
    ['speed of light in vacuum', 299792458, 0],
    ['standard acceleration of gravity', 9.80665, 0],
  ])('%s is %d within %d', (name, value, uncertainty) => {
    expect(constant(name).value).toBe(value);
    expect(constant(name).uncertainty).toBeCloseTo(uncertainty, 50);
    expect(constant(name).uncertainty === 0).toBe(uncertainty === 0);
  });
});

// The exact constants, recomputed from their definitions as fractions of big integers and rounded once.

const h = fromDecimal('6.62607015e-34');
const e = fromDecimal('1.602176634e-19');
const k = fromDecimal('1.380649e-23');
const nA = fromDecimal('6.02214076e23');
const c = fromDecimal('299792458');
const pi = fromDecimal('3.14159265358979323846264338327950288419716939937510582');
const icePoint = fromDecimal('273.15');
const [bar, atmosphere] = [fromDecimal('100000'), fromDecimal('101325')];
const [two, fifteen] = [rational(2n), rational(15n)];
// Roots of x = a (1 - exp(-x)), a = 5 and 3, to 40 digits (mpmath 1.3): a + W(-a exp(-a)).
const wien5 = fromDecimal('4.965114231744276303698759131322893944056');
const wien3 = fromDecimal('2.821439372122078893403191330294485195346');

const ratio = (above: readonly Rational[], below: readonly Rational[]) =>
  quotient(above.reduce(product, ONE), below.reduce(product, ONE));
const repeat = (base: Rational, n: number): Rational[] => Array.from({ length: n }, () => base);

const EXACT: readonly (readonly [name: string, value: Rational])[] = [
  ['reduced Planck constant', ratio([h], [two, pi])],
  ['atomic unit of action', ratio([h], [two, pi])],
  ['reduced Planck constant in eV s', ratio([h], [two, pi, e])],
  ['Planck constant in eV/Hz', ratio([h], [e])],
  ['reduced Planck constant times c in MeV fm', ratio([h, c, fromDecimal('1e9')], [two, pi, e])],
  ['molar gas constant', ratio([k, nA], [])],
  ['Faraday constant', ratio([e, nA], [])],
  ['molar Planck constant', ratio([h, nA], [])],
  ['Boltzmann constant in eV/K', ratio([k], [e])],
  ['Stefan-Boltzmann constant', ratio([two, ...repeat(pi, 5), ...repeat(k, 4)], [fifteen, ...repeat(h, 3), c, c])],
  ['first radiation constant', ratio([two, pi, h, c, c], [])],
  ['first radiation constant for spectral radiance', ratio([two, h, c, c], [])],
  ['second radiation constant', ratio([h, c], [k])],
  ['Wien wavelength displacement law constant', ratio([h, c], [wien5, k])],
  ['Wien frequency displacement law constant', ratio([wien3, k], [h])],
  ['conductance quantum', ratio([two, e, e], [h])],
  ['inverse of conductance quantum', ratio([h], [two, e, e])],
  ['von Klitzing constant', ratio([h], [e, e])],
  ['Josephson constant', ratio([two, e], [h])],
  ['mag. flux quantum', ratio([h], [two, e])],
  ['elementary charge over h-bar', ratio([two, pi, e], [h])],
  ['Loschmidt constant (273.15 K, 100 kPa)', ratio([bar], [k, icePoint])],
  ['Loschmidt constant (273.15 K, 101.325 kPa)', ratio([atmosphere], [k, icePoint])],
  ['molar volume of ideal gas (273.15 K, 100 kPa)', ratio([k, nA, icePoint], [bar])],
  ['molar volume of ideal gas (273.15 K, 101.325 kPa)', ratio([k, nA, icePoint], [atmosphere])],
];

/** Exact by definition, with terminating decimals. */
const DEFINED = [
  'atomic unit of charge',
  'Avogadro constant',
  'Boltzmann constant',
  'electron volt',
  'elementary charge',
  'hyperfine transition frequency of Cs-133',
  'luminous efficacy',
  'Planck constant',
  'speed of light in vacuum',
  'standard acceleration of gravity',
  'standard atmosphere',
  'standard-state pressure',
];

describe('the exact constants', () => {
  test.each(EXACT)('%s equals its definition, rounded once', (name, value) => {
    expect(constant(name).value).toBe(toNumber(value));
    expect(constant(name).uncertainty).toBe(0);
  });

  test('are exactly these and the defined ones', () => {
    const exact = [...CODATA].filter(([, { uncertainty }]) => uncertainty === 0).map(([name]) => name);
    expect(exact.sort()).toEqual([...EXACT.map(([name]) => name), ...DEFINED].sort());
  });
});

// Relations between the measured constants. Each must hold in dimension, and in value within the uncertainties of its
// factors; half a unit of the last printed digit is allowed for rounding.

type Factors = Readonly<Record<string, number>>;

const RELATIONS: readonly (readonly [name: string, factor: number, factors: Factors])[] = [
  [
    'fine-structure constant',
    1 / (4 * Math.PI),
    {
      'elementary charge': 2,
      'vacuum electric permittivity': -1,
      'reduced Planck constant': -1,
      'speed of light in vacuum': -1,
    },
  ],
  ['inverse fine-structure constant', 1, { 'fine-structure constant': -1 }],
  ['vacuum mag. permeability', 1, { 'vacuum electric permittivity': -1, 'speed of light in vacuum': -2 }],
  ['characteristic impedance of vacuum', 1, { 'vacuum mag. permeability': 1, 'speed of light in vacuum': 1 }],
  [
    'Rydberg constant',
    1 / 2,
    { 'fine-structure constant': 2, 'electron mass': 1, 'speed of light in vacuum': 1, 'Planck constant': -1 },
  ],
  ['Rydberg constant times c in Hz', 1, { 'Rydberg constant': 1, 'speed of light in vacuum': 1 }],
  ['Rydberg constant times hc in J', 1, { 'Rydberg constant': 1, 'speed of light in vacuum': 1, 'Planck constant': 1 }],
  [
    'Rydberg constant times hc in eV',
    1,
    { 'Rydberg constant': 1, 'speed of light in vacuum': 1, 'Planck constant': 1 },
  ],
  ['Bohr radius', 1 / (4 * Math.PI), { 'fine-structure constant': 1, 'Rydberg constant': -1 }],
  ['Hartree energy', 2, { 'Rydberg constant': 1, 'Planck constant': 1, 'speed of light in vacuum': 1 }],
  ['Hartree energy in eV', 1, { 'Hartree energy': 1 }],
  ['classical electron radius', 1, { 'fine-structure constant': 2, 'Bohr radius': 1 }],
  ['Thomson cross section', (8 * Math.PI) / 3, { 'classical electron radius': 2 }],
  ['Compton wavelength', 1, { 'Planck constant': 1, 'electron mass': -1, 'speed of light in vacuum': -1 }],
  ['reduced Compton wavelength', 1 / (2 * Math.PI), { 'Compton wavelength': 1 }],
  ['proton Compton wavelength', 1, { 'Planck constant': 1, 'proton mass': -1, 'speed of light in vacuum': -1 }],
  ['neutron Compton wavelength', 1, { 'Planck constant': 1, 'neutron mass': -1, 'speed of light in vacuum': -1 }],
  ['muon Compton wavelength', 1, { 'Planck constant': 1, 'muon mass': -1, 'speed of light in vacuum': -1 }],
  ['tau Compton wavelength', 1, { 'Planck constant': 1, 'tau mass': -1, 'speed of light in vacuum': -1 }],
  ['reduced proton Compton wavelength', 1 / (2 * Math.PI), { 'proton Compton wavelength': 1 }],
  ['reduced neutron Compton wavelength', 1 / (2 * Math.PI), { 'neutron Compton wavelength': 1 }],
  ['reduced muon Compton wavelength', 1 / (2 * Math.PI), { 'muon Compton wavelength': 1 }],
  ['reduced tau Compton wavelength', 1 / (2 * Math.PI), { 'tau Compton wavelength': 1 }],
  ['Bohr magneton', 1 / 2, { 'elementary charge': 1, 'reduced Planck constant': 1, 'electron mass': -1 }],
  ['Bohr magneton in eV/T', 1, { 'Bohr magneton': 1 }],
  ['nuclear magneton', 1 / 2, { 'elementary charge': 1, 'reduced Planck constant': 1, 'proton mass': -1 }],
  ['nuclear magneton in eV/T', 1, { 'nuclear magneton': 1 }],
  ['nuclear magneton in MHz/T', 1, { 'nuclear magneton': 1, 'Planck constant': -1 }],
  ['electron mag. mom.', 1 / 2, { 'electron g factor': 1, 'Bohr magneton': 1 }],
  ['proton mag. mom.', 1 / 2, { 'proton g factor': 1, 'nuclear magneton': 1 }],
  ['neutron mag. mom.', 1 / 2, { 'neutron g factor': 1, 'nuclear magneton': 1 }],
  ['deuteron mag. mom.', 1, { 'deuteron g factor': 1, 'nuclear magneton': 1 }],
  ['triton mag. mom.', 1 / 2, { 'triton g factor': 1, 'nuclear magneton': 1 }],
  ['helion mag. mom.', 1 / 2, { 'helion g factor': 1, 'nuclear magneton': 1 }],
  [
    'muon mag. mom.',
    1 / 4,
    { 'muon g factor': 1, 'elementary charge': 1, 'reduced Planck constant': 1, 'muon mass': -1 },
  ],
  ['electron gyromag. ratio', -2, { 'electron mag. mom.': 1, 'reduced Planck constant': -1 }],
  ['proton gyromag. ratio', 2, { 'proton mag. mom.': 1, 'reduced Planck constant': -1 }],
  ['neutron gyromag. ratio', -2, { 'neutron mag. mom.': 1, 'reduced Planck constant': -1 }],
  ['shielded proton gyromag. ratio', 2, { 'shielded proton mag. mom.': 1, 'reduced Planck constant': -1 }],
  ['electron gyromag. ratio in MHz/T', 1 / (2 * Math.PI), { 'electron gyromag. ratio': 1 }],
  ['proton gyromag. ratio in MHz/T', 1 / (2 * Math.PI), { 'proton gyromag. ratio': 1 }],
  ['shielded proton gyromag. ratio in MHz/T', 1 / (2 * Math.PI), { 'shielded proton gyromag. ratio': 1 }],
  ['electron charge to mass quotient', -1, { 'elementary charge': 1, 'electron mass': -1 }],
  ['proton charge to mass quotient', 1, { 'elementary charge': 1, 'proton mass': -1 }],
  ['quantum of circulation', 1 / 2, { 'Planck constant': 1, 'electron mass': -1 }],
  ['quantum of circulation times 2', 2, { 'quantum of circulation': 1 }],
  ['proton-electron mass ratio', 1, { 'proton mass': 1, 'electron mass': -1 }],
  ['neutron-electron mass ratio', 1, { 'neutron mass': 1, 'electron mass': -1 }],
  ['muon-electron mass ratio', 1, { 'muon mass': 1, 'electron mass': -1 }],
  ['alpha particle-electron mass ratio', 1, { 'alpha particle mass': 1, 'electron mass': -1 }],
  ['alpha particle-proton mass ratio', 1, { 'alpha particle mass': 1, 'proton mass': -1 }],
  ['neutron-proton mass ratio', 1, { 'neutron mass': 1, 'proton mass': -1 }],
  ['electron-proton mass ratio', 1, { 'proton-electron mass ratio': -1 }],
  ['electron-muon mass ratio', 1, { 'muon-electron mass ratio': -1 }],
  ['electron to alpha particle mass ratio', 1, { 'alpha particle-electron mass ratio': -1 }],
  ['electron relative atomic mass', 1, { 'electron mass': 1, 'atomic mass constant': -1 }],
  ['proton relative atomic mass', 1, { 'proton mass': 1, 'atomic mass constant': -1 }],
  ['neutron relative atomic mass', 1, { 'neutron mass': 1, 'atomic mass constant': -1 }],
  ['electron mass energy equivalent', 1, { 'electron mass': 1, 'speed of light in vacuum': 2 }],
  ['electron mass energy equivalent in MeV', 1, { 'electron mass': 1, 'speed of light in vacuum': 2 }],
  ['proton mass energy equivalent', 1, { 'proton mass': 1, 'speed of light in vacuum': 2 }],
  ['proton mass energy equivalent in MeV', 1, { 'proton mass': 1, 'speed of light in vacuum': 2 }],
  ['neutron mass energy equivalent in MeV', 1, { 'neutron mass': 1, 'speed of light in vacuum': 2 }],
  ['muon mass energy equivalent in MeV', 1, { 'muon mass': 1, 'speed of light in vacuum': 2 }],
  ['tau energy equivalent', 1, { 'tau mass': 1, 'speed of light in vacuum': 2 }],
  ['deuteron mass energy equivalent in MeV', 1, { 'deuteron mass': 1, 'speed of light in vacuum': 2 }],
  ['alpha particle mass energy equivalent in MeV', 1, { 'alpha particle mass': 1, 'speed of light in vacuum': 2 }],
  ['atomic mass constant energy equivalent', 1, { 'atomic mass constant': 1, 'speed of light in vacuum': 2 }],
  ['atomic mass constant energy equivalent in MeV', 1, { 'atomic mass constant': 1, 'speed of light in vacuum': 2 }],
  ['unified atomic mass unit', 1, { 'atomic mass constant': 1 }],
  ['molar mass constant', 1, { 'atomic mass constant': 1, 'Avogadro constant': 1 }],
  ['molar mass of carbon-12', 12, { 'molar mass constant': 1 }],
  ['electron molar mass', 1, { 'electron mass': 1, 'Avogadro constant': 1 }],
  ['proton molar mass', 1, { 'proton mass': 1, 'Avogadro constant': 1 }],
  ['neutron molar mass', 1, { 'neutron mass': 1, 'Avogadro constant': 1 }],
  ['deuteron molar mass', 1, { 'deuteron mass': 1, 'Avogadro constant': 1 }],
  ['triton molar mass', 1, { 'triton mass': 1, 'Avogadro constant': 1 }],
  ['helion molar mass', 1, { 'helion mass': 1, 'Avogadro constant': 1 }],
  ['alpha particle molar mass', 1, { 'alpha particle mass': 1, 'Avogadro constant': 1 }],
  ['muon molar mass', 1, { 'muon mass': 1, 'Avogadro constant': 1 }],
  ['tau molar mass', 1, { 'tau mass': 1, 'Avogadro constant': 1 }],
  [
    'Planck mass',
    1,
    { 'reduced Planck constant': 0.5, 'speed of light in vacuum': 0.5, 'Newtonian constant of gravitation': -0.5 },
  ],
  ['Planck length', 1, { 'reduced Planck constant': 1, 'Planck mass': -1, 'speed of light in vacuum': -1 }],
  ['Planck time', 1, { 'Planck length': 1, 'speed of light in vacuum': -1 }],
  ['Planck temperature', 1, { 'Planck mass': 1, 'speed of light in vacuum': 2, 'Boltzmann constant': -1 }],
  ['atomic unit of mass', 1, { 'electron mass': 1 }],
  ['atomic unit of length', 1, { 'Bohr radius': 1 }],
  ['atomic unit of energy', 1, { 'Hartree energy': 1 }],
  ['atomic unit of time', 1, { 'reduced Planck constant': 1, 'Hartree energy': -1 }],
  ['atomic unit of velocity', 1, { 'fine-structure constant': 1, 'speed of light in vacuum': 1 }],
  ['atomic unit of momentum', 1, { 'reduced Planck constant': 1, 'Bohr radius': -1 }],
  ['atomic unit of force', 1, { 'Hartree energy': 1, 'Bohr radius': -1 }],
  ['atomic unit of current', 1, { 'elementary charge': 1, 'Hartree energy': 1, 'reduced Planck constant': -1 }],
  ['atomic unit of charge density', 1, { 'elementary charge': 1, 'Bohr radius': -3 }],
  ['atomic unit of electric potential', 1, { 'Hartree energy': 1, 'elementary charge': -1 }],
  ['atomic unit of electric field', 1, { 'Hartree energy': 1, 'elementary charge': -1, 'Bohr radius': -1 }],
  ['atomic unit of electric field gradient', 1, { 'Hartree energy': 1, 'elementary charge': -1, 'Bohr radius': -2 }],
  ['atomic unit of electric dipole mom.', 1, { 'elementary charge': 1, 'Bohr radius': 1 }],
  ['atomic unit of electric quadrupole mom.', 1, { 'elementary charge': 1, 'Bohr radius': 2 }],
  ['atomic unit of electric polarizability', 1, { 'elementary charge': 2, 'Bohr radius': 2, 'Hartree energy': -1 }],
  ['atomic unit of mag. dipole mom.', 2, { 'Bohr magneton': 1 }],
  ['atomic unit of mag. flux density', 1, { 'reduced Planck constant': 1, 'elementary charge': -1, 'Bohr radius': -2 }],
  ['atomic unit of magnetizability', 1, { 'elementary charge': 2, 'Bohr radius': 2, 'electron mass': -1 }],
  ['atomic unit of permittivity', 4 * Math.PI, { 'vacuum electric permittivity': 1 }],
];

/** Value, dimension and relative uncertainty of the right-hand side. */
function evaluate(factor: number, factors: Factors): { value: number; dimension: Dimension; uncertainty: number } {
  let [value, uncertainty] = [factor, 0];
  let { dimension } = parseUnit('1');
  for (const [name, exponent] of Object.entries(factors)) {
    value *= si(name) ** exponent;
    uncertainty += Math.abs(exponent) * relativeUncertainty(name);
    const { dimension: factorDimension } = parseUnit(constant(name).unit);
    dimension = multiply(dimension, power(factorDimension, rational(BigInt(2 * exponent), 2n)));
  }
  return { value, dimension, uncertainty };
}

describe('the measured constants', () => {
  test.each(RELATIONS)('%s equals %d times its factors, in value and dimension', (name, factor, factors) => {
    const right = evaluate(factor, factors);
    expect(printDimension(right.dimension)).toBe(printDimension(parseUnit(constant(name).unit).dimension));
    const allowed = relativeUncertainty(name) + right.uncertainty + 1e-15;
    expect(Math.abs(right.value / si(name) - 1)).toBeLessThan(allowed);
  });

  test('anomalies and shifts agree with their definitions', () => {
    expect(1 + constant('electron mag. mom. anomaly').value).toBeCloseTo(-constant('electron g factor').value / 2, 13);
    expect(1 + constant('muon mag. mom. anomaly').value).toBeCloseTo(-constant('muon g factor').value / 2, 9);
    const shielding = 1 - si('shielded proton mag. mom.') / si('proton mag. mom.');
    expect(shielding).toBeCloseTo(constant('proton mag. shielding correction').value, 8);
    const difference = si('neutron mass') - si('proton mass');
    const energy = difference * si('speed of light in vacuum') ** 2;
    expect(energy / si('neutron-proton mass difference energy equivalent in MeV')).toBeCloseTo(1, 6);
    expect(1 - constant('weak mixing angle').value).toBeCloseTo(constant('W to Z mass ratio').value ** 2, 4);
  });

  test('all but a listed few appear in a relation', () => {
    const related = new Set(RELATIONS.flatMap(([name, , factors]) => [name, ...Object.keys(factors)]));
    const measured = [...CODATA].filter(([, { uncertainty }]) => uncertainty > 0).map(([name]) => name);
    expect(measured.filter((name) => !related.has(name)).sort()).toEqual([
      'Fermi coupling constant',
      'Sackur-Tetrode constant (1 K, 100 kPa)',
      'Sackur-Tetrode constant (1 K, 101.325 kPa)',
      'W to Z mass ratio',
      'alpha particle rms charge radius',
      'deuteron rms charge radius',
      'electron mag. mom. anomaly',
      'helion shielding shift',
      'lattice spacing of ideal Si (220)',
      'muon mag. mom. anomaly',
      'neutron-proton mass difference energy equivalent in MeV',
      'proton mag. shielding correction',
      'proton rms charge radius',
      'weak mixing angle',
    ]);
  });

  test('the Sackur-Tetrode constants follow from the atomic mass constant', () => {
    // S0/R = 5/2 + ln((2 pi m_u k T1 / h^2)^(3/2) k T1 / p0)
    const thermal = (2 * Math.PI * si('atomic mass constant') * si('Boltzmann constant')) / si('Planck constant') ** 2;
    for (const [name, pressure] of [
      ['Sackur-Tetrode constant (1 K, 100 kPa)', 100_000],
      ['Sackur-Tetrode constant (1 K, 101.325 kPa)', 101_325],
    ] as const) {
      const entropy = 5 / 2 + Math.log((thermal ** 1.5 * si('Boltzmann constant')) / pressure);
      expect(entropy).toBeCloseTo(constant(name).value, 9);
    }
  });
});

describe('correlations', () => {
  const inexact = [...CODATA].filter(([, { uncertainty }]) => uncertainty > 0);
  const following = inexact.filter(([name]) => relativeUncertaintyOf(name) !== undefined);

  test('most inexact constants follow from others', () => expect(following.length).toBeGreaterThanOrEqual(95));

  test.each(following)('the uncertainty of %s follows to its two digits', (name, { value, uncertainty }) => {
    const unitOfSecondDigit = 10 ** (Number(uncertainty.toExponential().split('e')[1]) - 1);
    const following = Math.abs(value) * (relativeUncertaintyOf(name) ?? 0);
    // Half a unit, and a tenth because the sources are printed with two digits themselves.
    expect(Math.abs(following - uncertainty) / unitOfSecondDigit).toBeLessThan(0.6);
  });

  test.each(inexact)('the squares of the coefficients of %s add up to 1', (name, { value }) => {
    const coefficients = Object.values(correlationOf(name, value));
    expect(coefficients.reduce((sum, one) => sum + one * one, 0)).toBeCloseTo(1, 5);
  });

  /** r as https://physics.nist.gov/cuu/Constants/correlations.html defines it. */
  const r = (a: string, b: string) => {
    const [ofA, ofB] = [a, b].map((name) => correlationOf(name, constant(name).value));
    return Object.entries(ofA ?? {}).reduce((sum, [source, one]) => sum + one * (ofB?.[source] ?? 0), 0);
  };

  test.each([
    ['electron mass', 'fine-structure constant', -1],
    ['vacuum electric permittivity', 'vacuum mag. permeability', -1],
    ['electron mass', 'Bohr magneton', -1],
    ['electron mag. mom.', 'Bohr magneton', -1],
    ['Bohr radius', 'electron mass', -1],
    ['proton mass', 'electron mass', 0.998],
    ['Newtonian constant of gravitation', 'electron mass', 0],
    ['Planck mass', 'Newtonian constant of gravitation', -1],
  ])('%s and %s: %d', (a, b, expected) => expect(r(a, b)).toBeCloseTo(expected, 3));

  test('a source is a constant of the table', () => {
    for (const [name, { value }] of inexact)
      for (const source of Object.keys(correlationOf(name, value))) expect(CODATA.has(source), source).toBe(true);
  });
});
