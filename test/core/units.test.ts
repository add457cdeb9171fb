import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CODATA } from '../../src/core/codata.ts';
import { DomainError } from '../../src/core/errors.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { CATALOG, PREFIXES } from '../../src/core/units/catalog.ts';
import { BASE_UNITS, type Dimension } from '../../src/core/units/dimension.ts';
import { fromDecimal, product, rational, toNumber } from '../../src/core/units/rational.ts';
import {
  coherentUnit,
  conversion,
  convert,
  multiply,
  parseUnit,
  power,
  printDimension,
  sameDimension,
  type Unit,
} from '../../src/core/units.ts';
import { thrownDomainError } from '../suites/domain-error.ts';
import { yardsticksOf } from '../suites/yardstick.ts';

const dimensionOf = (text: string) => printDimension(parseUnit(text).dimension);
const convertText = (value: number, from: string, to: string) => convert(value, parseUnit(from), parseUnit(to));

describe('a unit is', () => {
  test.each([
    ['1', 1, '1'],
    ['m/s^2', 1, 'm/s^2'],
    ['kg*m^2/s^2', 1, 'kg*m^2/s^2'],
    ['J', 1, 'kg*m^2/s^2'],
    ['J/(mol*K)', 1, 'kg*m^2/(s^2*K*mol)'],
    ['J/mol/K', 1, 'kg*m^2/(s^2*K*mol)'],
    ['W/(m^2*K)', 1, 'kg/(s^3*K)'],
    ['F/m', 1, 's^4*A^2/(kg*m^3)'],
    ['ohm', 1, 'kg*m^2/(s^3*A^2)'],
    ['S*ohm', 1, '1'],
    ['Wb', 1, 'kg*m^2/(s^2*A)'],
    ['H', 1, 'kg*m^2/(s^2*A^2)'],
    ['T', 1, 'kg/(s^2*A)'],
    ['lx', 1, 'cd/m^2'],
    ['kat', 1, 'mol/s'],
    ['Sv', 1, 'm^2/s^2'],
    ['USD', 1, 'USD'],
    ['kUSD/yr', 1000 / 31557600, 'USD/s'],
    ['signal^2', 1, 'arb^2'],
    ['Mbit/s', 1e6, 'bit/s'],
    ['KiB', 8192, 'bit'],
    ['yr^-1/2', 0.00017801148225333373, '1/s^1/2'],
    ['MPa*m^1/2', 1e6, 'kg/(m^1/2*s^2)'],
    ['m^(1/3)/s', 1, 'm^1/3/s'],
    ['nm^-0.5', 31622.776601683792, '1/m^1/2'],
    ['ha^1/2', 100, 'm'],
    ['km^2', 1e6, 'm^2'],
    ['(km/h)^2', 0.07716049382716049, 'm^2/s^2'],
    [' kJ / mol ', 1000, 'kg*m^2/(s^2*mol)'],
    ['dag', 0.01, 'kg'],
    ['mg', 1e-6, 'kg'],
    ['Gg', 1e6, 'kg'],
  ])('%s: %d times %s', (text, factor, dimension) => {
    const unit = parseUnit(text);
    expect(unit.factor).toBe(factor);
    expect(printDimension(unit.dimension)).toBe(dimension);
  });

  test.each(['count', 'rad', 'sr', 'pu', 'plaq', 'decisions', 'zeros', 'c', 'dB'])(
    '%s, a label of a pure number',
    (text) => {
      expect(parseUnit(text).factor).toBe(1);
      expect(dimensionOf(text)).toBe('1');
    },
  );

  // SI Brochure 9th ed., table 8; NIST SP 811 appendix B.8; IAU 2012 B2, 2015 B2 and B3.
  test.each([
    ['min', '60 s'],
    ['h', '3600 s'],
    ['day', '86400 s'],
    ['yr', '31557600 s'],
    ['eV', '1.602176634e-19 J'],
    ['GeV', '1.602176634e-10 J'],
    ['mmHg', '133.322387415 Pa'],
    ['atm', '101325 Pa'],
    ['Torr', '133.32236842105263 Pa'],
    ['mbar', '100 Pa'],
    ['psi', '6894.757293168362 Pa'],
    ['cmH2O', '98.0665 Pa'],
    ['barn', '1e-28 m^2'],
    ['darcy', '9.869232667160128e-13 m^2'],
    ['L', '0.001 m^3'],
    ['mM', '1 mol/m^3'],
    ['km/h', '0.2777777777777778 m/s'],
    ['knot', '0.5144444444444445 m/s'],
    ['deg', '0.017453292519943295 rad'],
    ['arcsec', '4.84813681109536e-6 rad'],
    ['mas', '4.84813681109536e-9 rad'],
    ['angstrom', '1e-10 m'],
    ['au', '149597870700 m'],
    ['ly', '9460730472580800 m'],
    ['pc', '3.085677581491367e16 m'],
    ['cal', '4.184 J'],
    ['kWh', '3.6e6 J'],
    ['hp', '745.6998715822702 W'],
    ['Btu', '1055.05585262 J'],
    ['Debye', '3.3356409519815204e-30 C*m'],
    ['G', '1e-4 T'],
    ['Oe', '79.57747154594767 A/m'],
    ['cP', '0.001 Pa*s'],
    ['cSt', '1e-6 m^2/s'],
    ['mCi', '3.7e7 Bq'],
    ['rem', '0.01 Sv'],
    ['Jy', '1e-26 W/(m^2*Hz)'],
    ['mGal', '1e-5 m/s^2'],
    ['lbf', '4.4482216152605 N'],
    ['mi', '1609.344 m'],
    ['percent', '0.01 1'],
    ['ppm', '1e-6 1'],
    ['byte', '8 bit'],
    ['mAh', '3.6 C'],
    ['MVA', '1e6 W'],
  ])('%s, which is %s', (text, meaning) => {
    const [value, unit = '1'] = meaning.split(' ');
    expect(convertText(1, text, unit)).toBe(Number(value));
  });

  test('equal to the table of constants, for measured units', () => {
    const measured = { Da: 'atomic mass constant', u: 'unified atomic mass unit', m_e: 'electron mass' };
    for (const [text, name] of Object.entries({ ...measured, E_h: 'Hartree energy', a_0: 'Bohr radius' })) {
      expect(parseUnit(text).factor, text).toBe(CODATA.get(name)?.value);
    }
    const gravitation = CODATA.get('Newtonian constant of gravitation')?.value ?? Number.NaN;
    expect(parseUnit('Msun').factor * gravitation).toBeCloseTo(1.3271244e20, -6);
  });
});

