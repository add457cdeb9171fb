// Line charts with uPlot: values at the pointer, curves that can be hidden, a zoom with its way back.

import { h } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { NamedEvent } from '../../solvers/plot.ts';
import { formatRounded, withUnit } from '../kit/format.ts';
import { theme } from '../theme.ts';
import { CHART_HEIGHT, type Curve, type CurveSet, chartOptions, isGeometric, markLine } from './curve-options.ts';
import { curvesAsSvg } from './curves-as-svg.ts';
import { drawEvents, eventNear, eventText } from './event-marks.ts';
import { Legend, useHidden } from './legend.ts';
import { minMax, wordsOf } from './picture.ts';
import { SaveMenu } from './save-menu.ts';
import { seriesClass, seriesStyle } from './series-style.ts';
import type { Reel } from './time-slider.ts';
import { Tip } from './tip.ts';

export type { Curve };

const MIN_SPAN_OF_LOG = 30;
/** Events that the text alternative tells; a table has all. */
const MAX_TOLD_EVENTS = 5;

interface ChartProps extends CurveSet {
  readonly title: string;
  /** Of curves that move. */
  readonly reel?: Reel | undefined;
}

/** The point under the pointer, and its pixels in the frame. */
interface Place {
  readonly index: number;
  readonly left: number;
  readonly top: number;
}

export function Chart({ title, x, ys, range, band, marks, at, isSparse, events = [], reel }: ChartProps) {
  const figure = useRef<HTMLElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | undefined>(undefined);
  const [place, setPlace] = useState<Place | undefined>(undefined);
  const [isZoomed, setZoomed] = useState(false);
  const [isLogarithmic, setLogarithmic] = useState(false);
  const { hidden, toggle } = useHidden();
  const isDecadic = isGeometric(x.data);
  const set: CurveSet = { x, ys, range, band, marks, at, events, isSparse, isDecadic, isLogarithmic };
  const curves = [...ys, ...(band ?? [])];
  const arrays = [x.data, ...curves.map((curve) => curve.data)];
  const data = useMemo(() => (isSparse ? arrays.map(withNulls) : arrays) as unknown as uPlot.AlignedData, arrays);
  const currentTheme = theme.value;
  // The chart is drawn again without being made again.
  const latest = useRef({ ...set, hidden });
  latest.current = { ...set, hidden };

  // A layout effect: before a print, only what is drawn without another frame is on the paper.
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return undefined;
    const options = chartOptions(element, set);
    const chart = new uPlot(
      { ...options, hooks: { setCursor: [follow], setScale: [watchZoom], draw: [mark] } },
      data,
      element,
    );
    plot.current = chart;
    for (const index of hidden) chart.setSeries(index + 1, { show: false });
    const observer = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height: CHART_HEIGHT }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      chart.destroy();
    };
  }, [currentTheme, isLogarithmic, isDecadic, at, x.name, curves.map(({ name }) => name).join()]);
  useEffect(() => plot.current?.setData(data), [data]);
  useEffect(() => {
    for (const index of ys.keys()) plot.current?.setSeries(index + 1, { show: !hidden.has(index) });
  }, [hidden]);

  function follow({ cursor, over }: uPlot): void {
    const { idx, left = -1, top = -1 } = cursor;
    const isOver = idx !== null && idx !== undefined && left >= 0;
    setPlace(isOver ? { index: idx, left: left + over.offsetLeft, top: top + over.offsetTop } : undefined);
  }
  function mark(chart: uPlot): void {
    if (at !== undefined) markLine(chart, at);
    const { x: across, ys: shown, events: happened = [], hidden: without } = latest.current;
    if (happened.length === 0) return;
    const style = getComputedStyle(chart.root);
    const lines = shown.flatMap((curve, k) =>
      without.has(k) ? [] : [{ curve, colour: style.getPropertyValue(`--series-${seriesStyle(k)}`).trim() }],
    );
    drawEvents(chart, happened, { x: across, ys: lines });
  }
  function watchZoom(chart: uPlot, key: string): void {
    const xs = chart.data[0];
    const { min, max } = chart.scales.x ?? {};
    if (key === 'x') setZoomed((min ?? 0) > (xs[0] ?? 0) || (max ?? 0) < (xs.at(-1) ?? 0));
  }
  function moveByKey(event: KeyboardEvent): void {
    const chart = plot.current;
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (chart === undefined || step === undefined) return;
    event.preventDefault();
    const next = (place?.index ?? (step > 0 ? -1 : x.data.length)) + step * (event.shiftKey ? 10 : 1);
    const index = Math.min(x.data.length - 1, Math.max(0, next));
    chart.setCursor({ left: chart.valToPos(x.data[index] ?? 0, 'x'), top: chart.over.clientHeight / 3 });
  }

  const nearEvent =
    place === undefined || plot.current === undefined
      ? undefined
      : eventNear(plot.current, events, place.left - plot.current.over.offsetLeft);

  return h(
    'figure',
    { class: 'chart', ref: figure },
    h(
      'figcaption',
      null,
      h('span', { class: 'chart-title' }, title),
      h(Legend, { names: ys.map(({ name }) => name), hidden, toggle }),
      isZoomed
        ? h(
            'button',
            { type: 'button', class: 'picture-tool', onClick: () => plot.current?.setData(data) },
            'Reset zoom',
          )
        : null,
      isLogarithmic || spansDecades(curves)
        ? h(
            'button',
            {
              type: 'button',
              class: 'picture-tool quiet',
              'aria-pressed': isLogarithmic,
              title: 'Vertical axis in powers of ten',
              onClick: () => setLogarithmic(!isLogarithmic),
            },
            'log',
          )
        : null,
      h(SaveMenu, {
        title,
        reel,
        svg: () =>
          curvesAsSvg({ ...set, ys: ys.map((y, k) => (hidden.has(k) ? { ...y, data: [] } : y)) }, figure.current),
      }),
    ),
    h(
      'div',
      {
        class: 'chart-frame',
        ref: frame,
        role: 'img',
        tabIndex: 0,
        'aria-label': describeChart(title, x, curves, events),
        onKeyDown: moveByKey,
        onBlur: () => plot.current?.setCursor({ left: -10, top: -10 }),
      },
      place === undefined
        ? null
        : h(
            Tip,
            { left: place.left, top: place.top, width: frame.current?.clientWidth ?? 0 },
            nearEvent === undefined ? null : h('p', { class: 'tip-event' }, eventText(nearEvent, x)),
            h('p', null, `${wordsOf(x.name)} = ${valueText(x, place.index)}`),
            ys.map((y, k) =>
              hidden.has(k) || Number.isNaN(y.data[place.index])
                ? null
                : h(
                    'p',
                    { key: y.name, class: ys.length > 1 ? `chart-key-name ${seriesClass(k)}` : '' },
                    `${ys.length > 1 ? `${wordsOf(y.name)} ` : ''}${valueText(y, place.index)}`,
                  ),
            ),
          ),
    ),
  );
}

