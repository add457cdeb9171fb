// First-order propagation of errors by finite differences: each row of a chain moves one source of error, or two.
//
// Row 0 has the numbers as they are. Rounding is moved by the spacing of doubles, a standard uncertainty by a small step
// for its slope, and by twice its size for a look at what the first order leaves out (JCGM 100:2008, §5.1.2; JCGM
// 101:2008, §5.8). The accuracy of an operator that feeds another is moved as a whole.

import { DomainError } from '../core/errors.ts';
import type { BoundChain } from './bind.ts';
import { type ChainNumber, type ChainNumbers, type ErrorSource, numbersOf } from './error-sources.ts';

/** Unit roundoff of a double. */
export const ROUNDOFF = 1.1102230246251565e-16;
/** Smallest double of full precision. */
const MIN_NORMAL = 2 ** -1022;

/**
 * Bound of the rounding of a value beside its second evaluation.
 *
 * @param bound  of the size of the exact value, which counts where the value is too small for full precision
 */
export function ownRounding(raw: number, reference: number, bound: number): number {
  const isTiny = Math.abs(raw) < MIN_NORMAL;
  return Math.abs(raw - reference) + 2 * ROUNDOFF * Math.abs(raw) + (isTiny && Number.isFinite(bound) ? bound : 0);
}

/** Relative step of a central difference: near the cube root of the spacing of doubles. */
const STEP = 7.62939453125e-6; // 2^-17
/** Standard deviations from the value to the edge of the interval, where the first order must still hold. */
export const EDGE = 2;
/** Largest share of what the first order leaves out there: with more, a curved law leaves ± in over 5 of 100 cases. */
const MAX_SECOND_ORDER = 0.2;

/** Two rows on both sides of row 0; undefined where a number would leave its range. */
interface Sides {
  readonly above: number | undefined;
  readonly below: number | undefined;
}

export interface Slope {
  readonly source: ErrorSource;
  readonly sides: Sides;
  /** In standard deviations of the source. */
  readonly step: number;
}

export interface Rows extends ChainNumbers {
  readonly count: number;
  /** Values of each number, row by row; undefined for a number that no row moves. */
  readonly columns: readonly (Float64Array | undefined)[];
  /** By operator and row, the error of its accuracy that is handed on: -1, 0 or 1; undefined without such an error. */
  readonly modelSigns: readonly (Float64Array | undefined)[];
  readonly roundings: readonly { readonly number: number; readonly sides: Sides }[];
  readonly slopes: readonly Slope[];
  /** Of inputs that are not whole, one per such slope. */
  readonly edges: readonly Sides[];
  /** Two edges at once. */
  readonly corners: readonly { readonly first: number; readonly second: number; readonly both: number }[];
  readonly models: readonly { readonly operator: number; readonly sides: Sides }[];
}

/** What `propagate` reads. */
export type Probes = Pick<Rows, 'numbers' | 'slopes' | 'edges' | 'corners' | 'roundings' | 'models'>;

export function rowsOf(chain: BoundChain): Rows {
  const own = numbersOf(chain);
  return new RowBuilder(own, chain).build();
}

/** Step of a difference in standard deviations of the source. */
export function relativeStep(number: ChainNumber | undefined, deviation: number): number {
  const { value, isWhole } = number as ChainNumber;
  const size = Math.abs(deviation);
  return isWhole ? 1 / size : (STEP * Math.max(Math.abs(value), size)) / size;
}

/** Whether a source moves a whole number. */
export const isWholeSource = (numbers: readonly ChainNumber[], { parts }: ErrorSource): boolean =>
  parts.some(({ number }) => numbers[number]?.isWhole === true);

type Move = readonly [number: number, change: number];

class RowBuilder {
  readonly #own: ChainNumbers;
  readonly #chain: BoundChain;
  readonly #rows: (readonly Move[])[] = [];

  constructor(own: ChainNumbers, chain: BoundChain) {
    this.#own = own;
    this.#chain = chain;
  }

