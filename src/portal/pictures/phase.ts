// Phase plane: paths with their start and end, or points without lines.

import { h } from 'preact';
import { useMemo } from 'preact/hooks';
import { getArray } from '../../solvers/plot.ts';
import { formatRounded, withUnit } from '../kit/format.ts';
import { dotsOf, padded, pathOf, type Scale } from './axes.ts';
import { minMax, type PictureOf, rangeText, rowsOf, wordsOf } from './picture.ts';
import { SERIES_DASHES, seriesClass, seriesDash } from './series-style.ts';
import { type Scales, SvgChart } from './svg-chart.ts';

/** A point this far from the pointer, in pixels, is still under it. */
const REACH = 24;
const HEIGHT = 300;

interface Path {
  readonly x: Float64Array;
  readonly y: Float64Array;
}

export const PhasePicture: PictureOf<'phase'> = ({
  plot: { title, x, y, hasOneScale, marks = 'path', labels },
  arrays,
}) => {
  const [across, up] = [getArray(arrays, x), getArray(arrays, y)];
  const paths = useMemo(() => {
    const rows = rowsOf(up);
    return rowsOf(across).map((row, k): Path => ({ x: row.data, y: rows[k]?.data ?? new Float64Array() }));
  }, [across.data, up.data]);
  const [xRange, yRange] = useMemo(
    () => [padded(minMax(across.data)), padded(minMax(up.data))],
    [across.data, up.data],
  );
  const what = marks === 'points' ? 'points' : paths.length === 1 ? 'a path' : `${paths.length} paths`;
  return h(SvgChart, {
    title,
    label: `${title}: ${what} in the plane of ${wordsOf(x)} and ${wordsOf(y)}; ${rangeText(across)}, ${rangeText(up)}.`,
    legend:
      paths.length > 1 && paths.length <= SERIES_DASHES.length ? (labels ?? rowsOf(up).map(({ name }) => name)) : [],
    x: { name: x, unit: across.unit, range: xRange },
    y: { name: y, unit: up.unit, range: yRange },
    hasOneScale,
    height: HEIGHT,
    marks: (xScale, yScale, hidden) =>
      paths.map((path, k) =>
        hidden.has(k)
          ? null
          : marks === 'points'
            ? h('path', { class: `mark-points ${seriesClass(k)}`, d: dotsOf(pointsOf(path, xScale, yScale)) })
            : h(DrawnPath, { path, style: k, xScale, yScale }),
      ),
    read: (atX, atY, scales) => {
      const near = nearest(paths, scales, atX, atY);
      return near === undefined ? [] : [textOf(x, across.unit, near[0]), textOf(y, up.unit, near[1])];
    },
  });
};

const textOf = (name: string, unit: string, value: number) =>
  `${wordsOf(name)} = ${withUnit(formatRounded(value, 6), unit)}`;

/** The point of the paths that the pointer is on. */
function nearest(
  paths: readonly Path[],
  scales: Scales,
  atX: number,
  atY: number,
): readonly [number, number] | undefined {
  const [left, top] = [scales.x.at(atX), scales.y.at(atY)];
  let best: readonly [number, number] | undefined;
  let distance = REACH;
  for (const { x, y } of paths) {
    for (let i = 0; i < x.length; i++) {
      const [px, py] = [x[i] ?? Number.NaN, y[i] ?? Number.NaN];
      const away = Math.hypot(scales.x.at(px) - left, scales.y.at(py) - top);
      if (away < distance) [best, distance] = [[px, py], away];
    }
  }
  return best;
}

interface DrawnPathProps {
  readonly path: Path;
  readonly style: number;
  readonly xScale: Scale;
  readonly yScale: Scale;
}

/** A hollow dot is the start, a full one the end. */
function DrawnPath({ path, style, xScale, yScale }: DrawnPathProps) {
  const points = pointsOf(path, xScale, yScale);
  const [start, end] = [points[0], points.at(-1)];
  return h(
    'g',
    { class: seriesClass(style) },
    h('path', { class: 'mark-line', 'stroke-dasharray': seriesDash(style), d: pathOf(points) }),
    start && h('circle', { class: 'mark-start', cx: start[0], cy: start[1], r: 4 }),
    end && h('circle', { class: 'mark-end', cx: end[0], cy: end[1], r: 4 }),
  );
}

const pointsOf = ({ x, y }: Path, xScale: Scale, yScale: Scale) =>
  Array.from(x, (value, i) => [xScale.at(value), yScale.at(y[i] ?? Number.NaN)] as const);
