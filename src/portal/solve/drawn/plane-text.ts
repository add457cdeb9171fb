// Texts of drawings in a plane: round spots as a formula of x and y, or rows of marked cells from the top.

import { LIMITS } from '../../../core/limits.ts';
import { short } from './curve-text.ts';

/** A hump that falls to 1/e at its radius. */
export interface Spot {
  readonly height: number;
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

/** What stood in a field before the spots, and the spots. */
export interface Spots {
  readonly base: string;
  readonly spots: readonly Spot[];
}

const NUMBER = String.raw`\d+(?:\.\d+)?(?:e[+-]?\d+)?`;
const SPOT = new RegExp(
  String.raw`([+-]?${NUMBER})\*exp\(-\(\(x-(${NUMBER})\)\^2\+\(y-(${NUMBER})\)\^2\)/(${NUMBER})\)$`,
);

/** The spots at the end of a formula. */
export function spotsOfText(text: string): Spots {
  const spots: Spot[] = [];
  let base = text.trim();
  for (let found = SPOT.exec(base); found !== null; found = SPOT.exec(base)) {
    const [height = 0, x = 0, y = 0, squared = 0] = found.slice(1).map(Number);
    spots.unshift({ height, x, y, radius: Math.sqrt(squared) });
    base = base.slice(0, found.index);
  }
  return { base, spots };
}

export function textOfSpots({ base, spots }: Spots): string {
  const text = spots.reduce((before, { height, x, y, radius }) => {
    const sign = height < 0 || before === '' ? '' : '+';
    return `${before}${sign}${short(height)}*exp(-((x-${short(x)})^2+(y-${short(y)})^2)/${short(radius * radius)})`;
  }, base);
  return text;
}

/** Whether a field has room for one more of the last spot. */
export const hasRoom = (drawing: Spots): boolean => textOfSpots(drawing).length <= LIMITS.expression.characters;

/** Rows of marks; true where a cell is marked. */
export interface Cells {
  readonly columns: number;
  readonly rows: number;
  /** Row by row from the top. */
  readonly marks: readonly boolean[];
}

/** The cells that a text has; undefined if it has none, or numbers. */
export function cellsOfText(text: string): Cells | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const columns = lines[0]?.length ?? 0;
  if (columns === 0 || !lines.every((line) => line.length === columns && /^[.#]+$/.test(line))) return undefined;
  return { columns, rows: lines.length, marks: [...lines.join('')].map((cell) => cell === '#') };
}

/** An empty text without any mark: the field is then as if it were not drawn. */
export function textOfCells({ columns, marks }: Cells): string {
  if (!marks.includes(true)) return '';
  const cells = marks.map((isMarked) => (isMarked ? '#' : '.'));
  return Array.from({ length: marks.length / columns }, (_, row) =>
    cells.slice(row * columns, (row + 1) * columns).join(''),
  ).join('\n');
}
