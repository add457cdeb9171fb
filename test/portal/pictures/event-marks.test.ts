import { describe, expect, test } from 'vitest';
import { namesThatFit, valueAt } from '../../../src/portal/pictures/event-marks.ts';

const curve = (data: readonly number[]) => ({ name: 'y', unit: '1', data });

describe('marks of events', () => {
  test('a dot stands on the curve between two of its points, and nowhere beyond them', () => {
    const [x, y] = [curve([0, 1, 3]), curve([2, 4, 8])];
    expect([0, 0.5, 1, 2, 3].map((at) => valueAt(x, y, at))).toEqual([2, 3, 4, 6, 8]);
    expect([-0.1, 3.1].map((at) => valueAt(x, y, at))).toEqual([Number.NaN, Number.NaN]);
    // A jump has two points at one place.
    expect(valueAt(curve([0, 1, 1, 2]), curve([0, 0, 5, 5]), 1)).toBe(5);
  });

  test('a name stands where it ends before the next line', () => {
    const events = [10, 40, 200].map((at) => ({ at, name: 'crossing' }));
    const place = (right: number) => namesThatFit(events, [10, 40, 200], right, (text) => 8 * text.length);
    expect(place(400)).toEqual([
      { text: 'crossing', left: 46 },
      { text: 'crossing', left: 206 },
    ]);
    expect(place(240)).toEqual([{ text: 'crossing', left: 46 }]);
  });
});
