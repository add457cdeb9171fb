// Solid cells of a channel: discs, or a drawing stretched over it.

import { validationError } from '../parts/errors.ts';
import type { FlowInput } from './inputs.ts';

/** Solid places; x and y in heights of the channel. */
export interface Shape {
  isSolid(x: number, y: number): boolean;
  /** Places that cells have to show as they are, each with its name: middles of discs, characters of a drawing. */
  readonly marks: readonly Mark[];
}

interface Mark {
  readonly x: number;
  readonly y: number;
  readonly name: string;
}

/** Columns and lines of a drawing. */
const MAX_SIDE = 400;

/** @throws DomainError VALIDATION_FAILED */
export function shapeOf({ case: flow, obstacles, drawing, size, length }: FlowInput): Shape | undefined {
  const isChannel = flow === 'channel';
  if (obstacles.length > 0 && !isChannel)
    throw validationError('obstacles', `obstacles are given for ${flow}; they belong to the case channel.`);
  if (drawing === undefined) return obstacles.length === 0 ? undefined : discsOf(obstacles, size, length);
  if (!isChannel) throw validationError('drawing', `A drawing is given for ${flow}; it belongs to the case channel.`);
  if (obstacles.length > 0)
    throw validationError('drawing', 'drawing is given beside obstacles; give one of them.', 'GIVEN_TWICE');
  return drawnShape(drawing, length);
}

function discsOf(obstacles: FlowInput['obstacles'], size: number, length: number): Shape {
  const discs = obstacles.map(([x = 0, y = 0, r = 0]) => [x / size, y / size, r / size] as const);
  for (const [k, [x, y, r]] of discs.entries())
    if (!(r > 0 && x - r > 0 && x + r < length && y - r >= 0 && y + r <= 1))
      throw validationError(
        'obstacles',
        `obstacles: disc ${k + 1} is [${obstacles[k]}]; a radius above 0 and a disc within ${length * size} m by ${size} m is expected.`,
        'OUT_OF_RANGE',
      );
  return {
    isSolid: (x, y) => discs.some(([a, b, r]) => (x - a) * (x - a) + (y - b) * (y - b) < r * r),
    marks: discs.map(([x, y], k) => ({ x, y, name: `disc ${k + 1}` })),
  };
}

function drawnShape(drawing: string, length: number): Shape {
  const lines = drawing.replace(/\r/g, '').replace(/\n$/, '').split('\n');
  const columns = Math.max(...lines.map((line) => line.length));
  for (const [k, line] of lines.entries()) {
    const wrong = /[^#.]/u.exec(line)?.[0];
    if (wrong !== undefined)
      throw validationError(
        'drawing',
        `Line ${k + 1} of drawing has ${JSON.stringify(wrong)}; # (solid) and . (fluid) are allowed.`,
      );
  }
  if (columns === 0 || columns > MAX_SIDE || lines.length > MAX_SIDE)
    throw validationError(
      'drawing',
      `drawing has ${lines.length} lines of up to ${columns} characters; 1 to ${MAX_SIDE} of each are allowed.`,
      'OUT_OF_RANGE',
    );
  const marks: Mark[] = [];
  for (const [k, line] of lines.entries())
    for (let i = 0; i < columns; i++) {
      const place = { x: ((i + 0.5) / columns) * length, y: 1 - (k + 0.5) / lines.length };
      marks.push({ ...place, name: `${JSON.stringify(line[i] ?? '.')} in line ${k + 1}, column ${i + 1}` });
    }
  return {
    isSolid: (x, y) => {
      const row = Math.min(lines.length - 1, Math.floor((1 - y) * lines.length));
      return lines[row]?.[Math.min(columns - 1, Math.floor((x / length) * columns))] === '#';
    },
    marks,
  };
}

/** Whether one of the nine cells about a place is as the place. */
function isShown(cells: Float64Array, columns: number, rows: number, { x, y }: Mark, isSolid: boolean): boolean {
  const [i, j] = [Math.floor(x * rows), Math.floor(y * rows)];
  for (let n = Math.max(0, j - 1); n <= Math.min(rows - 1, j + 1); n++)
    for (let m = Math.max(0, i - 1); m <= Math.min(columns - 1, i + 1); m++)
      if (cells[n * columns + m] === Number(isSolid)) return true;
  return false;
}

/** Solid cells, 1 or 0, row by row from below. @throws DomainError VALIDATION_FAILED where nothing gets through */
export function solidCells(shape: Shape, columns: number, rows: number, path: string): Float64Array {
  const cells = new Float64Array(columns * rows);
  for (let j = 0; j < rows; j++)
    for (let i = 0; i < columns; i++)
      cells[j * columns + i] = Number(shape.isSolid((i + 0.5) / rows, (j + 0.5) / rows));
  if (!cells.includes(1))
    throw validationError(
      path,
      `${path}: no cell is solid on ${rows} cells across, one of the three grids; take more cells, or larger obstacles.`,
      'UNRESOLVED',
    );
  const hidden = shape.marks.find((mark) => !isShown(cells, columns, rows, mark, shape.isSolid(mark.x, mark.y)));
  if (hidden !== undefined)
    throw validationError(
      path,
      `${path}: no cell about ${hidden.name} shows it on ${rows} cells across, one of the three grids; take more cells, or a wider shape.`,
      'UNRESOLVED',
    );
  for (let j = 0; j < rows; j++)
    if (cells[j * columns] === 1 || cells[j * columns + columns - 1] === 1)
      throw validationError(path, `${path} reaches the inflow or the outflow on ${rows} cells; leave a column free.`);
  if (!fillPockets(cells, columns, rows))
    throw validationError(path, `${path} closes the channel on ${rows} cells; leave a passage, or take more cells.`);
  return cells;
}

/** Makes fluid that the inflow does not reach solid. @returns whether the outflow is reached */
function fillPockets(cells: Float64Array, columns: number, rows: number): boolean {
  const reached = new Uint8Array(cells.length);
  const queue: number[] = [];
  const visit = (i: number, j: number) => {
    const k = j * columns + i;
    if (i < 0 || j < 0 || i >= columns || j >= rows || reached[k] === 1 || cells[k] === 1) return;
    reached[k] = 1;
    queue.push(k);
  };
  for (let j = 0; j < rows; j++) visit(0, j);
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const [i, j] = [next % columns, Math.floor(next / columns)];
    visit(i - 1, j);
    visit(i + 1, j);
    visit(i, j - 1);
    visit(i, j + 1);
  }
  for (const [k, isReached] of reached.entries()) if (isReached === 0) cells[k] = 1;
  // All of the inflow and the outflow is open, so one of them reached is all of it.
  return reached[columns - 1] === 1;
}
