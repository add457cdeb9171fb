// Reads a matrix as people type it: a number, arrays of numbers, or text as "1 0.5; 0 1", a row a line, or [[1, 0.5], [0, 1]].

import { z } from 'zod';
import { multiLine } from '../../core/text-schema.ts';
import { validationError } from '../parts/errors.ts';
import type { Matrix } from './matrix.ts';

/** Characters of a matrix, and its rows and columns, at most. */
const MAX_CHARACTERS = 4_000;
const MAX_ROWS = 8;

const Row = z.array(z.number()).max(MAX_ROWS);
export const MatrixInput = z
  .union([multiLine(MAX_CHARACTERS), z.number(), z.array(z.union([z.number(), Row])).max(MAX_ROWS)])
  .optional();

export type MatrixGiven = z.output<typeof MatrixInput>;

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i;
const MAX_ELEMENT = 1e12;

const quote = (text: string) => JSON.stringify(text.length > 24 ? `${text.slice(0, 24)}…` : text);

const malformed = (field: string, message: string) =>
  validationError(field, `${field}: ${message}`, 'MALFORMED_MATRIX');

/** Rows of numbers; a plain array is a column, or a diagonal where `isDiagonal`. @throws DomainError VALIDATION_FAILED */
function rowsOf(field: string, given: NonNullable<MatrixGiven>): Matrix {
  if (typeof given === 'number') return [[given]];
  if (typeof given === 'string') return rowsOfText(field, given);
  return given.every((one) => typeof one === 'number')
    ? [given as readonly number[]]
    : given.map((row) => (typeof row === 'number' ? [row] : row));
}

function rowsOfText(field: string, text: string): Matrix {
  const plain = text.trim();
  // Brackets of rows as in JSON and Python; of a whole matrix as in MATLAB.
  const rows = plain
    .replace(/\]\s*[,;]?\s*\[/g, ';')
    .replace(/^[[\s]+|[\]\s]+$/g, '')
    .split(/[;\n\r]+/)
    .map((row) => row.trim())
    .filter((row) => row !== '');
  if (rows.length === 0) throw malformed(field, 'it is empty; expected numbers as "1 0.5; 0 1".');
  return rows.map((row, i) =>
    row.split(/\s*,\s*|\s+/).map((cell, j) => {
      const number = NUMBER.test(cell) ? Number(cell) : Number.NaN;
      if (Number.isNaN(number))
        throw malformed(field, `row ${i + 1}, column ${j + 1} is ${quote(cell)}, not a number.`);
      return number;
    }),
  );
}

export interface Shape {
  readonly rows: number;
  readonly columns: number;
}

const shapeWords = ({ rows, columns }: Shape) => `${rows} × ${columns}`;

/** A matrix of any shape up to 8 × 8, rows of one length, finite elements. @throws DomainError VALIDATION_FAILED */
export function readMatrix(field: string, given: NonNullable<MatrixGiven>): Matrix {
  const rows = rowsOf(field, given);
  const columns = rows[0]?.length ?? 0;
  if (rows.length === 0 || columns === 0) throw malformed(field, 'it is empty; expected numbers as "1 0.5; 0 1".');
  for (const [i, row] of rows.entries()) {
    if (row.length !== columns) throw malformed(field, `row ${i + 1} has ${row.length} numbers; row 1 has ${columns}.`);
    for (const [j, one] of row.entries())
      if (!(Math.abs(one) <= MAX_ELEMENT))
        throw malformed(
          field,
          `row ${i + 1}, column ${j + 1} is ${one}; expected at most ${MAX_ELEMENT} in magnitude.`,
        );
  }
  if (rows.length > MAX_ROWS || columns > MAX_ROWS)
    throw malformed(field, `it is ${shapeWords({ rows: rows.length, columns })}; at most 8 × 8 is allowed.`);
  return rows;
}

/** The same with a shape that other fields decide. */
export function readShaped(field: string, given: NonNullable<MatrixGiven>, shape: Shape, because: string): Matrix {
  const matrix = readMatrix(field, given);
  const got = { rows: matrix.length, columns: matrix[0]?.length ?? 0 };
  if (got.rows === shape.rows && got.columns === shape.columns) return matrix;
  const message = `${field} is ${shapeWords(got)}; expected ${shapeWords(shape)}, because ${because}.`;
  throw validationError(field, message, 'WRONG_SHAPE', { rows: shape.rows, columns: shape.columns });
}

/** A vector, as a row or as a column. */
export function readVector(field: string, given: NonNullable<MatrixGiven>, length: number, because: string) {
  const matrix = readMatrix(field, given);
  const values = matrix.flat();
  const isVector = matrix.length === 1 || (matrix[0]?.length ?? 0) === 1;
  if (isVector && values.length === length) return values;
  const message = `${field} has ${values.length} numbers; expected ${length}, because ${because}.`;
  throw validationError(field, message, 'WRONG_SHAPE', { length });
}
