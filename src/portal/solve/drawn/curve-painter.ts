// Curve that follows the pointer, or the arrow keys: left and right choose a place, up and down its value.

import { h } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { formatRounded, withUnit } from '../../kit/format.ts';
import { pathOf } from '../../pictures/axes.ts';
import { useWidth } from '../../pictures/svg-chart.ts';
import { layoutOf, SvgDrawing } from '../../pictures/svg-drawing.ts';

interface CurvePainterProps {
  /** Of what is drawn. */
  readonly label: string;
  readonly values: readonly number[];
  readonly range: readonly [low: number, high: number];
  readonly length: number;
  readonly unit: string;
  /** Of the values. */
  readonly valueUnit: string;
  /** @param isDone  false while the pointer is down */
  readonly onDraw: (values: readonly number[], isDone: boolean) => void;
}

const HEIGHT = 190;
/** Values differ by this part of the range, so that their digits are few. */
const STEPS = 200;
const KEYS: Readonly<Record<string, readonly [places: number, steps: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 10],
  ArrowDown: [0, -10],
  PageUp: [0, 50],
  PageDown: [0, -50],
};

export function CurvePainter({ label, values, range, length, unit, valueUnit, onDraw }: CurvePainterProps) {
  const { frame, width } = useWidth();
  const [at, setAt] = useState(Math.floor(values.length / 2));
  const last = useRef<readonly [index: number, value: number] | undefined>(undefined);
  const [low, high] = range;
  const end = values.length - 1;
  const axes = {
    x: { name: '', unit, range: [0, length] as const },
    y: { name: '', unit: valueUnit, range },
  };
  const size = { width: Math.max(width, 200), height: HEIGHT };
  const layout = layoutOf(axes, size);
  const rounded = (value: number): number => {
    const step = (high - low) / STEPS;
    return Number((low + step * Math.round((Math.min(high, Math.max(low, value)) - low) / step)).toPrecision(12));
  };
  const pointOf = (event: PointerEvent): readonly [index: number, value: number] => {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const share = layout.x.scale.from(event.clientX - box.left) / length;
    const index = Math.min(end, Math.max(0, Math.round(share * end)));
    return [index, rounded(layout.y.scale.from(event.clientY - box.top))];
  };
  /** Fast pointers skip places; what lies between two of them is straight. */
  const stroke = (event: PointerEvent): readonly number[] => {
    const [index, value] = pointOf(event);
    const [before, from] = last.current ?? [index, value];
    const next = [...values];
    const span = Math.abs(index - before);
    for (let k = 0; k <= span; k++) {
      const share = span === 0 ? 1 : k / span;
      next[before + Math.sign(index - before) * k] = rounded(from + share * (value - from));
    }
    last.current = [index, value];
    setAt(index);
    return next;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const [places, steps] = KEYS[event.key] ?? [0, 0];
    const to = event.key === 'Home' ? 0 : event.key === 'End' ? end : Math.min(end, Math.max(0, at + places));
    if (to === at && steps === 0 && places === 0 && event.key !== 'Home' && event.key !== 'End') return;
    event.preventDefault();
    setAt(to);
    if (steps === 0) return;
    const step = ((event.shiftKey ? steps / 10 : steps) * (high - low)) / STEPS;
    onDraw(
      values.map((value, i) => (i === at ? rounded(value + step) : value)),
      true,
    );
  };
  const value = values[at] ?? 0;
  const place = withUnit(formatRounded((length * at) / end, 4), unit);
  return h(
    'div',
    {
      class: 'painter svg-chart',
      ref: frame,
      tabIndex: 0,
      role: 'slider',
      'aria-label': `${label}, drawn. Left and right arrows choose the place, up and down its value`,
      'aria-orientation': 'vertical',
      'aria-valuemin': low,
      'aria-valuemax': high,
      'aria-valuenow': value,
      'aria-valuetext': `${withUnit(formatRounded(value, 4), valueUnit)} at ${place}`,
      style: { height: `${HEIGHT}px` },
      onKeyDown,
      onPointerDown: (event: PointerEvent) => {
        if (event.button !== 0) return;
        (event.currentTarget as Element).setPointerCapture(event.pointerId);
        last.current = undefined;
        onDraw(stroke(event), false);
      },
      onPointerMove: (event: PointerEvent) => {
        if (last.current !== undefined) onDraw(stroke(event), false);
      },
      onPointerUp: (event: PointerEvent) => {
        if (last.current === undefined) return;
        const drawn = stroke(event);
        last.current = undefined;
        onDraw(drawn, true);
      },
      onPointerCancel: () => {
        last.current = undefined;
      },
    },
    width === 0
      ? null
      : h(SvgDrawing, {
          label: '',
          ...axes,
          ...size,
          marks: (x, y) => {
            const points = values.map((one, i) => [x.at((length * i) / end), y.at(one)] as const);
            return [
              h('path', { key: 'curve', class: 'painter-curve', d: pathOf(points) }),
              h('circle', { key: 'at', class: 'painter-at', cx: points[at]?.[0], cy: points[at]?.[1], r: 4.5 }),
            ];
          },
        }),
  );
}
