// Nodes of a line: graded towards the places where layers may be thin, the same places on every grid.
//
// Half of the cells are spread evenly, the others like the logarithm of the distance from a centre, so that layers between
// `thin` and the whole length get about the same number of cells. A break ends a segment: each segment has a whole number
// of units, so that the grid with half the cells has every second node.

import { log } from '../../core/elementary.ts';

/** Cells of a segment come in units: one cell of the coarsest grid. */
const UNIT = 4;
const BISECTIONS = 60;

export interface LineShape {
  readonly from: number;
  readonly to: number;
  /** Places that are nodes, rising, between the ends. */
  readonly breaks: readonly number[];
  /** Places of the finest cells. */
  readonly centres: readonly number[];
  /** Thickness of the thinnest layers, in m. */
  readonly thin: number;
}

/** @param cells  of the finest grid, whole eights @param share  of them on this grid: 1, 1/2 or 1/4 */
export function gradedNodes(
  { from, to, breaks, centres, thin }: LineShape,
  cells: number,
  share: number,
): Float64Array {
  const length = to - from;
  const weight = 0.5 / centres.length;
  const logOf = (x: number, centre: number) =>
    x < centre ? -log(1 + (centre - x) / thin) : log(1 + (x - centre) / thin);
  const spans = centres.map((centre) => logOf(to, centre) - logOf(from, centre));
  /** From 0 to 1, rising. */
  const rank = (x: number) =>
    centres.reduce(
      (sum, centre, i) => sum + (weight * (logOf(x, centre) - logOf(from, centre))) / (spans[i] ?? 1),
      (0.5 * (x - from)) / length,
    );
  const ends = [from, ...breaks, to];
  const units = unitsOf(ends.map(rank), cells / UNIT);
  const nodes: number[] = [from];
  for (const [k, count] of units.entries()) {
    const [a, b] = [ends[k] ?? from, ends[k + 1] ?? to];
    const [low, high] = [rank(a), rank(b)];
    const steps = count * UNIT * share;
    for (let i = 1; i < steps; i++) nodes.push(inverse(rank, low + ((high - low) * i) / steps, a, b));
    nodes.push(b);
  }
  return Float64Array.from(nodes);
}

/** Units of each segment: at least one, in proportion to its rank, `total` together. */
function unitsOf(ranks: readonly number[], total: number): number[] {
  const shares = ranks.slice(1).map((rank, k) => (rank - (ranks[k] ?? 0)) * total);
  const units = shares.map((share) => Math.max(1, Math.floor(share)));
  for (let left = total - units.reduce((sum, one) => sum + one, 0); left !== 0; left -= Math.sign(left)) {
    // The segment that lacks most takes one, or the one that has most over its share and can spare it gives one.
    let chosen = 0;
    const need = (k: number) => (shares[k] ?? 0) - (units[k] ?? 0);
    for (let k = 1; k < units.length; k++) {
      if (left > 0 ? need(k) > need(chosen) : (units[k] ?? 0) > 1 && (need(k) < need(chosen) || units[chosen] === 1))
        chosen = k;
    }
    units[chosen] = (units[chosen] ?? 0) + Math.sign(left);
  }
  return units;
}

function inverse(rank: (x: number) => number, wanted: number, from: number, to: number): number {
  let [low, high] = [from, to];
  for (let i = 0; i < BISECTIONS; i++) {
    const middle = 0.5 * (low + high);
    if (rank(middle) < wanted) low = middle;
    else high = middle;
  }
  return 0.5 * (low + high);
}
