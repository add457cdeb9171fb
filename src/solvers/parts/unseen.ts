// Refuses a function of one number that varies between the places at which a run takes it, where these show nothing: a
// pulse between two steps, a bump between two nodes. All grids of a problem may miss it alike.

import { validationError } from './errors.ts';

/** Places on each side of a place in a plane at which a wedge that begins there shows, slanted by up to 1 : 16. */
const WEDGE = 16;
/** Samples of the whole way, at least: a bump of 10⁻⁴ of the way has two or more. */
const SAMPLES = 16_384;
/** Places that are taken, on each side of a sample, whose range a resolved function does not leave by as much again. */
const BESIDE = 3;
/** Of the largest magnitude: less is no variation. */
const NOTHING = 1e-3;
/** Of the number that magnitudes are counted from: less is rounding. */
const ROUNDING = 1e-9;

/** What a run sees of a function: its places rise evenly from `first` by `step`, and it is given from `from` to `to`. */
export interface Seen {
  readonly from: number;
  readonly to: number;
  readonly first: number;
  readonly step: number;
  /** What makes the places denser, for the message. */
  readonly remedy: string;
  /** What the run takes at its places, where that is not the function there: means of cells. */
  readonly taken?: ArrayLike<number>;
  /** Where it is known to peak: what is too narrow for any scan is found there. */
  readonly peaks?: readonly number[];
  /** What magnitudes are counted from, if not 0: a low hump on deep water. */
  readonly about?: number;
}

/** Lines of a plane along each axis that are scanned, and samples of each. */
const LINES = 24;
const LINE_SAMPLES = 8_192;
/** Samples of a plane along each axis, at most, for what no line meets. */
const SIDE_SAMPLES = 512;
/** Places of a run along each axis, at most, that these are compared with. */
const MAX_PLACES = 1024;

/** What a run sees of a function of a plane: nodes, or middles of cells, from 0 to the extents. */
export interface SeenPlane {
  readonly extents: readonly [x: number, y: number];
  readonly cells: readonly [x: number, y: number];
  /** Whether the places are middles of cells; else nodes. */
  readonly isMiddles?: boolean;
  readonly remedy: string;
  /** As of a line, in rows from below. */
  readonly taken?: ArrayLike<number>;
  readonly peaks?: readonly (readonly [x: number, y: number])[];
  readonly about?: number;
}

/** Places a cell along both axes that a scan compares with, where a run takes `most` of them. */
export const placesOfCell = (most: number, [nx, ny]: SeenPlane['cells']): number =>
  Math.max(1, Math.min(most, Math.floor(MAX_PLACES / Math.max(nx, ny))));

/**
 * Scans lines along both axes, and blocks of the plane.
 *
 * @throws DomainError VALIDATION_FAILED, as `assertSeen`
 */
export function assertSeenOnPlane(path: string, f: (x: number, y: number) => number, seen: SeenPlane): void {
  const { extents, cells, isMiddles = false, about = 0, remedy } = seen;
  const [lx, ly] = extents;
  const [nx, ny] = cells;
  const [hx, hy] = [lx / nx, ly / ny];
  const first = isMiddles ? 0.5 : 0;
  const size = isMiddles ? cells : ([nx + 1, ny + 1] as const);
  const [columns, rows] = size;
  const taken = seen.taken ?? new Float64Array(columns * rows);
  if (seen.taken === undefined && taken instanceof Float64Array)
    for (let j = 0; j < rows; j++)
      for (let i = 0; i < columns; i++) taken[j * columns + i] = f((i + first) * hx, (j + first) * hy);
  let largest = 0;
  for (let k = 0; k < taken.length; k++)
    if (Number.isFinite(taken[k])) largest = Math.max(largest, Math.abs((taken[k] ?? about) - about));
  const least = Math.max(NOTHING * largest, ROUNDING * Math.abs(about));
  const check = (x: number, y: number) => {
    const value = f(x, y);
    const at = [Math.floor(x / hx - first), Math.floor(y / hy - first)] as const;
    // Between the four about it nearly always.
    const near = rangeAbout(taken, size, at, 1);
    if (value >= near[0] && value <= near[1]) return;
    const [low, high] = rangeAbout(taken, size, at, BESIDE);
    const beyond = Math.max(value - high, low - value);
    if (!(Number.isFinite(beyond) && beyond > Math.max(high - low, least))) return;
    if (isShownAbout(taken, size, at, value, least)) return;
    const [shown, a, b] = [value, x, y].map((one) => `${Number(one.toPrecision(5))}`);
    throw validationError(
      path,
      `${path} is ${shown} about (${a}, ${b}), and ${low} to ${high} at the places about it that the run takes; ${remedy}.`,
      'UNRESOLVED',
      { x, y },
    );
  };
  for (const [x, y] of seen.peaks ?? []) check(x, y);
  for (let k = 0; k < LINES; k++)
    for (let m = 0; m < LINE_SAMPLES; m++) {
      const [share, along] = [(k + 0.5) / LINES, (m + 0.5) / LINE_SAMPLES];
      check(along * lx, share * ly);
      check(share * lx, along * ly);
    }
  const parts = [nx, ny].map((n) => Math.min(6, Math.floor(SIDE_SAMPLES / n))) as [number, number];
  for (let j = 0; j < ny * parts[1]; j++)
    for (let i = 0; i < nx * parts[0]; i++)
      check(((i + 0.5 + first) * hx) / parts[0], ((j + 0.5 + first) * hy) / parts[1]);
}

