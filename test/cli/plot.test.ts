import { expect, test } from 'vitest';
import { linePlot } from '../../src/cli/plot.ts';

const options = { title: 'decay', xLabel: 't [s]', yLabel: 'T [K]', width: 20, height: 5 };

test('a rising line runs from the lower left to the upper right', () => {
  const lines = linePlot([0, 1, 2, 3], [0, 1, 2, 3], options);
  expect(lines[0]).toContain('decay');
  const rows = lines.slice(1, 6).map((line) => line.slice(line.indexOf('│') + 1));
  expect(rows[0]?.trimEnd().at(-1)).not.toBe('⠀');
  expect(rows[4]?.[0]).not.toBe('⠀');
  expect(rows[0]?.[0]).toBe('⠀');
  expect(lines.at(-1)).toMatch(/0 +3 t \[s\]/);
});

test('the extremes label the axis', () => {
  const lines = linePlot([0, 1], [-2.5, 7], options);
  expect(lines[1]).toMatch(/^ *7 │/);
  expect(lines[5]).toMatch(/^ *-2\.5 │/);
});

test('data without finite points gives an empty plot', () => {
  expect(linePlot([Number.NaN], [1], options)).toEqual([]);
  expect(linePlot([], [], options)).toEqual([]);
});

test('constant data gives a flat line without NaN', () => {
  expect(linePlot([0, 1, 2], [5, 5, 5], options).join('')).not.toContain('NaN');
});
