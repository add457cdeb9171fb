import { expect, test } from 'vitest';
import { formatShort } from '../../../src/portal/kit/format.ts';
import { onOneScale, padded, pathOf, scaleOf, ticks, withZero } from '../../../src/portal/pictures/axes.ts';
import {
  cssColour,
  paintField,
  SIGNED_COLOURS,
  smoothed,
  smoothFactor,
} from '../../../src/portal/pictures/colour-map.ts';
import { nodePoints } from '../../../src/portal/pictures/network.ts';
import { minMax, rangeText, rowsOf } from '../../../src/portal/pictures/picture.ts';
import { tablesOf } from '../../../src/protocol/solution-tables.ts';
import { ARRAYS, PLOTS } from './every-kind.ts';

test('ticks are round numbers inside the range', () => {
  expect(ticks(0, 1, 5)).toEqual([0, 0.2, 0.4, 0.6000000000000001, 0.8, 1]);
  expect(ticks(-3, 97, 5)).toEqual([0, 20, 40, 60, 80]);
  expect(ticks(2, 2, 5)).toEqual([2]);
});

test('a range has a margin, and bars have zero in theirs', () => {
  expect(padded([0, 10])).toEqual([-0.5, 10.5]);
  expect(padded([4, 4])).toEqual([3.8, 4.2]);
  // Rounding of one number is no range.
  expect(padded([2.5 - 4e-16, 2.5])).toEqual([2.375 - 4e-16, 2.625]);
  expect(withZero([2, 10])).toEqual([0, 10.5]);
  expect(withZero([-10, -2])).toEqual([-10.5, 0]);
  expect(withZero([0, 0])).toEqual([0, 0.05]);
});

test('small numbers of a table have a power of ten instead of zeros', () => {
  const texts = [0.0000101703591, -0.00004, 0.00125, 1.25e-12, 0, 34.3].map((value) => formatShort(value, 6));
  expect(texts).toEqual(['1.01704e−5', '−4e−5', '0.00125', '1.25e−12', '0', '34.3']);
});

test('a scale maps its ends to the ends of the axis', () => {
  const { at } = scaleOf([2, 4], [100, 0]);
  expect([at(2), at(3), at(4)]).toEqual([100, 50, 0]);
});

test('a point that is not finite is a gap of the path', () => {
  expect(
    pathOf([
      [0, 0],
      [1, 2],
      [2, Number.NaN],
      [3, 1],
    ]),
  ).toBe('M0.0 0.0L1.0 2.0M3.0 1.0');
});

test('numbers that are not finite leave the range of the others', () => {
  expect(minMax([1, Number.NaN, 3, Number.POSITIVE_INFINITY])).toEqual([1, 3]);
  expect(minMax([Number.NaN])).toEqual([0, 1]);
  expect(rangeText({ name: 'mean_x', unit: 'm', data: Float64Array.of(-1, 2) })).toBe('mean x from −1 to 2 m');
});

test('a family of curves is one curve for each row', () => {
  const rows = rowsOf({ name: 'psi', unit: '1', shape: [2, 2], data: Float64Array.of(1, 2, 3, 4) });
  expect(rows.map(({ name, data }) => [name, ...data])).toEqual([
    ['psi 1', 1, 2],
    ['psi 2', 3, 4],
  ]);
});

test('nodes keep the proportions of their coordinates, with north above; without coordinates they lie on a circle', () => {
  const [grid, ring] = PLOTS.filter((plot) => plot.kind === 'network');
  if (!grid || !ring) throw new Error('The networks are missing.');
  const [southWest, southEast, northEast] = nodePoints(grid, ARRAYS);
  const width = (southEast?.[0] ?? 0) - (southWest?.[0] ?? 0);
  const height = (southEast?.[1] ?? 0) - (northEast?.[1] ?? 0);
  expect(width / height).toBeCloseTo(2, 6);
  const circle = nodePoints(ring, ARRAYS);
  expect(circle).toHaveLength(4);
  expect(new Set(circle.map(([x, y]) => Math.round(Math.hypot(x - 300, y - 200)))).size).toBe(1);
});

