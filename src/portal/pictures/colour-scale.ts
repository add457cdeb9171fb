// The colours of a map with the values that they stand for.

import { h } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { superscript } from '../kit/format.ts';
import { ticks } from './axes.ts';
import { axisLabel, axisNumbers } from './axis-numbers.ts';
import type { Colours } from './colour-choice.ts';
import { paintField } from './colour-map.ts';

interface ScaleProps {
  readonly name: string;
  readonly unit: string;
  readonly colours: Colours;
}

const TICKS = 5;

export function ColourScale({ name, unit, colours }: ScaleProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { table } = colours;
  const steps = table.length;
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context) return;
    const image = context.createImageData(1, steps);
    paintField(
      image,
      Float64Array.from({ length: steps }, (_, step) => step),
      [0, steps - 1],
      table,
    );
    context.putImageData(image, 0, 0);
  }, [table]);
  const { label, marks } = colours.isLogarithmic ? decades(name, unit, colours) : evenly(name, unit, colours);
  return h(
    'div',
    { class: 'field-scale' },
    h('span', { class: 'field-scale-label drawing-text' }, label),
    h(
      'div',
      { class: 'field-scale-bar' },
      h('canvas', { ref: canvas, class: 'drawing', width: 1, height: steps, 'aria-hidden': true }),
      marks.map(({ share, text }) =>
        h('span', { key: text, class: 'field-scale-tick drawing-text', style: { bottom: `${100 * share}%` } }, text),
      ),
    ),
  );
}

function evenly(name: string, unit: string, { range: [low, high] }: Colours) {
  const values = high > low ? ticks(low, high, TICKS) : [low];
  const numbers = axisNumbers(values);
  return {
    label: axisLabel(name, unit, numbers),
    marks: values.map((value, k) => ({ share: (value - low) / (high - low || 1), text: numbers.texts[k] ?? '' })),
  };
}

function decades(name: string, unit: string, { range }: Colours) {
  const [low, high] = range.map(Math.log10) as [number, number];
  const stride = Math.max(1, Math.ceil((high - low) / TICKS));
  const powers = ticks(low, high, TICKS).filter((power) => Number.isInteger(power) && power % stride === 0);
  return {
    label: axisLabel(name, unit, { offset: 0, power: 0 }),
    marks: powers.map((power) => ({
      share: (power - low) / (high - low || 1),
      text: `10${superscript(String(power))}`,
    })),
  };
}
