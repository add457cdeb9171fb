import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ticks } from '../../../src/portal/pictures/axes.ts';
import { axisLabel, axisNumbers } from '../../../src/portal/pictures/axis-numbers.ts';
import { wordsOf } from '../../../src/portal/pictures/picture.ts';

const axis = (from: number, to: number) => axisNumbers(ticks(from, to, 5));

test('numbers are short, in one number of decimals, without a sign of zero', () => {
  expect(axis(0, 1).texts).toEqual(['0.0', '0.2', '0.4', '0.6', '0.8', '1.0']);
  expect(axis(-1, 1).texts).toEqual(['−1.0', '−0.5', '0.0', '0.5', '1.0']);
  expect(axisNumbers([0, 0.25, 0.5, 0.75]).texts).toEqual(['0.00', '0.25', '0.50', '0.75']);
  expect(axis(0, 40_000).texts).toEqual(['0', '10\u202f000', '20\u202f000', '30\u202f000', '40\u202f000']);
});

test('what very small and very large numbers share stands in the label', () => {
  const small = axis(0, 1.6e-6);
  expect(small.texts).toEqual(['0.0', '0.5', '1.0', '1.5']);
  expect(axisLabel('q', 'C', small)).toBe('q [10⁻⁶ C]');
  expect(axis(0, 0.002).texts).toEqual(['0.0', '0.5', '1.0', '1.5', '2.0']);
  const large = axis(0, 5e9);
  expect(large.texts).toEqual(['0', '1', '2', '3', '4', '5']);
  expect(axisLabel('K', '1', large)).toBe('K [10⁹]');
});

test('numbers that differ in late digits only count from the first', () => {
  const near = axis(300, 300 + 4e-6);
  expect(near.texts).toEqual(['0', '1', '2', '3', '4']);
  expect(axisLabel('T', 'K', near)).toBe('T − 300 [10⁻⁶ K]');
  expect(axisLabel('delta_T', '1', { offset: -2, power: 0 })).toBe('delta T + 2');
  expect(axisLabel('x', '1', { offset: 0, power: 0 })).toBe('x');
});

test('one tick, and ticks without a step, are written as they are', () => {
  expect(axisNumbers([2.5]).texts).toEqual(['2.5']);
  expect(axisNumbers([]).texts).toEqual([]);
});

test('the numbers of any axis are different, at most eight characters, and within a hundredth of a step', () => {
  const decade = fc.integer({ min: -250, max: 250 });
  fc.assert(
    fc.property(decade, fc.double({ min: 1, max: 9.9 }), fc.integer({ min: -12, max: 3 }), (power, lead, span) => {
      const from = lead * 10 ** power;
      const values = ticks(from, from + lead * 10 ** (power + span), 5);
      fc.pre(values.length > 1);
      const { texts, offset, power: scale } = axisNumbers(values);
      expect(new Set(texts).size).toBe(texts.length);
      const step = (values[1] ?? 0) - (values[0] ?? 0);
      texts.forEach((text, k) => {
        expect(text.length).toBeLessThanOrEqual(8);
        const value = offset + Number(text.replace('−', '-').replace('\u202f', '')) * 10 ** scale;
        expect(Math.abs(value - (values[k] ?? 0))).toBeLessThanOrEqual(0.01 * step);
      });
    }),
  );
});

test('names of arrays as people read them', () => {
  expect(['delta_x', 'frame_x', 'frame_t', 'frame_rate', 'frames'].map(wordsOf)).toEqual([
    'delta x',
    'x',
    't',
    'frame rate',
    'value',
  ]);
});
