// The table of a sweep in an envelope: rows inline, as bytes, or by link, and always with the hash that the seal covers.

import { fromBase64, fromLittleEndianF64 } from '../../core/bits.ts';
import { LIMITS } from '../../core/limits.ts';
import { isRecord } from '../../core/record.ts';
import type { KernelRun } from '../../kernels/abi.ts';
import type { Table } from '../../solvers/table.ts';
import { arraySha256 } from '../array-digest.ts';

/** Rows that stand for all: the first and last with a value, and those with the smallest and largest value. */
export interface Outline {
  readonly first: readonly number[];
  readonly last: readonly number[];
  readonly min: readonly number[];
  readonly max: readonly number[];
}

export interface TableResult extends Omit<Table, 'data'> {
  /** Rows and columns. */
  readonly shape: readonly number[];
  /** SHA-256 of the numbers as little-endian f64, row-major; null is NaN. */
  readonly sha256: string;
  readonly outline: Outline;
  /** Up to `LIMITS.inlineNumbers` numbers; null is the value and ± of a refused row. */
  readonly rows?: readonly (readonly (number | null)[])[];
  /** The bytes of a longer table, in a self-contained receipt. */
  readonly base64?: string;
  readonly bytes?: number;
  readonly href?: string;
}

/** Holds the bytes of an array, or links them. */
type AddBytes = (data: Float64Array) => Pick<TableResult, 'sha256' | 'base64' | 'bytes' | 'href'>;

export function tableResult(table: Table, addBytes: AddBytes): TableResult {
  const { data, columns, units, refused, unconverged } = table;
  const head = { columns, units, shape: [data.length / columns.length, columns.length] };
  const tail = { outline: outlineOf(table), refused, unconverged };
  if (data.length <= LIMITS.inlineNumbers) return { ...head, sha256: arraySha256(data), rows: rowsOf(table), ...tail };
  return { ...head, ...addBytes(data), ...tail };
}

function outlineOf({ columns, data }: Table): Outline {
  const width = columns.length;
  const rows = { first: -1, last: -1, min: -1, max: -1 };
  const valueIn = (row: number) => data[(row + 1) * width - 2] as number;
  for (let row = 0; row * width < data.length; row++) {
    const value = valueIn(row);
    if (Number.isNaN(value)) continue;
    rows.last = row;
    if (rows.first < 0) rows.first = row;
    if (rows.min < 0 || value < valueIn(rows.min)) rows.min = row;
    if (rows.max < 0 || value > valueIn(rows.max)) rows.max = row;
  }
  const rowAt = (row: number) => Array.from(data.subarray(row * width, (row + 1) * width));
  return { first: rowAt(rows.first), last: rowAt(rows.last), min: rowAt(rows.min), max: rowAt(rows.max) };
}

/** Row by row, with null for what is missing. */
function rowsOf({ columns, data }: Pick<Table, 'columns' | 'data'>): (number | null)[][] {
  const width = columns.length;
  return Array.from({ length: data.length / width }, (_, row) =>
    Array.from(data.subarray(row * width, (row + 1) * width), (value) => (Number.isNaN(value) ? null : value)),
  );
}

/**
 * The numbers of an untrusted table, with NaN for null; undefined if it holds only their hash, or none.
 *
 * @param bytes  behind its link, if they were fetched
 */
export function tableNumbers(table: unknown, bytes?: Uint8Array): Float64Array | undefined {
  if (!isRecord(table)) return undefined;
  const { rows, base64, shape } = table;
  const data = Array.isArray(rows)
    ? numbersOf(rows)
    : readBytes(typeof base64 === 'string' ? fromBase64(base64) : bytes);
  const [count, width] = Array.isArray(shape) ? shape : [];
  return data !== undefined && data.length === count * width ? data : undefined;
}

const readBytes = (bytes: Uint8Array | undefined) =>
  bytes === undefined || bytes.length % 8 !== 0 ? undefined : fromLittleEndianF64(bytes);

function numbersOf(rows: readonly unknown[]): Float64Array | undefined {
  const cells = rows.flat();
  if (cells.some((cell) => cell !== null && typeof cell !== 'number')) return undefined;
  return Float64Array.from(cells, (cell) => (cell === null ? Number.NaN : (cell as number)));
}

/** Why the numbers of an untrusted table do not have the hash beside them; undefined if they do, or are elsewhere. */
export function tableFault(table: unknown): string | undefined {
  if (!isRecord(table) || (table.rows === undefined && table.base64 === undefined)) return undefined;
  const data = table.rows !== undefined && table.base64 !== undefined ? undefined : tableNumbers(table);
  return data !== undefined && arraySha256(data) === table.sha256
    ? undefined
    : 'The rows of the table differ from their hash.';
}

/** Whether a self-contained receipt of a sweep holds the inputs of its runs; a replay makes the others again. */
export function hasFewBytes(runs: readonly KernelRun[]): boolean {
  let bytes = 0;
  for (const { inputs = {} } of runs) for (const data of Object.values(inputs)) bytes += data?.byteLength ?? 0;
  return bytes <= LIMITS.sweep.inlineRunBytes;
}