describe('the coherent unit of', () => {
  test.each([
    ['kJ/mol', 'J/mol'],
    ['km/h', 'm/s'],
    ['mol/L', 'mol/m^3'],
    ['L^2', '(m^3)^2'],
    ['1/P', '1/(Pa*s)'],
    ['mmHg', 'Pa'],
    ['MPa*m^1/2', 'Pa*m^1/2'],
    ['deg/day', 'rad/s'],
    ['%/K', '1/K'],
    ['yr^-1/2', 's^-1/2'],
    ['ug/(kg*min)', 'kg/(kg*s)'],
    ['J/(mol*K)', 'J/(mol*K)'],
  ])('%s is %s', (text, coherent) => {
    expect(parseUnit(text).coherent).toBe(coherent);
  });

  test('every symbol has factor 1, the same dimension, and is its own coherent unit', () => {
    for (const { symbol } of CATALOG) {
      const unit = parseUnit(symbol);
      const coherent = parseUnit(unit.coherent);
      expect(coherent.factor, symbol).toBe(1);
      expect(sameDimension(coherent.dimension, unit.dimension), symbol).toBe(true);
      expect(coherent.coherent, symbol).toBe(unit.coherent);
      expect(coherentUnit(unit), symbol).toEqual(coherent);
    }
  });
});

