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
