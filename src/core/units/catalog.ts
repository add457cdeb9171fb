// Catalog of units by symbol: each is a factor times units defined before it. Data only, interpreted by symbols.ts.
//
// BIPM, The International System of Units (SI Brochure), 9th ed. 2019, tables 4, 5, 7 and 8; NIST Special Publication
// 811 (2008), appendix B.8, for units outside the SI; IAU 2012 Resolution B2 (au) and 2015 Resolution B3 (Sun);
// CODATA 2022 for Da and the atomic units. A factor is exact, as a decimal or a quotient, and may contain pi.

/** Prefixes of a symbol: all SI prefixes; multiples; multiples with Ki, Mi, …; submultiples; none. */
export type Prefixes = 'metric' | 'multiple' | 'binary' | 'submultiple' | 'none';

export interface CatalogEntry {
  readonly symbol: string;
  readonly factor: string;
  readonly of: string;
  readonly prefixes: Prefixes;
}

const unit = (symbol: string, factor: string, of: string, prefixes: Prefixes = 'none'): CatalogEntry => {
  return { symbol, factor, of, prefixes };
};

/** Prefixes of the base units. Prefixes of the kilogram apply to `g`. */
export const BASE_PREFIXES = {
  kg: 'none',
  m: 'metric',
  s: 'metric',
  A: 'metric',
  K: 'metric',
  mol: 'metric',
  cd: 'metric',
  USD: 'multiple',
  bit: 'binary',
  arb: 'none',
} as const satisfies Record<string, Prefixes>;

