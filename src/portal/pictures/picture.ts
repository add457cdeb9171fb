// Types of pictures, and what all of them need from the arrays that they draw.

import type { ComponentChildren } from 'preact';
import type { Field } from '../../solvers/definition.ts';
import type { Drawing, PlotKind } from '../../solvers/plot.ts';
import { formatRounded, formatUnit, withUnit } from '../kit/format.ts';

/** Draws the plots of one kind. The arrays are there, with the shapes of that kind (solvers/plot-fault.ts). */
export type PictureOf<Kind extends PlotKind> = (props: Drawing<Kind> & Marked) => ComponentChildren;

export interface Marked {
  /** A value of x that a line chart marks. */
  readonly at?: number | undefined;
}

/** Minimum and maximum of the finite numbers; spreading a large array into Math.min would exceed the argument limit. */
export function minMax(data: ArrayLike<number>): readonly [number, number] {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < data.length; i++) {
    const value = data[i] ?? 0;
    if (!Number.isFinite(value)) continue;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return min <= max ? [min, max] : [0, 1];
}

/** The rows of an array of shape [k, n], numbered from 1; an array of shape [n] is one row. */
export function rowsOf({ name, unit, shape, data }: Field) {
  const n = shape.at(-1) ?? 0;
  if (shape.length < 2) return [{ name, unit, data }];
  return Array.from({ length: shape[0] ?? 0 }, (_, k) => ({
    name: `${name} ${k + 1}`,
    unit,
    data: data.subarray(k * n, (k + 1) * n),
  }));
}

/** `delta_x` as a label. Frames of a run have arrays of their own, whose names are not those that people read. */
export const wordsOf = (name: string): string =>
  name === 'frames' ? 'value' : name.replace(/^frame_(?=[xyt]$)/, '').replaceAll('_', ' ');

/** Label of an axis: the name, and the unit in brackets. */
export const withBrackets = (name: string, unit: string): string =>
  `${wordsOf(name)}${unit === '1' ? '' : ` [${formatUnit(unit)}]`}`.trim();

/** For text alternatives: `T from 0 to 1 K`. */
export function rangeText({ name, unit, data }: Pick<Field, 'name' | 'unit' | 'data'>): string {
  const [min, max] = minMax(data);
  return `${wordsOf(name)} from ${formatRounded(min, 4)} to ${withUnit(formatRounded(max, 4), unit)}`;
}
