// Plots of any kind as text: charts of dots, shaded maps, bars and tables. Where text shows too little, one line says
// what there is.

import type { Field } from '../solvers/definition.ts';
import {
  eventsOf,
  getArray,
  type NamedEvent,
  type Plot,
  type PlotKind,
  type PlotOf,
  withoutRoundOff,
} from '../solvers/plot.ts';
import { nodeCount, plotFault } from '../solvers/plot-fault.ts';
import { inWords } from '../solvers/plot-words.ts';
import { brailleChart, type Curve, formatNumber } from './braille-chart.ts';

type Arrays = readonly Field[];

/** Cells of a chart and of a bar where no terminal says its columns, and their bounds where one does. */
const CHART = { cells: 60, min: 24, max: 120 };
const BAR = { cells: 40, min: 10, max: 80 };
/** Columns beside the cells of a chart: the number on its axis, the axis, and one more, which some terminals wrap at. */
const CHART_MARGIN = 14;
/** Of a bar, besides its label. */
const BAR_MARGIN = 15;
const MAP_ROWS = 16;
/** Rows of a table, bars or bins; more would scroll the value away. */
const MAX_ROWS = 24;
/** Times of events of one name. */
const MAX_EVENTS = 6;
const SHADES = ' ░▒▓█';

/**
 * The lines of a plot; a plot that cannot be drawn is one line that says why.
 *
 * @param columns  of the terminal; undefined for a file or a pipe
 */
export function plotLines(plot: Plot, arrays: Arrays, columns?: number): string[] {
  const fault = plotFault(plot, arrays);
  if (fault !== undefined) return [`${plot.title}: ${fault}`];
  const shown = inWords(plot, arrays);
  return draw(shown.plot, shown.arrays, columns);
}

type Columns = number | undefined;

const cellsIn = (columns: Columns, margin: number, { cells, min, max }: typeof CHART): number =>
  columns === undefined ? cells : Math.min(max, Math.max(min, columns - margin));

/** One line on a plot that is not drawn: its kind and its arrays with their ranges. */
export function plotSummary(plot: Plot, arrays: Arrays): string {
  const fault = plotFault(plot, arrays);
  const shown = inWords(plot, arrays);
  return `${plot.title} (${plot.kind}): ${fault ?? SUMMARIES[plot.kind](shown.plot as never, shown.arrays)}`;
}

const nameWithUnit = ({ name, unit }: Field) => (unit === '1' ? name : `${name} [${unit}]`);

function rangeOf({ data }: Field): readonly [number, number] {
  const finite = data.filter((value) => Number.isFinite(value));
  return [finite.reduce((a, b) => Math.min(a, b), Infinity), finite.reduce((a, b) => Math.max(a, b), -Infinity)];
}

function rangeText(field: Field): string {
  const [min, max] = rangeOf(field);
  if (min > max) return `${field.name} without a finite number`;
  const unit = field.unit === '1' ? '' : ` ${field.unit}`;
  return `${field.name} from ${formatNumber(min)} to ${formatNumber(max)}${unit}`;
}

const timeText = (time: string | undefined, arrays: Arrays) =>
  time === undefined ? '' : `, ${rangeText(getArray(arrays, time))}`;

