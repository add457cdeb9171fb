// All roots of a law over a range, by branch and bound with interval arithmetic: a piece of the range whose values do not
// contain the target has no root, and a piece on which the law is monotone has one root or none, by the signs at its
// ends. What remains is split. The roots are complete where nothing remains.
//
// After Moore, Kearfott & Cloud, Introduction to Interval Analysis, chapter 8. Pieces are halved in the order of doubles,
// so that ranges of many decades take at most 64 halvings.

import { middleOf } from '../../core/bits.ts';
import { LIMITS } from '../../core/limits.ts';
import type { Enclosure } from '../../expressions/interval/evaluate.ts';
import { contains, type Interval, isZero } from '../../expressions/interval/interval.ts';

/** The law minus its given value. */
export interface Residual {
  /** Over an interval of the unknown. Undefined where no number of it meets the requirements of the law. */
  enclose(over: Interval): Enclosure | undefined;
  /** Whether half of the work that the search may do is done. */
  isSpent(): boolean;
  /** At one number, to about 30 digits before it is rounded; NaN where the law has no value. */
  at(x: number): number;
}

export interface Search {
  /** Ascending. */
  readonly roots: readonly number[];
  /** Where the law comes so near to its value that arithmetic cannot tell: double roots, and the ends of its range. */
  readonly candidates: readonly number[];
  /** No other number of the range is a root. */
  readonly isComplete: boolean;
  /** A piece of the range on which the law has this value everywhere. */
  readonly plateau?: Interval;
}

/** Places in each piece that is left, and numbers that are judged. */
const SAMPLES = 32;
const MAX_PLACES = 64;
/** Relative length of a piece that is not split further. */
const NARROW = 2 ** -26;
/** No unknown is as small in coherent units; below, products underflow. */
const VANISHING = 2 ** -960;
/** At an end of the range, rounding of the value may put the root just outside. */
const NEAR = 2 ** -30;

const { pieces: MAX_PIECES, roots: MAX_ROOTS } = LIMITS.unknown;

export function findRoots(residual: Residual, { lo, hi }: Interval, scale: number): Search {
  const search = new BranchAndBound(residual);
  search.run({ lo, hi });
  const candidates = [...search.touching(), ...search.nearEnds({ lo, hi }, scale)];
  return {
    roots: sorted(search.roots),
    candidates: sorted(candidates).filter((one) => !search.roots.some((root) => isNear(root, one))),
    isComplete: search.isComplete,
    ...(search.plateau === undefined ? {} : { plateau: search.plateau }),
  };
}

class BranchAndBound {
  readonly roots: number[] = [];
  isComplete = true;
  plateau: Interval | undefined;
  readonly #residual: Residual;
  /** Unresolved, merged where they touch. */
  readonly #clusters: Interval[] = [];
  /** Numbers that may be roots. */
  readonly #places: number[] = [];
  #pieces = 0;

  constructor(residual: Residual) {
    this.#residual = residual;
  }

  run(range: Interval): void {
    // The last is taken first: positive numbers first, from 0 on.
    const pieces: Interval[] =
      range.lo < 0 && range.hi > 0
        ? [
            { lo: range.lo, hi: 0 },
            { lo: 0, hi: range.hi },
          ]
        : [range];
    for (let piece = pieces.pop(); piece !== undefined; piece = pieces.pop()) {
      if (this.#pieces++ >= MAX_PIECES || this.roots.length >= MAX_ROOTS || this.#residual.isSpent()) {
        this.isComplete = false;
        if (this.roots.length < MAX_ROOTS) this.#sample([...pieces, piece]);
        return;
      }
      const middle = this.#resolve(piece);
      if (middle === undefined) continue;
      const [lower, upper] = [
        { lo: piece.lo, hi: middle },
        { lo: middle, hi: piece.hi },
      ];
      pieces.push(...(piece.lo >= 0 ? [upper, lower] : [lower, upper]));
    }
  }

