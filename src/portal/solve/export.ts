// A solution as files: tables as CSV (RFC 4180), everything as JSON.

import type { Field, Solution } from '../../solvers/solver.ts';

export interface Table {
  readonly name: string;
  readonly columns: readonly { readonly head: string; readonly data: ArrayLike<number> }[];
}

/** The histories, and every family of curves over one coordinate. */
export function tablesOf({ series, fields, plots }: Solution): Table[] {
  const tables: Table[] = [];
  if (series.length > 0) tables.push({ name: 'series', columns: series.map(column) });
  for (const { x: coordinate, y } of plots) {
    const x = fields.find(({ name, shape }) => name === coordinate && shape.length === 1);
    const length = x?.data.length ?? 0;
    const curves = fields.filter(({ name, shape }) => y.includes(name) && shape.length <= 2 && shape.at(-1) === length);
    if (!x || curves.length === 0) continue;
    tables.push({ name: curves.map(({ name }) => name).join('-'), columns: [column(x), ...curves.flatMap(rowsOf)] });
  }
  return tables;
}

const column = ({ name, unit, data }: Field) => ({ head: unit === '1' ? name : `${name} [${unit}]`, data });

/** A field of shape [k, n] is k columns. */
function rowsOf(field: Field) {
  const length = field.shape.at(-1) ?? 0;
  if (field.shape.length === 1) return [column(field)];
  return Array.from({ length: field.shape[0] ?? 0 }, (_, k) => {
    const data = field.data.subarray(k * length, (k + 1) * length);
    return column({ ...field, name: `${field.name}_${k}`, data });
  });
}

/** Numbers in full, so that reading them back gives the same bits. */
export function toCsv({ columns }: Table): string {
  const rows = Math.max(0, ...columns.map(({ data }) => data.length));
  const lines = [columns.map(({ head }) => quoted(head)).join(',')];
  for (let row = 0; row < rows; row++) lines.push(columns.map(({ data }) => String(data[row] ?? '')).join(','));
  return `${lines.join('\r\n')}\r\n`;
}

const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

export function toJson(value: unknown): string {
  const plain = (_: string, one: unknown) => (one instanceof Float64Array ? [...one] : one);
  return `${JSON.stringify(value, plain, 2)}\n`;
}

/** Hands a file to the visitor. */
export function download(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
