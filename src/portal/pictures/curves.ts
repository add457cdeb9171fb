// Line charts with uPlot; curves differ in dash pattern as well as colour.

import { h } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { formatRounded, withUnit } from '../kit/format.ts';
import { theme } from '../theme.ts';
import { withBrackets, wordsOf } from './picture.ts';

export interface Curve {
  readonly name: string;
  readonly unit: string;
  readonly data: ArrayLike<number>;
}

interface ChartProps {
  readonly title: string;
  readonly x: Curve;
  readonly ys: readonly Curve[];
  /** Fixes the scale for animated data. */
  readonly range?: readonly [number, number];
  /** Lower and upper edge of a shaded band. */
  readonly band?: readonly [Curve, Curve];
}

const HEIGHT = 220;
const STYLES = [
  { colour: '--accent', dash: [] },
  { colour: '--ink', dash: [6, 4] },
  { colour: '--ink-soft', dash: [] },
  { colour: '--ink', dash: [1.5, 3] },
] as const;

export function Chart({ title, x, ys, range, band }: ChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | undefined>(undefined);
  const edges = band ?? [];
  const data = [x.data, ...[...ys, ...edges].map((y) => y.data)] as unknown as uPlot.AlignedData;
  const currentTheme = theme.value;

  useEffect(() => {
    const element = frame.current;
    if (!element) return undefined;
    const chart = new uPlot(optionsOf(element, x, ys, range, edges), data, element);
    plot.current = chart;
    const observer = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height: HEIGHT }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      chart.destroy();
    };
  }, [currentTheme, x.name, [...ys, ...edges].map((y) => y.name).join()]);
  useEffect(() => plot.current?.setData(data), [x.data, ...[...ys, ...edges].map((y) => y.data)]);

  return h(
    'figure',
    { class: 'chart' },
    h('figcaption', null, h('span', { class: 'chart-title' }, title), h(Legend, { ys })),
    h('div', {
      class: 'chart-frame',
      ref: frame,
      role: 'img',
      'aria-label': describeChart(title, x, [...ys, ...edges]),
    }),
  );
}

/** Names of several curves, with their strokes. */
export function Legend({ ys }: { readonly ys: readonly Pick<Curve, 'name'>[] }) {
  if (ys.length < 2) return null;
  return h(
    'span',
    { class: 'chart-key' },
    ys.map(({ name }, index) => h('span', { key: name, class: `chart-key-${index % STYLES.length}` }, wordsOf(name))),
  );
}

/** Text alternative of a chart: the first and last value of each curve. */
function describeChart(title: string, x: Curve, ys: readonly Curve[]): string {
  const last = x.data.length - 1;
  const parts = ys.map(({ name, unit, data }) => {
    const [from, to] = [data[0] ?? 0, data[last] ?? 0].map((value) => withUnit(formatRounded(value, 4), unit));
    return `${wordsOf(name)} from ${from} to ${to}`;
  });
  const end = withUnit(formatRounded(x.data[last] ?? 0, 4), x.unit);
  return `${title}: ${parts.join(', ')}, over ${x.name} up to ${end}.`;
}

function optionsOf(
  element: HTMLElement,
  x: Curve,
  ys: readonly Curve[],
  range: ChartProps['range'],
  edges: readonly Curve[],
): uPlot.Options {
  const style = getComputedStyle(element);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const font = `12px ${style.fontFamily}`;
  const axis = (label: string): uPlot.Axis => ({
    label,
    labelFont: font,
    labelSize: 18,
    labelGap: 0,
    gap: 6,
    font,
    stroke: colour('--ink-soft'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { show: false },
  });
  const [first] = ys;
  return {
    width: element.clientWidth,
    height: HEIGHT,
    padding: [12, 12, 0, 0],
    legend: { show: false },
    cursor: { points: { size: 7 }, drag: { x: true, y: false } },
    scales: { x: { time: false }, y: range ? { range: [range[0], range[1]] } : {} },
    axes: [
      { ...axis(withBrackets(x.name, x.unit)), size: 26 },
      { ...axis(withBrackets(ys.length === 1 ? (first?.name ?? '') : '', first?.unit ?? '1')), size: 56 },
    ],
    // Series 0 is x; the edges stand behind the curves, the upper one last.
    ...(edges.length > 0
      ? {
          bands: [
            {
              series: [ys.length + 2, ys.length + 1] as [number, number],
              fill: `color-mix(in srgb, ${colour('--accent')} 16%, transparent)`,
            },
          ],
        }
      : {}),
    series: [
      {},
      ...ys.map(({ name }, index): uPlot.Series => {
        const { colour: variable, dash } = STYLES[index % STYLES.length] ?? STYLES[0];
        return {
          label: name,
          stroke: colour(variable),
          width: 1.75,
          dash: [...dash],
          points: { show: x.data.length < 26 },
        };
      }),
      ...edges.map(({ name }): uPlot.Series => ({ label: name, width: 0, points: { show: false } })),
    ],
  };
}
