import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tokenize, transliterate } from '../../src/operators/words.ts';

test.each([
  ['Planck-Einstein photon energy', ['planck', 'einstein', 'photon', 'energy']],
  ['Schrödinger, Poincaré & Ångström', ['schrodinger', 'poincare', 'angstrom']],
  ['λ/2 and ΔE = ħω', ['lambda', '2', 'and', 'deltae', 'hbaromega']],
  ['µ ϕ Ω', ['mu', 'phi', 'omega']],
  ["Newton's laws; Young’s modulus", ['newton', 'law', 'young', 'modulus']],
  ['waves masses boxes boundaries gas basis', ['wave', 'mass', 'box', 'boundary', 'gas', 'basis']],
  ['', []],
])('%s', (text, words) => {
  expect(tokenize(text)).toEqual(words);
});

test('symbols keep their case', () => {
  expect(transliterate('ΔΕ Σ σς')).toBe('DeltaEpsilon Sigma sigmasigma');
});

test('words are small letters and digits, and a word is one word', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => {
      for (const word of tokenize(text)) expect(word).toMatch(/^[a-z0-9]+$/);
    }),
  );
});
