// Phase plane: paths with their start and end, or points without lines.

import { h } from 'preact';
import { useMemo } from 'preact/hooks';
import { getArray } from '../../solvers/plot.ts';
import { padded, pathOf, type Scale } from './axes.ts';
import { minMax, type PictureOf, rangeText, rowsOf, withBrackets, wordsOf } from './picture.ts';
import { SvgChart } from './svg-chart.ts';

/** Styles of the marks, as in line charts. */
const STYLES = 4;
const HEIGHT = 300;

interface Path {
  readonly x: Float64Array;
  readonly y: Float64Array;
}

export const PhasePicture: PictureOf<'phase'> = ({ plot: { title, x, y, marks = 'path' }, arrays }) => {
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
    legend: paths.length > 1 && paths.length <= STYLES ? rowsOf(up).map(({ name }) => name) : [],
    x: { label: withBrackets(x, across.unit), range: xRange },
    y: { label: withBrackets(y, up.unit), range: yRange },
    height: HEIGHT,
    marks: (xScale, yScale) =>
      paths.map((path, k) =>
        marks === 'points'
          ? h('path', { class: `mark-points mark-${k % STYLES}`, d: dotsOf(path, xScale, yScale) })
          : h(DrawnPath, { path, style: k % STYLES, xScale, yScale }),
      ),
  });
};

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
    { class: `mark-${style}` },
    h('path', { class: 'mark-line', d: pathOf(points) }),
    start && h('circle', { class: 'mark-start', cx: start[0], cy: start[1], r: 4 }),
    end && h('circle', { class: 'mark-end', cx: end[0], cy: end[1], r: 4 }),
  );
}

const pointsOf = ({ x, y }: Path, xScale: Scale, yScale: Scale) =>
  Array.from(x, (value, i) => [xScale.at(value), yScale.at(y[i] ?? Number.NaN)] as const);

/** Points as strokes of no length, whose round ends are dots: one element, however many there are. */
function dotsOf(path: Path, xScale: Scale, yScale: Scale): string {
  return pointsOf(path, xScale, yScale)
    .filter(([x, y]) => Number.isFinite(x) && Number.isFinite(y))
    .map(([x, y]) => `M${x.toFixed(1)} ${y.toFixed(1)}h0`)
    .join('');
}
