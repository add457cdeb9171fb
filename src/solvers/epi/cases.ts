// Reads a series of counts: a count a line, or a day and a count, with days as numbers or as dates.
//
// Columns are separated by commas, semicolons, tabs or spaces; lines that begin with # and a first line of words are left
// out. An empty count, NA, nan, - or ? is missing.

import { LIMITS } from '../../core/limits.ts';
import { validationError } from '../parts/errors.ts';

export interface Case {
  /** Days since the start of the run. */
  readonly day: number;
  /** Missing if the line has none. */
  readonly count?: number;
}

export interface Cases {
  readonly rows: readonly Case[];
  /** The usual distance of two rows, in days: what a count of new cases is about. */
  readonly step: number;
  readonly missing: number;
}

const NUMBER = /^[+]?\d+(\.\d*)?(e[+-]?\d{1,3})?$/i;
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const MISSING = new Set(['', 'na', 'nan', '-', '?', 'null']);
const MAX_COUNT = 1e12;

const malformed = (line: number, message: string) =>
  validationError('cases', `cases, line ${line}: ${message}`, 'MALFORMED_CASES', { line });

const quote = (text: string) => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);

/** @throws DomainError VALIDATION_FAILED, which names the line */
export function parseCases(text: string): Cases {
  const rows: Case[] = [];
  let number = 0;
  let firstDate: number | undefined;
  let columns = 0;
  for (const raw of text.split(/\r\n|\n|\r/)) {
    number++;
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    const cells = line.split(/\s*[,;\t]\s*|\s+/);
    if (rows.length === 0 && columns === 0 && cells.every((cell) => !isValue(cell))) continue;
    columns ||= cells.length;
    if (cells.length !== columns || columns > 2) {
      throw malformed(number, `got ${cells.length} columns; expected a count, or a day and a count, in every line.`);
    }
    const [first = '', second = ''] = cells;
    const date = columns === 2 ? dateOf(first) : undefined;
    firstDate ??= date;
    // The first date is day 1: its cases are those of the first day of the run.
    const day =
      columns === 1 ? rows.length + 1 : date === undefined ? dayOf(first, number) : date - (firstDate ?? date) + 1;
    if (columns === 2 && (date === undefined) !== (firstDate === undefined))
      throw malformed(number, `got ${quote(first)}; expected days as in the lines before: all dates, or all numbers.`);
    const before = rows.at(-1);
    if (before !== undefined && !(day > before.day))
      throw malformed(number, `got ${quote(first)}; expected a day after the one of the line before.`);
    const count = countOf(columns === 1 ? first : second, number);
    rows.push(count === undefined ? { day } : { day, count });
    const { rows: max } = LIMITS.epi;
    if (rows.length > max) throw malformed(number, `more than ${max} rows; add up the cases of several days.`);
  }
  const missing = rows.filter(({ count }) => count === undefined).length;
  if (rows.length - missing < 3)
    throw validationError('cases', `cases has ${rows.length - missing} counts; a fit needs 3 or more.`, 'TOO_FEW');
  if (rows.every(({ count = 0 }) => count === 0))
    throw validationError('cases', 'cases has no case: every count is 0.', 'NO_CASES');
  return { rows, step: usualStep(rows), missing };
}

const isValue = (cell: string) => NUMBER.test(cell) || DATE.test(cell) || MISSING.has(cell.toLowerCase());

function dayOf(cell: string, line: number): number {
  const day = NUMBER.test(cell) ? Number(cell) : Number.NaN;
  if (day <= 1e5) return day;
  throw malformed(line, `got ${quote(cell)}; expected a day from 0 to 100000, or a date as 2020-03-01.`);
}

function countOf(cell: string, line: number): number | undefined {
  if (MISSING.has(cell.toLowerCase())) return undefined;
  const count = NUMBER.test(cell) ? Number(cell) : Number.NaN;
  if (count <= MAX_COUNT) return count;
  throw malformed(line, `got ${quote(cell)}; expected a count from 0 to ${MAX_COUNT}, or NA.`);
}

/** Days since 0000-03-01 of a date of the Gregorian calendar; undefined if it is none. */
function dateOf(cell: string): number | undefined {
  const [, y, m, d] = DATE.exec(cell) ?? [];
  if (y === undefined) return undefined;
  const [year, month, day] = [Number(y), Number(m), Number(d)];
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  if (!(day >= 1 && day <= (lengths[month - 1] ?? 0))) return undefined;
  const shifted = month > 2 ? year : year - 1;
  const fromMarch = (month + 9) % 12;
  const ofYear = Math.floor((153 * fromMarch + 2) / 5) + day - 1;
  return 365 * shifted + Math.floor(shifted / 4) - Math.floor(shifted / 100) + Math.floor(shifted / 400) + ofYear;
}

/** The median of the distances. */
function usualStep(rows: readonly Case[]): number {
  const steps = rows.slice(1).map(({ day }, i) => day - (rows[i]?.day ?? 0));
  steps.sort((a, b) => a - b);
  return steps[steps.length >> 1] ?? 1;
}
