// Cuts through a point of a field: its values along both coordinates.

import { h } from 'preact';
import { formatRounded, withUnit } from '../kit/format.ts';
import { Chart } from './curves.ts';
import { withMargin } from './line.ts';
import { wordsOf } from './picture.ts';
import type { Coordinate, Sheet } from './sheet.ts';

interface CutsProps {
  readonly sheet: Sheet;
  readonly range: readonly [number, number];
  readonly column: number;
  readonly row: number;
  readonly close: () => void;
}

export function FieldCuts({ sheet: { x, y, values }, range, column, row, close }: CutsProps) {
  const columns = x.data.length;
  const along = Float64Array.from(x.data, (_, i) => values.data[row * columns + i] ?? Number.NaN);
  const across = Float64Array.from(y.data, (_, i) => values.data[i * columns + column] ?? Number.NaN);
  const limits = withMargin([range]);
  const cut = (coordinate: Coordinate, data: Float64Array, at: string) =>
    h(Chart, { title: `Cut at ${at}`, x: coordinate, ys: [{ ...values, data }], range: limits });
  return h(
    'div',
    { class: 'field-cuts' },
    cut(x, along, placeText(y, row)),
    cut(y, across, placeText(x, column)),
    h('button', { type: 'button', class: 'picture-tool', onClick: close }, 'Hide the cuts'),
  );
}

const placeText = ({ name, unit, data }: Coordinate, index: number) =>
  `${wordsOf(name)} = ${withUnit(formatRounded(data[index] ?? 0, 4), unit)}`;