const SUMMARIES: { readonly [Kind in PlotKind]: (plot: PlotOf<Kind>, arrays: Arrays) => string } = {
  line: ({ x, y, time }, arrays) =>
    [...y.map((name) => rangeText(getArray(arrays, name))), `over ${rangeText(getArray(arrays, x))}`].join(', ') +
    timeText(time, arrays),
  field: ({ x, y, time, values }, arrays) =>
    [values, x, ...(y === undefined ? [] : [y])].map((name) => rangeText(getArray(arrays, name))).join(', ') +
    timeText(time, arrays),
  particles: ({ positions, box, time }, arrays) => {
    const { shape } = getArray(arrays, positions);
    const { data: edges, unit } = getArray(arrays, box);
    const size = [...edges].map(formatNumber).join(' × ');
    return `${shape.at(-2)} particles in a box of ${size}${unit === '1' ? '' : ` ${unit}`}${timeText(time, arrays)}`;
  },
  levels: ({ levels }, arrays) =>
    `${getArray(arrays, levels).data.length} levels, ${rangeText(getArray(arrays, levels))}`,
  phase: ({ x, y }, arrays) => [x, y].map((name) => rangeText(getArray(arrays, name))).join(', '),
  histogram: ({ edges, counts }, arrays) =>
    `${getArray(arrays, counts).data.length} bins, ${[edges, counts].map((name) => rangeText(getArray(arrays, name))).join(', ')}`,
  bars: ({ y }, arrays) => y.map((name) => rangeText(getArray(arrays, name))).join(', '),
  network: (plot, arrays) => {
    const ranges = [plot.values, plot.flows, plot.loads].flatMap((name) =>
      name === undefined ? [] : [`, ${rangeText(getArray(arrays, name))}`],
    );
    return `${nodeCount(plot, arrays)} nodes, ${getArray(arrays, plot.edges).shape[0]} edges${ranges.join('')}`;
  },
  table: ({ columns }, arrays) =>
    `${getArray(arrays, columns[0] ?? '').data.length} rows of ${columns.map((name) => nameWithUnit(getArray(arrays, name))).join(', ')}`,
};

function draw(plot: Plot, arrays: Arrays, columns: Columns): string[] {
  const width = cellsIn(columns, CHART_MARGIN, CHART);
  switch (plot.kind) {
    case 'line':
      return drawLines(plot, arrays, width);
    case 'field':
      return drawField(plot, arrays, width);
    case 'levels':
      return drawLevels(plot, arrays, width);
    case 'phase':
      return drawPhase(plot, arrays, width);
    case 'histogram':
      return drawHistogram(plot, arrays, columns);
    case 'bars':
      return drawBars(plot, arrays, columns);
    case 'table':
      return drawTable(plot, arrays);
    case 'particles':
    case 'network':
      return [plotSummary(plot, arrays)];
  }
}

/** The rows of an array of shape [k, n]; an array of shape [n] is one row. */
function rowsOf({ data, shape }: Field): Float64Array[] {
  const n = shape.at(-1) ?? 0;
  return Array.from({ length: data.length / n }, (_, row) => data.subarray(row * n, (row + 1) * n));
}

/** All curves; of curves that move, the last ones. */
function drawLines(
  { title, x, y, time, band, roundOff, events }: PlotOf<'line'>,
  arrays: Arrays,
  width: number,
): string[] {
  const names = [...y, ...(band ?? [])];
  const [axis, fields] = [getArray(arrays, x), names.map((name) => withoutRoundOff(getArray(arrays, name), roundOff))];
  const curves = fields.flatMap((field) => (time === undefined ? rowsOf(field) : rowsOf(field).slice(-1)));
  const unit = fields[0]?.unit ?? '1';
  const chart = brailleChart(
    curves.map((data): Curve => ({ x: axis.data, y: data })),
    {
      title,
      width,
      xLabel: nameWithUnit(axis),
      yLabel: `${fields.map(({ name }) => name).join(', ')}${unit === '1' ? '' : ` [${unit}]`}${lastText(time, arrays)}`,
    },
  );
  return [...chart, ...eventLines(eventsOf(events, arrays), axis)];
}

/** One line for each name, with the times of its first events. */
function eventLines(events: readonly NamedEvent[], { name: x, unit }: Field): string[] {
  return [...new Set(events.map(({ name }) => name))].map((name) => {
    const times = events.filter((event) => event.name === name).map(({ at }) => formatNumber(at));
    const more = times.length > MAX_EVENTS ? ` … (${times.length} in all)` : '';
    return `${name}: ${x} = ${times.slice(0, MAX_EVENTS).join(', ')}${unit === '1' ? '' : ` ${unit}`}${more}`;
  });
}

