// The arrays of a solution as tables, and a table as comma-separated values (RFC 4180).

import { csvCell } from '../core/csv.ts';
import type { Field, Solution } from '../solvers/definition.ts';
import type { Plot } from '../solvers/plot.ts';

export interface Table {
  readonly name: string;
  readonly columns: readonly { readonly header: string; readonly data: ArrayLike<number> }[];
}

/** One table of all series, and one for each family of curves over a coordinate. */
export function tablesOf({ series, fields, plots }: Pick<Solution, 'series' | 'fields' | 'plots'>): Table[] {
  const tables: Table[] = [];
  if (series.length > 0) tables.push({ name: 'series', columns: series.map(column) });
  for (const { x: coordinate, y } of plots.flatMap(familyOf)) {
    const x = fields.find(({ name, shape }) => name === coordinate && shape.length === 1);
    const length = x?.data.length ?? 0;
    const curves = fields.filter(({ name, shape }) => y.includes(name) && shape.length <= 2 && shape.at(-1) === length);
    if (!x || curves.length === 0) continue;
    tables.push({ name: curves.map(({ name }) => name).join('-'), columns: [column(x), ...curves.flatMap(columnsOf)] });
  }
  return tables;
}

/** The curves of a plot over a coordinate. */
function familyOf(plot: Plot): readonly { readonly x: string; readonly y: readonly string[] }[] {
  switch (plot.kind) {
    case 'line':
      return [{ x: plot.x, y: [...plot.y, ...(plot.band ?? [])] }];
    case 'levels':
      return [{ x: plot.x, y: [plot.potential, plot.waves] }];
    case 'field':
      return plot.y === undefined ? [{ x: plot.x, y: [plot.values] }] : [];
    case 'table':
      return plot.columns.slice(0, 1).map((x) => ({ x, y: plot.columns.slice(1) }));
    default:
      return [];
  }
}

const column = ({ name, unit, data }: Field) => ({ header: unit === '1' ? name : `${name} [${unit}]`, data });

/** Splits a field of shape [k, n] into k columns. */
function columnsOf(field: Field) {
  const length = field.shape.at(-1) ?? 0;
  if (field.shape.length === 1) return [column(field)];
  return Array.from({ length: field.shape[0] ?? 0 }, (_, k) => {
    const data = field.data.subarray(k * length, (k + 1) * length);
    return column({ ...field, name: `${field.name}_${k}`, data });
  });
}

/** Writes all digits, so that parsing returns the same bits. */
export function toCsv({ columns }: Table): string {
  const rows = Math.max(0, ...columns.map(({ data }) => data.length));
  const lines = [columns.map(({ header }) => csvCell(header)).join(',')];
  for (let row = 0; row < rows; row++) lines.push(columns.map(({ data }) => String(data[row] ?? '')).join(','));
  return `${lines.join('\r\n')}\r\n`;
}
