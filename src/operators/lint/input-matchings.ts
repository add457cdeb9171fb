// Matchings between the inputs of two laws: permutations of the inputs of one dimension.

import { groupBy } from '../../core/group-by.ts';
import { printDimension } from '../../core/units/dimension.ts';
import type { PreparedOperator } from './prepared-operator.ts';

/** All permutations of six inputs of one dimension. */
const MAX_MATCHINGS = 720;
/** Relative difference of responses that rounding explains. */
const RESPONSE_TOLERANCE = 1e-9;

/**
 * For each matching, the index of the input of `one` that replaces each input of `other`. Beyond MAX_MATCHINGS only
 * inputs with equal responses are permuted, and of those matchings the first MAX_MATCHINGS are returned.
 *
 * @param responses  a value for each input, equal for inputs that a law treats alike
 */
export function matchings(
  one: PreparedOperator,
  other: PreparedOperator,
  responses: (prepared: PreparedOperator) => readonly number[],
): number[][] {
  const byDimension = (prepared: PreparedOperator) =>
    groupBy(prepared.inputs.keys(), (i) => printDimension(prepared.inputs[i]?.unit.dimension ?? NONE));
  const [sources, targets] = [byDimension(one), byDimension(other)];
  const groups = [...targets].map(([dimension, places]) => ({ places, from: sources.get(dimension) ?? [] }));
  const count = groups.reduce((product, { places }) => product * factorial(places.length), 1);
  if (count <= MAX_MATCHINGS) return combine(groups, other.inputs.length);
  const [oneResponses, otherResponses] = [responses(one), responses(other)];
  const refined = groups.flatMap(({ places, from }) => {
    const targetGroups = groupByResponse(places, otherResponses);
    const sourceGroups = groupByResponse(from, oneResponses);
    return targetGroups.map((group, i) => ({ places: group, from: sourceGroups[i] ?? [] }));
  });
  return combine(refined, other.inputs.length);
}

const NONE = { numerators: [], denominator: 1 };

interface Group {
  readonly places: readonly number[];
  readonly from: readonly number[];
}

function combine(groups: readonly Group[], length: number): number[][] {
  let found: number[][] = [new Array<number>(length).fill(-1)];
  for (const { places, from } of groups) {
    const orders = permutations(from);
    found = found
      .flatMap((start) =>
        orders.map((order) => {
          const next = [...start];
          for (const [i, place] of places.entries()) next[place] = order[i] ?? -1;
          return next;
        }),
      )
      .slice(0, MAX_MATCHINGS);
  }
  return found.filter((matching) => !matching.includes(-1));
}

function permutations(items: readonly number[]): number[][] {
  let found: number[][] = [[]];
  for (const item of items) {
    found = found
      .flatMap((order) => Array.from({ length: order.length + 1 }, (_, i) => order.toSpliced(i, 0, item)))
      .slice(0, MAX_MATCHINGS);
  }
  return found;
}

/** Groups of inputs with equal responses relative to the largest, smallest first; those without a response last. */
function groupByResponse(places: readonly number[], responses: readonly number[]): number[][] {
  const finite = places.map((place) => Math.abs(responses[place] ?? 0)).filter(Number.isFinite);
  const size = Math.max(...finite, 0) || 1;
  const relative = (place: number) => {
    const value = Math.abs(responses[place] ?? Number.NaN) / size;
    return Number.isFinite(value) ? value : Number.MAX_VALUE;
  };
  const sorted = places.toSorted((a, b) => relative(a) - relative(b));
  const groups: number[][] = [];
  let last = Number.NaN;
  for (const place of sorted) {
    const value = relative(place);
    if (Math.abs(value - last) <= RESPONSE_TOLERANCE * Math.abs(last)) groups.at(-1)?.push(place);
    else groups.push([place]);
    last = value;
  }
  return groups;
}

const factorial = (n: number): number => (n <= 1 ? 1 : n * factorial(n - 1));