test('the ends of the colour map are dark and light, and no number has no colour', () => {
  const [dark, light] = [cssColour(0, [0, 1]), cssColour(1, [0, 1])];
  const sum = (colour = '') => (colour.match(/\d+/g) ?? []).reduce((total, part) => total + Number(part), 0);
  expect(sum(light)).toBeGreaterThan(5 * sum(dark));
  expect(cssColour(Number.NaN, [0, 1])).toBeUndefined();
});

test('signed colours are light at zero, blue below and red above, and what is no number stays transparent', () => {
  const image = { width: 5, height: 1, data: new Uint8ClampedArray(20) } as unknown as ImageData;
  paintField(image, [-2, 0, 2, Number.NaN, 1], [-2, 2], SIGNED_COLOURS);
  const colour = (k: number) => [...image.data.slice(4 * k, 4 * k + 4)] as [number, number, number, number];
  const [below, zero, above, none] = [0, 1, 2, 3].map(colour) as ReturnType<typeof colour>[];
  expect(Math.min(...(zero as number[]).slice(0, 3))).toBeGreaterThan(235);
  expect(below?.[2]).toBeGreaterThan(2 * (below?.[0] ?? 0));
  expect(above?.[0]).toBeGreaterThan(2 * (above?.[2] ?? 0));
  expect(none).toEqual([0, 0, 0, 0]);
});

test('on one scale a length has as many pixels on either axis, and nothing is cut off', () => {
  const [x, y] = onOneScale([-1, 3], [0, 1], 200, 100);
  expect([x, y]).toEqual([
    [-1, 3],
    [-0.5, 1.5],
  ]);
  expect(onOneScale([0, 1], [2, 6], 400, 100)).toEqual([
    [-7.5, 8.5],
    [2, 6],
  ]);
  // No width yet, or no length.
  expect(onOneScale([0, 0], [1, 1], 200, 100)).toEqual([
    [0, 0],
    [1, 1],
  ]);
  expect(onOneScale([0, 1], [0, 1], 0, 100)).toEqual([
    [0, 1],
    [0, 1],
  ]);
});

test('a smooth map is linear between the middles of cells, and keeps the cell beside what is no number', () => {
  const [columns, rows, factor] = [5, 3, 4];
  const linear = (x: number, y: number) => 2 * x - 3 * y + 1;
  const grid = Array.from({ length: columns * rows }, (_, k) => linear(k % columns, Math.floor(k / columns)));
  const fine = smoothed(grid, columns, rows, factor);
  expect(fine).toHaveLength(columns * factor * rows * factor);
  const inside = (place: number, count: number) => Math.min(count - 1, Math.max(0, place));
  for (const [k, value] of fine.entries()) {
    const x = inside(((k % (columns * factor)) + 0.5) / factor - 0.5, columns);
    const y = inside((Math.floor(k / (columns * factor)) + 0.5) / factor - 0.5, rows);
    expect(value).toBeCloseTo(linear(x, y), 12);
  }
  expect([...smoothed(grid, columns, rows, 1)]).toEqual(grid);
  const row = [1.5, 1.5, Number.NaN, Number.NaN, 2.5, 2.5];
  expect([...smoothed([1.5, Number.NaN, 2.5], 3, 1, 2)]).toEqual([...row, ...row]);
  expect([...smoothed([Number.NEGATIVE_INFINITY, 0.5], 2, 1, 1)]).toEqual([Number.NEGATIVE_INFINITY, 0.5]);
  expect([smoothFactor(16, 13), smoothFactor(64, 64), smoothFactor(1_000, 10)]).toEqual([40, 10, 1]);
});

test('tables hold the curves of lines, levels, fields over a line and tables', () => {
  const tables = tablesOf({ series: [], fields: ARRAYS, plots: PLOTS } as unknown as Parameters<typeof tablesOf>[0]);
  expect(tables.map(({ name, columns }) => [name, columns.length])).toEqual([
    ['decay-growth', 3],
    ['growth-profile', 7],
    ['psi', 4],
    ['growth', 2],
    ['profile', 6],
    ['V-psi', 5],
    ['predator', 2],
  ]);
});