function lastText(time: string | undefined, arrays: Arrays): string {
  if (time === undefined) return '';
  const { name, data, unit } = getArray(arrays, time);
  return `, at ${name} = ${formatNumber(data.at(-1) ?? 0)}${unit === '1' ? '' : ` ${unit}`}`;
}

/** The last frame of a rectangle, or a line over time, which runs upwards; each cell shows the nearest value. */
function drawField({ title, x, y, time, values }: PlotOf<'field'>, arrays: Arrays, maxWidth: number): string[] {
  const field = getArray(arrays, values);
  const columns = getArray(arrays, x).data.length;
  const rows = y === undefined ? field.data.length / columns : getArray(arrays, y).data.length;
  const frame = field.data.subarray(field.data.length - rows * columns);
  const [min, max] = rangeOf(field);
  const [width, height] = [Math.min(maxWidth, columns), Math.min(MAP_ROWS, rows)];
  const nearest = (cell: number, cells: number, count: number) => Math.floor(((cell + 0.5) * count) / cells);
  const shadeAt = (row: number, column: number) => {
    const value = frame[nearest(row, height, rows) * columns + nearest(column, width, columns)] ?? min;
    const share = max > min ? (value - min) / (max - min) : 0;
    return Number.isFinite(share)
      ? (SHADES[Math.min(SHADES.length - 1, Math.floor(share * SHADES.length))] ?? ' ')
      : '?';
  };
  const upwards = y ?? time;
  const lines = Array.from({ length: height }, (_, i) =>
    Array.from({ length: width }, (__, column) => shadeAt(height - 1 - i, column)).join(''),
  );
  return [
    `${title}   (${rangeText(field)}, from "${SHADES[0]}" to "${SHADES.at(-1)}"${y === undefined ? '' : lastText(time, arrays)})`,
    ...lines.map((line) => ` │${line}`),
    ` └${'─'.repeat(width)}`,
    `  to the right ${rangeText(getArray(arrays, x))}${upwards === undefined ? '' : `; upwards ${rangeText(getArray(arrays, upwards))}`}`,
  ];
}

/** The potential, cut at its levels, with the levels as dotted lines. */
function drawLevels({ title, x, potential, levels }: PlotOf<'levels'>, arrays: Arrays, width: number): string[] {
  const [axis, V, E] = [getArray(arrays, x), getArray(arrays, potential), getArray(arrays, levels)];
  const [lowest, highest] = rangeOf(E);
  const margin = 0.3 * (highest - lowest || Math.abs(highest - rangeOf(V)[0]) || 1);
  const [bottom, top] = [Math.max(rangeOf(V)[0], lowest - 3 * margin), highest + margin];
  const inside = V.data.map((value) => (value >= bottom && value <= top ? value : Number.NaN));
  const dots = Float64Array.from(
    { length: Math.floor(width / 2) },
    (_, i) => axis.data[Math.floor((2 * i * axis.data.length) / width)] ?? 0,
  );
  const dotted = Array.from(E.data, (energy): Curve => ({ x: dots, y: dots.map(() => energy), isScattered: true }));
  return brailleChart([{ x: axis.data, y: inside, isScattered: true }, ...dotted], {
    title,
    width,
    xLabel: nameWithUnit(axis),
    yLabel: `${V.name}, ${nameWithUnit(E)}`,
  });
}

function drawPhase({ title, x, y, marks }: PlotOf<'phase'>, arrays: Arrays, width: number): string[] {
  const [across, up] = [getArray(arrays, x), getArray(arrays, y)];
  const rows = rowsOf(up);
  const curves = rowsOf(across).map(
    (data, k): Curve => ({ x: data, y: rows[k] ?? new Float64Array(), isScattered: marks === 'points' }),
  );
  return brailleChart(curves, { title, width, xLabel: nameWithUnit(across), yLabel: nameWithUnit(up), height: 16 });
}

