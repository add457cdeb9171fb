// Bar chart: one group of bars for each category.

import { h } from 'preact';
import { getArray } from '../../solvers/plot.ts';
import { formatRounded, withUnit } from '../kit/format.ts';
import { pathOf, withZero } from './axes.ts';
import { Bar } from './histogram.ts';
import { minMax, type PictureOf, rangeText, wordsOf } from './picture.ts';
import { seriesClass, seriesDash } from './series-style.ts';
import { SvgChart } from './svg-chart.ts';

/** Share of a category that its bars fill. */
const FILL = 0.8;
/** Categories with a name below the axis; of more, every second, third … is named. */
const MAX_NAMES = 8;

export const BarsPicture: PictureOf<'bars'> = ({ plot: { title, y, x, labels, limit }, arrays }) => {
  const fields = y.map((name) => getArray(arrays, name));
  const n = fields[0]?.data.length ?? 0;
  const category = x === undefined ? undefined : getArray(arrays, x);
  const nameOf = (i: number) => labels?.[i] ?? formatRounded(category?.data[i] ?? i, 4);
  const stride = Math.ceil(n / MAX_NAMES);
  const bound = limit === undefined ? undefined : getArray(arrays, limit);
  const ranges = [...fields.map(({ data }) => data), ...(bound ? [bound.data, bound.data.map((one) => -one)] : [])].map(
    minMax,
  );
  const range = withZero([Math.min(...ranges.map(([min]) => min)), Math.max(...ranges.map(([, max]) => max))]);
  const width = FILL / fields.length;
  return h(SvgChart, {
    title,
    label: `${title}: ${n} categories, ${nameOf(0)} to ${nameOf(n - 1)}; ${[...fields, ...(bound ? [bound] : [])].map(rangeText).join(', ')}.`,
    legend: limit === undefined ? y : [...y, limit],
    x: {
      name: category && labels === undefined ? category.name : '',
      unit: category && labels === undefined ? category.unit : '1',
      range: [-0.5, n - 0.5],
      ticks: Array.from({ length: Math.ceil(n / stride) }, (_, k) => ({ value: k * stride, text: nameOf(k * stride) })),
    },
    y: { name: y.length === 1 ? (y[0] ?? '') : '', unit: fields[0]?.unit ?? '1', range },
    read: (atX) => {
      const i = Math.round(atX);
      if (i < 0 || i >= n) return [];
      const values = [...fields, ...(bound ? [bound] : [])].map(
        ({ name, unit, data }) => `${wordsOf(name)} ${withUnit(formatRounded(data[i] ?? 0, 6), unit)}`,
      );
      return [nameOf(i), ...values];
    },
    marks: (xScale, yScale, hidden) => [
      fields.map(({ name, data }, k) =>
        Array.from(hidden.has(k) ? [] : data, (value, i) => {
          const from = i - FILL / 2 + k * width;
          const [left, right] = [xScale.at(from), xScale.at(from + width)];
          return h(Bar, {
            key: `${name} ${i}`,
            style: k,
            from: left,
            to: right,
            zero: yScale.at(0),
            top: yScale.at(value),
          });
        }),
      ),
      bound === undefined || hidden.has(fields.length)
        ? null
        : [1, -1].map((side) =>
            h('path', {
              key: `limit ${side}`,
              class: `mark-line ${seriesClass(fields.length)}`,
              'stroke-dasharray': seriesDash(fields.length),
              d: pathOf(Array.from(bound.data, (value, i) => [xScale.at(i), yScale.at(side * value)] as const)),
            }),
          ),
      h('path', { class: 'zero', d: `M${xScale.at(-0.5)} ${yScale.at(0)}H${xScale.at(n - 0.5)}` }),
    ],
  });
};
