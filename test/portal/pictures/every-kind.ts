// A made-up solver that declares every kind of plot, and live frames, on the kernel of another: nothing else knows it.

import type { Field } from '../../../src/solvers/field.ts';
import { HEAT_FACE } from '../../../src/solvers/heat/face.ts';
import { heat } from '../../../src/solvers/heat/solver.ts';
import type { Plot } from '../../../src/solvers/plot.ts';
import { defineSolver } from '../../../src/solvers/solver.ts';

const array = (name: string, unit: string, shape: readonly number[], of: (i: number) => number): Field => {
  const length = shape.reduce((product, n) => product * n, 1);
  return { name, unit, shape, data: Float64Array.from({ length }, (_, i) => of(i)) };
};

const [TIMES, NODES, ROWS, STATES] = [5, 21, 11, 3] as const;

export const ARRAYS: readonly Field[] = [
  array('t', 's', [TIMES], (i) => i / 2),
  array('x', 'm', [NODES], (i) => i / 10 - 1),
  array('y', 'm', [ROWS], (i) => i / 10),
  array('decay', 'K', [NODES], (i) => Math.exp(-i / 5)),
  array('growth', 'K', [NODES], (i) => i / NODES),
  array('profile', 'K', [TIMES, NODES], (i) => Math.sin((i % NODES) / 5) / (1 + Math.floor(i / NODES))),
  array('sheet', 'K', [TIMES, ROWS, NODES], (i) => Math.cos(i / 17) * (1 + Math.floor(i / (ROWS * NODES)))),
  array('flock', 'm', [TIMES, 8, 2], (i) => (i % 16) / 4),
  array('edges_of_box', 'm', [2], () => 4),
  array('V', 'J', [NODES], (i) => (i / 10 - 1) ** 2 * 6),
  array('psi', '1', [STATES, NODES], (i) => Math.sin(((i % NODES) + 1) * (1 + Math.floor(i / NODES)) * 0.14)),
  array('E', 'J', [STATES], (i) => 1 + 2 * i),
  array('E_error', 'J', [STATES], (i) => 1e-6 * (i + 1)),
  array('holds', '1', [STATES], (i) => Number(i < 2)),
  array('prey', '1', [120], (i) => 2 + Math.cos(i / 8)),
  array('predator', '1', [120], (i) => 2 + Math.sin(i / 8)),
  array('bin_edges', 'm', [9], (i) => i / 4),
  array('counts', '1', [8], (i) => [1, 4, 9, 14, 11, 6, 2, 0][i] ?? 0),
  array('theory', '1', [8], (i) => 14 * Math.exp(-((i - 3.2) ** 2) / 5)),
  array('profit', 'MW', [3], (i) => [3, -2, 5][i] ?? 0),
  array('loss', 'MW', [3], (i) => [1, 1.5, -1][i] ?? 0),
  array('links', '1', [5, 2], (i) => [0, 1, 1, 2, 2, 3, 3, 0, 0, 2][i] ?? 0),
  array('places', 'km', [4, 2], (i) => [0, 0, 10, 0, 10, 5, 0, 5][i] ?? 0),
  array('voltage', 'V', [4], (i) => 1 + i / 10),
  array('flow', 'MW', [5], (i) => i - 2),
  array('crossings', 'm', [3], (i) => [-0.95, -0.9, 0.5][i] ?? 0),
  array('crossing_kinds', '1', [3], (i) => [2, 1, 2][i] ?? 0),
];

const labels = ['north', 'east', 'south', 'west'];

export const PLOTS: readonly Plot[] = [
  { kind: 'line', title: 'Two curves', x: 'x', y: ['decay', 'growth'] },
  { kind: 'line', title: 'A moving curve', x: 'x', y: ['profile', 'growth'], time: 't' },
  { kind: 'line', title: 'A family', x: 'x', y: ['psi'] },
  {
    kind: 'line',
    title: 'Curves with events',
    x: 'x',
    y: ['growth'],
    events: { at: 'crossings', kinds: 'crossing_kinds', names: ['decay = 1', 'both meet'] },
  },
  { kind: 'field', title: 'A sheet', x: 'x', y: 'y', time: 't', values: 'sheet' },
  {
    kind: 'field',
    title: 'A sheet with a line on it',
    x: 'x',
    y: 'y',
    time: 't',
    values: 'sheet',
    over: { x: 'prey', y: 'predator' },
    blank: 'zero',
  },
  { kind: 'field', title: 'Place and time', x: 'x', time: 't', values: 'profile' },
  { kind: 'particles', title: 'A flock', positions: 'flock', box: 'edges_of_box', time: 't' },
  {
    kind: 'levels',
    title: 'States',
    x: 'x',
    potential: 'V',
    waves: 'psi',
    levels: 'E',
    uncertainty: 'E_error',
    bound: 'holds',
  },
  { kind: 'phase', title: 'Cycle', x: 'prey', y: 'predator' },
  { kind: 'phase', title: 'Section', x: 'prey', y: 'predator', marks: 'points' },
  { kind: 'histogram', title: 'Spacings', edges: 'bin_edges', counts: 'counts', expected: 'theory' },
  { kind: 'bars', title: 'Balance', y: ['profit', 'loss'], labels: labels.slice(0, 3) },
  {
    kind: 'network',
    title: 'Grid',
    edges: 'links',
    positions: 'places',
    values: 'voltage',
    flows: 'flow',
    loads: 'flow',
    labels,
  },
  { kind: 'network', title: 'Ring', edges: 'links' },
  { kind: 'table', title: 'Nodes', columns: ['voltage'], labels },
  { kind: 'table', title: 'Cycle as numbers', columns: ['prey', 'predator'] },
];

export const everyKind = defineSolver({
  ...heat,
  id: 'everykind',
  title: 'Every kind of plot',
  inputs: heat.inputs,
  kernel: HEAT_FACE,
  collect: (outputs, input) => ({
    ...heat.collect(outputs, input),
    series: [],
    fields: ARRAYS,
    plots: PLOTS,
  }),
  live: {
    view: 'frames',
    frameLength: (parameter) => parameter('cellsX') + 1,
    draw: (frame, { input, parameter }) => ({
      plot: { kind: 'bars', title: `Cells of ${input.lx} m`, y: ['cells'] },
      arrays: [{ name: 'cells', unit: 'T', shape: [parameter('cellsX') + 1], data: frame }],
    }),
  },
});
