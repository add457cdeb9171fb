// Joint conditions of a law where its uncertain inputs may be: the first order says nothing about places that the law
// refuses, so each input, and each pair of them, is moved to the edges of its interval, as far as its range allows.

import type { BoundOperator } from './bind.ts';
import { compileOperator } from './evaluate.ts';
import { EDGE, type Rows, slopeOf } from './propagation.ts';
import { holds } from './requirements.ts';

/** A symbol that an uncertain input moves, in coherent units. */
interface MovedSymbol {
  readonly symbol: string;
  /** Of one standard deviation of the input, with its sign. */
  readonly deviation: number;
  /** Range of the number. */
  readonly min: number;
  readonly max: number;
}

/** Which operator of the chain it is, and the values of one before it, in the order of the rows. */
interface Place {
  readonly at: number;
  valuesBy(operator: number): Float64Array | undefined;
}

const SIGNS = [1, -1];

/**
 * Whether the requirements of a law hold at all edges of one and of two inputs.
 *
 * @param values  of inputs and constants, in coherent units
 */
export function holdsAtEdges(
  operator: BoundOperator,
  values: ReadonlyMap<string, number>,
  rows: Pick<Rows, 'slopes' | 'indices' | 'numbers'>,
  place: Place,
): boolean {
  const { requirements, where } = compileOperator(operator.definition);
  if (requirements.length === 0 || rows.slopes[0]?.source.kind !== 'inputs') return true; // inputs come first
  const moves = movesOf(operator, rows, place);
  const holdsWith = (...moved: readonly (readonly [sign: number, symbols: readonly MovedSymbol[]])[]): boolean => {
    const there = new Map(values);
    for (const [sign, symbols] of moved) {
      for (const { symbol, deviation, min, max } of symbols) {
        const value = (there.get(symbol) ?? Number.NaN) + sign * EDGE * deviation;
        there.set(symbol, Math.min(max, Math.max(min, value)));
      }
    }
    return requirements.every(({ condition }) => holds(condition, where, there));
  };
  return moves.every((first, index) =>
    SIGNS.every((sign) => {
      const others = moves.slice(0, index);
      const holdsWithOther = (second: readonly MovedSymbol[]) =>
        SIGNS.every((other) => holdsWith([sign, first], [other, second]));
      return holdsWith([sign, first]) && others.every(holdsWithOther);
    }),
  );
}

/** By each uncertain input; what another operator hands on moves to the first order. */
function movesOf(
  { sources }: BoundOperator,
  { slopes, indices, numbers }: Pick<Rows, 'slopes' | 'indices' | 'numbers'>,
  { at, valuesBy }: Place,
): MovedSymbol[][] {
  return slopes
    .filter(({ source }) => source.kind === 'inputs')
    .map((slope) =>
      [...sources].flatMap(([symbol, source]): MovedSymbol[] => {
        if (source.kind === 'fed') {
          const values = valuesBy(source.by);
          return values === undefined ? [] : [{ symbol, deviation: slopeOf(values, slope), ...ANYWHERE }];
        }
        const number = indices[at]?.get(symbol);
        const part = slope.source.parts.find((one) => one.number === number);
        if (part === undefined || number === undefined) return [];
        const { min, max } = numbers[number] ?? ANYWHERE;
        return [{ symbol, deviation: part.deviation, min, max }];
      }),
    );
}

const ANYWHERE = { min: Number.NEGATIVE_INFINITY, max: Number.POSITIVE_INFINITY };