describe('a conversion', () => {
  test.each([
    [10, 'km', 'm', 10000],
    [4.35, 'm', 'cm', 435],
    [0.37, 'nm', 'm', 3.7e-10],
    [0.57, 'kg', 'g', 570],
    [1.1, 'm', 'mm', 1100],
    [8.2, 'percent', '1', 0.082],
    [36, 'km/h', 'm/s', 10],
    [90, 'km/h', 'm/s', 25],
    [25, 'm/s', 'km/h', 90],
    [760, 'Torr', 'atm', 1],
    [180, 'deg', 'rad', Math.PI],
    [Math.PI, 'rad', 'deg', 180],
    [1, 'eV', 'J', 1.602176634e-19],
    [1.602176634e-19, 'J', 'eV', 1],
    [0.2, 'yr^-1/2', 's^-1/2', 0.000035602296450666745],
    [-40, 'dB', '1', -40],
    [3, 'signal', 'arb', 3],
  ])('of %d %s to %s gives %d', (value, from, to, expected) => {
    expect(convertText(value, from, to)).toBe(expected);
  });

  test('between units of equal size keeps the bits', () => {
    fc.assert(
      fc.property(fc.double(), (value) => {
        expect(convertText(value, 'J', 'N*m')).toBe(value);
        expect(convertText(value, 'kPa*mm', 'Pa*m')).toBe(value);
      }),
    );
  });

  test('keeps 0, infinities and NaN', () => {
    for (const value of [0, -0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN]) {
      expect(convertText(value, 'km', 'm')).toBe(value);
    }
  });

  test('by powers of ten round-trips every decimal of 15 digits', () => {
    const decimals = fc.tuple(fc.integer({ min: -999_999_999, max: 999_999_999 }), fc.integer({ min: -40, max: 40 }));
    fc.assert(
      fc.property(decimals, fc.constantFrom('km', 'nm', 'mm', 'cm', 'angstrom'), ([digits, exponent], unit) => {
        const value = Number(`${digits}e${exponent}`);
        expect(convertText(convertText(value, unit, 'm'), 'm', unit)).toBe(value);
      }),
    );
  });

  test('by a power of ten equals the conversion by fractions', () => {
    fc.assert(
      fc.property(
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.constantFrom('km', 'nm', 'fm'),
        (value, text) => {
          const unit = parseUnit(text);
          const exact = toNumber(product(fromDecimal(String(value)), unit.scale));
          expect(convert(value, unit, parseUnit('m'))).toBe(value === 0 ? value : exact);
        },
      ),
      { numRuns: 1000 },
    );
  });

  test('is monotone and within one unit in the last place of the quotient of factors', () => {
    const units = ['km/h', 'deg', 'pc', 'eV', 'mmHg', 'Torr', 'yr^-1/2', 'lbf', 'Oe'];
    const steps = fc.tuple(
      fc.double({ min: 1e-100, max: 1e100, noNaN: true }),
      fc.double({ min: 1, max: 1.0001, noNaN: true }),
    );
    fc.assert(
      fc.property(steps, fc.constantFrom(...units), ([value, step], text) => {
        const unit = parseUnit(text);
        const toCoherent = conversion(unit, coherentUnit(unit));
        expect(toCoherent(value * step)).toBeGreaterThanOrEqual(toCoherent(value));
        expect(Math.abs(toCoherent(value) / (value * unit.factor) - 1)).toBeLessThan(5e-16);
      }),
    );
  });

  test('rounds once at the limits of the double range', () => {
    expect(convertText(1e-320, 'mm', 'm')).toBe(1e-323);
    expect(convertText(5e-324, 'mm', 'm')).toBe(0);
    expect(convertText(3e-321, 'mm', 'm')).toBe(5e-324);
    expect(convertText(1.7e308, 'km', 'm')).toBe(Number.POSITIVE_INFINITY);
    expect(convertText(-1.7e308, 'mm', 'm')).toBe(-1.7e305);
  });

  test('between different dimensions is rejected with both', () => {
    const error = thrownDomainError(() => convertText(1, 'km/h', 'J'));
    expect(error.code).toBe('UNIT_MISMATCH');
    expect(error.message).toContain('(km/h = m/s, J = kg*m^2/s^2)');
    expect(error.facts).toEqual({ from: 'km/h', to: 'J' });
    for (const [from, to] of [
      ['bit', '1'],
      ['USD', 'arb'],
      ['mol', 'count'],
      ['rad/s', 'rad'],
      ['m^1/2', 'm'],
      ['kg^2/3', 'kg^2'],
    ] as const) {
      expect(() => convertText(1, from, to), `${from} ${to}`).toThrow(DomainError);
    }
  });
});

