// Chart of vector graphics with two axes, for marks that are not curves over a rising coordinate.

import { type ComponentChildren, h } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Scale } from './axes.ts';
import { Legend, useHidden } from './legend.ts';
import { SaveMenu } from './save-menu.ts';
import { type DrawingProps, layoutOf, SvgDrawing } from './svg-drawing.ts';
import { pictureAsSvg } from './svg-file.ts';
import { Tip } from './tip.ts';

interface SvgChartProps extends Omit<DrawingProps, 'marks'> {
  readonly title: string;
  /** Names of several kinds of marks, in the order of their styles. */
  readonly legend?: readonly string[];
  readonly height?: number;
  readonly marks: (x: Scale, y: Scale, hidden: ReadonlySet<number>) => ComponentChildren;
  /** What stands at a point of the plane, for the pointer; its lines. */
  readonly read?: (x: number, y: number, scales: Scales) => readonly string[];
}

/** Both axes, for distances in pixels. */
export interface Scales {
  readonly x: Scale;
  readonly y: Scale;
}

export function SvgChart({ title, legend = [], height = 220, marks, read, ...drawing }: SvgChartProps) {
  const figure = useRef<HTMLElement>(null);
  const { frame, width } = useWidth();
  const { hidden, toggle } = useHidden();
  const [pointer, setPointer] = useState<readonly [number, number] | undefined>(undefined);
  const layout = layoutOf(drawing, { width, height });
  const lines = pointer === undefined ? undefined : linesAt(pointer);

  function linesAt([left, top]: readonly [number, number]): readonly string[] | undefined {
    const { frame: edges, x, y } = layout;
    const isInside = left >= edges.left && left <= edges.right && top >= edges.top && top <= edges.bottom;
    return isInside ? read?.(x.scale.from(left), y.scale.from(top), { x: x.scale, y: y.scale }) : undefined;
  }
  const follow = (event: PointerEvent) => {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    setPointer([event.clientX - box.left, event.clientY - box.top]);
  };

  return h(
    'figure',
    { class: 'chart', ref: figure },
    h(
      'figcaption',
      null,
      h('span', { class: 'chart-title' }, title),
      h(Legend, { names: legend, hidden, toggle }),
      h(SaveMenu, { title, svg: () => pictureAsSvg(figure.current, title) }),
    ),
    h(
      'div',
      {
        class: 'svg-chart',
        ref: frame,
        style: { height: `${height}px` },
        ...(read ? { onPointerMove: follow, onPointerLeave: () => setPointer(undefined) } : {}),
      },
      width === 0 ? null : h(SvgDrawing, { ...drawing, width, height, marks: (x, y) => marks(x, y, hidden) }),
      pointer === undefined || lines === undefined || lines.length === 0
        ? null
        : h(
            Tip,
            { left: pointer[0], top: pointer[1], width },
            lines.map((line) => h('p', { key: line }, line)),
          ),
    ),
  );
}

/** A frame and its width, which follows the window. */
export function useWidth() {
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  // Before the first paint, so that what stands below does not move.
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return undefined;
    setWidth(element.clientWidth);
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { frame, width };
}
