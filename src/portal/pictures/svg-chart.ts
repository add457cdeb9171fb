// Chart of vector graphics with two axes, for marks that are not curves over a rising coordinate.

import { type ComponentChildren, h } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { formatRounded } from '../kit/format.ts';
import { type Scale, scaleOf, ticks } from './axes.ts';
import { Legend } from './curves.ts';

interface AxisProps {
  readonly label: string;
  readonly range: readonly [number, number];
  /** Words at values; by default numbers at round values. */
  readonly ticks?: readonly { readonly value: number; readonly text: string }[];
}

interface SvgChartProps {
  readonly title: string;
  /** Text alternative. */
  readonly label: string;
  /** Names of several kinds of marks, in the order of their styles. */
  readonly legend?: readonly string[];
  readonly x: AxisProps;
  readonly y: AxisProps;
  readonly height?: number;
  readonly marks: (x: Scale, y: Scale) => ComponentChildren;
}

const MARGIN = { left: 60, right: 12, top: 12, bottom: 44 };

export function SvgChart({ title, label, legend = [], x, y, height = 220, marks }: SvgChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = frame.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return h(
    'figure',
    { class: 'chart' },
    h(
      'figcaption',
      null,
      h('span', { class: 'chart-title' }, title),
      h(Legend, { ys: legend.map((name) => ({ name })) }),
    ),
    h(
      'div',
      { class: 'svg-chart', ref: frame, style: { height: `${height}px` } },
      width === 0 ? null : h(Drawn, { label, x, y, width, height, marks }),
    ),
  );
}

type DrawnProps = Pick<SvgChartProps, 'label' | 'x' | 'y' | 'marks'> & {
  readonly width: number;
  readonly height: number;
};

function Drawn({ label, x, y, width, height, marks }: DrawnProps) {
  const clip = useId();
  const [right, bottom] = [width - MARGIN.right, height - MARGIN.bottom];
  const [across, up] = [scaleOf(x.range, [MARGIN.left, right]), scaleOf(y.range, [bottom, MARGIN.top])];
  const xTicks = x.ticks ?? numbers(x.range, Math.max(2, Math.floor((right - MARGIN.left) / 80)));
  const yTicks = y.ticks ?? numbers(y.range, 5);
  return h(
    'svg',
    { viewBox: `0 0 ${width} ${height}`, width, height, role: 'img', 'aria-label': label },
    h(
      'clipPath',
      { id: clip },
      h('rect', { x: MARGIN.left, y: MARGIN.top, width: right - MARGIN.left, height: bottom - MARGIN.top }),
    ),
    yTicks.map(({ value, text }) => [
      h('path', { class: 'grid', d: `M${MARGIN.left} ${up.at(value)}H${right}` }),
      h('text', { x: MARGIN.left - 8, y: up.at(value) + 4, 'text-anchor': 'end' }, text),
    ]),
    xTicks.map(({ value, text }) => [
      x.ticks ? null : h('path', { class: 'grid', d: `M${across.at(value)} ${MARGIN.top}V${bottom}` }),
      h('text', { x: across.at(value), y: bottom + 17, 'text-anchor': 'middle' }, text),
    ]),
    h('text', { x: (MARGIN.left + right) / 2, y: height - 6, 'text-anchor': 'middle' }, x.label),
    h(
      'text',
      {
        x: 12,
        y: (MARGIN.top + bottom) / 2,
        'text-anchor': 'middle',
        transform: `rotate(-90 12 ${(MARGIN.top + bottom) / 2})`,
      },
      y.label,
    ),
    h('g', { 'clip-path': `url(#${clip})` }, marks(across, up)),
  );
}

const numbers = ([from, to]: readonly [number, number], count: number) =>
  ticks(from, to, count).map((value) => ({ value, text: formatRounded(value, 4) }));
