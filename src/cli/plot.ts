// Line plots of braille dots for the terminal.

/** Bit of each dot in a character cell of four rows and two columns. */
const DOT_BITS = [
  [0x01, 0x08],
  [0x02, 0x10],
  [0x04, 0x20],
  [0x40, 0x80],
] as const;
const BRAILLE_BASE = 0x2800;

export interface PlotOptions {
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  /** In character cells. */
  readonly width?: number;
  readonly height?: number;
}

const formatNumber = (value: number) => (value === 0 ? '0' : Number(value.toPrecision(4)).toString());

/** The lines of the plot; empty if no point is finite. */
export function linePlot(x: ArrayLike<number>, y: ArrayLike<number>, options: PlotOptions): string[] {
  const { width = 60, height = 12 } = options;
  const points: [number, number][] = [];
  for (let i = 0; i < Math.min(x.length, y.length); i++) {
    const px = x[i] ?? Number.NaN;
    const py = y[i] ?? Number.NaN;
    if (Number.isFinite(px) && Number.isFinite(py)) points.push([px, py]);
  }
  if (points.length === 0) return [];
  const [xMin, xMax] = extent(points.map(([px]) => px));
  const [yMin, yMax] = extent(points.map(([, py]) => py));
  const columns = width * 2;
  const rows = height * 4;
  const cells = new Uint8Array(width * height);
  const setDot = (column: number, row: number) => {
    const cell = (row >> 2) * width + (column >> 1);
    const bit = DOT_BITS[row & 3]?.[column & 1] ?? 0;
    cells[cell] = (cells[cell] ?? 0) | bit;
  };
  let previous: [number, number] | undefined;
  for (const [px, py] of points) {
    const column = Math.round(((px - xMin) / (xMax - xMin || 1)) * (columns - 1));
    const row = Math.round((1 - (py - yMin) / (yMax - yMin || 1)) * (rows - 1));
    // Connect neighbouring points, so that a steep curve has no gaps.
    const [fromColumn, fromRow] = previous ?? [column, row];
    const steps = Math.max(Math.abs(column - fromColumn), Math.abs(row - fromRow), 1);
    for (let i = 0; i <= steps; i++) {
      setDot(
        Math.round(fromColumn + ((column - fromColumn) * i) / steps),
        Math.round(fromRow + ((row - fromRow) * i) / steps),
      );
    }
    previous = [column, row];
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

function extent(values: readonly number[]): [number, number] {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    min = Math.min(min, value);
    max = Math.max(max, value);
  }
  return [min, max];
}