/** Whether a place within `WEDGE` takes a value: what is too thin here is the tip of something wider. */
function isShownAbout(
  taken: ArrayLike<number>,
  [columns, rows]: SeenPlane['cells'],
  [i, j]: readonly [number, number],
  value: number,
  least: number,
): boolean {
  for (let n = Math.max(0, j - WEDGE); n <= Math.min(rows - 1, j + WEDGE); n++)
    for (let m = Math.max(0, i - WEDGE); m <= Math.min(columns - 1, i + WEDGE); m++)
      if (Math.abs((taken[n * columns + m] ?? Number.NaN) - value) <= least) return true;
  return false;
}

/** The range of the places about a place: `beside` on each side. */
function rangeAbout(
  taken: ArrayLike<number>,
  [columns, rows]: SeenPlane['cells'],
  [i, j]: readonly [number, number],
  beside: number,
) {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let n = Math.max(0, j - beside + 1); n <= Math.min(rows - 1, j + beside); n++)
    for (let m = Math.max(0, i - beside + 1); m <= Math.min(columns - 1, i + beside); m++) {
      const value = taken[n * columns + m] ?? Number.NaN;
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
  { from, to, first, step, remedy, taken: given, peaks = [], about = 0 }: Seen,
): void {
  const count = Math.floor((to - first) / step + 1e-9) + 1;
  if (!(count >= 2) || count >= SAMPLES) return;
  const taken = given === undefined ? new Float64Array(count) : Float64Array.from(given);
  if (given === undefined) for (let k = 0; k < count; k++) taken[k] = f(first + k * step);
  const places = new Float64Array(SAMPLES + peaks.length);
  for (let k = 0; k < SAMPLES; k++) places[k] = from + ((k + 0.5) * (to - from)) / SAMPLES;
  places.set(peaks, SAMPLES);
  const scan = places.map((x) => f(x));
  let largest = 0;
  for (const values of [taken, scan])
    for (const value of values) if (Number.isFinite(value)) largest = Math.max(largest, Math.abs(value - about));
  const least = Math.max(NOTHING * largest, ROUNDING * Math.abs(about));
  let worst = { beyond: 0, x: Number.NaN, value: Number.NaN, low: Number.NaN, high: Number.NaN };
  for (let k = 0; k < scan.length; k++) {
    const value = scan[k] ?? Number.NaN;
    const x = places[k] ?? from;
    const at = Math.floor((x - first) / step);
    // Between the two beside it nearly always.
    const before = taken[at] ?? Number.NaN;
    const behind = taken[at + 1] ?? Number.NaN;
    if ((before <= value && value <= behind) || (behind <= value && value <= before)) continue;
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let i = Math.max(0, at - BESIDE + 1); i <= Math.min(count - 1, at + BESIDE); i++) {
      low = Math.min(low, taken[i] ?? low);
      high = Math.max(high, taken[i] ?? high);
    }
    const beyond = Math.max(value - high, low - value);
    if (Number.isFinite(beyond) && beyond > Math.max(high - low, least, worst.beyond))
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
