import { expect, test } from 'vitest';
import { brailleChart } from '../../src/cli/braille-chart.ts';

const options = { title: 'decay', xLabel: 't [s]', yLabel: 'T [K]', width: 20, height: 5 };

test('a rising line runs from the lower left to the upper right', () => {
  const lines = brailleChart([{ x: [0, 1, 2, 3], y: [0, 1, 2, 3] }], options);
  expect(lines[0]).toContain('decay');
  const rows = lines.slice(1, 6).map((line) => line.slice(line.indexOf('│') + 1));
  expect(rows[0]?.trimEnd().at(-1)).not.toBe('⠀');
  expect(rows[4]?.[0]).not.toBe('⠀');
  expect(rows[0]?.[0]).toBe('⠀');
  expect(lines.at(-1)).toMatch(/0 +3 t \[s\]/);
});

test('the extremes label the axis', () => {
  const lines = brailleChart([{ x: [0, 1], y: [-2.5, 7] }], options);
  expect(lines[1]).toMatch(/^ *7 │/);
  expect(lines[5]).toMatch(/^ *-2\.5 │/);
});

test('data without finite points gives an empty plot', () => {
  expect(brailleChart([{ x: [Number.NaN], y: [1] }], options)).toEqual([]);
  expect(brailleChart([{ x: [], y: [] }], options)).toEqual([]);
});

test('constant data gives a flat line without NaN', () => {
  expect(brailleChart([{ x: [0, 1, 2], y: [5, 5, 5] }], options).join('')).not.toContain('NaN');
});

test('two curves share their axes, and scattered points are not connected', () => {
  const both = brailleChart(
    [
      { x: [0, 1], y: [0, 1] },
      { x: [0, 1], y: [3, 3] },
    ],
    options,
  );
  expect(both[1]).toMatch(/^ *3 │⠉/);
  expect(both[5]).toMatch(/^ *0 │/);
  const dots = (isScattered: boolean) =>
    brailleChart([{ x: [0, 1], y: [0, 1], isScattered }], options)
      .join('')
      .match(/[⠁-⣿]/g)?.length;
  expect(dots(true)).toBe(2);
  expect(dots(false)).toBeGreaterThan(15);
});
