// Numbers that come as text are read in decimal notation only.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decimalRemainder, parseReal, parseWhole } from '../../src/core/decimal.ts';

describe('a whole number', () => {
  test.each([
    ['0', 0],
    ['7', 7],
    ['007', 7],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
  ])('%j is %d', (text, value) => {
    expect(parseWhole(text)).toBe(value);
  });

  test.each([
    ['', ' ', '0x10', '0b1', '0o7', '1e3', '1.0', '1.', '-1', '-0', '+1', ' 12', '12 ', '12\n', '1_000', '1,000', '1n'],
    ['Infinity', 'NaN', 'null', 'true', '٣', '１２', 'twelve', '[1]'],
  ])('is none of %j, …', (...texts) => {
    expect(texts.filter((text) => !Number.isNaN(parseWhole(text)))).toEqual([]);
  });

  test('is read back from its own digits', () => {
    fc.assert(fc.property(fc.maxSafeNat(), (value) => parseWhole(String(value)) === value));
  });
});

describe('a real number', () => {
  test.each([
    ['0', 0],
    ['-1.5', -1.5],
    ['+2', 2],
    ['.5', 0.5],
    ['5.', 5],
    ['1e3', 1000],
    ['1E-3', 0.001],
    ['6.02e+23', 6.02e23],
  ])('%j is %d', (text, value) => {
    expect(parseReal(text)).toBe(value);
  });

  test.each([
    ['', ' ', '.', 'e3', '1e', '0x10', '0b1', ' 12 ', '1_000', '1e400', '-1e400', 'Infinity', 'NaN', '--1', '1.2.3'],
  ])('is none of %j, …', (...texts) => {
    expect(texts.filter((text) => !Number.isNaN(parseReal(text)))).toEqual([]);
  });

  test('is read back from how JavaScript writes it', () => {
    const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(fc.property(finite, (value) => parseReal(String(value)) === value));
  });
});

describe('the remainder of a decimal number', () => {
  // fractions.Fraction of Python
  test.each([
    ['0.1', -5.551115123125783e-18],
    ['0.999999999999', -2.212172012150404e-17],
    ['123456789012345678', -2],
    ['6.02214076e23', 12976128],
    ['6.62607015e-34', 1.7027509332425372e-50],
    ['1E300', -5.250476025520442e283],
    ['.30000000000000000000000000000000000001', 1.1102230246251564e-17],
  ])('%s', (text, remainder) => {
    expect(decimalRemainder(text, Number(text)) / remainder).toBeCloseTo(1, 14);
  });

  test.each(['0', '0.0', '7', '0.5', '1024e3', '9007199254740992e0', '5e-324', '1e-320'])('%s leaves none', (text) => {
    expect(decimalRemainder(text, Number(text))).toBe(0);
  });
});