  /** @returns where to split the piece; undefined if it is settled */
  #resolve(piece: Interval): number | undefined {
    const { lo, hi } = piece;
    const enclosure = this.#residual.enclose(piece);
    if (enclosure === undefined || !contains(enclosure.value, 0)) return undefined;
    const { slope, isRegular } = enclosure;
    if (isRegular && isZero(slope)) {
      this.plateau ??= piece;
      return undefined;
    }
    const isMonotone = isRegular && (slope.lo >= 0 || slope.hi <= 0);
    if (isMonotone && this.#settled(lo, hi, slope.lo > 0 || slope.hi < 0)) return undefined;
    const middle = middleOf(lo, hi);
    const size = Math.max(Math.abs(lo), Math.abs(hi));
    const isAtom = middle === lo || middle === hi || size < VANISHING;
    const isNarrow = hi - lo <= NARROW * size;
    if (!isAtom && !(isNarrow && isRegular)) return middle;
    if (isAtom && size >= VANISHING && this.#places.length < MAX_PLACES) this.#places.push(this.#nearer(lo, hi));
    else this.#remain(piece);
    return undefined;
  }

  /** Of two neighbouring doubles; one at a jump or a pole is no root, which is judged with ±. */
  #nearer(lo: number, hi: number): number {
    return Math.abs(this.#residual.at(hi)) < Math.abs(this.#residual.at(lo)) ? hi : lo;
  }

  /** What is left when the work is spent: changes of sign between a few places, without a proof. */
  #sample(pieces: readonly Interval[]): void {
    for (const { lo, hi } of pieces.toReversed()) {
      let [before, below] = [lo, this.#residual.at(lo)];
      for (let step = 1; step <= SAMPLES && this.#places.length < MAX_PLACES; step++) {
        const place = lo + (hi - lo) * (step / SAMPLES);
        const above = this.#residual.at(place);
        if (below < 0 !== above < 0 && Number.isFinite(below) && Number.isFinite(above))
          this.#places.push(bisect(this.#residual, before, place, below));
        [before, below] = [place, above];
      }
    }
  }

  /** By the signs at both ends of a monotone piece. @param isStrict  no part of it is flat */
  #settled(lo: number, hi: number, isStrict: boolean): boolean {
    const [below, above] = [this.#residual.at(lo), this.#residual.at(hi)];
    if (Number.isNaN(below) || Number.isNaN(above)) return false;
    if (below === 0 && above === 0 && lo !== hi) return false;
    if (below === 0 || above === 0) this.#add(below === 0 ? lo : hi, { lo, hi }, isStrict);
    else if (below < 0 !== above < 0) this.#add(bisect(this.#residual, lo, hi, below), { lo, hi }, isStrict);
    return true;
  }

  /** A root on a flat part is one of many: it is judged with ±, and nothing is proved. */
  #add(root: number, { lo, hi }: Interval, isStrict: boolean): void {
    const own = root + 0;
    const reach = NARROW * Math.abs(own);
    const near = () => this.#residual.enclose({ lo: Math.max(lo, own - reach), hi: Math.min(hi, own + reach) });
    const { slope } = isStrict ? { slope: undefined } : (near() ?? { slope: undefined });
    if (!isStrict && (slope === undefined || contains(slope, 0))) {
      this.#places.push(own);
      this.isComplete = false;
    } else if (!this.roots.includes(own)) this.roots.push(own);
  }

