// Network: nodes, coloured by their values, and edges, as wide as their flows.

import { h } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Field } from '../../solvers/definition.ts';
import { getArray, type NetworkPlot } from '../../solvers/plot.ts';
import { nodeCount } from '../../solvers/plot-fault.ts';
import { cssColour } from './colour-map.ts';
import { ColourScale } from './field-map.ts';
import { minMax, type PictureOf, rangeText } from './picture.ts';

const [WIDTH, HEIGHT, MARGIN] = [600, 400, 28];
const MAX_EDGE_WIDTH = 6;
/** More labels would cover the edges. */
const MAX_LABELS = 40;

export const NetworkPicture: PictureOf<'network'> = ({ plot, arrays }) => {
  const { title, labels } = plot;
  const edges = getArray(arrays, plot.edges);
  const values = plot.values === undefined ? undefined : getArray(arrays, plot.values);
  const flows = plot.flows === undefined ? undefined : getArray(arrays, plot.flows);
  const points = useMemo(() => nodePoints(plot, arrays), [plot, edges.data]);
  const range = minMax(values?.data ?? []);
  const maxFlow = Math.max(...minMax(flows?.data ?? []).map(Math.abs)) || 1;
  const radius = Math.max(2, Math.min(8, 80 / Math.sqrt(points.length)));
  const ranges = [values, flows].flatMap((field) => (field ? [rangeText(field)] : []));
  const label = [`${title}: ${points.length} nodes and ${edges.data.length / 2} edges`, ...ranges].join('; ');
  return h(
    'figure',
    { class: 'picture network' },
    h('figcaption', { class: 'chart-title' }, title),
    h(
      'div',
      { class: 'network-frame' },
      h(
        'svg',
        { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': label },
        Array.from({ length: edges.data.length / 2 }, (_, edge) => {
          const [from, to] = [points[edges.data[2 * edge] ?? 0], points[edges.data[2 * edge + 1] ?? 0]];
          if (!from || !to) return null;
          const width = flows ? Math.max(0.6, (MAX_EDGE_WIDTH * Math.abs(flows.data[edge] ?? 0)) / maxFlow) : 1.2;
          return h('path', {
            key: edge,
            class: 'network-edge',
            d: `M${from[0]} ${from[1]}L${to[0]} ${to[1]}`,
            'stroke-width': width,
          });
        }),
        points.map(([x, y], node) => {
          const fill = values ? cssColour(values.data[node] ?? Number.NaN, range) : undefined;
          return h('circle', { key: node, class: 'network-node', cx: x, cy: y, r: radius, ...(fill ? { fill } : {}) });
        }),
        labels === undefined || labels.length > MAX_LABELS
          ? null
          : points.map(([x, y], node) =>
              h('text', { key: node, x, y: y - radius - 3, 'text-anchor': 'middle' }, labels[node]),
            ),
      ),
      values ? h(ColourScale, { range, unit: values.unit }) : null,
    ),
  );
};

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
