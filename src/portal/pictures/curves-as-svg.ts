// The curves of a line chart as vector graphics, drawn once for a file.

import { h, render } from 'preact';
import type { NamedEvent } from '../../solvers/plot.ts';
import { superscript } from '../kit/format.ts';
import { dotsOf, padded, pathOf, type Scale, ticks } from './axes.ts';
import { CHART_HEIGHT, type CurveSet, upName } from './curve-options.ts';
import { namesThatFit, valueAt } from './event-marks.ts';
import { minMax } from './picture.ts';
import { seriesClass, seriesDash } from './series-style.ts';
import { type Marks, SvgDrawing } from './svg-drawing.ts';
import { svgOf } from './svg-file.ts';

/** Of the names of events. */
const CHARACTER_WIDTH = 6.5;

export function curvesAsSvg(curves: CurveSet, figure: HTMLElement | null): string | undefined {
  if (figure === null) return undefined;
  const { x: given, ys, range, band = [], isLogarithmic = false, isDecadic = false } = curves;
  const x = isDecadic ? { ...given, data: Array.from(given.data, Math.log10) } : given;
  const shown = [...ys, ...band].filter(({ data }) => data.length > 0);
  const ranges = shown.map(({ data }) => minMax(Array.from(data, heightOf(isLogarithmic))));
  const all = [Math.min(...ranges.map(([low]) => low)), Math.max(...ranges.map(([, high]) => high))] as const;
  // Inside the figure, so that the styles of the page apply; nobody sees it.
  const host = document.createElement('div');
  host.className = 'svg-chart off-page';
  figure.append(host);
  render(
    h(SvgDrawing, {
      label: '',
      x: {
        name: x.name,
        unit: x.unit,
        range: minMax(x.data),
        ...(isDecadic ? { ticks: decades(minMax(x.data)) } : {}),
      },
      y: {
        name: upName(ys),
        unit: ys[0]?.unit ?? '1',
        range: isLogarithmic ? padded(all) : (range ?? padded(all)),
        ...(isLogarithmic ? { ticks: decades(all) } : {}),
      },
      width: figure.clientWidth,
      height: CHART_HEIGHT,
      marks: marksOf({
        ...curves,
        x,
        at: isDecadic && curves.at !== undefined ? Math.log10(curves.at) : curves.at,
        events: isDecadic ? curves.events?.map((event) => ({ ...event, at: Math.log10(event.at) })) : curves.events,
      }),
    }),
    host,
  );
  try {
    const drawing = host.querySelector('svg');
    const title = figure.querySelector('.chart-title')?.textContent ?? '';
    return drawing === null ? undefined : svgOf([drawing], figure, title);
  } finally {
    render(null, host);
    host.remove();
  }
}

/** Height of a value over the horizontal axis. */
const heightOf = (isLogarithmic: boolean) => (value: number) => (isLogarithmic ? Math.log10(value) : value);

const decades = ([low, high]: readonly [number, number]) =>
  ticks(low, high, 5)
    .filter(Number.isInteger)
    .map((power) => ({ value: power, text: `10${superscript(String(power))}` }));

const marksOf =
  ({ x, ys, band, marks, at, events = [], isSparse = false, isLogarithmic = false }: CurveSet): Marks =>
  (across, up) => {
    const height = heightOf(isLogarithmic);
    const points = (data: ArrayLike<number>) =>
      Array.from(data, (value, i) => [across.at(x.data[i] ?? Number.NaN), up.at(height(value))] as const).filter(
        ([, at]) => !isSparse || !Number.isNaN(at),
      );
    const [low, high] = band ?? [];
    const ring = low && high ? [...points(low.data), ...points(high.data).toReversed()] : [];
    const [from, to] = minMax(x.data);
    const isMarked = at !== undefined && at >= from && at <= to;
    return [
      isMarked
        ? h('path', {
            class: 'tick-mark',
            'stroke-dasharray': '4 4',
            d: `M${across.at(at)} ${up.at(up.range[0])}V${up.at(up.range[1])}`,
          })
        : null,
      ring.length === 0 ? null : h('path', { class: `mark-band ${seriesClass(0)}`, d: `${pathOf(ring)}Z` }),
      ys.map(({ name, data }, k) =>
        marks === 'points'
          ? h('path', { key: name, class: `mark-points ${seriesClass(k)}`, d: dotsOf(points(data)) })
          : h('path', {
              key: name,
              class: `mark-line ${seriesClass(k)}`,
              'stroke-dasharray': seriesDash(k),
              d: pathOf(points(data)),
            }),
      ),
      eventMarks(events, across, up, (event) =>
        ys.map((y) => (y.data.length === 0 ? Number.NaN : height(valueAt(x, y, event.at)))),
      ),
    ];
  };

function eventMarks(
  events: readonly NamedEvent[],
  across: Scale,
  up: Scale,
  heights: (event: NamedEvent) => readonly number[],
) {
  const lefts = events.map(({ at }) => across.at(at));
  const [bottom, top] = [up.at(up.range[0]), up.at(up.range[1])];
  const widthOf = (text: string) => CHARACTER_WIDTH * text.length;
  return [
    events.map((event, i) => [
      h('path', { class: 'tick-mark', 'stroke-dasharray': '2 3', d: `M${lefts[i]} ${bottom}V${top}` }),
      heights(event).map((value, k) =>
        Number.isFinite(value)
          ? h('circle', { class: `mark-end ${seriesClass(k)}`, cx: lefts[i], cy: up.at(value), r: 3.5 })
          : null,
      ),
    ]),
    namesThatFit(events, lefts, across.at(across.range[1]), widthOf).map(({ text, left }) =>
      h('text', { x: left, y: top + 11 }, text),
    ),
  ];
}
