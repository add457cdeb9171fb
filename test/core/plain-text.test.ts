// Texts of strangers, shown as plain text.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bracketed, groupDigits, plainText, shortText } from '../../src/core/plain-text.ts';

/** Nothing here moves a cursor, hides, or changes direction. */
const SAFE = /^[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]*$/u;

test.each([
  ['an escape sequence', '\u001b[2J\u001b[31mvalid', '\\u{1b}[2J\\u{1b}[31mvalid'],
  ['the C1 control sequence introducer', '\u009b31m', '\\u{9b}31m'],
  ['a line end and a return', 'a\r\nSigned by  NIST', 'a\\u{d}\\u{a}Signed by NIST'],
  ['a bidirectional override', '\u202ehs/mk 09', '\\u{202e}hs/mk 09'],
  ['an isolate and a mark', '\u2066a\u200f', '\\u{2066}a\\u{200f}'],
  ['zero widths and fillers', 'a\u200bb\ufeffc\u3164\u2800', 'a\\u{200b}b\\u{feff}c\\u{3164}\\u{2800}'],
  ['a format character', 'a\ufff9b\u0600', 'a\\u{fff9}b\\u{600}'],
  ['invisible tags', '\u{e0041}', '\\u{e0041}'],
  ['half a pair', '\ud800', '\\u{d800}'],
  ['wide spaces', 'a\u00a0\u2003b', 'a\\u{a0}\\u{2003}b'],
  ['the brackets of additions', '⟦valid⟧', '\\u{27e6}valid\\u{27e7}'],
  ['stacked marks', `e${'\u0301'.repeat(50)}`, 'e\u0301\u0301\u0301…'],
  ['ordinary words', 'Énergie cinétique, Ω·m², ½', 'Énergie cinétique, Ω·m², ½'],
])('%s is shown and has no effect', (_, text, shown) => {
  expect(plainText(text)).toBe(shown);
});

test('any text becomes one safe line of bounded length', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), fc.integer({ min: 1, max: 50 }), (text, max) => {
      const shown = shortText(text, max);
      expect(shown).toMatch(SAFE);
      expect(shown.length).toBeLessThan(10 * max + 40);
      expect(shown).not.toMatch(/[⟦⟧]/);
    }),
  );
});

test('a long text ends with its length, and never with half a pair', () => {
  expect(shortText('x'.repeat(12_345), 5)).toBe('xxxxx… (12,345 characters)');
  expect(shortText(`abc${'😀'.repeat(9)}`, 4)).toBe('abc… (21 characters)');
  expect([0, 999, 1_000, 1_234_567].map(groupDigits)).toEqual(['0', '999', '1,000', '1,234,567']);
});

test('additions stand in brackets that plain text never has', () => {
  expect([bracketed([]), bracketed(['= 25 m/s', 'speed'])]).toEqual(['', '⟦= 25 m/s; speed⟧']);
});
