// Charts of braille dots for the terminal: curves or points between two axes.

/** Bit of each dot in a character cell of four rows and two columns. */
const DOT_BITS = [
  [0x01, 0x08],
  [0x02, 0x10],
  [0x04, 0x20],
  [0x40, 0x80],
] as const;
const BRAILLE_BASE = 0x2800;

export interface Curve {
  readonly x: ArrayLike<number>;
  readonly y: ArrayLike<number>;
  /** Draws the points alone. */
  readonly isScattered?: boolean;
}

export interface ChartOptions {
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  /** In character cells. */
  readonly width?: number;
  readonly height?: number;
}

export const formatNumber = (value: number): string => (value === 0 ? '0' : Number(value.toPrecision(4)).toString());

/** The lines of the chart; empty if no point is finite. */
export function brailleChart(curves: readonly Curve[], options: ChartOptions): string[] {
  const { width = 60, height = 12 } = options;
  const paths = curves.map(({ x, y }) => finitePoints(x, y));
  const points = paths.flat();
  if (points.length === 0) return [];
  const [xMin, xMax] = extent(points, 0);
  const [yMin, yMax] = extent(points, 1);
  const columns = width * 2;
  const rows = height * 4;
  const cells = new Uint8Array(width * height);
  const setDot = (column: number, row: number) => {
    const cell = (row >> 2) * width + (column >> 1);
    const bit = DOT_BITS[row & 3]?.[column & 1] ?? 0;
    cells[cell] = (cells[cell] ?? 0) | bit;
  };
  for (const [index, path] of paths.entries()) {
    let previous: readonly [number, number] | undefined;
    for (const [px, py] of path) {
      const column = Math.round(((px - xMin) / (xMax - xMin || 1)) * (columns - 1));
      const row = Math.round((1 - (py - yMin) / (yMax - yMin || 1)) * (rows - 1));
      // Connect neighbouring points, so that a steep curve has no gaps.
      const [fromColumn, fromRow] = (curves[index]?.isScattered ? undefined : previous) ?? [column, row];
      const steps = Math.max(Math.abs(column - fromColumn), Math.abs(row - fromRow), 1);
      for (let i = 0; i <= steps; i++) {
        setDot(
          Math.round(fromColumn + ((column - fromColumn) * i) / steps),
          Math.round(fromRow + ((row - fromRow) * i) / steps),
        );
      }
      previous = [column, row];
    }
  }
  const margin = Math.max(formatNumber(yMin).length, formatNumber(yMax).length);
  const lines = [`${options.title}   (${options.yLabel})`];
  for (let row = 0; row < height; row++) {
    const label = row === 0 ? formatNumber(yMax) : row === height - 1 ? formatNumber(yMin) : '';
    const text = [...cells.subarray(row * width, (row + 1) * width)]
      .map((bits) => String.fromCodePoint(BRAILLE_BASE + bits))
      .join('');
    lines.push(`${label.padStart(margin)} │${text}`);
  }
  const left = formatNumber(xMin);
  const right = `${formatNumber(xMax)} ${options.xLabel}`;
  lines.push(`${' '.repeat(margin)} └${'─'.repeat(width)}`);
  lines.push(`${' '.repeat(margin + 2)}${left}${right.padStart(Math.max(width - left.length, right.length + 1))}`);
  return lines;
}

type Point = readonly [x: number, y: number];

function finitePoints(x: ArrayLike<number>, y: ArrayLike<number>): Point[] {
  return Array.from(
    { length: Math.min(x.length, y.length) },
    (_, i): Point => [x[i] ?? Number.NaN, y[i] ?? Number.NaN],
  ).filter(([px, py]) => Number.isFinite(px) && Number.isFinite(py));
}

function extent(points: readonly Point[], axis: 0 | 1): [number, number] {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (const point of points) {
    min = Math.min(min, point[axis]);
    max = Math.max(max, point[axis]);
  }
  return [min, max];
}
