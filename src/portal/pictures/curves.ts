// Line charts by uPlot: thin lines, one accent, told apart by dashes as well as by colour.

import { h } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { Plot, Solution } from '../../solvers/solver.ts';
import { inShort, unitOf, withUnit } from '../kit/format.ts';
import { theme } from '../theme.ts';
import { arrayOf } from './picture.ts';

export interface Curve {
  readonly name: string;
  readonly unit: string;
  readonly data: ArrayLike<number>;
}

interface ChartProps {
  readonly title: string;
  readonly x: Curve;
  readonly ys: readonly Curve[];
  /** Fixes the scale while the data changes. */
  readonly range?: readonly [number, number];
}

const HEIGHT = 220;
const STYLES = [
  { colour: '--accent', dash: [] },
  { colour: '--ink', dash: [6, 4] },
  { colour: '--ink-soft', dash: [] },
  { colour: '--ink', dash: [1.5, 3] },
] as const;

export function Chart({ title, x, ys, range }: ChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | undefined>(undefined);
  const data = [x.data, ...ys.map((y) => y.data)] as unknown as uPlot.AlignedData;
  const shown = theme.value;

  useEffect(() => {
    const place = frame.current;
    if (!place) return undefined;
    const chart = new uPlot(optionsOf(place, x, ys, range), data, place);
    plot.current = chart;
    const watcher = new ResizeObserver(() => chart.setSize({ width: place.clientWidth, height: HEIGHT }));
    watcher.observe(place);
    return () => {
      watcher.disconnect();
      chart.destroy();
    };
  }, [shown, x.name, ys.map((y) => y.name).join()]);
  useEffect(() => plot.current?.setData(data), [x.data, ...ys.map((y) => y.data)]);

  return h(
    'figure',
    { class: 'chart' },
    h('figcaption', null, h('span', { class: 'chart-title' }, title), h(Key, { ys })),
    h('div', { class: 'chart-frame', ref: frame, role: 'img', 'aria-label': describe(title, x, ys) }),
  );
}

function Key({ ys }: { readonly ys: readonly Curve[] }) {
  if (ys.length < 2) return null;
  return h(
    'span',
    { class: 'chart-key' },
    ys.map(({ name }, index) =>
      h('span', { key: name, class: `chart-key-${index % STYLES.length}` }, name.replaceAll('_', ' ')),
    ),
  );
}

/** What a curve shows, for whom cannot see it: where it starts and where it ends. */
function describe(title: string, x: Curve, ys: readonly Curve[]): string {
  const last = x.data.length - 1;
  const parts = ys.map(({ name, unit, data }) => {
    const [from, to] = [data[0] ?? 0, data[last] ?? 0].map((value) => withUnit(inShort(value, 4), unit));
    return `${name.replaceAll('_', ' ')} from ${from} to ${to}`;
  });
  const end = withUnit(inShort(x.data[last] ?? 0, 4), x.unit);
  return `${title}: ${parts.join(', ')}, over ${x.name} up to ${end}.`;
}

function optionsOf(place: HTMLElement, x: Curve, ys: readonly Curve[], range: ChartProps['range']): uPlot.Options {
  const style = getComputedStyle(place);
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
    width: place.clientWidth,
    height: HEIGHT,
    padding: [12, 12, 0, 0],
    legend: { show: false },
    cursor: { points: { size: 7 }, drag: { x: true, y: false } },
    scales: { x: { time: false }, y: range ? { range: [range[0], range[1]] } : {} },
    axes: [
      { ...axis(withBrackets(x.name, x.unit)), size: 26 },
      { ...axis(withBrackets(ys.length === 1 ? (first?.name ?? '') : '', first?.unit ?? '1')), size: 56 },
    ],
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
    ],
  };
}

const withBrackets = (name: string, unit: string) =>
  `${name.replaceAll('_', ' ')}${unit === '1' ? '' : ` [${unitOf(unit)}]`}`.trim();

/** The line plots that a solver suggests. */
export function Curves({ solution, plots }: { readonly solution: Solution; readonly plots: readonly Plot[] }) {
  return h(
    'div',
    { class: 'charts' },
    plots.flatMap(({ kind, title, x, y }) =>
      kind === 'line' && x !== undefined
        ? [
            h(Chart, {
              key: title,
              title,
              x: arrayOf(solution, x),
              ys: y.map((name) => arrayOf(solution, name)),
            }),
          ]
        : [],
    ),
  );
}
