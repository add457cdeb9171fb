// Refuses a function of one number that varies between the places at which a run takes it, where these show nothing: a
// pulse between two steps, a bump between two nodes. All grids of a problem may miss it alike.

import { validationError } from './errors.ts';

/** Samples of the whole way, at least: a bump of 10⁻⁴ of the way has two or more. */
const SAMPLES = 16_384;
/** Places that are taken, on each side of a sample, whose range a resolved function does not leave by as much again. */
const BESIDE = 3;
/** Of the largest magnitude: less is no variation. */
const NOTHING = 1e-3;

/** What a run sees of a function: its places rise evenly from `first` by `step`, and it is given from `from` to `to`. */
export interface Seen {
  readonly from: number;
  readonly to: number;
  readonly first: number;
  readonly step: number;
  /** What makes the places denser, for the message. */
  readonly remedy: string;
}

/** Lines of a plane along each axis that are scanned, and samples of each. */
const LINES = 24;
const LINE_SAMPLES = 8_192;
/** Samples of a plane along each axis, at most, for what no line meets. */
const SIDE_SAMPLES = 512;

/** What a run sees of a function of a plane: nodes, or middles of cells, from 0 to the extents. */
export interface SeenPlane {
  readonly extents: readonly [x: number, y: number];
  readonly cells: readonly [x: number, y: number];
  readonly remedy: string;
}

/**
 * Scans lines along both axes, and blocks of the plane.
 *
 * @throws DomainError VALIDATION_FAILED, as `assertSeen`
 */
export function assertSeenOnPlane(path: string, f: (x: number, y: number) => number, seen: SeenPlane): void {
  const { extents, cells, remedy } = seen;
  const [lx, ly] = extents;
  const [hx, hy] = [lx / cells[0], ly / cells[1]];
  const [nx, ny] = cells;
  const taken = new Float64Array((nx + 1) * (ny + 1));
  for (let j = 0; j <= ny; j++) for (let i = 0; i <= nx; i++) taken[j * (nx + 1) + i] = f(i * hx, j * hy);
  const largest = taken.reduce((most, one) => (Number.isFinite(one) ? Math.max(most, Math.abs(one)) : most), 0);
  const check = (x: number, y: number) => {
    const value = f(x, y);
    const [low, high] = rangeAbout(taken, cells, Math.floor(x / hx), Math.floor(y / hy));
    const beyond = Math.max(value - high, low - value);
    if (!(Number.isFinite(beyond) && beyond > Math.max(high - low, NOTHING * largest))) return;
    const [shown, a, b] = [value, x, y].map((one) => `${Number(one.toPrecision(5))}`);
    throw validationError(
      path,
      `${path} is ${shown} about (${a}, ${b}), and ${low} to ${high} at the nodes about it; ${remedy}.`,
      'UNRESOLVED',
      { x, y },
    );
  };
  for (let k = 0; k < LINES; k++)
    for (let m = 0; m < LINE_SAMPLES; m++) {
      const [share, along] = [(k + 0.5) / LINES, (m + 0.5) / LINE_SAMPLES];
      check(along * lx, share * ly);
      check(share * lx, along * ly);
    }
  const parts = [nx, ny].map((n) => Math.min(6, Math.floor(SIDE_SAMPLES / n))) as [number, number];
  for (let j = 0; j < ny * parts[1]; j++)
    for (let i = 0; i < nx * parts[0]; i++) check(((i + 0.5) * hx) / parts[0], ((j + 0.5) * hy) / parts[1]);
}

/** The range of the nodes about a cell: `BESIDE` on each side. */
function rangeAbout(taken: Float64Array, [nx, ny]: readonly [number, number], i: number, j: number) {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let n = Math.max(0, j - BESIDE + 1); n <= Math.min(ny, j + BESIDE); n++)
    for (let m = Math.max(0, i - BESIDE + 1); m <= Math.min(nx, i + BESIDE); m++) {
      const value = taken[n * (nx + 1) + m] ?? Number.NaN;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  return [low, high] as const;
}

/** @throws DomainError VALIDATION_FAILED, with the place. Values that are not finite are left to others. */
export function assertSeen(
  path: string,
  symbol: string,
  f: (x: number) => number,
  { from, to, first, step, remedy }: Seen,
): void {
  const count = Math.floor((to - first) / step + 1e-9) + 1;
  if (!(count >= 2) || count >= SAMPLES) return;
  const taken = Float64Array.from({ length: count }, (_, k) => f(first + k * step));
  const scan = Float64Array.from({ length: SAMPLES }, (_, k) => f(from + ((k + 0.5) * (to - from)) / SAMPLES));
  let largest = 0;
  for (const values of [taken, scan])
    for (const value of values) if (Number.isFinite(value)) largest = Math.max(largest, Math.abs(value));
  let worst = { beyond: 0, x: Number.NaN, value: Number.NaN, low: Number.NaN, high: Number.NaN };
  for (const [k, value] of scan.entries()) {
    const x = from + ((k + 0.5) * (to - from)) / SAMPLES;
    const at = Math.floor((x - first) / step);
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let i = Math.max(0, at - BESIDE + 1); i <= Math.min(count - 1, at + BESIDE); i++) {
      low = Math.min(low, taken[i] ?? low);
      high = Math.max(high, taken[i] ?? high);
    }
    const beyond = Math.max(value - high, low - value);
    if (Number.isFinite(beyond) && beyond > Math.max(high - low, NOTHING * largest, worst.beyond))
      worst = { beyond, x, value, low, high };
  }
  if (worst.beyond === 0) return;
  const [value, x, low, high, apart] = [worst.value, worst.x, worst.low, worst.high, step].map(
    (one) => `${Number(one.toPrecision(5))}`,
  );
  throw validationError(
    path,
    `${path} is ${value} about ${symbol} = ${x}, and ${low} to ${high} at the places about it that the run takes, ${apart} apart; ${remedy}.`,
    'UNRESOLVED',
    { [symbol]: worst.x },
  );
}
