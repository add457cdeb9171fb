import { expect, test } from 'vitest';
import { didYouMean, nearestNames } from '../../src/core/nearest.ts';

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

test('a suggestion is a sentence, or nothing', () => {
  expect(didYouMean('stepz', ['steps'])).toBe(' Did you mean steps?');
  expect(didYouMean('q', ['steps'])).toBe('');
});