describe('an invalid unit', () => {
  test.each([
    ['', 1, 'the end instead of a unit, 1 or ('],
    ['m/sx', 3, 'unknown unit sx. Did you mean s'],
    ['kJ/mole', 4, 'unknown unit mole. Did you mean mol?'],
    ['Newton', 1, 'unknown unit Newton. Did you mean N?'],
    ['kilogram', 1, 'Did you mean kg?'],
    ['K/hr', 3, 'Did you mean h?'],
    ['degC', 1, 'temperatures are in K'],
    ['W/(m^2*degF)', 8, 'temperatures are in K'],
    ['MeV/c^2', 5, 'MeV/c^2 is not a unit'],
    ['rpm', 1, 'write 1/min'],
    ['dBm', 1, 'a level is labelled dB'],
    ['m2', 1, 'a power is written m^2'],
    ['m**2', 3, 'a power is written m^2'],
    ['J mol', 3, 'got m instead of * or /'],
    ['J·s', 2, 'a product is written a*b'],
    ['µm', 1, 'micro is written u'],
    ['m²', 2, 'a power is written m^2'],
    ['°C', 1, 'temperatures are in K'],
    ['2*m', 1, 'got 2 instead of'],
    ['10^6*m', 1, 'got 1 instead of'],
    ['1.5', 1, 'got 1 instead of'],
    ['m^', 3, 'the end instead of an integer'],
    ['m^x', 3, 'got x instead of an integer'],
    ['m^1/0', 3, 'the denominator 0'],
    ['m^1e999', 4, 'got e instead of'],
    ['m^101', 3, 'integers up to 100'],
    ['m^0.333', 3, 'integers up to 100'],
    ['m^(1/2', 7, 'the end instead of ) after the exponent'],
    ['(m', 3, 'the end instead of * or / or )'],
    ['m)', 2, 'got ) instead of * or /'],
    ['m*', 3, 'the end instead of a unit'],
    ['*m', 1, 'got * instead of a unit'],
    ['m--1', 2, 'got - instead of'],
    ['Qm^100', 1, 'its size is outside'],
    ['qm^20*qm^20', 1, 'its size is outside'],
    ['(((m^100)^100)^100)^100', 21, 'too large'],
    ['kkm', 1, 'unknown unit kkm'],
    ['mmin', 1, 'unknown unit mmin'],
    ['kyd', 1, 'unknown unit kyd'],
    ['km\n', 3, 'got \n instead of'],
    ['constructor', 1, 'unknown unit constructor'],
    ['m*toString', 3, 'unknown unit toString'],
    ['__proto__', 1, 'got _ instead of'],
    ['hasOwnProperty^2', 1, 'unknown unit hasOwnProperty'],
  ])('%j is rejected at column %i', (text, position, reason) => {
    const error = thrownDomainError(() => parseUnit(text));
    expect(error.code).toBe('UNIT_INVALID');
    expect(error.facts.position).toBe(position);
    expect(error.facts.unit).toBe(text);
    expect(error.message).toContain(reason);
    expect(error.details).toEqual([{ path: `column ${position}`, code: 'UNIT_INVALID', message: error.message }]);
  });

  test('reports the nearest symbols as facts', () => {
    expect(thrownDomainError(() => parseUnit('Kgg')).facts.nearest).toEqual(['kg', 'kgf']);
  });

  test('of any length is rejected quickly with a short message', () => {
    for (const text of ['('.repeat(10_000), 'm'.repeat(10_000), 'm^2*'.repeat(5_000), '1/'.repeat(5_000)]) {
      const error = thrownDomainError(() => parseUnit(text));
      expect(error.code).toBe('UNIT_INVALID');
      expect(error.message.length).toBeLessThan(300);
      expect(String(error.facts.unit).length).toBeLessThanOrEqual(LIMITS.unit.characters);
    }
    expect(thrownDomainError(() => parseUnit('('.repeat(LIMITS.unit.characters))).code).toBe('UNIT_INVALID');
  });

  test('throws only DomainError; accepted texts have a factor and a dimension', () => {
    const piece = fc.oneof(
      fc.constantFrom(...CATALOG.map(({ symbol }) => symbol), ...BASE_UNITS, 'k', 'm', 'da', 'Ki'),
      fc.constantFrom('*', '/', '^', '(', ')', '1', '-', '2', '1/2', '0.25', ' ', '99', '^-99/98'),
      fc.string({ maxLength: 4, unit: 'binary' }),
      fc.constantFrom('__proto__', 'constructor', 'valueOf'),
    );
    let valid = 0;
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join('')),
        (text) => {
          let unit: Unit;
          try {
            unit = parseUnit(text);
          } catch (error) {
            expect(error).toBeInstanceOf(DomainError);
            return;
          }
          valid++;
          expect(unit.factor).toBeGreaterThan(0);
          expect(Number.isFinite(unit.factor)).toBe(true);
          expect(unit.dimension.numerators.every(Number.isSafeInteger)).toBe(true);
          if (unit.coherent.length > LIMITS.unit.characters) return;
          expect(sameDimension(parseUnit(unit.coherent).dimension, unit.dimension)).toBe(true);
        },
      ),
      { numRuns: 5000, seed: 3 },
    );
    expect(valid).toBeGreaterThan(100);
  });

  test('a valid unit with roots of many digits parses quickly', () => {
    const factors = ['km^99/100', 'mm^97/100', 'deg^99/100', 'in^99/100', 'ft^99/100', 'eV^9/97', 'mi^91/100'];
    expect(yardsticksOf(() => parseUnit(factors.join('*')))).toBeLessThan(50);
  });
});

