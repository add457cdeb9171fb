// Checks that the arrays of a plot are there and have the shapes that its kind draws.

import type { Field } from './field.ts';
import { arrayNames, getArray, type LinePlot, type NetworkPlot, type Plot } from './plot.ts';

/** Extents of an array; `*` stands for any. */
type Shape = readonly (number | '*')[];

/** The shapes that one array may have. */
type Rule = readonly [name: string, ...allowed: Shape[]];

/** Says why a plot cannot be drawn from these arrays; undefined if it can. */
export function plotFault(plot: Plot, arrays: readonly Field[]): string | undefined {
  const names = arrayNames(plot);
  const missing = names.find((name) => !arrays.some((one) => one.name === name));
  if (missing !== undefined) return `The array ${missing} is missing.`;
  const empty = names.find((name) => getArray(arrays, name).data.length === 0);
  if (empty !== undefined) return `The array ${empty} is empty.`;
  if (names.length === 0) return 'The plot names no array.';
  const extent = (name: string) => getArray(arrays, name).shape[0] ?? 0;
  for (const [name, ...allowed] of rulesOf(plot, extent, arrays)) {
    const { shape } = getArray(arrays, name);
    if (!allowed.some((one) => fits(shape, one))) {
      return `${name} has the shape ${textOf(shape)}; allowed: ${allowed.map(textOf).join(' or ')}.`;
    }
  }
  if (plot.kind === 'line') return eventFault(plot, arrays);
  return labelFault(plot, extent) ?? (plot.kind === 'network' ? edgeFault(plot, arrays) : undefined);
}

const fits = (shape: readonly number[], allowed: Shape) =>
  shape.length === allowed.length && shape.every((n, axis) => allowed[axis] === '*' || allowed[axis] === n);

const textOf = (shape: Shape) => `[${shape.join(', ')}]`;

function rulesOf(plot: Plot, extent: (name: string) => number, arrays: readonly Field[]): Rule[] {
  const vector = (name: string | undefined, n: number | '*' = '*'): Rule[] => (name === undefined ? [] : [[name, [n]]]);
  /** The leading axis of an array that changes in time. */
  const leading = (time: string | undefined): Shape => (time === undefined ? [] : [extent(time)]);
  switch (plot.kind) {
    case 'line': {
      const n = extent(plot.x);
      const family: Shape = plot.time === undefined ? ['*', n] : [extent(plot.time), n];
      const band = (plot.band ?? []).flatMap((name) => vector(name, n));
      const { at, kinds } = plot.events ?? {};
      const events = at === undefined ? [] : [...vector(at), ...vector(kinds, extent(at))];
      const curves = plot.y.map((name): Rule => [name, [n], family]);
      return [...vector(plot.x), ...vector(plot.time), ...curves, ...band, ...events];
    }
    case 'field': {
      const rows: Shape = plot.y === undefined ? [] : [extent(plot.y)];
      const values: Rule = [plot.values, [...leading(plot.time), ...rows, extent(plot.x)]];
      const over = plot.over === undefined ? [] : [...vector(plot.over.x), ...vector(plot.over.y, extent(plot.over.x))];
      return [...vector(plot.x), ...vector(plot.y), ...vector(plot.time), values, ...over];
    }
    case 'particles': {
      const positions: Shape = [...leading(plot.time), '*', extent(plot.box)];
      return [[plot.box, [2], [3]], ...vector(plot.time), [plot.positions, positions]];
    }
    case 'levels': {
      const [n, k] = [extent(plot.x), extent(plot.levels)];
      const ofStates = [plot.levels, plot.uncertainty, plot.bound].flatMap((name) => vector(name, k));
      return [...vector(plot.x), ...vector(plot.potential, n), [plot.waves, [k, n]], ...ofStates];
    }
    case 'phase':
      return [
        [plot.x, ['*'], ['*', '*']],
        [plot.y, getArray(arrays, plot.x).shape],
      ];
    case 'histogram': {
      const n = extent(plot.edges) - 1;
      return [...vector(plot.edges), ...vector(plot.counts, n), ...vector(plot.expected, n)];
    }
    case 'bars': {
      const n = extent(plot.y[0] ?? '');
      return [...vector(plot.x, n), ...[...plot.y, plot.limit].flatMap((name) => vector(name, n))];
    }
    case 'network': {
      const nodes = plot.positions === undefined ? '*' : extent(plot.positions);
      const positions: Rule[] = plot.positions === undefined ? [] : [[plot.positions, ['*', 2]]];
      return [
        [plot.edges, ['*', 2]],
        ...positions,
        ...vector(plot.values, nodes),
        ...vector(plot.flows, extent(plot.edges)),
        ...vector(plot.loads, extent(plot.edges)),
      ];
    }
    case 'table':
      return plot.columns.flatMap((name) => vector(name, extent(plot.columns[0] ?? '')));
  }
}

/** Every event has a name. */
function eventFault({ events }: LinePlot, arrays: readonly Field[]): string | undefined {
  if (events === undefined) return undefined;
  const { kinds, names } = events;
  const given = kinds === undefined ? [1] : getArray(arrays, kinds).data;
  const bad = given.find((kind: number) => names[kind - 1] === undefined);
  return bad === undefined ? undefined : `${kinds ?? 'events'} has the event ${bad}; allowed: 1 to ${names.length}.`;
}

/** Labels are as many as what they name. */
function labelFault(plot: Plot, extent: (name: string) => number): string | undefined {
  if (plot.kind !== 'bars' && plot.kind !== 'table') return undefined;
  const n = extent((plot.kind === 'bars' ? plot.y[0] : plot.columns[0]) ?? '');
  const { labels } = plot;
  return labels === undefined || labels.length === n ? undefined : `There are ${labels.length} labels; allowed: ${n}.`;
}

/** Every end of an edge is the index of a node. */
function edgeFault(plot: NetworkPlot, arrays: readonly Field[]): string | undefined {
  const nodes = nodeCount(plot, arrays);
  const bad = getArray(arrays, plot.edges).data.find((node) => !(Number.isInteger(node) && node >= 0 && node < nodes));
  if (bad !== undefined) return `${plot.edges} names the node ${bad}; allowed: 0 to ${nodes - 1}.`;
  const { labels } = plot;
  return labels === undefined || labels.length === nodes
    ? undefined
    : `There are ${labels.length} labels; allowed: ${nodes}.`;
}

/** Number of nodes: of their positions, values or labels, or up to the last one with an edge. */
export function nodeCount({ edges, positions, values, labels }: NetworkPlot, arrays: readonly Field[]): number {
  const named = positions ?? values;
  if (named !== undefined) return getArray(arrays, named).shape[0] ?? 0;
  return labels?.length ?? getArray(arrays, edges).data.reduce((last, node) => Math.max(last, node), -1) + 1;
}
