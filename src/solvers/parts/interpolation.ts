// Cubic interpolation on uneven nodes: Lagrange's polynomial through the four about a place.

import { at } from './arrays.ts';

/** The first of the four nodes about a place. */
function firstOfFour(nodes: Float64Array, x: number): number {
  let [low, high] = [0, nodes.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (at(nodes, middle) <= x) low = middle;
    else high = middle;
  }
  return Math.min(Math.max(low - 1, 0), nodes.length - 4);
}

/** The first of the four nodes about a place, and their weights. */
export function weightsAt(
  nodes: Float64Array,
  x: number,
): { readonly first: number; readonly weights: readonly number[] } {
  const first = firstOfFour(nodes, x);
  const own = [0, 1, 2, 3].map((k) => nodes[first + k] ?? 0);
  return {
    first,
    weights: own.map((a, k) => own.reduce((product, b, m) => (m === k ? product : (product * (x - b)) / (a - b)), 1)),
  };
}

export function interpolate(nodes: Float64Array, values: Float64Array, x: number): number {
  const { first, weights } = weightsAt(nodes, x);
  return weights.reduce((sum, weight, k) => sum + weight * (values[first + k] ?? 0), 0);
}

/** As `interpolate`, but each weight is a product of quotients: profiles of flows are sealed with these roundings. */
export function interpolateByQuotients(nodes: Float64Array, values: Float64Array, x: number): number {
  const first = firstOfFour(nodes, x);
  let sum = 0;
  for (let k = first; k < first + 4; k++) {
    let weight = 1;
    for (let m = first; m < first + 4; m++) if (m !== k) weight *= (x - at(nodes, m)) / (at(nodes, k) - at(nodes, m));
    sum += weight * at(values, k);
  }
  return sum;
}
