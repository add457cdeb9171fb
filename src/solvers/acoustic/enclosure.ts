// Bounds of a frequency of an outline from both sides, by triangles and without the kernel: the witness of outlines.
//
// Finite elements that are continuous give an upper bound of every eigenvalue (Rayleigh and Ritz), those of Crouzeix and
// Raviart, continuous in the middles of edges only, a lower one: λ ≥ λ_CR/(1 + C² λ_CR), C = 0.1893 times the longest edge.
// Both hold for any triangles, number of equal frequencies and mix of walls. Eigenvalues of the elements are counted by the
// signs of pivots (Sylvester), so that the one of the asked number is bracketed. Liu, Appl. Math. Comput. 267 (2015) 341;
// Parlett, The Symmetric Eigenvalue Problem (1998), §3.3.

import { Skyline } from '../parts/skyline.ts';
import { areaOf, cornerAngle, type Polygon } from './polygon.ts';
import { type Triangulation, triangulate } from './triangulation.ts';

export interface Enclosure {
  /** Of λ, 1/m². */
  readonly low: number;
  readonly high: number;
}

/** Of the interpolation by means over edges, over the longest edge (Liu 2015). */
const INTERPOLATION = 0.1893;
/** Triangles, and those that each mode adds; the most that are taken. */
const TRIANGLES = 1_000;
const TRIANGLES_PER_MODE = 30;
const MOST = 4;
/** Relative width of the brackets, and what rounding adds. */
const BRACKET = 5e-5;
const ROUNDING = 1e-9;
/** Brackets wider than this are given up. */
const MAX_SPREAD = 64;

/** Nanoseconds of an enclosure, for estimates. */
export function enclosureNs(mode: number): number {
  const share = trianglesFor(mode) / TRIANGLES;
  return 700_000_000 * share * share;
}

const trianglesFor = (mode: number) => TRIANGLES + TRIANGLES_PER_MODE * mode;

/**
 * Bounds of the eigenvalue of this number of −∇² with ∂p/∂n = 0 on rigid edges and p = 0 on open ones.
 *
 * @param index   counted from 1, equal ones as often as they occur; 0 of a closed outline counts
 * @param guess   where the search begins; no bound depends on it
 * @returns       undefined where the outline has no triangles or the counts do not settle
 */
export function enclosureOf(
  polygon: Polygon,
  isOpen: readonly boolean[],
  index: number,
  guess: number,
): Enclosure | undefined {
  const area = areaOf(polygon);
  const most = trianglesFor(index);
  const count = polygon.length;
  const where = {
    sharp: polygon.filter((_, i) => {
      const isMixed = isOpen[i] !== isOpen[(i + count - 1) % count];
      return cornerAngle(polygon, i) * (isMixed ? 2 : 1) > 1.05;
    }),
    reach: Math.sqrt(area),
    most: MOST * most,
  };
  // Right-angled triangles with two legs of h have h²/2, and cuts leave half of the longest edge. Thin outlines need more.
  const size = Math.sqrt((5 * area) / most);
  const mesh = [1, 2, 4, 8].reduce<Triangulation | undefined>(
    (found, factor) => found ?? triangulate(polygon, { ...where, size: factor * size }),
    undefined,
  );
  if (mesh === undefined) return undefined;
  const above = bracketOf(continuous(mesh, isOpen), index, guess);
  const below = bracketOf(crouzeixRaviart(mesh, isOpen), index, guess);
  if (above === undefined || below === undefined) return undefined;
  const constant = INTERPOLATION * mesh.size;
  return {
    low: (below.low / (1 + constant * constant * below.low)) * (1 - ROUNDING),
    high: above.high * (1 + ROUNDING),
  };
}

/** The number of eigenvalues of K x = λ M x below a shift; NaN if a pivot is rounding. */
type Count = (shift: number) => number;

/** Where the eigenvalue of a number lies: with fewer below `low`, and at least as many below `high`. */
function bracketOf(count: Count, index: number, guess: number): Enclosure | undefined {
  let [low, high] = [guess, guess];
  for (let spread = 0.004; count(low) >= index; spread *= 2) {
    if (spread > MAX_SPREAD) return undefined;
    [low, high] = [guess / (1 + spread), low];
  }
  if (low === guess)
    for (let spread = 0.004; count(high) < index; spread *= 2) {
      if (spread > MAX_SPREAD) return undefined;
      [low, high] = [high, guess * (1 + spread)];
    }
  while (high - low > BRACKET * low) {
    const middle = 0.5 * (low + high);
    if (count(middle) >= index) high = middle;
    else low = middle;
  }
  return { low, high };
}

/** An entry of both matrices. */
type Entry = readonly [a: number, b: number, k: number, m: number];

