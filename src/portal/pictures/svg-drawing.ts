// Two axes and the marks between them as vector graphics.

import { type ComponentChildren, h } from 'preact';
import { useId } from 'preact/hooks';
import { onOneScale, type Scale, scaleOf, ticks } from './axes.ts';
import { axisLabel, axisNumbers } from './axis-numbers.ts';

export interface AxisProps {
  readonly name: string;
  readonly unit: string;
  readonly range: readonly [number, number];
  /** Words at values; by default numbers at round values. */
  readonly ticks?: readonly { readonly value: number; readonly text: string }[] | undefined;
}

export type Marks = (x: Scale, y: Scale) => ComponentChildren;

export interface DrawingProps {
  /** Text alternative; empty beside an element that has one. */
  readonly label: string;
  readonly x: AxisProps;
  readonly y: AxisProps;
  readonly marks: Marks;
  /** Whether a length has as many pixels on either axis. */
  readonly hasOneScale?: boolean | undefined;
  /** Lines across the plane at the ticks; over a map they would hide it. */
  readonly hasGrid?: boolean | undefined;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

const MARGIN = { right: 12, top: 12, bottom: 44 };
/** Width of a digit of 12 px; numbers of axes are digits of one width. */
const DIGIT_WIDTH = 7.3;
const TICK_DISTANCE = 80;

/** Labelled ticks, label and pixels of both axes of a drawing. */
export function layoutOf(axes: Pick<DrawingProps, 'x' | 'y' | 'hasOneScale'>, { width, height }: Size) {
  const bottom = height - MARGIN.bottom;
  const right = width - MARGIN.right;
  const upOf = (y: AxisProps) => numbered(y, Math.max(2, Math.min(5, Math.floor(bottom / 30))));
  const leftOf = (y: AxisProps) =>
    Math.ceil(26 + 8 + DIGIT_WIDTH * Math.max(3, ...upOf(y).ticks.map(({ text }) => text.length)));
  const { x, y } = axes.hasOneScale ? scaledAlike(axes, right - leftOf(axes.y), bottom - MARGIN.top) : axes;
  const [up, left] = [upOf(y), leftOf(y)];
  const across = numbered(x, Math.max(2, Math.floor((right - left) / TICK_DISTANCE)));
  return {
    frame: { left, right, top: MARGIN.top, bottom },
    x: { ...across, scale: scaleOf(x.range, [left, right]) },
    y: { ...up, scale: scaleOf(y.range, [bottom, MARGIN.top]) },
  };
}

function scaledAlike({ x, y }: Pick<DrawingProps, 'x' | 'y'>, width: number, height: number) {
  const [across, up] = onOneScale(x.range, y.range, width, height);
  return { x: { ...x, range: across }, y: { ...y, range: up } };
}

function numbered({ name, unit, range, ticks: words }: AxisProps, count: number) {
  if (words) return { ticks: words, label: axisLabel(name, unit, { offset: 0, power: 0 }) };
  const values = ticks(range[0], range[1], count);
  const numbers = axisNumbers(values);
  return {
    ticks: values.map((value, k) => ({ value, text: numbers.texts[k] ?? '' })),
    label: axisLabel(name, unit, numbers),
  };
}

export function SvgDrawing({ label, x, y, width, height, marks, hasOneScale, hasGrid = true }: DrawingProps & Size) {
  const clip = useId();
  const { frame, x: across, y: up } = layoutOf({ x, y, hasOneScale }, { width, height });
  const { left, right, top, bottom } = frame;
  const middle = (top + bottom) / 2;
  return h(
    'svg',
    {
      class: 'drawing',
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      ...(label === '' ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label }),
    },
    h(
      'clipPath',
      { id: clip },
      h('rect', { x: left, y: top, width: Math.max(0, right - left), height: Math.max(0, bottom - top) }),
    ),
    up.ticks.map(({ value, text }) => [
      hasGrid
        ? h('path', { class: 'grid', d: `M${left} ${up.scale.at(value)}H${right}` })
        : h('path', { class: 'tick-mark', d: `M${left - 4} ${up.scale.at(value)}H${left}` }),
      h('text', { x: left - 8, y: up.scale.at(value) + 4, 'text-anchor': 'end' }, text),
    ]),
    across.ticks.map(({ value, text }) => [
      x.ticks
        ? null
        : hasGrid
          ? h('path', { class: 'grid', d: `M${across.scale.at(value)} ${top}V${bottom}` })
          : h('path', { class: 'tick-mark', d: `M${across.scale.at(value)} ${bottom}v4` }),
      h('text', { x: across.scale.at(value), y: bottom + 17, 'text-anchor': 'middle' }, text),
    ]),
    h('text', { x: (left + right) / 2, y: height - 6, 'text-anchor': 'middle' }, across.label),
    h('text', { x: 12, y: middle, 'text-anchor': 'middle', transform: `rotate(-90 12 ${middle})` }, up.label),
    h('g', { 'clip-path': `url(#${clip})` }, marks(across.scale, up.scale)),
  );
}
