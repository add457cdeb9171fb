// Colour map of a field over two axes: the value under the pointer, and on a click the cuts through that point.

import { h } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { formatExact, formatRounded, withUnit } from '../kit/format.ts';
import type { Scale } from './axes.ts';
import { type Colours, paintedValues } from './colour-choice.ts';
import { paintField, smoothed, smoothFactor } from './colour-map.ts';
import { ColourScale } from './colour-scale.ts';
import { FieldCuts } from './field-cuts.ts';
import { wordsOf } from './picture.ts';
import type { Coordinate, Sheet } from './sheet.ts';
import { useWidth } from './svg-chart.ts';
import { layoutOf, SvgDrawing } from './svg-drawing.ts';
import { Tip } from './tip.ts';

interface FieldMapProps {
  readonly sheet: Sheet;
  /** Text alternative. */
  readonly label: string;
  readonly colours: Colours;
  /** Whether colours run from cell to cell, where the values allow it; see `canBeSmooth`. */
  readonly isSmooth: boolean;
  /** Width over height of the map. */
  readonly aspect: number;
  /** Points on the map. */
  readonly over?: { readonly x: ArrayLike<number>; readonly y: ArrayLike<number> } | undefined;
  /** Coordinate of a horizontal marker line. */
  readonly mark?: number | undefined;
  readonly hasCuts?: boolean;
}

interface Cell {
  readonly column: number;
  readonly row: number;
}

const MAX_HEIGHT = 416;
/** Columns and rows of a map whose numbers stand in its cells. */
const MAX_WRITTEN = 8;
const WRITTEN_DIGITS = 3;

/** Whether something lies between the values of a map: not where its cells are written out, nor between counts. */
export const canBeSmooth = ({ x, y, values }: Sheet) =>
  (x.data.length > MAX_WRITTEN || y.data.length > MAX_WRITTEN) && hasFraction(values.data);

function hasFraction(data: ArrayLike<number>): boolean {
  for (let i = 0; i < data.length; i++) {
    const value = data[i] ?? 0;
    if (Number.isFinite(value) && !Number.isInteger(value)) return true;
  }
  return false;
}

export function FieldMap({ sheet, label, colours, isSmooth, aspect, over, mark, hasCuts = true }: FieldMapProps) {
  const { x, y, values } = sheet;
  const [columns, rows] = [x.data.length, y.data.length];
  const factor = isSmooth && canBeSmooth(sheet) ? smoothFactor(columns, rows) : 1;
  const canvas = useRef<HTMLCanvasElement>(null);
  const { frame, width } = useWidth();
  const [probe, setProbe] = useState<Cell | undefined>(undefined);
  const [pinned, setPinned] = useState<Cell | undefined>(undefined);
  const axes = useMemo(() => ({ x: axisOf(x), y: axisOf(y) }), [x.data, y.data]);
  const size = sizeOf(axes, width, aspect);
  const layout = layoutOf(axes, size);

  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context || columns < 1 || rows < 1) return;
    const image = context.createImageData(columns * factor, rows * factor);
    const { data, range } = paintedValues(values.data, colours);
    paintField(image, factor === 1 ? data : smoothed(data, columns, rows, factor), range, colours.table);
    context.putImageData(image, 0, 0);
  }, [values.data, columns, rows, factor, colours, width]);

  const cellAt = (event: PointerEvent | MouseEvent): Cell | undefined => {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const column = cellOf(layout.x.scale.from(event.clientX - box.left), x.data);
    const row = cellOf(layout.y.scale.from(event.clientY - box.top), y.data);
    return column === undefined || row === undefined ? undefined : { column, row };
  };
  const moveByKey = (event: KeyboardEvent) => {
    const [right, up] = MOVES[event.key] ?? [0, 0];
    if (event.key === 'Enter' && probe && hasCuts) setPinned(probe);
    if (right === 0 && up === 0) return;
    event.preventDefault();
    const from = probe ?? { column: Math.floor(columns / 2), row: Math.floor(rows / 2) };
    setProbe({ column: within(from.column + right, columns), row: within(from.row + up, rows) });
  };
  const { left, right, top, bottom } = layout.frame;
  return h(
    'div',
    { class: 'field-map' },
    h(
      'div',
      { class: 'field-map-row' },
      h(
        'div',
        {
          class: `field-map-frame svg-chart${hasCuts ? ' has-cuts' : ''}`,
          ref: frame,
          style: { height: `${size.height}px`, maxWidth: `${size.maxWidth}px` },
          onPointerMove: (event: PointerEvent) => setProbe(cellAt(event)),
          onPointerLeave: () => setProbe(undefined),
          ...(hasCuts ? { onClick: (event: MouseEvent) => setPinned(cellAt(event)) } : {}),
          onKeyDown: moveByKey,
        },
        h('canvas', {
          ref: canvas,
          class: `drawing${factor === 1 ? '' : ' is-smooth'}`,
          width: columns * factor,
          height: rows * factor,
          role: 'img',
          tabIndex: 0,
          'aria-label': label,
          onBlur: () => setProbe(undefined),
          style: { left: `${left}px`, top: `${top}px`, width: `${right - left}px`, height: `${bottom - top}px` },
        }),
        width === 0
          ? null
          : h(SvgDrawing, {
              label: '',
              ...axes,
              width: size.width,
              height: size.height,
              hasGrid: false,
              marks: (across, up) => [
                columns <= MAX_WRITTEN && rows <= MAX_WRITTEN ? h(WrittenValues, { sheet, across, up }) : null,
                over === undefined
                  ? null
                  : h('path', {
                      class: 'map-points',
                      d: Array.from(over.x, (place, k) => `M${across.at(place)} ${up.at(over.y[k] ?? 0)}h0`).join(''),
                    }),
                mark === undefined ? null : h('path', { class: 'map-mark', d: `M${left} ${up.at(mark)}H${right}` }),
                pinned === undefined
                  ? null
                  : h('path', {
                      class: 'map-mark',
                      d: `M${left} ${up.at(y.data[pinned.row] ?? 0)}H${right}M${across.at(x.data[pinned.column] ?? 0)} ${top}V${bottom}`,
                    }),
              ],
            }),
        probe === undefined
          ? null
          : h(
              Tip,
              {
                left: layout.x.scale.at(x.data[probe.column] ?? 0),
                top: layout.y.scale.at(y.data[probe.row] ?? 0),
                width: size.width,
              },
              h('p', null, `${wordsOf(values.name)} = ${textAt(values, probe.row * columns + probe.column)}`),
              h('p', null, `${wordsOf(x.name)} = ${textAt(x, probe.column)}`),
              h('p', null, `${wordsOf(y.name)} = ${textAt(y, probe.row)}`),
              hasCuts && pinned === undefined ? h('p', { class: 'tip-hint' }, 'Click for the cuts through here') : null,
            ),
      ),
      h(ColourScale, { name: values.name, unit: values.unit, colours }),
    ),
    pinned === undefined
      ? null
      : h(FieldCuts, { sheet, range: colours.range, ...pinned, close: () => setPinned(undefined) }),
  );
}

