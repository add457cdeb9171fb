// Field over a rectangle as a colour map, or over a line as a profile above its map of place and time.

import { h } from 'preact';
import { useMemo } from 'preact/hooks';
import { getArray } from '../../solvers/plot.ts';
import { Chart } from './curves.ts';
import { FieldMap } from './field-map.ts';
import { withMargin } from './line.ts';
import { minMax, type PictureOf, rangeText, wordsOf } from './picture.ts';
import { useFrames } from './time-slider.ts';

export const FieldPicture: PictureOf<'field'> = ({ plot, arrays }) =>
  h(plot.y === undefined ? Profile : RectangleMap, { plot, arrays });

const RectangleMap: PictureOf<'field'> = ({ plot: { title, x, y = '', time, values }, arrays }) => {
  const field = getArray(arrays, values);
  const { frame, count, slider } = useFrames(arrays, time);
  const range = useMemo(() => minMax(field.data), [field.data]);
  const [across, up] = [getArray(arrays, x), getArray(arrays, y)];
  const [columns, rows] = [across.data.length, up.data.length];
  const nodes = columns * rows;
  const shown = useMemo(() => field.data.subarray(frame * nodes, (frame + 1) * nodes), [field.data, frame, nodes]);
  const when = count > 1 ? ` at frame ${frame + 1} of ${count}` : '';
  return h(
    'figure',
    { class: 'picture' },
    h('figcaption', { class: 'chart-title' }, title),
    h(FieldMap, {
      label: `${title}: ${rangeText(field)}, over ${wordsOf(x)} and ${wordsOf(y)}${when}`,
      size: [columns, rows],
      data: shown,
      range,
      unit: field.unit,
      aspect: aspectOf(across, up),
    }),
    slider,
  );
};

type Axis = Pick<ReturnType<typeof getArray>, 'data' | 'unit'>;

/** Width over height; coordinates of different units have no common scale. */
function aspectOf(across: Axis, up: Axis): number {
  const [width, height] = [across, up].map(({ data }) => (data.at(-1) ?? 0) - (data[0] ?? 0));
  if (across.unit !== up.unit || !(width && height)) return 1.5;
  return Math.min(3, Math.max(1 / 2, width / height));
}

const Profile: PictureOf<'field'> = ({ plot: { title, x, time, values }, arrays }) => {
  const { data, unit } = getArray(arrays, values);
  const across = getArray(arrays, x);
  const { frame, count, slider } = useFrames(arrays, time);
  const range = useMemo(() => minMax(data), [data]);
  const columns = across.data.length;
  const profile = useMemo(() => data.subarray(frame * columns, (frame + 1) * columns), [data, frame, columns]);
  return h(
    'div',
    { class: 'picture' },
    h(Chart, { title, x: across, ys: [{ name: values, unit, data: profile }], range: withMargin([range]) }),
    time === undefined
      ? null
      : h(FieldMap, {
          label: `${title}: ${wordsOf(values)} over ${wordsOf(x)} (left to right) and ${wordsOf(time)} (bottom to top)`,
          size: [columns, count],
          data,
          range,
          unit,
          aspect: 3,
          mark: count > 1 ? frame / (count - 1) : 0,
        }),
    slider,
  );
};