export const CATALOG: readonly CatalogEntry[] = [
  unit('g', '1/1000', 'kg', 'metric'),

  unit('rad', '1', '1', 'metric'),
  unit('sr', '1', '1', 'metric'),
  unit('Hz', '1', '1/s', 'metric'),
  unit('N', '1', 'kg*m/s^2', 'metric'),
  unit('Pa', '1', 'N/m^2', 'metric'),
  unit('J', '1', 'N*m', 'metric'),
  unit('W', '1', 'J/s', 'metric'),
  unit('C', '1', 'A*s', 'metric'),
  unit('V', '1', 'W/A', 'metric'),
  unit('F', '1', 'C/V', 'metric'),
  unit('ohm', '1', 'V/A', 'metric'),
  unit('S', '1', 'A/V', 'metric'),
  unit('Wb', '1', 'V*s', 'metric'),
  unit('T', '1', 'Wb/m^2', 'metric'),
  unit('H', '1', 'Wb/A', 'metric'),
  unit('lm', '1', 'cd*sr', 'metric'),
  unit('lx', '1', 'lm/m^2', 'metric'),
  unit('Bq', '1', '1/s', 'metric'),
  unit('Gy', '1', 'J/kg', 'metric'),
  unit('Sv', '1', 'J/kg', 'metric'),
  unit('kat', '1', 'mol/s', 'metric'),
  unit('katal', '1', 'mol/s', 'submultiple'),
  unit('VA', '1', 'W', 'multiple'),
  unit('var', '1', 'W', 'multiple'),

  // Labels of pure numbers. A level in dB is the number of its law; it is not converted to a ratio.
  unit('count', '1', '1'),
  unit('pu', '1', '1'),
  unit('plaq', '1', '1'),
  unit('decisions', '1', '1'),
  unit('zeros', '1', '1'),
  unit('c', '1', '1'),
  unit('dB', '1', '1'),
  unit('percent', '1/100', '1'),
  unit('%', '1/100', '1'),
  unit('permil', '1/1000', '1'),
  unit('ppm', '1e-6', '1'),
  unit('ppb', '1e-9', '1'),
  unit('signal', '1', 'arb'),

  unit('deg', 'pi/180', 'rad'),
  unit('arcmin', 'pi/10800', 'rad'),
  unit('arcsec', 'pi/648000', 'rad', 'submultiple'),
  unit('mas', '1/1000', 'arcsec'),
  unit('uas', '1e-6', 'arcsec'),

  unit('min', '60', 's'),
  unit('h', '3600', 's'),
  unit('day', '86400', 's'),
  unit('d', '86400', 's'),
  unit('week', '604800', 's'),
  unit('yr', '31557600', 's', 'multiple'), // Julian

  unit('angstrom', '1e-10', 'm'),
  unit('in', '0.0254', 'm'),
  unit('ft', '0.3048', 'm'),
  unit('yd', '0.9144', 'm'),
  unit('mi', '1609.344', 'm'),
  unit('nmi', '1852', 'm'),
  unit('au', '149597870700', 'm'),
  unit('ly', '9460730472580800', 'm', 'multiple'), // the speed of light times a Julian year
  unit('pc', '96939420213600000/pi', 'm', 'multiple'), // 648000 au / pi
  unit('a_0', '5.29177210544e-11', 'm'),
  unit('Rsun', '6.957e8', 'm'),

  unit('ha', '1e4', 'm^2'),
  unit('barn', '1e-28', 'm^2', 'submultiple'),
  unit('darcy', '1e-12/1.01325', 'm^2', 'submultiple'),
  unit('L', '1/1000', 'm^3', 'metric'),
  unit('M', '1', 'mol/L', 'submultiple'),

  unit('t', '1000', 'kg', 'multiple'),
  unit('lb', '0.45359237', 'kg'),
  unit('Da', '1.66053906892e-27', 'kg', 'multiple'),
  unit('u', '1.66053906892e-27', 'kg'),
  unit('m_e', '9.1093837139e-31', 'kg'),
  unit('Msun', '1.3271244e20/6.67430e-11', 'kg'), // nominal GM over the CODATA constant of gravitation

  unit('knot', '1', 'nmi/h'),
  unit('Gal', '0.01', 'm/s^2', 'submultiple'),

  unit('dyn', '1e-5', 'N'),
  unit('kgf', '9.80665', 'N'),
  unit('lbf', '4.4482216152605', 'N'),
  unit('bar', '1e5', 'Pa', 'metric'),
  unit('atm', '101325', 'Pa'),
  unit('Torr', '101325/760', 'Pa', 'submultiple'),
  unit('mmHg', '133.322387415', 'Pa'),
  unit('cmH2O', '98.0665', 'Pa'),
  unit('psi', '1', 'lbf/in^2'),
  unit('P', '0.1', 'Pa*s', 'metric'),
  unit('St', '1e-4', 'm^2/s', 'metric'),

  unit('eV', '1.602176634e-19', 'J', 'metric'),
  unit('E_h', '4.3597447222060e-18', 'J'),
  unit('erg', '1e-7', 'J'),
  unit('cal', '4.184', 'J', 'multiple'), // thermochemical
  unit('Btu', '1055.05585262', 'J'), // International Table
  unit('Wh', '3600', 'J', 'metric'),
  unit('hp', '550', 'ft*lbf/s'),
  unit('Lsun', '3.828e26', 'W'),
  unit('Jy', '1e-26', 'W/(m^2*Hz)', 'metric'),

  unit('Ah', '3600', 'C', 'metric'),
  unit('Debye', '1e-21/299792458', 'C*m'),
  unit('G', '1e-4', 'T', 'metric'),
  unit('Oe', '1000/4/pi', 'A/m', 'multiple'),

  unit('Ci', '3.7e10', 'Bq', 'metric'),
  unit('R', '2.58e-4', 'C/kg', 'metric'),
  unit('rem', '0.01', 'Sv', 'submultiple'),

  unit('B', '8', 'bit', 'binary'),
  unit('byte', '8', 'bit'),
];

/** Factors of the SI prefixes, and of the binary prefixes. */
export const PREFIXES: Readonly<Record<Exclude<Prefixes, 'none'>, ReadonlyMap<string, string>>> = (() => {
  const large = ['k', 'M', 'G', 'T', 'P', 'E', 'Z', 'Y', 'R', 'Q'].map((p, i) => [p, `1e${3 * (i + 1)}`] as const);
  const small = ['m', 'u', 'n', 'p', 'f', 'a', 'z', 'y', 'r', 'q'].map((p, i) => [p, `1e-${3 * (i + 1)}`] as const);
  const middle = [
    ['da', '10'],
    ['h', '100'],
    ['d', '0.1'],
    ['c', '0.01'],
  ] as const;
  const binary = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'].map((p, i) => [p, String(1024n ** BigInt(i + 1))] as const);
  return {
    metric: new Map([...large, ...middle, ...small]),
    multiple: new Map(large),
    binary: new Map([...large, ...binary]),
    submultiple: new Map(small),
  };
})();
