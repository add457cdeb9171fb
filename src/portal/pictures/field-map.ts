// Colour map of a two-dimensional field, with its colour scale.

import { h } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { formatRounded, withUnit } from '../kit/format.ts';
import { FIELD_COLOURS, paintField } from './colour-map.ts';

interface FieldMapProps {
  readonly label: string;
  /** Columns and rows; the first row is at the bottom. */
  readonly size: readonly [number, number];
  readonly data: ArrayLike<number>;
  readonly range: readonly [number, number];
  readonly unit: string;
  /** Width over height of the drawing. */
  readonly aspect: number;
  /** Height of a horizontal marker line, from 0 (bottom) to 1 (top). */
  readonly mark?: number;
}

export function FieldMap({ label, size, data, range, unit, aspect, mark }: FieldMapProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [columns, rows] = size;
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context || columns < 1 || rows < 1) return;
    const image = context.createImageData(columns, rows);
    paintField(image, data, range);
    context.putImageData(image, 0, 0);
  }, [data, columns, rows, range]);
  return h(
    'div',
    { class: 'field-map', style: { '--aspect': String(aspect) } },
    h(
      'div',
      { class: 'field-map-frame' },
      h('canvas', { ref: canvas, width: columns, height: rows, role: 'img', 'aria-label': label }),
      mark === undefined ? null : h('div', { class: 'field-map-mark', style: { bottom: `${100 * mark}%` } }),
    ),
    h(ColourScale, { range, unit }),
  );
}

/** The colours from the minimum to the maximum, with both numbers. */
export function ColourScale({ range, unit }: { readonly range: readonly [number, number]; readonly unit: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const steps = FIELD_COLOURS.length;
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context) return;
    const image = context.createImageData(1, steps);
    paintField(
      image,
      Float64Array.from({ length: steps }, (_, step) => step),
      [0, steps - 1],
    );
    context.putImageData(image, 0, 0);
  }, [steps]);
  return h(
    'div',
    { class: 'field-scale' },
    h('span', null, withUnit(formatRounded(range[1], 3), unit)),
    h('div', { class: 'field-scale-bar' }, h('canvas', { ref: canvas, width: 1, height: steps, 'aria-hidden': true })),
    h('span', null, withUnit(formatRounded(range[0], 3), unit)),
  );
}
