import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isCoherentSystem } from '../../../src/core/units/system.ts';
import { parseUnit } from '../../../src/core/units.ts';

const isCoherent = (...texts: string[]) => isCoherentSystem(texts.map(parseUnit));

test('units that are powers of the same base units are coherent', () => {
  expect(isCoherent()).toBe(true);
  expect(isCoherent('J', 'kg', 'm/s', '1', 'rad')).toBe(true);
  expect(isCoherent('1/mL', '1/h', 'h')).toBe(true);
  expect(isCoherent('USD', '1/yr', 'yr^-1/2', 'yr', 'USD/yr')).toBe(true);
  expect(isCoherent('km', 'km/h', 'h', 'km/h^2')).toBe(true);
  expect(isCoherent('kPa', 'mL', 'kPa*mL')).toBe(true);
  expect(isCoherent('eV', 'nm', 'eV*nm', 'eV/nm^2')).toBe(true);
  expect(isCoherent('mm', 'N', 'MPa', 'N*mm')).toBe(true);
});

test('other units are not coherent, even with a small difference', () => {
  expect(isCoherent('percent')).toBe(false);
  expect(isCoherent('deg', 'm')).toBe(false);
  expect(isCoherent('h', '1/min')).toBe(false);
  expect(isCoherent('km', 'm^2')).toBe(false);
  expect(isCoherent('kJ/mol', 'K', 'J/(mol*K)')).toBe(false);
  expect(isCoherent('N', 'mm', 'Pa')).toBe(false);
  expect(isCoherent('yr', 'day')).toBe(false);
  expect(isCoherent('km/h', 'm', 's')).toBe(false);
  expect(isCoherent('ly', 'm/s', 's')).toBe(false);
  expect(isCoherent('lbf', 'psi', 'ft')).toBe(false);
});

test('products of powers of members are coherent, and become incoherent with a unit of another size', () => {
  const bases = ['km', 'h', 'lb', 'eV/K'];
  const exponents = fc.array(fc.integer({ min: -4, max: 4 }), { minLength: 4, maxLength: 4 });
  const texts = fc.array(
    exponents.map((powers) => bases.map((base, i) => `(${base})^${powers[i]}/2`).join('*')),
    { minLength: 1, maxLength: 12 },
  );
  fc.assert(
    fc.property(texts, (members) => {
      expect(isCoherent(...bases, ...members)).toBe(true);
      expect(isCoherent(...bases, ...members, `(${members[0]})*percent`)).toBe(false);
    }),
  );
});
