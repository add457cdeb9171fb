// Triangles that fill a polygon: ears, made Delaunay by flips, and cut at their longest edges until they are small.

import type { Point, Polygon } from './polygon.ts';

type Triangle = readonly [number, number, number];

export interface Triangulation {
  readonly points: readonly Point[];
  readonly triangles: readonly Triangle[];
  /** Edges by both ends, and of each triangle the edges opposite its corners. */
  readonly edges: readonly (readonly [number, number])[];
  readonly edgesOf: readonly Triangle[];
  /** Of each edge, the edge of the polygon that it lies on; −1 inside. */
  readonly sideOf: Int32Array;
  /** The longest edge. */
  readonly size: number;
}

/** Passes of cuts; each halves the longest edges. */
const MAX_PASSES = 60;
/** Near corners that are not convex edges are shorter, down to this part. */
const FINEST = 0.15;

/**
 * @param size    the longest edge that is allowed
 * @param sharp   corners near which triangles are smaller: within a quarter of `reach`
 * @returns       undefined if no ear is found, which rounding alone can cause, or triangles are more than `most`
 */
export function triangulate(
  polygon: Polygon,
  {
    size,
    sharp,
    reach,
    most,
  }: { readonly size: number; readonly sharp: readonly Point[]; readonly reach: number; readonly most: number },
): Triangulation | undefined {
  const ears = earsOf(polygon);
  if (ears === undefined) return undefined;
  const points = [...polygon];
  let triangles = delaunay(points, ears);
  const limitAt = ([x, y]: Point) =>
    size *
    sharp.reduce((least, [a, b]) => {
      const r = Math.sqrt((x - a) * (x - a) + (y - b) * (y - b));
      return Math.min(least, Math.max(FINEST, (4 * r) / reach));
    }, 1);
  const sides = new Map<number, number>();
  for (let i = 0; i < polygon.length; i++) sides.set(keyOf(i, (i + 1) % polygon.length), i);
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const marked = markedEdges(points, triangles, limitAt);
    if (marked.size === 0) return connected(points, triangles, sides);
    triangles = delaunay(points, cut(points, triangles, marked, sides));
    if (triangles.length > most) return undefined;
  }
  return undefined;
}

const BASE = 1 << 20;
const keyOf = (a: number, b: number) => (a < b ? a * BASE + b : b * BASE + a);
const endsOf = (key: number) => [Math.floor(key / BASE), key % BASE] as const;

const at = (points: readonly Point[], i: number): Point => points[i] ?? [0, 0];

/** Twice the area of a triangle, positive counter-clockwise. */
function turn([a, b]: Point, [c, d]: Point, [e, f]: Point): number {
  return (c - a) * (f - b) - (d - b) * (e - a);
}

function squareOf([a, b]: Point, [c, d]: Point): number {
  return (c - a) * (c - a) + (d - b) * (d - b);
}

/** Cuts off one ear after the other, the roundest first. Corners may run either way. */
function earsOf(polygon: Polygon): Triangle[] | undefined {
  const sum = polygon.reduce(
    (all, one, i) => all + turn(at(polygon, 0), one, at(polygon, (i + 1) % polygon.length)),
    0,
  );
  const ring = polygon.map((_, i) => (sum > 0 ? i : polygon.length - 1 - i));
  const triangles: Triangle[] = [];
  while (ring.length > 3) {
    let [best, roundest] = [-1, 0];
    for (let i = 0; i < ring.length; i++) {
      const ear = earAt(ring, i);
      const roundness = roundnessOf(polygon, ear);
      if (roundness > roundest && isFree(polygon, ring, ear)) [best, roundest] = [i, roundness];
    }
    if (best < 0) return undefined;
    triangles.push(earAt(ring, best));
    ring.splice(best, 1);
  }
  const last = earAt(ring, 1);
  if (!(roundnessOf(polygon, last) > 0)) return undefined;
  return [...triangles, last];
}

function earAt(ring: readonly number[], i: number): Triangle {
  const count = ring.length;
  return [ring[(i + count - 1) % count] ?? 0, ring[i] ?? 0, ring[(i + 1) % count] ?? 0];
}

/** Area over the square of the longest edge; not positive if the corner is not convex. */
function roundnessOf(polygon: Polygon, [a, b, c]: Triangle): number {
  const [p, q, r] = [at(polygon, a), at(polygon, b), at(polygon, c)];
  const roundness = turn(p, q, r) / Math.max(squareOf(p, q), squareOf(q, r), squareOf(r, p));
  return roundness > 1e-12 ? roundness : 0;
}

/** Whether no other corner lies in the ear or on its sides. */
function isFree(polygon: Polygon, ring: readonly number[], [a, b, c]: Triangle): boolean {
  const [p, q, r] = [at(polygon, a), at(polygon, b), at(polygon, c)];
  return ring.every((k) => {
    if (k === a || k === b || k === c) return true;
    const place = at(polygon, k);
    return turn(p, q, place) < 0 || turn(q, r, place) < 0 || turn(r, p, place) < 0;
  });
}

/** Flips inner edges until every one is Delaunay, as far as the polygon lets it (Lawson). */
function delaunay(points: readonly Point[], given: readonly Triangle[]): Triangle[] {
  const triangles = [...given];
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    let flips = 0;
    for (const [key, pair] of neighboursOf(triangles)) {
      const [s, t] = pair;
      if (s === undefined || t === undefined) continue;
      const [first, second] = [triangles[s], triangles[t]];
      const [a, b] = endsOf(key);
      if (first === undefined || second === undefined) continue;
      // An earlier flip of this pass may have moved the edge.
      if (![a, b].every((one) => first.includes(one) && second.includes(one))) continue;
      const [c, d] = [first, second].map((one) => one.find((k) => k !== a && k !== b) ?? 0) as [number, number];
      const [p, q, r, w] = [a, b, c, d].map((k) => at(points, k)) as [Point, Point, Point, Point];
      // The other diagonal must lie inside, and the smallest sum of opposite angles wins.
      if (turn(r, w, p) * turn(r, w, q) >= 0 || cosineAt(r, p, q) + cosineAt(w, p, q) >= -1e-12) continue;
      triangles[s] = oriented(points, [c, d, a]);
      triangles[t] = oriented(points, [d, c, b]);
      flips++;
    }
    if (flips === 0) break;
  }
  return triangles;
}

