// Reads a table of numbers: a line of column names, then a row a line. Columns are separated by commas, semicolons, tabs or
// spaces; empty lines and lines that begin with # are left out.

import { validationError } from '../parts/errors.ts';

export interface Columns {
  readonly names: readonly string[];
  readonly rows: readonly (readonly number[])[];
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i;
const MAX_ROWS = 20_000;
const MAX_COLUMNS = 20;
const RESERVED = new Set(['and', 'or', 'not', 'true', 'false', 'pi', 'sum']);

const malformed = (line: number, message: string, facts: Readonly<Record<string, unknown>> = {}) =>
  validationError('data', `data, line ${line}: ${message}`, 'MALFORMED_DATA', { line, ...facts });

const quote = (text: string) => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);

/** @throws DomainError VALIDATION_FAILED, which names line and column */
export function parseColumns(text: string): Columns {
  let names: readonly string[] | undefined;
  const rows: number[][] = [];
  for (const [i, raw] of text.split(/\r\n|\n|\r/).entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    const cells = line.split(/\s*[,;\t]\s*|\s+/);
    if (names === undefined) names = headOf(cells, i + 1);
    else rows.push(rowOf(cells, names, i + 1));
    if (rows.length > MAX_ROWS) throw malformed(i + 1, `more than ${MAX_ROWS} rows.`);
  }
  if (names === undefined) throw validationError('data', 'data is empty; expected column names, then rows.', 'MISSING');
  return { names, rows };
}

function headOf(cells: readonly string[], line: number): readonly string[] {
  if (cells.every((cell) => NUMBER.test(cell)))
    throw malformed(line, `got ${quote(cells[0] ?? '')}; expected the names of the columns first, as t, y.`);
  if (cells.length > MAX_COLUMNS)
    throw malformed(line, `got ${cells.length} columns; expected at most ${MAX_COLUMNS}.`);
  for (const [k, cell] of cells.entries()) {
    if (!NAME.test(cell) || RESERVED.has(cell))
      throw malformed(line, `got ${quote(cell)} as the name of column ${k + 1}; expected letters, digits and _.`);
    if (cells.indexOf(cell) < k) throw malformed(line, `the name ${cell} stands twice.`);
  }
  return cells;
}

function rowOf(cells: readonly string[], names: readonly string[], line: number): number[] {
  if (cells.length !== names.length)
    throw malformed(line, `got ${cells.length} columns; expected ${names.length}: ${names.join(', ')}.`);
  return cells.map((cell, k) => {
    const value = NUMBER.test(cell) ? Number(cell) : Number.NaN;
    if (Number.isFinite(value)) return value;
    throw malformed(line, `got ${quote(cell)} in column ${names[k]}; expected a number.`, { column: names[k] });
  });
}