  #remain(piece: Interval): void {
    const touched = this.#clusters.findIndex(({ lo, hi }) => lo === piece.hi || hi === piece.lo);
    const other = this.#clusters[touched];
    if (other === undefined) this.#clusters.push(piece);
    else this.#clusters[touched] = { lo: Math.min(other.lo, piece.lo), hi: Math.max(other.hi, piece.hi) };
    this.isComplete = false;
  }

  /** In each unresolved cluster a crossing, or the place of the smallest distance. */
  touching(): number[] {
    const places = this.#clusters.slice(0, MAX_ROOTS).flatMap(({ lo, hi }) => {
      const [below, above] = [this.#residual.at(lo), this.#residual.at(hi)];
      if (below < 0 !== above < 0 && Number.isFinite(below) && Number.isFinite(above))
        return [bisect(this.#residual, lo, hi, below)];
      return [nearest(this.#residual, lo, hi)];
    });
    return [...places, ...this.#places];
  }

  /** Ends of the range at which the law is as good as its value. */
  nearEnds({ lo, hi }: Interval, scale: number): number[] {
    return [lo, hi].filter((end) => Math.abs(this.#residual.at(end)) <= NEAR * scale);
  }
}

/** Halves a bracket down to neighbouring doubles, and takes the nearer one. */
function bisect(residual: Residual, lo: number, hi: number, below: number): number {
  let [lower, upper] = [lo, hi];
  for (;;) {
    const middle = middleOf(lower, upper);
    if (middle === lower || middle === upper) break;
    const value = residual.at(middle);
    if (value === 0) return middle;
    if (value < 0 === below < 0) lower = middle;
    else upper = middle;
  }
  return Math.abs(residual.at(lower)) <= Math.abs(residual.at(upper)) ? lower : upper;
}

/** By thirds: the place of the smallest distance of a law that has one minimum there. */
function nearest(residual: Residual, lo: number, hi: number): number {
  const distance = (x: number) => {
    const value = Math.abs(residual.at(x));
    return Number.isNaN(value) ? Number.POSITIVE_INFINITY : value;
  };
  let [lower, upper] = [lo, hi];
  for (let step = 0; step < 128; step++) {
    const third = (upper - lower) / 3;
    const [a, b] = [lower + third, upper - third];
    if (!(a > lower && b < upper && a < b)) break;
    if (distance(a) <= distance(b)) upper = b;
    else lower = a;
  }
  return [lo, hi, upper, lower].reduce((best, one) => (distance(one) < distance(best) ? one : best), lower);
}

/** The numbers of a list of whole or enumerated values that may be roots, the nearest first. */
export function findAmong(residual: Residual, values: readonly number[]): readonly number[] {
  return values
    .map((value) => ({ value, distance: Math.abs(residual.at(value)) }))
    .filter(({ distance }) => !Number.isNaN(distance))
    .sort((a, b) => a.distance - b.distance || a.value - b.value)
    .slice(0, MAX_ROOTS)
    .map(({ value }) => value);
}

/**
 * Whole numbers of a range at which the law may have its value, the nearest first. Ranges without one to within
 * `tolerance` are left out by interval arithmetic, and a monotone law is halved.
 */
export function findWhole(residual: Residual, { lo, hi }: Interval, tolerance: number): Search {
  const found = new Set<number>();
  const ranges: Interval[] = [{ lo: Math.ceil(lo), hi: Math.floor(hi) }];
  let isComplete = true;
  let count = 0;
  for (let range = ranges.pop(); range !== undefined; range = ranges.pop()) {
    if (!(range.lo <= range.hi)) continue;
    if (count++ >= MAX_PIECES || residual.isSpent()) {
      // Without a proof, as if the law were monotone there.
      for (const one of [...ranges, range]) for (const value of crossing(residual, one)) found.add(value);
      isComplete = false;
      break;
    }
    const enclosure = residual.enclose(range);
    if (enclosure === undefined) continue;
    const { value, slope, isRegular } = enclosure;
    if (value.lo > tolerance || value.hi < -tolerance || value.lo > value.hi) continue;
    if (isRegular && (slope.lo > 0 || slope.hi < 0)) {
      for (const one of crossing(residual, range)) found.add(one);
    } else if (range.lo === range.hi) found.add(range.lo);
    else {
      const middle = Math.floor(range.lo + (range.hi - range.lo) / 2);
      ranges.push({ lo: middle + 1, hi: range.hi }, { lo: range.lo, hi: middle });
    }
  }
  return { roots: [], candidates: findAmong(residual, [...found]), isComplete };
}

/** Whole numbers on both sides of the place where a monotone law has its value. */
function crossing(residual: Residual, { lo, hi }: Interval): readonly number[] {
  let [lower, upper] = [lo, hi];
  const below = residual.at(lower);
  while (upper - lower > 1) {
    const middle = Math.floor(lower + (upper - lower) / 2);
    if (residual.at(middle) < 0 === below < 0) lower = middle;
    else upper = middle;
  }
  // Rounding may hide the change of sign next to an end.
  const around = Array.from({ length: MAX_ROOTS - 4 }, (_, at) => lower - MAX_ROOTS / 2 + 3 + at);
  return [...around, lo, lo + 1, hi - 1, hi].filter((one) => one >= lo && one <= hi);
}

const isNear = (a: number, b: number) => Math.abs(a - b) <= 2 * NARROW * Math.max(Math.abs(a), Math.abs(b));
const sorted = (numbers: readonly number[]) => [...new Set(numbers)].sort((a, b) => a - b);
