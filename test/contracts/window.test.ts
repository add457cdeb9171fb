// Rolling windows and exact sums, against their definitions.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ExactSum } from '../../src/contracts/exact-sum.ts';
import { type Aggregate, Window } from '../../src/contracts/window.ts';

const FUNCTIONS: readonly Aggregate[] = ['count', 'sum', 'avg', 'min', 'max', 'last', 'distinct', 'range'];

/** The aggregate by its definition, over all samples in the window. */
function expectedValue(fn: Aggregate, values: readonly number[]): number | undefined {
  const exact = new ExactSum();
  for (const value of values) exact.add(value);
  const min = Math.min(...values);
  const max = Math.max(...values);
  if (fn === 'count') return values.length;
  if (fn === 'distinct') return new Set(values).size;
  if (fn === 'sum') return exact.value;
  if (values.length === 0) return undefined;
  return { avg: exact.value / values.length, min, max, last: values.at(-1), range: max - min }[fn];
}

test('after any arrivals and waits the value of a window is the aggregate of its samples', () => {
  const arrivals = fc.array(fc.tuple(fc.nat(4), fc.integer({ min: -5, max: 5 })), { maxLength: 80 });
  fc.assert(
    fc.property(arrivals, fc.integer({ min: 1, max: 12 }), fc.constantFrom(...FUNCTIONS), (steps, within, fn) => {
      const window = new Window(fn, within);
      const all: { tick: number; value: number }[] = [];
      let now = 0;
      for (const [wait, value] of steps) {
        now += wait;
        window.expire(now);
        window.add(now, value);
        all.push({ tick: now, value });
        const live = all.filter(({ tick }) => tick > now - within).map((one) => one.value);
        expect(window.value).toBe(expectedValue(fn, live));
        expect(window.count).toBe(live.length);
      }
      window.expire(now + within);
      expect(window.count).toBe(0);
      expect(window.nextExpiry).toBeUndefined();
    }),
    { numRuns: 1_000 },
  );
});

test('a sample expires when the window has passed it, not before', () => {
  const window = new Window('count', 5);
  window.add(1, 0);
  window.expire(5);
  expect([window.count, window.nextExpiry]).toEqual([1, 6]);
  window.expire(6);
  expect(window.count).toBe(0);
});

test('distinct strings are counted by value', () => {
  const window = new Window('distinct', 10);
  for (const [tick, who] of [
    [1, 'ann'],
    [2, 'bob'],
    [3, 'ann'],
  ] as const)
    window.add(tick, who);
  expect(window.value).toBe(2);
  window.expire(11);
  expect(window.value).toBe(2);
  window.expire(12);
  expect(window.value).toBe(1);
});

describe('an exact sum', () => {
  const doubles = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e300, max: 1e300 });

  test('is the same in every order, and zero once all values are removed', () => {
    fc.assert(
      fc.property(fc.array(doubles, { minLength: 1, maxLength: 40 }), (values) => {
        const [forward, backward] = [new ExactSum(), new ExactSum()];
        for (const value of values) forward.add(value);
        for (const value of values.toReversed()) backward.add(value);
        expect(Object.is(forward.value, backward.value)).toBe(true);
        for (const value of values) forward.remove(value);
        expect(forward.value).toBe(0);
      }),
    );
  });

  test('of one number is that number, of two the IEEE 754 sum', () => {
    fc.assert(
      fc.property(doubles, doubles, (a, b) => {
        const sum = new ExactSum();
        sum.add(a);
        expect(sum.value).toBe(a + 0);
        sum.add(b);
        expect(sum.value).toBe(a + b + 0);
      }),
    );
  });

  test.each([
    [[1e16, 1, -1e16], 1],
    [[0.1, 0.2, -0.3], 2.7755575615628914e-17],
    [[5e-324, 5e-324], 1e-323],
    [[1.7976931348623157e308, 1.7976931348623157e308], Number.POSITIVE_INFINITY],
    [[1.7976931348623157e308, 1.7976931348623157e308, -1.7976931348623157e308], 1.7976931348623157e308],
    [[2 ** 53, 1], 2 ** 53],
    [[2 ** 53, 1, 1], 2 ** 53 + 2],
  ])('%j is %d', (values, expected) => {
    const sum = new ExactSum();
    for (const value of values) sum.add(value);
    expect(sum.value).toBe(expected);
  });
});