const MOVES: Readonly<Record<string, readonly [right: number, up: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowDown: [0, -1],
  ArrowUp: [0, 1],
};

const within = (index: number, count: number) => Math.min(count - 1, Math.max(0, index));

function textAt({ unit, data }: Coordinate, index: number): string {
  const value = data[index] ?? Number.NaN;
  return Number.isNaN(value) ? 'outside' : withUnit(formatRounded(value, 6), unit);
}

/** The number of each cell, where a map has so few that they can be read. */
function WrittenValues({ sheet: { x, y, values }, across, up }: { sheet: Sheet; across: Scale; up: Scale }) {
  const columns = x.data.length;
  return Array.from(values.data, (value, i) =>
    h(
      'text',
      {
        key: i,
        class: 'map-number',
        x: across.at(x.data[i % columns] ?? 0),
        y: up.at(y.data[Math.floor(i / columns)] ?? 0) + 4,
        'text-anchor': 'middle',
      },
      formatRounded(value, WRITTEN_DIGITS),
    ),
  );
}

/** Half a cell on both sides, so that the middle of a pixel lies on its node. */
function axisOf({ name, unit, data }: Coordinate) {
  const [first, last] = [data[0] ?? 0, data[data.length - 1] ?? 0];
  const half = data.length > 1 ? (last - first) / (data.length - 1) / 2 : 0.5;
  const isCounted = data.length <= MAX_WRITTEN && Array.from(data).every(Number.isInteger);
  return {
    name,
    unit,
    range: [first - half, last + half] as const,
    ...(isCounted ? { ticks: Array.from(data, (value) => ({ value, text: formatExact(value) })) } : {}),
  };
}

/** The index of the node nearest to a place on the map. */
function cellOf(place: number, data: ArrayLike<number>): number | undefined {
  const [first, last] = [data[0] ?? 0, data[data.length - 1] ?? 0];
  const index = data.length > 1 ? Math.round(((place - first) / (last - first)) * (data.length - 1)) : 0;
  return index >= 0 && index < data.length ? index : undefined;
}

/** The drawing that gives the map its aspect; wide windows do not make it higher than half of them. */
function sizeOf(axes: Parameters<typeof layoutOf>[0], width: number, aspect: number) {
  const { frame } = layoutOf(axes, { width: Math.max(width, 200), height: MAX_HEIGHT });
  const [across, down] = [frame.left + Math.max(width, 200) - frame.right, MAX_HEIGHT - (frame.bottom - frame.top)];
  const maxWidth = MAX_HEIGHT * aspect + across;
  const mapWidth = Math.max(40, Math.min(width, maxWidth) - across);
  return { width: mapWidth + across, height: mapWidth / aspect + down, maxWidth };
}
