// Tokenization for the operator search: transliteration, lower case and plural stemming.

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
])('tokenize(%j) gives %j', (text, words) => {
  expect(tokenize(text)).toEqual(words);
});

test('transliteration keeps the case of Greek letters', () => {
  expect(transliterate('ΔΕ Σ σς')).toBe('DeltaEpsilon Sigma sigmasigma');
});

test('tokens consist of lower-case ASCII letters and digits', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => {
      for (const token of tokenize(text)) expect(token).toMatch(/^[a-z0-9]+$/);
    }),
  );
});
