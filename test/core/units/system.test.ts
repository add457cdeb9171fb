import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isOneSystem } from '../../../src/core/units/system.ts';
import { parseUnit } from '../../../src/core/units.ts';

const isOne = (...texts: string[]) => isOneSystem(texts.map(parseUnit));

test('units that are powers of the same bases belong to one system', () => {
  expect(isOne()).toBe(true);
  expect(isOne('J', 'kg', 'm/s', '1', 'rad')).toBe(true);
  expect(isOne('1/mL', '1/h', 'h')).toBe(true);
  expect(isOne('USD', '1/yr', 'yr^-1/2', 'yr', 'USD/yr')).toBe(true);
  expect(isOne('km', 'km/h', 'h', 'km/h^2')).toBe(true);
  expect(isOne('kPa', 'mL', 'kPa*mL')).toBe(true);
  expect(isOne('eV', 'nm', 'eV*nm', 'eV/nm^2')).toBe(true);
  expect(isOne('mm', 'N', 'MPa', 'N*mm')).toBe(true);
});

test('units that are not do not, however small the difference', () => {
  expect(isOne('percent')).toBe(false);
  expect(isOne('deg', 'm')).toBe(false);
  expect(isOne('h', '1/min')).toBe(false);
  expect(isOne('km', 'm^2')).toBe(false);
  expect(isOne('kJ/mol', 'K', 'J/(mol*K)')).toBe(false);
  expect(isOne('N', 'mm', 'Pa')).toBe(false);
  expect(isOne('yr', 'day')).toBe(false);
  expect(isOne('km/h', 'm', 's')).toBe(false);
  expect(isOne('ly', 'm/s', 's')).toBe(false);
  expect(isOne('lbf', 'psi', 'ft')).toBe(false);
});

test('products of powers of members stay in the system, and one size of another does not', () => {
  const bases = ['km', 'h', 'lb', 'eV/K'];
  const exponents = fc.array(fc.integer({ min: -4, max: 4 }), { minLength: 4, maxLength: 4 });
  const texts = fc.array(
    exponents.map((powers) => bases.map((base, i) => `(${base})^${powers[i]}/2`).join('*')),
    { minLength: 1, maxLength: 12 },
  );
  fc.assert(
    fc.property(texts, (members) => {
      expect(isOne(...bases, ...members)).toBe(true);
      expect(isOne(...bases, ...members, `(${members[0]})*percent`)).toBe(false);
    }),
  );
});
