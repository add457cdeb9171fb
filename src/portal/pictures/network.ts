// Network: nodes, coloured by their values, and edges, as wide as their flows and coloured by their loads.

import { h } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import type { Field } from '../../solvers/definition.ts';
import { getArray, type NetworkPlot } from '../../solvers/plot.ts';
import { nodeCount } from '../../solvers/plot-fault.ts';
import { cssColour, FIELD_COLOURS } from './colour-map.ts';
import { ColourScale } from './colour-scale.ts';
import { minMax, type PictureOf, rangeText } from './picture.ts';
import { SaveMenu } from './save-menu.ts';
import { pictureAsSvg } from './svg-file.ts';

export const NETWORK_SIZE = [600, 400] as const;
const [WIDTH, HEIGHT] = NETWORK_SIZE;
const MARGIN = 28;
const MAX_EDGE_WIDTH = 6;
/** More labels would cover the edges. */
const MAX_LABELS = 40;
/** The dots of so many nodes would cover the edges, which take their colours instead. */
const MIN_MESH_NODES = 200;

export const NetworkPicture: PictureOf<'network'> = ({ plot, arrays }) => {
  const { title, labels } = plot;
  const figure = useRef<HTMLElement>(null);
  const edges = getArray(arrays, plot.edges);
  const values = plot.values === undefined ? undefined : getArray(arrays, plot.values);
  const flows = plot.flows === undefined ? undefined : getArray(arrays, plot.flows);
  const loads = plot.loads === undefined ? undefined : getArray(arrays, plot.loads);
  const points = useMemo(() => nodePoints(plot, arrays), [plot, edges.data]);
  const range = minMax(values?.data ?? []);
  const loadRange: readonly [number, number] = [0, minMax(loads?.data ?? [])[1] || 1];
  const maxFlow = Math.max(...minMax(flows?.data ?? []).map(Math.abs)) || 1;
  const isMesh = values !== undefined && flows === undefined && loads === undefined && points.length >= MIN_MESH_NODES;
  /** The mean of both ends. */
  const edgeValue = (edge: number) =>
    [0, 1].reduce((sum, end) => sum + (values?.data[edges.data[2 * edge + end] ?? 0] ?? Number.NaN) / 2, 0);
  const radius = Math.max(2, Math.min(8, 80 / Math.sqrt(points.length)));
  const ranges = [values, flows, loads].flatMap((field) => (field ? [rangeText(field)] : []));
  const label = [`${title}: ${points.length} nodes and ${edges.data.length / 2} edges`, ...ranges].join('; ');
  return h(
    'figure',
    { class: 'picture network', ref: figure },
    h(
      'figcaption',
      null,
      h('span', { class: 'chart-title' }, title),
      h(SaveMenu, { title, svg: () => pictureAsSvg(figure.current, title) }),
    ),
    h(
      'div',
      { class: 'network-frame' },
      h(
        'svg',
        { class: 'drawing', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': label },
        Array.from({ length: edges.data.length / 2 }, (_, edge) => {
          const [from, to] = [points[edges.data[2 * edge] ?? 0], points[edges.data[2 * edge + 1] ?? 0]];
          if (!from || !to) return null;
          const least = loads ? 2 : 0.6;
          const width = flows ? Math.max(least, (MAX_EDGE_WIDTH * Math.abs(flows.data[edge] ?? 0)) / maxFlow) : 1.2;
          const d = `M${from[0]} ${from[1]}L${to[0]} ${to[1]}`;
          const own = isMesh ? cssColour(edgeValue(edge), range) : undefined;
          const line = h('path', {
            key: edge,
            class: 'network-edge',
            d,
            'stroke-width': loads ? width + 2 : width,
            ...(own ? { stroke: own } : {}),
          });
          if (!loads) return line;
          // A rim, since the colour of a high load is pale.
          const stroke = cssColour(loads.data[edge] ?? Number.NaN, loadRange);
          return h('g', { key: edge }, line, h('path', { d, fill: 'none', 'stroke-width': width, stroke }));
        }),
        (isMesh ? [] : points).map(([x, y], node) => {
          const fill = values ? cssColour(values.data[node] ?? Number.NaN, range) : undefined;
          return h('circle', { key: node, class: 'network-node', cx: x, cy: y, r: radius, ...(fill ? { fill } : {}) });
        }),
        labels === undefined || labels.length > MAX_LABELS
          ? null
          : points.map(([x, y], node) =>
              h('text', { key: node, x, y: y - radius - 3, 'text-anchor': 'middle' }, labels[node]),
            ),
      ),
      values ? h(ColourScale, scaleOf(values, range)) : null,
      loads ? h(ColourScale, scaleOf(loads, loadRange)) : null,
    ),
  );
};

const scaleOf = ({ name, unit }: Field, range: readonly [number, number]) => ({
  name,
  unit,
  colours: { range, isLogarithmic: false, table: FIELD_COLOURS },
});

type Point = readonly [x: number, y: number];

/** Places the nodes in the frame: at their coordinates in one scale for both, or on a circle in their order. */
export function nodePoints(plot: NetworkPlot, arrays: readonly Field[]): Point[] {
  const count = nodeCount(plot, arrays);
  if (plot.positions === undefined) {
    const radius = HEIGHT / 2 - MARGIN;
    return Array.from({ length: count }, (_, node): Point => {
      const angle = (2 * Math.PI * node) / count;
      return [rounded(WIDTH / 2 + radius * Math.sin(angle)), rounded(HEIGHT / 2 - radius * Math.cos(angle))];
    });
  }
  const { data } = getArray(arrays, plot.positions);
  const [left, right] = minMax(data.filter((_, i) => i % 2 === 0));
  const [bottom, top] = minMax(data.filter((_, i) => i % 2 === 1));
  const scale = Math.min((WIDTH - 2 * MARGIN) / (right - left || 1), (HEIGHT - 2 * MARGIN) / (top - bottom || 1));
  return Array.from({ length: count }, (_, node): Point => {
    const [x, y] = [data[2 * node] ?? 0, data[2 * node + 1] ?? 0];
    return [
      rounded(WIDTH / 2 + scale * (x - (left + right) / 2)),
      rounded(HEIGHT / 2 - scale * (y - (bottom + top) / 2)),
    ];
  });
}

const rounded = (pixels: number) => Math.round(10 * pixels) / 10;
