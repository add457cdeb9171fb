import fc from 'fast-check';
import { expect, test } from 'vitest';
import { didYouMean, editDistance, nearestNames, theNearest } from '../../src/core/nearest.ts';

test('the nearest names come first and wild guesses are left out', () => {
  expect(nearestNames('alpa', ['beta', 'alpha', 'kx', 'Alp'])).toEqual(['alpha', 'Alp', 'beta'].slice(0, 2));
  expect(nearestNames('zzzzzz', ['alpha', 'beta'])).toEqual([]);
});

test('case does not count as a difference', () => {
  expect(nearestNames('NX', ['ny', 'nx'])[0]).toBe('nx');
});

test('a name longer than any of ours is not compared', () => {
  expect(nearestNames('x'.repeat(10_000), ['x'.repeat(10_000)])).toEqual([]);
});

test('where something must be named, the nearest are named however far they are', () => {
  expect(theNearest('nosuch', ['alpha', 'noose', 'beta', 'gamma'], 2)).toBe(' The nearest are noose, alpha.');
  expect(theNearest('nosuch', [])).toBe('');
});

test('a suggestion is a sentence, or nothing', () => {
  expect(didYouMean('stepz', ['steps'])).toBe(' Did you mean steps?');
  expect(didYouMean('q', ['steps'])).toBe('');
});

test.each([
  ['', 'abc', 3],
  ['wave', 'wave', 0],
  ['wave', 'wvae', 1],
  ['lorentz', 'lorenz', 1],
  ['attractor', 'atractro', 2],
  // Each letter takes part once: a swap that is put apart afterwards costs more.
  ['ca', 'abc', 3],
])('%s and %s are %i edits apart', (source, target, edits) => {
  expect(editDistance(source, target)).toBe(edits);
  expect(editDistance(target, source)).toBe(edits);
});

test('a bound says only that it is passed', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 9 });
  fc.assert(
    fc.property(word, word, fc.nat({ max: 4 }), (source, target, most) => {
      expect(editDistance(source, target, most)).toBe(Math.min(editDistance(source, target), most + 1));
    }),
  );
});