  build(): Rows {
    const { numbers, sources } = this.#own;
    const slopes = sources.map((source): Slope => {
      const steps = source.parts.map(({ number, deviation }) => this.#stepOf(number, deviation));
      // A step of an input beyond its standard deviation would look where it is not.
      const step = Math.min(
        ...steps,
        source.kind === 'inputs' && !this.#isWhole(source) ? 1 : Number.POSITIVE_INFINITY,
      );
      return { source, step, sides: this.#sides(movesOf(source, step)) };
    });
    const curved = sources.filter((source) => source.kind === 'inputs' && !this.#isWhole(source));
    const edgeMoves = curved.map((source) => movesOf(source, EDGE));
    const edges = edgeMoves.map((moves) => this.#sides(moves));
    const corners = edges.flatMap(({ above }, second) =>
      edges.slice(0, second).flatMap((other, first) => {
        if (above === undefined || other.above === undefined) return [];
        const both = this.#row([...(edgeMoves[first] ?? []), ...(edgeMoves[second] ?? [])]);
        return both === undefined ? [] : [{ first, second, both }];
      }),
    );
    const roundings = numbers.flatMap(({ value, isWhole, roundings: count }, number) => {
      if (isWhole || value === 0 || count === 0) return [];
      return [{ number, sides: this.#sides([[number, 2 * ROUNDOFF * Math.abs(value)]]) }];
    });
    const models = this.#chain.operators.flatMap(({ definition }, operator) => {
      if (definition.accuracy === undefined || operator === this.#chain.operators.length - 1) return [];
      const at = numbers.length + operator;
      return [{ operator, sides: this.#sides([[at, 1]]) }];
    });
    const { count, columns, modelSigns } = this.#columns();
    const { indices } = this.#own;
    return { numbers, indices, sources, count, columns, modelSigns, slopes, edges, corners, roundings, models };
  }

  /** In standard deviations. */
  #stepOf(number: number, deviation: number): number {
    return relativeStep(this.#own.numbers[number], deviation);
  }

  #isWhole(source: ErrorSource): boolean {
    return isWholeSource(this.#own.numbers, source);
  }

  #sides(moves: readonly Move[]): Sides {
    return { above: this.#row(moves), below: this.#row(moves.map(([number, change]) => [number, -change])) };
  }

  /** Index of a new row; undefined if a number would leave its range. */
  #row(moves: readonly Move[]): number | undefined {
    const isAllowed = moves.every(([at, change]) => {
      const number = this.#own.numbers[at];
      return number === undefined || (number.value + change >= number.min && number.value + change <= number.max);
    });
    return isAllowed ? this.#rows.push(moves) : undefined;
  }

  #columns(): Pick<Rows, 'count' | 'columns' | 'modelSigns'> {
    const { numbers } = this.#own;
    const count = 1 + this.#rows.length;
    const columns: (Float64Array | undefined)[] = new Array(numbers.length + this.#chain.operators.length);
    for (const [row, moves] of this.#rows.entries()) {
      for (const [at, change] of moves) {
        const value = numbers[at]?.value ?? 0;
        columns[at] ??= new Float64Array(count).fill(value);
        columns[at][row + 1] = value + change;
      }
    }
    return { count, columns: columns.slice(0, numbers.length), modelSigns: columns.slice(numbers.length) };
  }
}

const movesOf = ({ parts }: ErrorSource, step: number): readonly Move[] =>
  parts.map(({ number, deviation }) => [number, step * deviation]);

/** What the errors of its numbers do to the value of one operator, to the first order, in coherent units. */
export interface Propagated {
  /** Bound by the rounding of given numbers and exact constants. */
  readonly rounding: number;
  readonly constants: number;
  readonly inputs: number;
  /** Names of the sources of each, the largest first; constants only where they have an effect. */
  readonly names: Readonly<Record<ErrorSource['kind'], readonly string[]>>;
  /** Bounds by the accuracy of earlier operators. */
  readonly models: readonly { readonly operator: number; readonly bound: number }[];
  /** Whether the first order is enough for the inputs. */
  readonly isFirstOrder: boolean;
}

/**
 * @param id      the operator, for refusals
 * @param values  of its rows
 * @param noise   bound of the rounding of one value
 * @throws DomainError PRECISION_REFUSED where a probe has no value
 */
export function propagate(id: string, values: Float64Array, rows: Probes, noise: number): Propagated {
  const { slopes } = rows;
  const unknown = slopes.find((slope) => isOf(slope, 'constants') && !Number.isFinite(slopeOf(values, slope)));
  if (unknown !== undefined) throw refusal(id, unknown.source.name);
  return {
    rounding: sumOfRoundings(id, values, rows),
    constants: effectOf('constants', values, slopes),
    inputs: effectOf('inputs', values, slopes),
    names: new Names(values, slopes),
    models: rows.models.map(({ operator, sides }) => {
      const bound = largestChange(values, sides);
      if (bound === undefined) throw refusal(id, `the operator that feeds it`);
      return { operator, bound };
    }),
    isFirstOrder: isFirstOrder(values, rows, noise),
  };
}

const isOf = ({ source }: Slope, kind: ErrorSource['kind']): boolean => source.kind === kind;

/** The effect of one standard deviation of all sources of a kind; scaled, so that no square overflows or vanishes. */
function effectOf(kind: ErrorSource['kind'], values: Float64Array, slopes: readonly Slope[]): number {
  let largest = 0;
  for (const slope of slopes) if (isOf(slope, kind)) largest = Math.max(largest, Math.abs(slopeOf(values, slope)));
  if (largest === 0) return 0;
  let squares = 0;
  for (const slope of slopes) {
    if (!isOf(slope, kind)) continue;
    const part = Math.abs(slopeOf(values, slope)) / largest;
    squares += part * part;
  }
  return largest * Math.sqrt(squares);
}

/** The sources of a propagation by name, found when a budget is written. */
class Names {
  readonly #values: Float64Array;
  readonly #slopes: readonly Slope[];

  constructor(values: Float64Array, slopes: readonly Slope[]) {
    this.#values = values;
    this.#slopes = slopes;
  }

  get inputs(): readonly string[] {
    return this.#of('inputs', () => true);
  }

  get constants(): readonly string[] {
    return this.#of('constants', (size) => size > 0);
  }

  #of(kind: ErrorSource['kind'], isShown: (size: number) => boolean): readonly string[] {
    return this.#slopes
      .filter((slope) => isOf(slope, kind))
      .map((slope) => ({ name: slope.source.name, size: Math.abs(slopeOf(this.#values, slope)) }))
      .filter(({ size }) => isShown(size))
      .sort((a, b) => b.size - a.size)
      .map(({ name }) => name);
  }
}

const refusal = (id: string, name: string) =>
  new DomainError(
    'PRECISION_REFUSED',
    `The uncertainty of ${name} cannot be propagated through ${id}: too near to it there is no value.`,
  );

/** Half the effect of one spacing of each number, times the number of its roundings. */
function sumOfRoundings(id: string, values: Float64Array, { roundings, numbers }: Probes): number {
  let sum = 0;
  for (const { number, sides } of roundings) {
    const change = largestChange(values, sides);
    if (change === undefined) throw refusal(id, `the rounded number ${numbers[number]?.value}`);
    sum += (change / 2) * (numbers[number]?.roundings ?? 0);
  }
  return sum;
}

/** The larger change of the two sides, 0 where the range allows neither; undefined if neither has a value. */
function largestChange(values: Float64Array, { above, below }: Sides): number | undefined {
  if (above === undefined && below === undefined) return 0;
  return largerChange(valueAt(values, 0), valueAt(values, above), valueAt(values, below));
}

/** The larger distance of two values from the center; NaN has none. Undefined without any. */
function largerChange(center: number, above: number, below: number): number | undefined {
  const up = Math.abs(above - center);
  const down = Math.abs(below - center);
  if (!Number.isFinite(down)) return Number.isFinite(up) ? up : undefined;
  return Number.isFinite(up) ? Math.max(up, down) : down;
}

const valueAt = (values: Float64Array, row: number | undefined) =>
  row === undefined ? Number.NaN : (values[row] ?? Number.NaN);

/** The effect of one standard deviation of a source; NaN where no side has a value. */
export function slopeOf(values: Float64Array, { sides: { above, below }, step }: Slope): number {
  return difference(valueAt(values, 0), valueAt(values, above), valueAt(values, below), step);
}

/** The effect of one standard deviation: by a central difference, or a one-sided one; NaN without both. */
function difference(center: number, up: number, down: number, step: number): number {
  if (Number.isFinite(up) && Number.isFinite(down)) return (up - down) / (2 * step);
  return Number.isFinite(up) ? (up - center) / step : (center - down) / step;
}

/** Whether what remains at the edges is small beside what the slopes say there. Of every point of a sweep: no lists. */
function isFirstOrder(values: Float64Array, { slopes, edges, corners, numbers }: Probes, noise: number): boolean {
  // Those of inputs come first.
  if (slopes[0]?.source.kind !== 'inputs') return true;
  const center = valueAt(values, 0);
  let second = 0;
  let at = 0;
  for (const slope of slopes) {
    if (!isOf(slope, 'inputs')) continue;
    const size = slopeOf(values, slope);
    if (!Number.isFinite(size)) return false;
    if (numbers[slope.source.parts[0]?.number ?? -1]?.isWhole !== false) continue;
    const { above, below } = edges[at++] as Sides;
    const up = valueAt(values, above) - center;
    const down = valueAt(values, below) - center;
    second += Math.max(beyondNoise(up - EDGE * size, noise), beyondNoise(down + EDGE * size, noise));
  }
  let mixed = 0;
  for (const { first, second: other, both } of corners) {
    const one = valueAt(values, edges[first]?.above) - center;
    const two = valueAt(values, edges[other]?.above) - center;
    const rest = beyondNoise(valueAt(values, both) - center - one - two, noise);
    mixed += rest * rest;
  }
  const left = second + Math.sqrt(mixed);
  // Written so that NaN, where an edge has no value or leaves its range, is not first order.
  return left <= MAX_SECOND_ORDER * effectOf('inputs', values, slopes);
}

const beyondNoise = (rest: number, noise: number) => (Math.abs(rest) <= 8 * noise ? 0 : Math.abs(rest) / EDGE);

/** Where a contribution comes from, with at most a few names. */
export function namesText(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).join(', ');
  return names.length > MAX_NAMES ? `${shown} and others` : shown;
}
const MAX_NAMES = 3;
