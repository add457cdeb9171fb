import { expect, test } from 'vitest';
import { plotLines, plotSummary } from '../../src/cli/plot.ts';
import { ARRAYS, PLOTS } from '../portal/pictures/every-kind.ts';

const linesOf = (title: string) => {
  const plot = PLOTS.find((one) => one.title === title);
  if (!plot) throw new Error(`${title} is not a plot.`);
  return plotLines(plot, ARRAYS);
};

test.each(PLOTS.map((plot) => [plot.title, plot] as const))(
  '%s is drawn in lines that a terminal holds',
  (title, plot) => {
    const lines = plotLines(plot, ARRAYS);
    expect(lines[0]).toMatch(new RegExp(`^${title}`));
    expect(Math.max(...lines.slice(1).map((line) => line.length), 0)).toBeLessThanOrEqual(80);
    expect(lines.length).toBeLessThanOrEqual(27);
    const summary = plotSummary(plot, ARRAYS);
    expect(summary.startsWith(`${title} (${plot.kind}): `)).toBe(true);
    expect(`${lines.join('\n')}${summary}`).not.toMatch(/NaN|undefined|Infinity/);
  },
);

test.each([40, 80, 132, 400])('charts fill a terminal of %d columns, within bounds', (columns) => {
  for (const plot of PLOTS) {
    // The title, the tables and what stands below an axis are as long as their words.
    const rows = plotLines(plot, ARRAYS, columns)
      .slice(1)
      .filter((line) => /[│└]/.test(line));
    expect(Math.max(...rows.map((line) => line.length), 0)).toBeLessThanOrEqual(columns);
  }
  const line = PLOTS.find(({ kind }) => kind === 'line');
  if (line === undefined) throw new Error('No plot is a line.');
  const axis = plotLines(line, ARRAYS, columns).find((one) => one.includes('└')) ?? '';
  expect(axis.match(/─/g)).toHaveLength(Math.min(120, columns - 14));
});

test('particles and networks are one line: what there is, in which range', () => {
  expect(linesOf('A flock')).toEqual(['A flock (particles): 8 particles in a box of 4 × 4 m, t from 0 to 2 s']);
  expect(linesOf('Grid')).toEqual([
    'Grid (network): 4 nodes, 5 edges, voltage from 1 to 1.3 V, flow from -2 to 2 MW, flow from -2 to 2 MW',
  ]);
});

test('a field is shaded from its minimum to its maximum, its first row at the bottom', () => {
  const rows = linesOf('Place and time').slice(1, -2);
  expect(rows).toHaveLength(5);
  expect(rows.at(-1)).toContain('█');
  expect(rows[0]).not.toContain('█');
});

test('a histogram has a bar for each bin, as long as its count', () => {
  const bars = linesOf('Spacings').slice(1);
  expect(bars).toHaveLength(8);
  const lengths = bars.map((line) => line.match(/█/g)?.length ?? 0);
  expect(lengths[3]).toBe(40);
  expect(lengths[7]).toBe(0);
  expect(bars[3]).toMatch(/^ *0\.75 … 1 │█+ 14$/);
});

test('a negative bar is on the other side of zero', () => {
  const bars = linesOf('Balance').slice(1);
  const east = bars.find((line) => line.includes('east profit')) ?? '';
  expect(east).toMatch(/█│ -2$/);
  expect(bars.find((line) => line.includes('south profit'))).toMatch(/│█+ 5$/);
});

test('a table has its head, its labels, and the number of rows that are left out', () => {
  expect(linesOf('Nodes')).toEqual([
    'Nodes',
    '       voltage [V]',
    'north            1',
    ' east          1.1',
    'south          1.2',
    ' west          1.3',
  ]);
  expect(linesOf('Cycle as numbers').at(-1)).toBe('… 96 more rows');
});

test('a plot without its arrays says so', () => {
  expect(plotLines({ kind: 'line', title: 'Heat', x: 't', y: ['linked'] }, ARRAYS)).toEqual([
    'Heat: The array linked is missing.',
  ]);
});
