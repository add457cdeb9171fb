// Field over a rectangle as a colour map, or over a line as a profile above its map of place and time.

import { h } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { getArray } from '../../solvers/plot.ts';
import { useColours } from './colour-choice.ts';
import { Chart } from './curves.ts';
import { fieldFormats } from './field-files.ts';
import { canBeSmooth, FieldMap } from './field-map.ts';
import { withMargin } from './line.ts';
import { minMax, type PictureOf, rangeText, wordsOf } from './picture.ts';
import { SaveMenu } from './save-menu.ts';
import type { Coordinate, Sheet } from './sheet.ts';
import { pictureAsSvg } from './svg-file.ts';
import { useFrames } from './time-slider.ts';

export const FieldPicture: PictureOf<'field'> = ({ plot, arrays }) =>
  h(plot.y === undefined ? Profile : RectangleMap, { plot, arrays });

const RectangleMap: PictureOf<'field'> = ({ plot: { title, x, y = '', time, values, over, blank, range }, arrays }) => {
  const figure = useRef<HTMLElement>(null);
  const field = getArray(arrays, values);
  const { frame, count, slider, reel } = useFrames(arrays, time);
  const [across, up] = [getArray(arrays, x), getArray(arrays, y)];
  const nodes = across.data.length * up.data.length;
  const inside = useMemo(
    () => (blank === 'zero' ? field.data.map((value) => (value === 0 ? Number.NaN : value)) : field.data),
    [field.data, blank],
  );
  const shown = useMemo(() => inside.subarray(frame * nodes, (frame + 1) * nodes), [inside, frame, nodes]);
  const { colours, control } = useColours(inside, shown, range);
  const sheet: Sheet = { x: across, y: up, values: { ...field, data: shown } };
  const smooth = useSmooth(sheet);
  const when = count > 1 ? ` at frame ${frame + 1} of ${count}` : '';
  return h(
    'figure',
    { class: 'picture', ref: figure },
    h(
      'figcaption',
      null,
      h('span', { class: 'chart-title' }, title),
      control,
      smooth.control,
      h(SaveMenu, { title, svg: () => pictureAsSvg(figure.current, title), reel, numbers: fieldFormats(sheet, field) }),
    ),
    h(FieldMap, {
      sheet,
      label: `${title}: ${rangeText(field)}, over ${wordsOf(x)} and ${wordsOf(y)}${when}`,
      colours,
      isSmooth: smooth.isSmooth,
      aspect: aspectOf(across, up),
      over: over && { x: getArray(arrays, over.x).data, y: getArray(arrays, over.y).data },
    }),
    slider,
  );
};

/** Whether a map runs smoothly from cell to cell, as at first, and the button that turns it off. */
function useSmooth(sheet: Sheet) {
  const [isSmooth, setSmooth] = useState(true);
  const control = canBeSmooth(sheet)
    ? h(
        'button',
        {
          type: 'button',
          class: 'picture-tool quiet',
          'aria-pressed': !isSmooth,
          title: 'Show the cells of the grid',
          onClick: () => setSmooth(!isSmooth),
        },
        'cells',
      )
    : null;
  return { isSmooth, control };
}

/** Width over height; coordinates of different units have no common scale. */
function aspectOf(across: Coordinate, up: Coordinate): number {
  const [width, height] = [across, up].map(({ data }) => (data[data.length - 1] ?? 0) - (data[0] ?? 0));
  if (across.unit !== up.unit || !(width && height)) return 1.5;
  return Math.min(3, Math.max(1 / 2, width / height));
}

const Profile: PictureOf<'field'> = ({ plot: { title, x, time, values }, arrays }) => {
  const { data, unit } = getArray(arrays, values);
  const across = getArray(arrays, x);
  const { frame, slider, reel } = useFrames(arrays, time);
  const range = useMemo(() => minMax(data), [data]);
  const columns = across.data.length;
  const profile = useMemo(() => data.subarray(frame * columns, (frame + 1) * columns), [data, frame, columns]);
  return h(
    'div',
    { class: 'picture' },
    h(Chart, { title, x: across, ys: [{ name: values, unit, data: profile }], range: withMargin([range]), reel }),
    time === undefined ? null : h(History, { title, x, time, values, frame, arrays }),
    slider,
  );
};

interface HistoryProps {
  readonly title: string;
  readonly x: string;
  readonly time: string;
  readonly values: string;
  readonly frame: number;
  readonly arrays: Parameters<typeof getArray>[0];
}

/** All profiles over each other, the time upwards. */
function History({ title, x, time, values, frame, arrays }: HistoryProps) {
  const figure = useRef<HTMLElement>(null);
  const name = `${title}, place and time`;
  const field = getArray(arrays, values);
  const times = getArray(arrays, time);
  const { colours, control } = useColours(field.data, field.data);
  const sheet: Sheet = { x: getArray(arrays, x), y: times, values: field };
  const smooth = useSmooth(sheet);
  return h(
    'figure',
    { class: 'picture', ref: figure },
    h(
      'figcaption',
      null,
      h('span', { class: 'chart-subtitle' }, 'Over place and time'),
      control,
      smooth.control,
      h(SaveMenu, { title: name, svg: () => pictureAsSvg(figure.current, name), numbers: fieldFormats(sheet, field) }),
    ),
    h(FieldMap, {
      sheet,
      label: `${title}: ${wordsOf(values)} over ${wordsOf(x)} (left to right) and ${wordsOf(time)} (bottom to top)`,
      colours,
      isSmooth: smooth.isSmooth,
      aspect: 3,
      mark: times.data[frame],
      hasCuts: false,
    }),
  );
}
