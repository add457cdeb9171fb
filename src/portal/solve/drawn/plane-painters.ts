// Drawings in a plane: round spots, which a formula holds, and marked cells.

import { h } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { type FieldFunction, fieldFunction } from '../../../solvers/parts/field-expression.ts';
import { formatRounded, withUnit } from '../../kit/format.ts';
import { parseNumber } from '../../kit/parse-number.ts';
import { minMax } from '../../pictures/picture.ts';
import { type Place, PlanePainter } from './plane-painter.ts';
import {
  type Cells,
  cellsOfText,
  hasRoom,
  type Spot,
  type Spots,
  spotsOfText,
  textOfCells,
  textOfSpots,
} from './plane-text.ts';
import { DrawingChoice, DrawingNumber, type DrawingProps, DrawingTools, useHistory } from './tools.ts';

const TOOLS = ['paint', 'erase'] as const;
type Tool = (typeof TOOLS)[number];
const SIZES = ['small', 'medium', 'large'] as const;
type Size = (typeof SIZES)[number];
type Paint = Parameters<typeof PlanePainter>[0]['onPaint'];

/** Columns of what a plane of spots shows. */
const COLUMNS = 48;
/** Radius of a spot, in parts of the shorter side. */
const RADIUS: Readonly<Record<Size, number>> = { small: 0.05, medium: 0.1, large: 0.2 };

export function SpotsPainter({ label, unit, text, lengths: [lx = 1, ly = 1], onChange }: DrawingProps) {
  const [tool, setTool] = useState<Tool>('paint');
  const [size, setSize] = useState<Size>('medium');
  const [height, setHeight] = useState('1');
  const [stroke, setStroke] = useState<Spots | undefined>(undefined);
  const { commit, undo } = useHistory(text, onChange);
  const drawing = stroke ?? spotsOfText(text);
  const aspect = aspectOf(lx, ly);
  const rows = Math.max(8, Math.round(COLUMNS * aspect));
  const shown = textOfSpots(drawing);
  const value = useMemo(() => functionOf(shown), [shown]);
  const values = useMemo(
    () =>
      Float64Array.from({ length: COLUMNS * rows }, (_, i) =>
        value((lx * ((i % COLUMNS) + 0.5)) / COLUMNS, (ly * (Math.floor(i / COLUMNS) + 0.5)) / rows),
      ),
    [value, rows, lx, ly],
  );
  const [low, high] = minMax(values);
  const peak = parseNumber(height, { name: 'height', isWhole: false });
  const spotAt = ([across, up]: Place): Spot => ({
    height: 'value' in peak ? peak.value : 0,
    x: rounded(across * lx, lx),
    y: rounded(up * ly, ly),
    radius: RADIUS[size] * Math.min(lx, ly),
  });
  const paint: Paint = (place, isErasing, step) => {
    if (isErasing || tool === 'erase') {
      if (step === 'begin' || step === 'key') commit(textOfSpots(without(drawing, spotAt(place))));
      return;
    }
    if ('fault' in peak || peak.value === 0) return;
    const before = step === 'go' || step === 'end' ? drawing.spots.slice(0, -1) : drawing.spots;
    const next = { ...drawing, spots: [...before, spotAt(place)] };
    if (!hasRoom(next)) return;
    setStroke(step === 'begin' || step === 'go' ? next : undefined);
    if (step === 'end' || step === 'key') commit(textOfSpots(next));
  };
  const isFull = !hasRoom({ ...drawing, spots: [...drawing.spots, spotAt([1 / 3, 2 / 3])] });
  return [
    h(PlanePainter, {
      key: 'plane',
      ...{ label, aspect, columns: COLUMNS, rows, values },
      range: [Math.min(0, low), Math.max(0, high) || 1],
      describe: ([across, up]: Place) => withUnit(formatRounded(value(across * lx, up * ly), 3), unit),
      onPaint: paint,
    }),
    'fault' in peak
      ? h('p', { key: 'fault', class: 'field-fault', role: 'alert' }, peak.fault)
      : isFull
        ? h('p', { key: 'full', class: 'field-help', role: 'status' }, 'The formula has no room for another spot.')
        : null,
    h(
      DrawingTools,
      { key: 'tools', undo, clear: text === '' ? undefined : () => commit('') },
      h(DrawingChoice<Tool>, { label: 'tool', value: tool, options: TOOLS, onChange: setTool }),
      h(DrawingChoice<Size>, { label: 'size', value: size, options: SIZES, onChange: setSize }),
      h(DrawingNumber, { label: 'height', value: height, onChange: setHeight }),
    ),
  ];
}

