// The bed: an expression, a table along x, or a map of heights that is stretched over the whole domain.

import { validationError } from '../parts/errors.ts';
import { type FieldFunction, fieldFunction } from '../parts/field-expression.ts';
import { type ClimateInput, MAX_HEIGHT } from './inputs.ts';

/** Rows and columns of a map. */
const MAX_SIDE = 400;
/** Height of drawn land relative to the level: above water that piles up before it, too. */
const LAND = 3;
const DRAWING = /^[.#\s]*$/;
const NUMBER = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/;

/** @throws DomainError VALIDATION_FAILED, EXPRESSION_INVALID */
export function bedOf(input: ClimateInput): FieldFunction | undefined {
  const { bed, bed_table: table, bed_map: map } = input;
  const given = Object.entries({ bed, bed_table: table, bed_map: map }).filter(([, value]) => value !== undefined);
  const [first, second] = given.map(([name]) => name);
  if (second !== undefined) throw validationError(second, `${second} is given beside ${first}; leave one of them out.`);
  if (bed !== undefined) return fieldFunction(bed, 'bed');
  if (table !== undefined) return tableOf(table);
  return map === undefined ? undefined : mapOf(map, input);
}

/** Linear between places that rise, even beyond them. */
function tableOf(table: readonly (readonly number[])[]): FieldFunction {
  const [places, heights] = [0, 1].map((k) => Float64Array.from(table, (row) => row[k] ?? 0)) as [
    Float64Array,
    Float64Array,
  ];
  places.forEach((x, i) => {
    const before = places[i - 1] ?? Number.NEGATIVE_INFINITY;
    if (x <= before)
      throw validationError('bed_table', `bed_table row ${i + 1} has x ${x} after ${before}; places must rise.`);
  });
  return (x) => {
    // The first place at or behind x.
    let [low, next] = [0, places.length];
    while (low < next) {
      const middle = (low + next) >> 1;
      if ((places[middle] ?? 0) >= x) next = middle;
      else low = middle + 1;
    }
    const end = Math.min(next, places.length - 1);
    const [xb = 0, b = 0] = [places[end], heights[end]];
    if (next === 0 || next === places.length) return b;
    const [xa = 0, a = 0] = [places[next - 1], heights[next - 1]];
    return a + ((b - a) * (x - xa)) / (xb - xa);
  };
}

interface HeightMap {
  readonly columns: number;
  readonly rows: number;
  /** Row by row from the top. */
  readonly heights: Float64Array;
}

/** Heights are bilinear between the middles of equal blocks; drawn land has sharp sides. */
function mapOf(text: string, { dim, lx, ly, depth }: ClimateInput): FieldFunction {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  while (lines.at(-1) === '') lines.pop();
  if (lines.length === 0)
    throw validationError('bed_map', 'bed_map is empty; rows of heights or of . and # are expected.');
  const isDrawn = DRAWING.test(text);
  const map = rowsOf(lines.map((line) => (isDrawn ? [...line.replaceAll(/\s/g, '')] : line.split(/[\s,;]+/))));
  const { columns, rows, heights } = map(isDrawn ? (cell) => (cell === '#' ? LAND * depth : 0) : numberOf);
  if (dim === 1 && rows > 1)
    throw validationError('bed_map', `bed_map has ${rows} rows; a line has one. Give dim 2.`, 'OUT_OF_RANGE');
  const heightAt = (i: number, j: number) =>
    heights[Math.min(Math.max(j, 0), rows - 1) * columns + Math.min(Math.max(i, 0), columns - 1)] ?? 0;
  return (x, y) => {
    const [across, down] = [(x / lx) * columns, rows === 1 ? 0.5 : (1 - y / ly) * rows];
    if (isDrawn) return heightAt(Math.floor(across), Math.floor(down));
    const [i, j] = [Math.floor(across - 0.5), Math.floor(down - 0.5)];
    const [s, t] = [across - 0.5 - i, down - 0.5 - j];
    const along = (row: number) => heightAt(i, row) + s * (heightAt(i + 1, row) - heightAt(i, row));
    const upper = along(j);
    return upper + t * (along(j + 1) - upper);
  };
}

/** @throws DomainError VALIDATION_FAILED for rows of unequal length or too many */
function rowsOf(cells: readonly (readonly string[])[]) {
  const columns = cells[0]?.length ?? 0;
  cells.forEach((row, j) => {
    if (row.length !== columns)
      throw validationError('bed_map', `bed_map row ${j + 1} has ${row.length} cells, and row 1 has ${columns}.`);
  });
  if (columns > MAX_SIDE || cells.length > MAX_SIDE) {
    const got = `${cells.length} rows of ${columns} cells`;
    throw validationError('bed_map', `bed_map has ${got}; 1 to ${MAX_SIDE} of each are expected.`, 'OUT_OF_RANGE');
  }
  return (heightOf: (cell: string, row: number, column: number) => number): HeightMap => ({
    columns,
    rows: cells.length,
    heights: Float64Array.from(cells.flatMap((row, j) => row.map((cell, i) => heightOf(cell, j + 1, i + 1)))),
  });
}

function numberOf(cell: string, row: number, column: number): number {
  const value = NUMBER.test(cell) ? Number(cell) : Number.NaN;
  if (Math.abs(value) <= MAX_HEIGHT) return value;
  const got = JSON.stringify(cell.length > 20 ? `${cell.slice(0, 20)}…` : cell);
  throw validationError(
    'bed_map',
    `bed_map row ${row}, column ${column} is ${got}; a height of ${-MAX_HEIGHT} to ${MAX_HEIGHT} m is expected, or only . and # in the whole map.`,
  );
}
