// A slice of tissue drawn as text, and its cells: tissue, start, and diffusivities.

import { validationError } from '../parts/errors.ts';
import { MAX_SIDE, type TumorInput } from './inputs.ts';
import type { Level } from './schedule.ts';

export interface TissueMap {
  readonly columns: number;
  readonly rows: number;
  /** Of every pixel, in rows from below. */
  readonly tissue: readonly Tissue[];
  readonly hasWhite: boolean;
  readonly hasGrey: boolean;
  /** Where the start and resections have their centre, cm from the lower left corner. */
  readonly center: readonly [x: number, y: number];
}

type Tissue = 'white' | 'grey' | 'outside';
const TISSUES: Readonly<Record<string, Tissue>> = { w: 'white', g: 'grey', '.': 'outside', ' ': 'outside' };

/** @throws DomainError VALIDATION_FAILED for a text that is no map, and a centre outside of its tissue */
export function mapOf({ map, x0, y0, L }: TumorInput): TissueMap | undefined {
  if (map === undefined) {
    const field = x0 === undefined ? 'y0' : 'x0';
    if (x0 === undefined && y0 === undefined) return undefined;
    throw validationError(field, `${field} is a place on a map, and map is not given. Leave it out, or give a map.`);
  }
  const lines = map.split('\n').map((line) => line.trimEnd());
  while (lines.at(-1) === '') lines.pop();
  while (lines[0] === '') lines.shift();
  const rows = lines.length;
  const columns = Math.max(0, ...lines.map((line) => line.length));
  if (columns < 1 || columns > MAX_SIDE || rows > MAX_SIDE) {
    const message = `map has ${rows} rows of up to ${columns} characters; 1 to ${MAX_SIDE} of each are expected.`;
    throw validationError('map', message, 'OUT_OF_RANGE');
  }
  const tissue = Array.from({ length: rows * columns }, (_, i): Tissue => {
    const [row, column] = [rows - 1 - Math.floor(i / columns), i % columns];
    const character = lines[row]?.[column] ?? '.';
    const found = Object.hasOwn(TISSUES, character) ? TISSUES[character] : undefined;
    if (found !== undefined) return found;
    const place = `row ${row + 1}, column ${column + 1}`;
    throw validationError('map', `map has ${JSON.stringify(character)} in ${place}; w, g and . are expected.`);
  });
  const [hasWhite, hasGrey] = [tissue.includes('white'), tissue.includes('grey')];
  if (!hasWhite && !hasGrey) throw validationError('map', 'map has no tissue; draw w or g somewhere.');
  const pixel = L / columns;
  const center = [x0 ?? L / 2, y0 ?? (rows * pixel) / 2] as const;
  for (const [name, place, end] of [
    ['x0', center[0], L],
    ['y0', center[1], rows * pixel],
  ] as const)
    if (place > end)
      throw validationError(name, `${name} is ${place} cm; 0 to ${end} cm are on the map.`, 'OUT_OF_RANGE');
  const at = (place: number, count: number) => Math.min(count - 1, Math.floor(place / pixel));
  if (tissue[at(center[1], rows) * columns + at(center[0], columns)] === 'outside') {
    const field = x0 === undefined && y0 !== undefined ? 'y0' : 'x0';
    const message = `x0, y0 is the place (${center.join(', ')}) cm, outside of the tissue. Give x0 and y0 within it.`;
    throw validationError(field, message);
  }
  return { columns, rows, tissue, hasWhite, hasGrey, center };
}

/** Cells of a grid, in rows from below. */
export const rowsOn = ({ columns, rows }: TissueMap, { cells }: Level): number => (cells / columns) * rows;

/** Diffusivities of cells; 0 outside. */
export function tissueOn(map: TissueMap, level: Level, { D_white, D_grey }: TumorInput): Float64Array {
  const { columns, tissue } = map;
  const { cells } = level;
  const side = cells / columns;
  const D = { white: D_white, grey: D_grey, outside: 0 };
  return Float64Array.from({ length: cells * rowsOn(map, level) }, (_, k) => {
    const [i, j] = [k % cells, Math.floor(k / cells)];
    return D[tissue[Math.floor(j / side) * columns + Math.floor(i / side)] ?? 'outside'];
  });
}
