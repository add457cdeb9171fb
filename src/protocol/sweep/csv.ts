// The table of a sweep as comma-separated values (RFC 4180): a header with units, a row for each point.

import { csvCell } from '../../core/csv.ts';
import type { RowRange } from '../../solvers/table.ts';
import type { TableResult } from './table-result.ts';

/**
 * @param data  the numbers of the table, row-major; NaN is an empty cell
 * @returns lines that end with a line feed; the last column says why a row has no value, or that it did not converge
 */
export function tableCsv(
  { columns, units, refused, unconverged }: Pick<TableResult, 'columns' | 'units' | 'refused' | 'unconverged'>,
  data: Float64Array,
): string {
  const width = columns.length;
  const status = new Map<number, string>();
  const mark = ({ from, to }: RowRange, text: string) => {
    for (let row = from; row <= to; row++) status.set(row, text);
  };
  for (const range of unconverged) mark(range, 'not converged');
  for (const range of refused) mark(range, range.code);
  const header = columns.map((name, at) => csvCell(units[at] === '1' ? name : `${name} [${units[at]}]`));
  const lines = [[...header, 'status'].join(',')];
  for (let row = 0; row * width < data.length; row++) {
    const numbers = Array.from(data.subarray(row * width, (row + 1) * width), (value) =>
      Number.isNaN(value) ? '' : String(value),
    );
    lines.push([...numbers, status.get(row) ?? ''].join(','));
  }
  return `${lines.join('\n')}\n`;
}