/** Counts of matrices given by entries of unknowns; −1 is held. */
function counterOf(unknowns: number, entries: readonly Entry[]): Count {
  const places = orderOf(unknowns, entries);
  const own = entries.flatMap(([a, b, k, m]): Entry[] => {
    if (a < 0 || b < 0) return [];
    const [p, q] = [places[a] ?? 0, places[b] ?? 0];
    return [[Math.max(p, q), Math.min(p, q), k, m]];
  });
  const first = Int32Array.from({ length: unknowns }, (_, k) => k);
  for (const [a, b] of own) first[a] = Math.min(first[a] ?? 0, b);
  const matrix = new Skyline(first);
  return (shift) => {
    matrix.clear();
    for (const [a, b, k, m] of own) matrix.add(a, b, k - shift * m);
    return matrix.factor().negative;
  };
}

/** Places by breadth from an end of the body (Cuthill and McKee), which keeps the profile narrow. */
function orderOf(unknowns: number, entries: readonly Entry[]): Int32Array {
  const near: number[][] = Array.from({ length: unknowns }, () => []);
  for (const [a, b] of entries)
    if (a >= 0 && b >= 0 && a !== b) {
      near[a]?.push(b);
      near[b]?.push(a);
    }
  const breadth = (start: number): number[] => {
    const seen = new Uint8Array(unknowns);
    const order: number[] = [];
    // Parts that no unknown joins come one after the other.
    for (let root = start, rest = 0; rest <= unknowns; root = rest++) {
      if (root >= unknowns || seen[root] === 1) continue;
      seen[root] = 1;
      order.push(root);
      for (let k = order.length - 1; k < order.length; k++)
        for (const one of near[order[k] ?? 0] ?? [])
          if (seen[one] === 0) {
            seen[one] = 1;
            order.push(one);
          }
    }
    return order;
  };
  const far = breadth(0).at(-1) ?? 0;
  const places = new Int32Array(unknowns);
  breadth(far).forEach((k, place) => {
    places[k] = unknowns - 1 - place;
  });
  return places;
}

/** The gradients' products of a triangle, and its area. */
function elementOf({ points }: Triangulation, triangle: readonly [number, number, number]) {
  const [p, q, r] = triangle.map((k) => points[k] ?? [0, 0]) as [Polygon[0], Polygon[0], Polygon[0]];
  const sides = [
    [r[0] - q[0], r[1] - q[1]],
    [p[0] - r[0], p[1] - r[1]],
    [q[0] - p[0], q[1] - p[1]],
  ] as const;
  const [u, v] = [sides[2], sides[1]];
  const area = 0.5 * Math.abs(u[0] * v[1] - u[1] * v[0]);
  const product = (i: number, j: number) => {
    const [a, b] = [sides[i] ?? [0, 0], sides[j] ?? [0, 0]];
    return (a[0] * b[0] + a[1] * b[1]) / (4 * area);
  };
  return { area, product };
}

const PAIRS = [
  [0, 0],
  [1, 1],
  [2, 2],
  [1, 0],
  [2, 0],
  [2, 1],
] as const;

/** Numbers of the unknowns, −1 where held. */
function numbersOf(isHeld: readonly boolean[]): { readonly numbers: Int32Array; readonly unknowns: number } {
  let unknowns = 0;
  const numbers = Int32Array.from(isHeld, (held) => (held ? -1 : unknowns++));
  return { numbers, unknowns };
}

/** Linear elements, continuous: values at corners. */
function continuous(mesh: Triangulation, isOpen: readonly boolean[]): Count {
  const held = mesh.points.map(() => false);
  mesh.edges.forEach((ends, e) => {
    if (isOpen[mesh.sideOf[e] ?? -1] === true) for (const end of ends) held[end] = true;
  });
  const { numbers, unknowns } = numbersOf(held);
  const entries = mesh.triangles.flatMap((triangle) => {
    const { area, product } = elementOf(mesh, triangle);
    return PAIRS.map(([i, j]): Entry => {
      const [a, b] = [numbers[triangle[i]] ?? -1, numbers[triangle[j]] ?? -1];
      return [a, b, product(i, j), (area / 12) * (i === j ? 2 : 1)];
    });
  });
  return counterOf(unknowns, entries);
}

/** Linear elements with values in the middles of edges. */
function crouzeixRaviart(mesh: Triangulation, isOpen: readonly boolean[]): Count {
  const { numbers, unknowns } = numbersOf(mesh.edges.map((_, e) => isOpen[mesh.sideOf[e] ?? -1] === true));
  const entries = mesh.triangles.flatMap((triangle, t) => {
    const { area, product } = elementOf(mesh, triangle);
    const own = mesh.edgesOf[t] ?? [0, 0, 0];
    return PAIRS.map(([i, j]): Entry => {
      const [a, b] = [numbers[own[i]] ?? -1, numbers[own[j]] ?? -1];
      return [a, b, 4 * product(i, j), i === j ? area / 3 : 0];
    });
  });
  return counterOf(unknowns, entries);
}