/** Bars from zero on one scale; negative values run to the left of the line. */
function barLines(
  bars: readonly { readonly label: string; readonly value: number }[],
  columns: Columns,
): readonly string[] {
  const labelWidth = Math.max(...bars.map(({ label }) => label.length));
  const [min, max] = barRange(bars.map(({ value }) => value));
  const scale = cellsIn(columns, labelWidth + BAR_MARGIN, BAR) / (max - min || 1);
  const left = Math.round(-min * scale);
  return bars.map(({ label, value }) => {
    const length = Math.round(Math.abs(value) * scale) || 0;
    const negative = value < 0 ? '█'.repeat(length).padStart(left) : ' '.repeat(left);
    return `${label.padStart(labelWidth)} ${negative}│${value > 0 ? '█'.repeat(length) : ''} ${formatNumber(value)}`;
  });
}

/** The range of bars, which includes zero. */
const barRange = (values: readonly number[]): readonly [number, number] => [
  values.reduce((a, b) => Math.min(a, b), 0),
  values.reduce((a, b) => Math.max(a, b), 0),
];

/** Neighbouring bins are joined until they fit. */
function drawHistogram({ title, edges, counts }: PlotOf<'histogram'>, arrays: Arrays, columns: Columns): string[] {
  const [edge, count] = [getArray(arrays, edges), getArray(arrays, counts)];
  const n = count.data.length;
  const joined = Math.ceil(n / MAX_ROWS);
  const bins = Array.from({ length: Math.ceil(n / joined) }, (_, bin) => {
    const [from, to] = [bin * joined, Math.min(n, (bin + 1) * joined)];
    const label = `${formatNumber(edge.data[from] ?? 0)} … ${formatNumber(edge.data[to] ?? 0)}`;
    return { label, value: count.data.subarray(from, to).reduce((sum, one) => sum + one, 0) };
  });
  const note = joined > 1 ? `, ${joined} bins a row, summed` : '';
  return [`${title}   (${nameWithUnit(count)} over ${nameWithUnit(edge)}${note})`, ...barLines(bins, columns)];
}

function drawBars({ title, y, x, labels, limit }: PlotOf<'bars'>, arrays: Arrays, columns: Columns): string[] {
  const fields = y.map((name) => getArray(arrays, name));
  const n = fields[0]?.data.length ?? 0;
  const category = (i: number) => labels?.[i] ?? formatNumber(x === undefined ? i : (getArray(arrays, x).data[i] ?? i));
  const bars = Array.from({ length: n }, (_, i) =>
    fields.map(({ name, data }) => ({
      label: fields.length === 1 ? category(i) : `${category(i)} ${name}`,
      value: data[i] ?? 0,
    })),
  ).flat();
  const shown = bars.slice(0, MAX_ROWS);
  return [
    `${title}   (${fields.map(nameWithUnit).join(', ')})`,
    ...barLines(shown, columns),
    ...(limit === undefined ? [] : [`±: ${rangeText(getArray(arrays, limit))}`]),
    ...moreText(bars.length - shown.length, 'bars'),
  ];
}

const moreText = (count: number, noun: string) => (count > 0 ? [`… ${count} more ${noun}`] : []);

function drawTable({ title, columns, labels }: PlotOf<'table'>, arrays: Arrays): string[] {
  const fields = columns.map((name) => getArray(arrays, name));
  const n = fields[0]?.data.length ?? 0;
  const indices = Array.from({ length: Math.min(n, MAX_ROWS) }, (_, row) => row);
  const texts = [
    ...(labels === undefined ? [] : [['', ...indices.map((row) => labels[row] ?? '')]]),
    ...fields.map((field) => [
      nameWithUnit(field),
      ...indices.map((row) => String(Number((field.data[row] ?? 0).toPrecision(8)))),
    ]),
  ];
  const widths = texts.map((column) => Math.max(...column.map((cell) => cell.length)));
  const line = (row: number) => texts.map((column, k) => (column[row] ?? '').padStart(widths[k] ?? 0)).join('  ');
  return [title, line(0), ...indices.map((row) => line(row + 1)), ...moreText(n - indices.length, 'rows')];
}
