// The rows of one point of a sweep, in the order of `rowsOf` (propagation.ts), but without objects for each point: the
// numbers of the point are set, and the same objects then say which row moves what.

import type { BoundChain } from './bind.ts';
import { type ChainNumber, type ChainNumbers, type ErrorSource, numbersOf } from './error-sources.ts';
import { EDGE, isWholeSource, ROUNDOFF, relativeStep, type Slope } from './propagation.ts';

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] };
type Sides = { above: number | undefined; below: number | undefined };
type Rounding = { readonly number: number; readonly sides: Sides; isRounded: boolean };
type Corner = { readonly first: number; readonly second: number; both: number };
type Parts = ErrorSource['parts'];

/** Takes the row that is visited: `values` and `signs`. */
export interface RowWriter {
  write(): void;
}

const sidesOf = (): Sides => ({ above: undefined, below: undefined });

export class SweptRows {
  /** Those of the current point. */
  readonly numbers: readonly Mutable<ChainNumber>[];
  readonly indices: ChainNumbers['indices'];
  readonly slopes: readonly (Omit<Slope, 'step'> & { step: number; readonly sides: Sides })[];
  readonly edges: readonly Sides[];
  /** Those with a row. */
  readonly corners: Corner[] = [];
  /** Those of numbers that are rounded. */
  readonly roundings: Rounding[] = [];
  readonly models: readonly { readonly operator: number; readonly sides: Sides }[];
  /** Of the row that is visited: the numbers, and the signs of the errors that operators hand on. */
  readonly values: Float64Array;
  readonly signs: Float64Array;
  readonly #curved: readonly ErrorSource[];
  readonly #allCorners: readonly Corner[];
  readonly #allRoundings: readonly Rounding[];
  /** What depends on the numbers that points do not share: indices of slopes, edges and roundings. */
  readonly #moving: {
    readonly slopes: readonly number[];
    readonly edges: readonly number[];
    roundings: readonly number[];
  };
  /** Rows of the last point that was placed; 0 before. */
  #count = 0;
  /** Which rows there are: points with the same number have the same ones. */
  #layout = 0;
  #layouts = 0;

  /** @param chain  of any point; @param swept  numbers that points do not share */
  constructor(chain: BoundChain, swept: ReadonlySet<number>) {
    const { numbers, indices, sources } = numbersOf(chain);
    this.numbers = numbers.map((number) => ({ ...number }));
    this.indices = indices;
    this.values = Float64Array.from(numbers, ({ value }) => value);
    this.signs = new Float64Array(chain.operators.length);
    this.slopes = sources.map((source) => ({ source, step: Number.NaN, sides: sidesOf() }));
    this.#curved = sources.filter((source) => source.kind === 'inputs' && !isWholeSource(numbers, source));
    this.edges = this.#curved.map(sidesOf);
    this.#allCorners = this.edges.flatMap((_, second) =>
      this.edges.slice(0, second).map((_, first) => ({ first, second, both: Number.NaN })),
    );
    this.#allRoundings = numbers.map((_, number) => ({ number, sides: sidesOf(), isRounded: false }));
    this.models = chain.operators.flatMap(({ definition }, operator) =>
      definition.accuracy === undefined || operator === chain.operators.length - 1
        ? []
        : [{ operator, sides: sidesOf() }],
    );
    const moved = (all: readonly ErrorSource[]) =>
      all.flatMap(({ parts }, at) => (parts.some(({ number }) => swept.has(number)) ? [at] : []));
    this.#moving = { slopes: moved(sources), edges: moved(this.#curved), roundings: [...swept] };
  }

  set(number: number, value: number, roundings: number): void {
    const own = this.numbers[number] as Mutable<ChainNumber>;
    own.value = value;
    own.roundings = roundings;
    this.values[number] = value;
  }

  /** Gives the rows of the current point their places. @returns how many there are */
  place(): number {
    if (this.#count === 0 || this.#hasOtherRows()) {
      this.#count = this.#placeAll();
      this.#layout = ++this.#layouts;
    }
    return this.#count;
  }

  /** Of the current point, for `restore`. */
  get layout(): number {
    return this.#layout;
  }

  /** As `place`, for a point that had this layout. */
  restore(layout: number): number {
    if (layout === this.#layout) {
      for (const at of this.#moving.slopes) {
        const slope = this.slopes[at] as SweptRows['slopes'][number];
        slope.step = this.#stepOf(slope.source);
      }
    } else {
      this.#count = this.#placeAll();
      this.#layout = layout;
    }
    return this.#count;
  }

  /** Whether a row of the last point is missing, or has come. */
  #hasOtherRows(): boolean {
    for (const at of this.#moving.slopes) {
      const slope = this.slopes[at] as SweptRows['slopes'][number];
      slope.step = this.#stepOf(slope.source);
      if (this.#isOther(slope.sides, slope.source.parts, slope.step)) return true;
    }
    for (const at of this.#moving.edges)
      if (this.#isOther(this.edges[at] as Sides, this.#partsOf(at), EDGE)) return true;
    for (const at of this.#moving.roundings) {
      const { sides, isRounded } = this.#allRoundings[at] as Rounding;
      if (this.#isRounded(at) !== isRounded) return true;
      const change = spacing((this.numbers[at] as ChainNumber).value);
      if (isRounded && this.#isWithin(at, change) !== (sides.above !== undefined)) return true;
      if (isRounded && this.#isWithin(at, -change) !== (sides.below !== undefined)) return true;
    }
    return false;
  }

  #isOther({ above, below }: Sides, parts: Parts, step: number): boolean {
    return (
      this.#isAllowed(parts, step) !== (above !== undefined) || this.#isAllowed(parts, -step) !== (below !== undefined)
    );
  }

  #isRounded(number: number): boolean {
    const { value, isWhole, roundings } = this.numbers[number] as ChainNumber;
    return !isWhole && value !== 0 && roundings !== 0;
  }

  #placeAll(): number {
    let row = 1;
    const put = (sides: Sides, parts: Parts, step: number): void => {
      sides.above = this.#isAllowed(parts, step) ? row++ : undefined;
      sides.below = this.#isAllowed(parts, -step) ? row++ : undefined;
    };
    for (const slope of this.slopes) {
      slope.step = this.#stepOf(slope.source);
      put(slope.sides, slope.source.parts, slope.step);
    }
    for (const [at, sides] of this.edges.entries()) put(sides, this.#partsOf(at), EDGE);
    this.corners.length = 0;
    for (const corner of this.#allCorners) {
      if (this.edges[corner.first]?.above === undefined || this.edges[corner.second]?.above === undefined) continue;
      corner.both = row++;
      this.corners.push(corner);
    }
    this.roundings.length = 0;
    for (const rounding of this.#allRoundings) {
      rounding.isRounded = this.#isRounded(rounding.number);
      if (!rounding.isRounded) continue;
      const change = spacing((this.numbers[rounding.number] as ChainNumber).value);
      rounding.sides.above = this.#isWithin(rounding.number, change) ? row++ : undefined;
      rounding.sides.below = this.#isWithin(rounding.number, -change) ? row++ : undefined;
      this.roundings.push(rounding);
    }
    for (const { sides } of this.models) {
      sides.above = row++;
      sides.below = row++;
    }
    return row;
  }

  /** Calls `write` for each row after `place`, in order. */
  visit(rows: RowWriter): void {
    rows.write();
    for (const { source, sides, step } of this.slopes) this.#bothSides(sides, source.parts, step, rows);
    for (let at = 0; at < this.edges.length; at++)
      this.#bothSides(this.edges[at] as Sides, this.#partsOf(at), EDGE, rows);
    for (const { first, second } of this.corners) {
      this.#move(this.#partsOf(first), EDGE);
      this.#moved(this.#partsOf(second), EDGE, rows);
      this.#moveBack(this.#partsOf(first));
    }
    for (const { number, sides } of this.roundings) {
      const value = this.values[number] as number;
      const change = spacing(value);
      if (sides.above !== undefined) this.#at(number, value + change, rows);
      if (sides.below !== undefined) this.#at(number, value - change, rows);
    }
    for (const { operator } of this.models) {
      this.signs[operator] = 1;
      rows.write();
      this.signs[operator] = -1;
      rows.write();
      this.signs[operator] = 0;
    }
  }

  #bothSides({ above, below }: Sides, parts: Parts, step: number, rows: RowWriter): void {
    if (above !== undefined) this.#moved(parts, step, rows);
    if (below !== undefined) this.#moved(parts, -step, rows);
  }

  #partsOf(curved: number): Parts {
    return (this.#curved[curved] as ErrorSource).parts;
  }

  /** A step of an input beyond its standard deviation would look where it is not. */
  #stepOf(source: ErrorSource): number {
    let step = source.kind === 'inputs' && !isWholeSource(this.numbers, source) ? 1 : Number.POSITIVE_INFINITY;
    for (const { number, deviation } of source.parts)
      step = Math.min(step, relativeStep(this.numbers[number], deviation));
    return step;
  }

  #isAllowed(parts: Parts, step: number): boolean {
    for (const { number, deviation } of parts) if (!this.#isWithin(number, step * deviation)) return false;
    return true;
  }

  #isWithin(number: number, change: number): boolean {
    const { value, min, max } = this.numbers[number] as ChainNumber;
    const moved = value + change;
    return moved >= min && moved <= max;
  }

  #moved(parts: Parts, step: number, rows: RowWriter): void {
    this.#move(parts, step);
    rows.write();
    this.#moveBack(parts);
  }

  #moveBack(parts: Parts): void {
    for (const { number } of parts) this.values[number] = (this.numbers[number] as ChainNumber).value;
  }

  #move(parts: Parts, step: number): void {
    for (const { number, deviation } of parts)
      this.values[number] = (this.numbers[number] as ChainNumber).value + step * deviation;
  }

  #at(number: number, value: number, rows: RowWriter): void {
    const before = this.values[number] as number;
    this.values[number] = value;
    rows.write();
    this.values[number] = before;
  }
}

const spacing = (value: number): number => 2 * ROUNDOFF * Math.abs(value);
