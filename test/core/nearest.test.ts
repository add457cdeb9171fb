import fc from 'fast-check';
import { expect, test } from 'vitest';
import { didYouMean, editDistance, nearestNames, nearestSuggestion } from '../../src/core/nearest.ts';

test('the nearest names come first and distant names are omitted', () => {
  expect(nearestNames('alpa', ['beta', 'alpha', 'kx', 'Alp'])).toEqual(['alpha', 'Alp', 'beta'].slice(0, 2));
  expect(nearestNames('zzzzzz', ['alpha', 'beta'])).toEqual([]);
});

test('comparison ignores case', () => {
  expect(nearestNames('NX', ['ny', 'nx'])[0]).toBe('nx');
});

test('an overlong name gets no suggestions', () => {
  expect(nearestNames('x'.repeat(10_000), ['x'.repeat(10_000)])).toEqual([]);
});

test('nearestSuggestion lists the nearest names at any distance', () => {
  expect(nearestSuggestion('nosuch', ['alpha', 'noose', 'beta', 'gamma'], 2)).toBe(' The nearest are noose, alpha.');
  expect(nearestSuggestion('nosuch', [])).toBe('');
});

test('didYouMean returns a sentence or an empty string', () => {
  expect(didYouMean('stepz', ['steps'])).toBe(' Did you mean steps?');
  expect(didYouMean('q', ['steps'])).toBe('');
});

test.each([
  ['', 'abc', 3],
  ['wave', 'wave', 0],
  ['wave', 'wvae', 1],
  ['lorentz', 'lorenz', 1],
  ['attractor', 'atractro', 2],
  // Each letter takes part once: an insertion between swapped letters costs more.
  ['ca', 'abc', 3],
])('%s and %s are %i edits apart', (source, target, edits) => {
  expect(editDistance(source, target)).toBe(edits);
  expect(editDistance(target, source)).toBe(edits);
});

test('above the limit the distance is limit + 1', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 9 });
  fc.assert(
    fc.property(word, word, fc.nat({ max: 4 }), (source, target, max) => {
      expect(editDistance(source, target, max)).toBe(Math.min(editDistance(source, target), max + 1));
    }),
  );
});