/** The sine of the sum of two angles is negative just if this sum of cotangents is. */
function cosineAt(corner: Point, p: Point, q: Point): number {
  const dot = (p[0] - corner[0]) * (q[0] - corner[0]) + (p[1] - corner[1]) * (q[1] - corner[1]);
  return dot / Math.abs(turn(corner, p, q));
}

function oriented(points: readonly Point[], [a, b, c]: Triangle): Triangle {
  return turn(at(points, a), at(points, b), at(points, c)) > 0 ? [a, b, c] : [b, a, c];
}

const cornersOf = ([a, b, c]: Triangle) =>
  [
    [b, c],
    [c, a],
    [a, b],
  ] as const;

/** The triangles beside each edge. */
function neighboursOf(triangles: readonly Triangle[]): Map<number, number[]> {
  const map = new Map<number, number[]>();
  triangles.forEach((triangle, t) => {
    for (const [a, b] of cornersOf(triangle)) {
      const key = keyOf(a, b);
      const known = map.get(key);
      if (known === undefined) map.set(key, [t]);
      else known.push(t);
    }
  });
  return map;
}

function longestEdge(points: readonly Point[], triangle: Triangle): number {
  let [longest, most] = [0, -1];
  for (const [a, b] of cornersOf(triangle)) {
    const square = squareOf(at(points, a), at(points, b));
    const key = keyOf(a, b);
    // Equal edges are told apart the same way in both triangles.
    if (square > most || (square === most && key > longest)) [longest, most] = [key, square];
  }
  return longest;
}

const middleOf = (points: readonly Point[], key: number): Point => {
  const [a, b] = endsOf(key);
  const [p, q] = [at(points, a), at(points, b)];
  return [0.5 * (p[0] + q[0]), 0.5 * (p[1] + q[1])];
};

/** The longest edges of triangles where they are too long, and of those that have any marked edge. */
function markedEdges(
  points: readonly Point[],
  triangles: readonly Triangle[],
  limitAt: (place: Point) => number,
): ReadonlySet<number> {
  const marked = new Set<number>();
  for (const triangle of triangles) {
    const key = longestEdge(points, triangle);
    const [a, b] = endsOf(key);
    const limit = limitAt(middleOf(points, key));
    if (squareOf(at(points, a), at(points, b)) > limit * limit) marked.add(key);
  }
  for (let before = -1; before !== marked.size; ) {
    before = marked.size;
    for (const triangle of triangles)
      if (cornersOf(triangle).some(([a, b]) => marked.has(keyOf(a, b)))) marked.add(longestEdge(points, triangle));
  }
  return marked;
}

/** Cuts the marked edges of each triangle in half, the longest one first (Rivara 1984). */
function cut(
  points: Point[],
  triangles: readonly Triangle[],
  marked: ReadonlySet<number>,
  sides: Map<number, number>,
): Triangle[] {
  const middles = new Map<number, number>();
  for (const key of marked) {
    const middle = points.push(middleOf(points, key)) - 1;
    middles.set(key, middle);
    const side = sides.get(key);
    if (side === undefined) continue;
    for (const end of endsOf(key)) sides.set(keyOf(end, middle), side);
  }
  const halves = (triangle: Triangle): Triangle[] => {
    const key = longestEdge(points, triangle);
    const middle = middles.get(key);
    if (middle === undefined) return [triangle];
    const [a, b] = endsOf(key);
    const c = triangle.find((k) => k !== a && k !== b) ?? 0;
    return [oriented(points, [a, middle, c]), oriented(points, [middle, b, c])].flatMap((half) => secondHalves(half));
  };
  /** A half is cut again if the edge that it keeps is marked. */
  const secondHalves = (triangle: Triangle): Triangle[] => {
    const edge = cornersOf(triangle).find(([a, b]) => middles.has(keyOf(a, b)));
    if (edge === undefined) return [triangle];
    const [a, b] = edge;
    const middle = middles.get(keyOf(a, b)) ?? 0;
    const c = triangle.find((k) => k !== a && k !== b) ?? 0;
    return [oriented(points, [a, middle, c]), oriented(points, [middle, b, c])];
  };
  return triangles.flatMap(halves);
}

function connected(
  points: readonly Point[],
  triangles: readonly Triangle[],
  sides: ReadonlyMap<number, number>,
): Triangulation {
  const numbers = new Map<number, number>();
  const edges: (readonly [number, number])[] = [];
  let square = 0;
  const edgesOf = triangles.map((triangle) => {
    const own = cornersOf(triangle).map(([a, b]) => {
      const key = keyOf(a, b);
      const known = numbers.get(key);
      if (known !== undefined) return known;
      square = Math.max(square, squareOf(at(points, a), at(points, b)));
      numbers.set(key, edges.length);
      return edges.push(endsOf(key)) - 1;
    });
    return own as unknown as Triangle;
  });
  const sideOf = Int32Array.from(edges, ([a, b]) => sides.get(keyOf(a, b)) ?? -1);
  return { points, triangles, edges, edgesOf, sideOf, size: Math.sqrt(square) };
}
