// Plane that is painted with the pointer, or with arrow keys, Enter and Delete.

import { h } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { paintField } from '../../pictures/colour-map.ts';
import { theme } from '../../theme.ts';

/** A place in the plane, in parts of its sides, from the lower left corner. */
export type Place = readonly [across: number, up: number];

interface PlanePainterProps {
  /** Of what is painted. */
  readonly label: string;
  /** Height over width. */
  readonly aspect: number;
  readonly columns: number;
  readonly rows: number;
  /** What the plane shows, row by row from the bottom. */
  readonly values: ArrayLike<number>;
  readonly range: readonly [low: number, high: number];
  /** What is at a place, in words. */
  readonly describe: (place: Place) => string;
  /** @param isErasing  by the Delete key. @param stroke  whether a stroke begins, goes on or ends here */
  readonly onPaint: (place: Place, isErasing: boolean, stroke: 'begin' | 'go' | 'end' | 'key') => void;
}

const KEYS: Readonly<Record<string, Place>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

export function PlanePainter(props: PlanePainterProps) {
  const { label, aspect, columns, rows, values, range, describe, onPaint } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const isDown = useRef(false);
  const [cursor, setCursor] = useState<readonly [number, number]>([Math.floor(columns / 2), Math.floor(rows / 2)]);
  const [isByKey, setByKey] = useState(false);
  const [low, high] = range;
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context) return;
    const image = context.createImageData(columns, rows);
    paintField(image, values, [low, high]);
    context.putImageData(image, 0, 0);
  }, [values, columns, rows, low, high, theme.value]);
  const placeOf = (event: PointerEvent): Place => {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const within = (share: number) => Math.min(1, Math.max(0, share));
    return [within((event.clientX - box.left) / box.width), within(1 - (event.clientY - box.top) / box.height)];
  };
  const middle = ([column, row]: readonly [number, number]): Place => [(column + 0.5) / columns, (row + 0.5) / rows];
  const onKeyDown = (event: KeyboardEvent) => {
    const isErasing = event.key === 'Delete' || event.key === 'Backspace';
    const move = KEYS[event.key];
    if (move === undefined && !isErasing && event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    setByKey(true);
    if (move === undefined) return onPaint(middle(cursor), isErasing, 'key');
    const far = event.shiftKey ? 5 : 1;
    const to = (index: number, by: number, count: number) => Math.min(count - 1, Math.max(0, index + far * by));
    setCursor([to(cursor[0], move[0], columns), to(cursor[1], move[1], rows)]);
  };
  const pointer = (event: PointerEvent, stroke: 'begin' | 'go' | 'end') => {
    const place = placeOf(event);
    setByKey(false);
    setCursor([Math.min(columns - 1, Math.floor(place[0] * columns)), Math.min(rows - 1, Math.floor(place[1] * rows))]);
    onPaint(place, false, stroke);
  };
  const [across, up] = middle(cursor);
  return h(
    'div',
    {
      class: 'painter painter-plane',
      tabIndex: 0,
      role: 'application',
      'aria-label': `${label}, painted. Arrows move, Enter paints, Delete erases`,
      style: { aspectRatio: `1 / ${aspect}` },
      onKeyDown,
      onFocus: (event: FocusEvent) => setByKey((event.currentTarget as Element).matches(':focus-visible')),
      onPointerDown: (event: PointerEvent) => {
        if (event.button !== 0) return;
        (event.currentTarget as Element).setPointerCapture(event.pointerId);
        isDown.current = true;
        pointer(event, 'begin');
      },
      onPointerMove: (event: PointerEvent) => {
        if (isDown.current) pointer(event, 'go');
      },
      onPointerUp: (event: PointerEvent) => {
        if (!isDown.current) return;
        isDown.current = false;
        pointer(event, 'end');
      },
      onPointerCancel: () => {
        isDown.current = false;
      },
    },
    h('canvas', { ref: canvas, width: columns, height: rows, 'aria-hidden': true }),
    isByKey
      ? h('span', { class: 'painter-cursor', style: { left: `${100 * across}%`, top: `${100 * (1 - up)}%` } })
      : null,
    h(
      'span',
      { class: 'visually-hidden', role: 'status' },
      isByKey
        ? `Column ${cursor[0] + 1} of ${columns}, row ${cursor[1] + 1} of ${rows}: ${describe(middle(cursor))}`
        : '',
    ),
  );
}
