// Histogram: bars between edges, with an expected curve if there is one.

import { h } from 'preact';
import { getArray } from '../../solvers/plot.ts';
import { formatRounded, withUnit } from '../kit/format.ts';
import { pathOf, withZero } from './axes.ts';
import { minMax, type PictureOf, rangeText, wordsOf } from './picture.ts';
import { seriesClass, seriesDash } from './series-style.ts';
import { SvgChart } from './svg-chart.ts';

export const HistogramPicture: PictureOf<'histogram'> = ({ plot: { title, edges, counts, expected }, arrays }) => {
  const [edge, count] = [getArray(arrays, edges), getArray(arrays, counts)];
  const theory = expected === undefined ? undefined : getArray(arrays, expected);
  const [low, high] = minMax(count.data);
  const [theoryLow, theoryHigh] = theory ? minMax(theory.data) : [0, 0];
  return h(SvgChart, {
    title,
    label: `${title}: ${count.data.length} bins; ${rangeText(count)} over ${rangeText(edge)}.`,
    legend: theory ? [counts, wordsOf(theory.name)] : [],
    x: { name: edges, unit: edge.unit, range: minMax(edge.data) },
    y: {
      name: counts,
      unit: count.unit,
      range: withZero([Math.min(low, theoryLow), Math.max(high, theoryHigh)]),
    },
    read: (at) => {
      const bin = edge.data.findLastIndex((from) => from <= at);
      const [from, to, value] = [edge.data[bin], edge.data[bin + 1], count.data[bin]];
      if (from === undefined || to === undefined || value === undefined) return [];
      const lines = [
        withUnit(`${formatRounded(from, 4)} to ${formatRounded(to, 4)}`, edge.unit),
        `${wordsOf(counts)} ${withUnit(formatRounded(value, 6), count.unit)}`,
      ];
      return theory ? [...lines, `${wordsOf(theory.name)} ${formatRounded(theory.data[bin] ?? 0, 6)}`] : lines;
    },
    marks: (x, y, hidden) => [
      Array.from(hidden.has(0) ? [] : count.data, (value, bin) => {
        const [from, to] = [x.at(edge.data[bin] ?? 0), x.at(edge.data[bin + 1] ?? 0)];
        return h(Bar, { key: bin, style: 0, from, to, zero: y.at(0), top: y.at(value) });
      }),
      theory === undefined || hidden.has(1)
        ? null
        : h('path', {
            class: `mark-line ${seriesClass(1)}`,
            'stroke-dasharray': seriesDash(1),
            d: pathOf(
              Array.from(theory.data, (value, bin) => {
                const middle = ((edge.data[bin] ?? 0) + (edge.data[bin + 1] ?? 0)) / 2;
                return [x.at(middle), y.at(value)] as const;
              }),
            ),
          }),
    ],
  });
};

interface BarProps {
  readonly style: number;
  /** Pixels: the sides, the line of zero, and the value. */
  readonly from: number;
  readonly to: number;
  readonly zero: number;
  readonly top: number;
}

/** A bar from zero; nothing where the value is not finite. */
export function Bar({ style, from, to, zero, top }: BarProps) {
  if (!Number.isFinite(top)) return null;
  return h('rect', {
    class: `bar ${seriesClass(style)}`,
    x: from,
    y: Math.min(zero, top),
    width: Math.max(0.5, to - from),
    height: Math.abs(zero - top),
  });
}