/** uPlot knows a missing value as null. */
const withNulls = (data: ArrayLike<number>) => Array.from(data, (value) => (Number.isNaN(value) ? null : value));

const valueText = ({ data, unit }: Curve, index: number) => withUnit(formatRounded(data[index] ?? Number.NaN, 6), unit);

/** Curves of positive numbers that a logarithm shows better than a line. */
function spansDecades(curves: readonly Curve[]): boolean {
  const ranges = curves.map(({ data }) => minMax(data));
  const low = Math.min(...ranges.map(([min]) => min));
  return low > 0 && Math.max(...ranges.map(([, max]) => max)) / low > MIN_SPAN_OF_LOG;
}

/** Text alternative of a chart: the first and last value of each curve. */
function describeChart(title: string, x: Curve, ys: readonly Curve[], events: readonly NamedEvent[]): string {
  const last = x.data.length - 1;
  const parts = ys.map(({ name, unit, data }) => {
    const values = Array.from(data).filter((value) => !Number.isNaN(value));
    const [from, to] = [values[0] ?? 0, values.at(-1) ?? 0].map((value) => withUnit(formatRounded(value, 4), unit));
    return `${wordsOf(name)} from ${from} to ${to}`;
  });
  const end = withUnit(formatRounded(x.data[last] ?? 0, 4), x.unit);
  const told = events.slice(0, MAX_TOLD_EVENTS).map((event) => eventText(event, x));
  const more = events.length > told.length ? `, and ${events.length - told.length} more` : '';
  const happened = told.length === 0 ? '' : ` Events: ${told.join('; ')}${more}.`;
  return `${title}: ${parts.join(', ')}, over ${x.name} up to ${end}.${happened}`;
}
