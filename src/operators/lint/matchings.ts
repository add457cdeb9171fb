// Which input of one law may be which of another: those of one dimension, in every order that is worth a try.

import { printDimension } from '../../core/units/dimension.ts';
import type { Trial } from './trial.ts';

/** All orders of six inputs of one dimension. */
const MOST = 720;
/** Responses that are one up to rounding. */
const NEAR = 1e-9;

/**
 * For each matching, the place of the input of `one` that stands in for each input of `other`. Beyond MOST orders only
 * inputs that answer alike when they alone are set apart (their colour) are exchanged, and of those the first MOST.
 *
 * @param responses  a value for each input, the same for all that a law treats alike
 */
export function matchings(one: Trial, other: Trial, responses: (trial: Trial) => readonly number[]): number[][] {
  const byDimension = (trial: Trial) =>
    Map.groupBy(trial.inputs.keys(), (i) => printDimension(trial.inputs[i]?.unit.dimension ?? NONE));
  const [sources, targets] = [byDimension(one), byDimension(other)];
  const groups = [...targets].map(([dimension, places]) => ({ places, from: sources.get(dimension) ?? [] }));
  const count = groups.reduce((product, { places }) => product * factorial(places.length), 1);
  if (count <= MOST) return combine(groups, other.inputs.length);
  const [oneResponses, otherResponses] = [responses(one), responses(other)];
  const coloured = groups.flatMap(({ places, from }) => {
    const targetColours = byColour(places, otherResponses);
    const sourceColours = byColour(from, oneResponses);
    return targetColours.map((colour, i) => ({ places: colour, from: sourceColours[i] ?? [] }));
  });
  return combine(coloured, other.inputs.length);
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
      .slice(0, MOST);
  }
  return found.filter((matching) => !matching.includes(-1));
}

function permutations(items: readonly number[]): number[][] {
  let found: number[][] = [[]];
  for (const item of items) {
    found = found
      .flatMap((order) => Array.from({ length: order.length + 1 }, (_, i) => order.toSpliced(i, 0, item)))
      .slice(0, MOST);
  }
  return found;
}

/** Groups of places with one response relative to the largest, the smallest response first; those without one last. */
function byColour(places: readonly number[], responses: readonly number[]): number[][] {
  const finite = places.map((place) => Math.abs(responses[place] ?? 0)).filter(Number.isFinite);
  const size = Math.max(...finite, 0) || 1;
  const shade = (place: number) => {
    const value = Math.abs(responses[place] ?? Number.NaN) / size;
    return Number.isFinite(value) ? value : Number.MAX_VALUE;
  };
  const sorted = places.toSorted((a, b) => shade(a) - shade(b));
  const groups: number[][] = [];
  let last = Number.NaN;
  for (const place of sorted) {
    const value = shade(place);
    if (Math.abs(value - last) <= NEAR * Math.abs(last)) groups.at(-1)?.push(place);
    else groups.push([place]);
    last = value;
  }
  return groups;
}

const factorial = (n: number): number => (n <= 1 ? 1 : n * factorial(n - 1));
