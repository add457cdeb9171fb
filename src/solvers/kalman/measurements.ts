// Reads a series of measurements: a row a line, one number a channel, or a time before them.
//
// Columns are separated by commas, semicolons, tabs or spaces; lines that begin with # and a first line of words are left
// out. NA, nan, null, -, ? or nothing is missing.

import { LIMITS } from '../../core/limits.ts';
import { validationError } from '../parts/errors.ts';

export interface Series {
  /** Rising times, if the rows have them. */
  readonly times?: readonly number[];
  /** Of each row: a number a channel; NaN is missing. */
  readonly values: readonly (readonly number[])[];
  readonly missing: number;
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i;
const MISSING = new Set(['', 'na', 'n/a', 'nan', 'null', 'none', '-', '?']);
const MAX_VALUE = 1e12;

const quote = (text: string) => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);

/** @param field  that the text is of. @throws DomainError VALIDATION_FAILED, which names the line */
export function readSeries(text: string, channels: number, field = 'measurements'): Series {
  const refuse = (line: number, message: string) =>
    validationError(field, `${field}, line ${line}: ${message}`, 'MALFORMED_SERIES', { line });
  const { rows: max } = LIMITS.kalman;
  const values: number[][] = [];
  const times: number[] = [];
  let missing = 0;
  let number = 0;
  let width = 0;
  let isFirst = true;
  for (const raw of linesOf(text)) {
    number++;
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    const cells = cellsOf(line);
    if (isFirst && cells.every((cell) => !NUMBER.test(cell) && !MISSING.has(cell.toLowerCase()))) {
      isFirst = false;
      continue;
    }
    isFirst = false;
    if (width === 0) width = cells.length;
    const isKnown = width === channels || width === channels + 1;
    if (cells.length !== width || !isKnown) throw refuse(number, widthMessage(cells.length, width, channels));
    if (values.length === max)
      throw refuse(number, `more than ${max} rows; give every second row, or parts of the series.`);
    if (width > channels) times.push(timeOf(cells[0] ?? '', times.at(-1), (message) => refuse(number, message)));
    const row = cells
      .slice(width - channels)
      .map((cell, i) => numberOf(cell, width - channels + i + 1, (message) => refuse(number, message)));
    missing += row.filter(Number.isNaN).length;
    values.push(row);
  }
  if (values.length === 0) throw validationError(field, `${field} has no row of numbers.`, 'EMPTY');
  if (missing === values.length * channels)
    throw validationError(field, `${field} has no number: every value is missing.`, 'EMPTY');
  return { values, missing, ...(times.length > 0 ? { times } : {}) };
}

/** Lines one by one, so that a long text is not copied before it is refused. */
function* linesOf(text: string): Generator<string> {
  let from = 0;
  while (from <= text.length) {
    const found = text.indexOf('\n', from);
    const end = found === -1 ? text.length : found;
    yield text.slice(from, end);
    from = end + 1;
  }
}

/** With a comma, semicolon or tab, an empty cell is a missing value. */
const cellsOf = (line: string): readonly string[] =>
  /[,;\t]/.test(line) ? line.split(/[,;\t]/).map((cell) => cell.trim()) : line.split(/\s+/);

function widthMessage(got: number, width: number, channels: number): string {
  const expected = `${channels} ${channels === 1 ? 'number' : 'numbers'}, or a time and ${channels}`;
  return width === got
    ? `got ${got} columns; expected ${expected}.`
    : `got ${got} columns; the rows before have ${width}.`;
}

type Refuse = (message: string) => Error;

function timeOf(cell: string, before: number | undefined, refuse: Refuse): number {
  const time = NUMBER.test(cell) ? Number(cell) : Number.NaN;
  if (!(Math.abs(time) <= MAX_VALUE)) throw refuse(`the time is ${quote(cell)}; expected a number.`);
  if (before !== undefined && !(time > before))
    throw refuse(`the time is ${quote(cell)}; expected one after ${before} of the row before.`);
  return time;
}

function numberOf(cell: string, column: number, refuse: Refuse): number {
  if (MISSING.has(cell.toLowerCase())) return Number.NaN;
  const value = NUMBER.test(cell) ? Number(cell) : Number.NaN;
  if (Math.abs(value) <= MAX_VALUE) return value;
  throw refuse(`column ${column} is ${quote(cell)}; expected a number up to ${MAX_VALUE} in magnitude, or NA.`);
}
