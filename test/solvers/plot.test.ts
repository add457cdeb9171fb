import { expect, test } from 'vitest';
import { PlotSchema } from '../../src/operations/compute/plot-schema.ts';
import { arrayNames, getArray, type Plot } from '../../src/solvers/plot.ts';
import { nodeCount, plotFault } from '../../src/solvers/plot-fault.ts';
import { ARRAYS, PLOTS } from '../portal/pictures/every-kind.ts';

const KINDS = ['bars', 'field', 'histogram', 'levels', 'line', 'network', 'particles', 'phase', 'table'];

test('the made-up solver has every kind, and the schema of envelopes passes each plot unchanged', () => {
  expect([...new Set(PLOTS.map(({ kind }) => kind))].sort()).toEqual(KINDS);
  expect(PlotSchema.options.map(({ shape }) => shape.kind.value).sort()).toEqual(KINDS);
  for (const plot of PLOTS) expect(PlotSchema.parse(plot)).toEqual(plot);
  expect(PlotSchema.safeParse({ kind: 'heatmap', title: '', x: 'x', y: ['T'] }).success).toBe(false);
});

test.each(PLOTS.map((plot) => [plot.title, plot] as const))(
  '%s can be drawn, and without any array it names it cannot',
  (_, plot) => {
    expect(plotFault(plot, ARRAYS)).toBeUndefined();
    const names = arrayNames(plot);
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) {
      const others = ARRAYS.filter((one) => one.name !== name);
      expect(plotFault(plot, others)).toBe(`The array ${name} is missing.`);
      const shorter = { ...getArray(ARRAYS, name), shape: [0], data: new Float64Array() };
      expect(plotFault(plot, [...others, shorter])).toBe(`The array ${name} is empty.`);
    }
  },
);

const FAULTS: readonly (readonly [Plot, string])[] = [
  [{ kind: 'line', title: '', x: 'x', y: ['E'] }, 'E has the shape [3]; allowed: [21] or [*, 21].'],
  [
    { kind: 'line', title: '', x: 'x', y: ['decay'], events: { at: 'crossings', kinds: 'counts', names: ['a'] } },
    'counts has the shape [8]; allowed: [3].',
  ],
  [
    {
      kind: 'line',
      title: '',
      x: 'x',
      y: ['decay'],
      events: { at: 'crossings', kinds: 'crossing_kinds', names: ['a'] },
    },
    'crossing_kinds has the event 2; allowed: 1 to 1.',
  ],
  [{ kind: 'line', title: '', x: 'x', y: ['psi'], time: 't' }, 'psi has the shape [3, 21]; allowed: [21] or [5, 21].'],
  [
    { kind: 'field', title: '', x: 'x', y: 'y', values: 'sheet' },
    'sheet has the shape [5, 11, 21]; allowed: [11, 21].',
  ],
  [
    { kind: 'particles', title: '', positions: 'flock', box: 'edges_of_box' },
    'flock has the shape [5, 8, 2]; allowed: [*, 2].',
  ],
  [{ kind: 'particles', title: '', positions: 'flock', box: 'E' }, 'flock has the shape [5, 8, 2]; allowed: [*, 3].'],
  [{ kind: 'particles', title: '', positions: 'flock', box: 't' }, 't has the shape [5]; allowed: [2] or [3].'],
  [
    { kind: 'levels', title: '', x: 'x', potential: 'V', waves: 'profile', levels: 'E' },
    'profile has the shape [5, 21]; allowed: [3, 21].',
  ],
  [{ kind: 'phase', title: '', x: 'prey', y: 'x' }, 'x has the shape [21]; allowed: [120].'],
  [{ kind: 'histogram', title: '', edges: 'counts', counts: 'theory' }, 'theory has the shape [8]; allowed: [7].'],
  [{ kind: 'bars', title: '', y: ['profit', 'E'], labels: ['a'] }, 'There are 1 labels; allowed: 3.'],
  [{ kind: 'bars', title: '', y: ['profit'], limit: 'x' }, 'x has the shape [21]; allowed: [3].'],
  [{ kind: 'network', title: '', edges: 'flock' }, 'flock has the shape [5, 8, 2]; allowed: [*, 2].'],
  [{ kind: 'network', title: '', edges: 'links', values: 'E' }, 'links names the node 3; allowed: 0 to 2.'],
  [{ kind: 'network', title: '', edges: 'links', loads: 'E' }, 'E has the shape [3]; allowed: [5].'],
  [{ kind: 'network', title: '', edges: 'links', values: 'voltage', labels: ['a'] }, 'There are 1 labels; allowed: 4.'],
  [{ kind: 'table', title: '', columns: ['E', 'x'] }, 'x has the shape [21]; allowed: [3].'],
  [{ kind: 'table', title: '', columns: [] }, 'The plot names no array.'],
];

test.each(FAULTS)('%o is refused', (plot, fault) => {
  expect(plotFault(plot, ARRAYS)).toBe(fault);
});

test('edges alone tell the number of nodes', () => {
  expect(nodeCount({ kind: 'network', title: '', edges: 'links' }, ARRAYS)).toBe(4);
});