describe('the catalog', () => {
  const names = [...BASE_UNITS, ...CATALOG.map(({ symbol }) => symbol)];

  test('has unique symbols', () => {
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThan(100);
  });

  test('no text has two meanings, except kg', () => {
    const readings = new Map(names.map((name) => [name, [name]]));
    const acceptsPrefix = (name: string) => (prefix: string) => {
      try {
        return parseUnit(`${prefix}${name}`).factor !== 0;
      } catch {
        return false;
      }
    };
    const prefixes = [...new Set(Object.values(PREFIXES).flatMap((map) => [...map.keys()]))];
    for (const { symbol, prefixes: kind } of CATALOG) {
      const ownPrefixes = kind === 'none' ? [] : [...PREFIXES[kind].keys()];
      expect(ownPrefixes.every(acceptsPrefix(symbol)), symbol).toBe(true);
      for (const prefix of ownPrefixes)
        readings.set(prefix + symbol, [...(readings.get(prefix + symbol) ?? []), symbol]);
    }
    expect(prefixes.length).toBe(30);
    expect([...readings].filter(([, all]) => all.length > 1)).toEqual([['kg', ['kg', 'g']]]);
  });

  test('prefixes have their SI values', () => {
    const symbols = ['Q', 'R', 'Y', 'Z', 'E', 'P', 'T', 'G', 'M', 'k', 'h', 'da', 'd', 'c', 'm', 'u', 'n', 'p', 'f'];
    const powers = [30, 27, 24, 21, 18, 15, 12, 9, 6, 3, 2, 1, -1, -2, -3, -6, -9, -12, -15, -18, -21, -24, -27, -30];
    for (const [i, prefix] of [...symbols, 'a', 'z', 'y', 'r', 'q'].entries()) {
      expect(parseUnit(`${prefix}Pa`).factor, prefix).toBe(Number(`1e${powers[i]}`));
    }
  });
});

describe('dimensions', () => {
  const exponent = fc.tuple(fc.integer({ min: -12, max: 12 }), fc.integer({ min: 1, max: 6 }));
  const dimensions: fc.Arbitrary<Dimension> = fc
    .array(exponent, { minLength: 10, maxLength: 10 })
    .map((all) =>
      all.reduce<Dimension>(
        (product, [n, d], i) =>
          multiply(product, power(parseUnit(BASE_UNITS[i] ?? '1').dimension, rational(BigInt(n), BigInt(d)))),
        parseUnit('1').dimension,
      ),
    );

  test('print as a unique text that parses back', () => {
    fc.assert(
      fc.property(dimensions, dimensions, (a, b) => {
        const text = printDimension(a);
        expect(sameDimension(parseUnit(text).dimension, a)).toBe(true);
        expect(parseUnit(text).factor).toBe(1);
        expect(printDimension(b) === text).toBe(sameDimension(a, b));
      }),
    );
  });

  test('products and powers add and multiply exponents', () => {
    fc.assert(
      fc.property(dimensions, exponent, exponent, (a, [n, d], [m, e]) => {
        const [p, q] = [rational(BigInt(n), BigInt(d)), rational(BigInt(m), BigInt(e))];
        const sum = rational(BigInt(n * e + m * d), BigInt(d * e));
        expect(multiply(power(a, p), power(a, q))).toEqual(power(a, sum));
        expect(power(power(a, p), q)).toEqual(power(power(a, q), p));
        expect(printDimension(power(a, rational(0n)))).toBe('1');
      }),
    );
  });
});
