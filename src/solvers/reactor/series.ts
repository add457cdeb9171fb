// Reads a series of times and numbers: "t, number" a line, separated by commas, semicolons, tabs or spaces. Lines that
// begin with # and a first line of words are left out.

import { validationError } from '../parts/errors.ts';

export interface Point {
  readonly t: number;
  readonly value: number;
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i;
const MAX_ROWS = 5_000;

interface Expected {
  /** Dotted path of the field. */
  readonly field: string;
  /** What the second column is. */
  readonly what: string;
  readonly isPositive: boolean;
}

/** @throws DomainError VALIDATION_FAILED, which names the line */
export function parseSeries(text: string, { field, what, isPositive }: Expected): readonly Point[] {
  const malformed = (line: number, message: string) =>
    validationError(field, `${field}, line ${line}: ${message}`, 'MALFORMED_SERIES', { line });
  const points: Point[] = [];
  let number = 0;
  let hasHead = false;
  for (const raw of text.split(/\r\n|\n|\r/)) {
    number++;
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    const cells = line.split(/\s*[,;\t]\s*|\s+/);
    if (points.length === 0 && !hasHead && cells.every((cell) => /^[^\d+.-]/.test(cell))) {
      hasHead = true;
      continue;
    }
    if (cells.length !== 2) throw malformed(number, `got ${cells.length} columns; expected t and ${what}.`);
    const [t, value] = cells.map((cell) => (NUMBER.test(cell) ? Number(cell) : Number.NaN)) as [number, number];
    if (!Number.isFinite(t)) throw malformed(number, `got ${quote(cells[0])}; expected a time in s.`);
    if (!Number.isFinite(value) || (isPositive && !(value > 0)))
      throw malformed(number, `got ${quote(cells[1])}; expected ${what}${isPositive ? ' above 0' : ''}.`);
    const before = points.at(-1);
    if (before !== undefined && !(t > before.t))
      throw malformed(number, `got t = ${t} after ${before.t}; times must increase.`);
    points.push({ t, value });
    if (points.length > MAX_ROWS) throw malformed(number, `more than ${MAX_ROWS} rows.`);
  }
  if (points.length < 2)
    throw validationError(field, `${field} has ${points.length} rows; expected 2 or more.`, 'TOO_FEW', { min: 2 });
  return points;
}

const quote = (text = '') => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