/** Without the spot that is nearest to a place. */
function without({ base, spots }: Spots, { x, y }: Spot): Spots {
  const away = spots.map((spot) => Math.hypot(spot.x - x, spot.y - y));
  const nearest = away.indexOf(Math.min(...away));
  return { base, spots: spots.filter((_, i) => i !== nearest) };
}

/** Zero where a text is no formula. */
function functionOf(text: string): FieldFunction {
  try {
    return text === '' ? () => 0 : fieldFunction(text, 'text');
  } catch {
    return () => 0;
  }
}

/** Of columns of cells, and cells of a brush beside its middle. */
const CELL_COLUMNS = 32;
const BRUSH: Readonly<Record<Size, number>> = { small: 0, medium: 1, large: 2 };

export function CellsPainter({ label, text, lengths: [lx = 1, ly = 1], onChange }: DrawingProps) {
  const [tool, setTool] = useState<Tool>('paint');
  const [size, setSize] = useState<Size>('medium');
  const [stroke, setStroke] = useState<{ readonly cells: Cells; readonly from: Place } | undefined>(undefined);
  const { commit, undo } = useHistory(text, onChange);
  const aspect = aspectOf(lx, ly);
  const read = useMemo(() => cellsOfText(text), [text]);
  const cells = stroke?.cells ?? read ?? emptyCells(Math.max(4, Math.round(CELL_COLUMNS * aspect)));
  const { columns, rows, marks } = cells;
  const values = useMemo(
    () =>
      Float64Array.from({ length: columns * rows }, (_, i) =>
        marks[(rows - 1 - Math.floor(i / columns)) * columns + (i % columns)] ? 1 : 0,
      ),
    [marks, columns, rows],
  );
  const paint: Paint = (place, isErasing, step) => {
    const from = step === 'go' || step === 'end' ? (stroke?.from ?? place) : place;
    const next = brushed(cells, from, place, BRUSH[size], !(isErasing || tool === 'erase'));
    setStroke(step === 'begin' || step === 'go' ? { cells: next, from: place } : undefined);
    if (step === 'end' || step === 'key') commit(textOfCells(next));
  };
  return [
    h(PlanePainter, {
      key: 'plane',
      ...{ label, aspect, columns, rows, values },
      range: [0, 1],
      describe: (place: Place) => (marks[indexOf(cells, place)] ? 'painted' : 'empty'),
      onPaint: paint,
    }),
    read === undefined && text.trim() !== ''
      ? h(
          'p',
          { key: 'note', class: 'field-help' },
          'What the field says is not drawn in . and #; a painting replaces it.',
        )
      : null,
    h(
      DrawingTools,
      { key: 'tools', undo, clear: text === '' ? undefined : () => commit('') },
      h(DrawingChoice<Tool>, { label: 'tool', value: tool, options: TOOLS, onChange: setTool }),
      h(DrawingChoice<Size>, { label: 'size', value: size, options: SIZES, onChange: setSize }),
    ),
  ];
}

const emptyCells = (rows: number): Cells => ({
  columns: CELL_COLUMNS,
  rows,
  marks: Array.from({ length: CELL_COLUMNS * rows }, () => false),
});

const cellAt = ({ columns, rows }: Cells, [across, up]: Place): readonly [column: number, row: number] => [
  Math.min(columns - 1, Math.floor(across * columns)),
  Math.min(rows - 1, Math.floor((1 - up) * rows)),
];

function indexOf(cells: Cells, place: Place): number {
  const [column, row] = cellAt(cells, place);
  return row * cells.columns + column;
}

/** Marks a straight stroke. */
function brushed(cells: Cells, from: Place, to: Place, reach: number, isMarked: boolean): Cells {
  const { columns, rows } = cells;
  const marks = [...cells.marks];
  const [[x0, y0], [x1, y1]] = [cellAt(cells, from), cellAt(cells, to)];
  const steps = Math.max(1, Math.abs(x1 - x0), Math.abs(y1 - y0));
  for (let k = 0; k <= steps; k++) {
    const [x, y] = [x0 + Math.round((k * (x1 - x0)) / steps), y0 + Math.round((k * (y1 - y0)) / steps)];
    for (let row = Math.max(0, y - reach); row <= Math.min(rows - 1, y + reach); row++)
      for (let column = Math.max(0, x - reach); column <= Math.min(columns - 1, x + reach); column++)
        if (Math.hypot(column - x, row - y) <= reach + 0.5) marks[row * columns + column] = isMarked;
  }
  return { columns, rows, marks };
}

/** Height over width, so that a long plane can still be painted. */
const aspectOf = (lx: number, ly: number): number => Math.min(1.5, Math.max(0.25, ly / lx || 1));

/** A place with few digits: a thousandth of its side. */
const rounded = (place: number, length: number): number =>
  Number(((Math.round((1000 * place) / length) / 1000) * length).toPrecision(6));
