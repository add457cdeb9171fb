// Fields as files: a sheet of CSV with its coordinates, and NumPy's NPY with every frame.
//
// NPY format 1.0: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html.

import type { Field } from '../../solvers/definition.ts';
import type { NumberFormat } from './save-menu.ts';
import type { Coordinate, Sheet } from './sheet.ts';

/** The formats of a field: the sheet on the screen, and the whole array. */
export const fieldFormats = (sheet: Sheet, field: Field): NumberFormat[] => [
  { label: 'CSV', extension: 'csv', type: 'text/csv', content: () => sheetCsv(sheet) },
  { label: 'NPY', extension: 'npy', type: 'application/octet-stream', content: () => npyOf(field) },
];

/** One line for each y, with x along the first line; all digits. */
function sheetCsv({ x, y, values }: Sheet): string {
  const header = (axis: Coordinate) => (axis.unit === '1' ? axis.name : `${axis.name} [${axis.unit}]`);
  const columns = x.data.length;
  const corner = `${header(values)} over ${header(y)} down and ${header(x)} across`;
  const lines = [[corner, ...Array.from(x.data)].join(',')];
  for (let row = 0; row < y.data.length; row++) {
    const cells = Array.from({ length: columns }, (_, column) => values.data[row * columns + column] ?? Number.NaN);
    lines.push([y.data[row], ...cells].join(','));
  }
  return `${lines.join('\r\n')}\r\n`;
}

/** Little-endian doubles in C order. */
function npyOf({ shape, data }: Pick<Field, 'shape' | 'data'>): ArrayBuffer {
  const dimensions = shape.length === 1 ? `${shape[0]},` : shape.join(', ');
  const dictionary = `{'descr': '<f8', 'fortran_order': False, 'shape': (${dimensions}), }`;
  const prefix = 10;
  // Magic, lengths and header together fill whole units of 64 bytes.
  const headerLength = Math.ceil((prefix + dictionary.length + 1) / 64) * 64 - prefix;
  const file = new ArrayBuffer(prefix + headerLength + 8 * data.length);
  const bytes = new Uint8Array(file);
  const view = new DataView(file);
  bytes.set([0x93, ...new TextEncoder().encode('NUMPY'), 1, 0]);
  view.setUint16(8, headerLength, true);
  bytes.set(new TextEncoder().encode(`${dictionary.padEnd(headerLength - 1)}\n`), prefix);
  for (let i = 0; i < data.length; i++) view.setFloat64(prefix + headerLength + 8 * i, data[i] ?? 0, true);
  return file;
}
