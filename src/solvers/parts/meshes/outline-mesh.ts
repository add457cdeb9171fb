// A mesh of quadrilaterals inside an outline with holes.
//
// The boundary is divided into pieces whose circles about them are empty, points of a hexagonal pattern fill the inside,
// Delaunay triangles connect them (an empty circle makes a piece an edge of the triangles; Gabriel & Sokal 1969), and each
// triangle becomes three quadrilaterals about its centre. Deterministic: additions, multiplications and roots alone.

import { cos, sin } from '../../../core/elementary.ts';
import { LIMITS } from '../../../core/limits.ts';
import { validationError } from '../errors.ts';
import { delaunay } from './delaunay.ts';
import type { Loop, Point } from './outline.ts';
import type { Arc, QuadMesh } from './quad-mesh.ts';

/** A piece of the boundary, the inside to the left. */
interface Piece {
  readonly a: number;
  readonly b: number;
  /** Index of the loop, and of its edge. */
  readonly loop: number;
  readonly edge: number;
}

interface Boundary {
  readonly points: Point[];
  readonly pieces: Piece[];
}

const MIN_CIRCLE = 12;
/** Of the boundary. */
const MAX_POINTS = 1_500;
/** Of the spacing: how near to the boundary points of the inside are. */
const MARGIN = 0.6;

type Fail = (message: string, code?: string) => Error;

/**
 * The sides are `outline`, hole1, hole2, … and edge1, edge2, … of the outside.
 *
 * @param size  about the length of the edges of elements; by default a 16th of the extent
 * @param path  the input field
 * @throws DomainError VALIDATION_FAILED
 */
export function outlineMesh(loops: readonly Loop[], path: string, size?: number): QuadMesh {
  const fail: Fail = (message, code = 'BAD_OUTLINE') => validationError(path, `${path}: ${message}`, code);
  const extent = extentOf(loops[0]);
  // Edges of triangles are twice as long as those of their quadrilaterals.
  const spacing = 2 * (size ?? extent / 16);
  if (spacing > 2 * extent)
    throw validationError('size', `size is ${size} m; the outline is ${extent} m wide.`, 'OUT_OF_RANGE');
  const estimate = (6.9 * extent * extent) / (spacing * spacing);
  if (estimate > 8 * LIMITS.fea.outlineElements) throw tooFine(estimate);
  const boundary = boundaryOf(loops, spacing, fail);
  assertSimple(boundary, fail);
  assertInside(loops, boundary, fail);
  split(boundary, loops, fail);
  const inside = interior(boundary, spacing);
  const points = [...boundary.points, ...inside];
  const keeps = ([a, b, c]: readonly [number, number, number]) => isInside(boundary, centroid(points, [a, b, c]));
  const triangles = delaunay(points).filter(keeps);
  if (3 * triangles.length > LIMITS.fea.outlineElements) throw tooFine(3 * triangles.length);
  assertComplete(points, triangles, boundary, fail);
  smooth(points, triangles, boundary.points.length);
  return quadsOf(points, triangles, boundary, loops);
}

function tooFine(elements: number): Error {
  const { outlineElements: max } = LIMITS.fea;
  const message = `size asks for about ${Math.round(elements)} elements; at most ${max} are possible before refinement.`;
  return validationError('size', message, 'TOO_LARGE', { max });
}

function extentOf(loop: Loop | undefined): number {
  if (!loop) return 0;
  if (loop.kind === 'circle') return 2 * loop.radius;
  const along = (d: 0 | 1) => {
    const values = loop.corners.map((corner) => corner[d]);
    return Math.max(...values) - Math.min(...values);
  };
  return Math.max(along(0), along(1));
}

/** Corners and the points between them; the outside runs anticlockwise, holes clockwise. */
function boundaryOf(loops: readonly Loop[], spacing: number, fail: Fail): Boundary {
  const boundary: Boundary = { points: [], pieces: [] };
  for (const [index, loop] of loops.entries()) {
    const name = index === 0 ? 'the outside' : `hole ${index}`;
    const corners = loop.kind === 'circle' ? circle(loop, spacing) : loop.corners;
    const area = loopArea(corners);
    if (area === 0) throw fail(`${name} has no area.`);
    const isTurned = area > 0 !== (index === 0);
    const first = boundary.points.length;
    let edge = 0;
    const ordered = isTurned ? corners.toReversed() : corners;
    for (const [i, from] of ordered.entries()) {
      const to = ordered[(i + 1) % ordered.length] ?? from;
      const length = distance(from, to);
      if (length === 0) throw fail(`${name} has a corner twice, at (${from.join(', ')}).`);
      const pieces = loop.kind === 'circle' ? 1 : Math.ceil(length / spacing);
      // Edges keep the numbers of the text: the one from corner k to the next is k.
      edge = isTurned ? (ordered.length - 1 - i + ordered.length - 1) % ordered.length : i;
      for (let k = 0; k < pieces; k++) {
        const a = boundary.points.length;
        const share = k / pieces;
        boundary.points.push([from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])]);
        boundary.pieces.push({ a, b: a + 1, loop: index, edge: loop.kind === 'circle' ? 0 : edge });
      }
      if (boundary.points.length > MAX_POINTS) throw tooFine(0.25 * boundary.points.length * boundary.points.length);
    }
    const last = boundary.pieces.at(-1);
    if (last) boundary.pieces[boundary.pieces.length - 1] = { ...last, b: first };
  }
  return boundary;
}

function circle({ x, y, radius }: Extract<Loop, { readonly kind: 'circle' }>, spacing: number): readonly Point[] {
  const count = 4 * Math.ceil(Math.max(MIN_CIRCLE, (2 * Math.PI * radius) / spacing) / 4);
  return Array.from({ length: count }, (_, i): Point => {
    const angle = (2 * Math.PI * i) / count;
    return [x + radius * cos(angle), y + radius * sin(angle)];
  });
}

const distance = ([ax, ay]: Point, [bx, by]: Point): number => Math.sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay));

/** Twice the area of the triangle, positive anticlockwise. */
const cross = ([ax, ay]: Point, [bx, by]: Point, [cx, cy]: Point): number =>
  (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);

const loopArea = (corners: readonly Point[]): number =>
  corners.reduce((sum, [x, y], i) => {
    const [nx, ny] = corners[(i + 1) % corners.length] ?? [x, y];
    return sum + 0.5 * (x * ny - nx * y);
  }, 0);

const pointOf = (points: readonly Point[], i: number): Point => points[i] ?? [0, 0];

function areaOf({ points, pieces }: Boundary): number {
  return pieces.reduce((sum, { a, b }) => {
    const [[ax, ay], [bx, by]] = [pointOf(points, a), pointOf(points, b)];
    return sum + 0.5 * (ax * by - bx * ay);
  }, 0);
}

/** No two pieces cross or touch, other than at a common end. */
function assertSimple({ points, pieces }: Boundary, fail: Fail): void {
  for (const [i, first] of pieces.entries()) {
    const [p, q] = [pointOf(points, first.a), pointOf(points, first.b)];
    for (const second of pieces.slice(i + 1)) {
      if (second.a === first.b || second.b === first.a) continue;
      const [r, s] = [pointOf(points, second.a), pointOf(points, second.b)];
      const apart = [0, 1].some(
        (d) =>
          Math.max(p[d] ?? 0, q[d] ?? 0) < Math.min(r[d] ?? 0, s[d] ?? 0) ||
          Math.max(r[d] ?? 0, s[d] ?? 0) < Math.min(p[d] ?? 0, q[d] ?? 0),
      );
      if (apart || cross(p, q, r) * cross(p, q, s) > 0 || cross(r, s, p) * cross(r, s, q) > 0) continue;
      throw fail(`the boundary crosses or touches itself about (${r[0]}, ${r[1]}).`, 'CROSSING');
    }
  }
}

/** By the pieces above a point: whether it is inside. */
function isInside({ points, pieces }: Boundary, [x, y]: Point, only?: number): boolean {
  let inside = false;
  for (const { a, b, loop } of pieces) {
    if (only !== undefined && loop !== only) continue;
    const [[ax, ay], [bx, by]] = [pointOf(points, a), pointOf(points, b)];
    if (ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)) inside = !inside;
  }
  return inside;
}

/** Holes are inside of the outside, and not inside of each other. */
function assertInside(loops: readonly Loop[], boundary: Boundary, fail: Fail): void {
  for (let hole = 1; hole < loops.length; hole++) {
    const piece = boundary.pieces.find(({ loop }) => loop === hole);
    const point = pointOf(boundary.points, piece?.a ?? 0);
    if (!isInside(boundary, point, 0)) throw fail(`hole ${hole} is not inside of the outside.`, 'HOLE_OUTSIDE');
    for (let other = 1; other < loops.length; other++)
      if (other !== hole && isInside(boundary, point, other))
        throw fail(`hole ${hole} is inside of hole ${other}.`, 'HOLE_INSIDE');
  }
}

/** Halves pieces until no point is inside of the circle about a piece. */
function split(boundary: Boundary, loops: readonly Loop[], fail: Fail): void {
  const { points, pieces } = boundary;
  // A new point may be inside of the circle of an earlier piece, so there are several passes.
  for (let isDone = false; !isDone; ) {
    isDone = true;
    for (const [i, { a, b, loop, edge }] of pieces.entries()) {
      const [p, q] = [pointOf(points, a), pointOf(points, b)];
      const centre: Point = [0.5 * (p[0] + q[0]), 0.5 * (p[1] + q[1])];
      const radius = 0.5 * distance(p, q) * (1 + 1e-9);
      if (points.every((point, k) => k === a || k === b || distance(point, centre) > radius)) continue;
      if (points.length >= MAX_POINTS)
        throw fail('a corner is too sharp or a gap too narrow to be meshed at this size.', 'TOO_NARROW');
      const middle = points.length;
      points.push(onto(loops[loop], centre));
      pieces[i] = { a, b: middle, loop, edge };
      pieces.push({ a: middle, b, loop, edge });
      isDone = false;
    }
  }
}

/** A point moved onto the circle of its loop. */
function onto(loop: Loop | undefined, point: Point): Point {
  if (loop?.kind !== 'circle') return point;
  const [dx, dy] = [point[0] - loop.x, point[1] - loop.y];
  const factor = loop.radius / Math.sqrt(dx * dx + dy * dy);
  return [loop.x + factor * dx, loop.y + factor * dy];
}

/** Points of a hexagonal pattern, inside and away from the boundary. */
function interior(boundary: Boundary, spacing: number): readonly Point[] {
  const { points, pieces } = boundary;
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const [left, right, bottom, top] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const rise = spacing * 0.8660254037844386;
  const found: Point[] = [];
  for (let j = 0; bottom + j * rise < top; j++) {
    for (let i = 0; left + i * spacing < right + spacing; i++) {
      // A little out of line, so that no four points are on a circle.
      const jitter = 1e-3 * spacing * (((i * 7 + j * 13) % 11) / 11 - 0.5);
      const point: Point = [
        left + (i + (j % 2 === 0 ? 0.25 : 0.75)) * spacing + jitter,
        bottom + (j + 0.5) * rise + jitter,
      ];
      if (!isInside(boundary, point)) continue;
      const isFar = pieces.every(({ a, b }) => {
        const [p, q] = [pointOf(points, a), pointOf(points, b)];
        return toPiece(point, p, q) > MARGIN * Math.max(distance(p, q), 0.8 * spacing);
      });
      if (isFar) found.push(point);
    }
  }
  return found;
}

function toPiece(point: Point, a: Point, b: Point): number {
  const length = distance(a, b);
  const along = ((point[0] - a[0]) * (b[0] - a[0]) + (point[1] - a[1]) * (b[1] - a[1])) / (length * length);
  const share = Math.min(1, Math.max(0, along));
  return distance(point, [a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])]);
}

type Triangle = readonly [number, number, number];

const centroid = (points: readonly Point[], corners: Triangle): Point => [
  corners.reduce((sum, i) => sum + pointOf(points, i)[0], 0) / 3,
  corners.reduce((sum, i) => sum + pointOf(points, i)[1], 0) / 3,
];

const triangleArea = (points: readonly Point[], [a, b, c]: Triangle): number =>
  0.5 * cross(pointOf(points, a), pointOf(points, b), pointOf(points, c));

/** The triangles fill the outline, and every piece of the boundary is an edge of one. */
function assertComplete(
  points: readonly Point[],
  triangles: readonly Triangle[],
  boundary: Boundary,
  fail: Fail,
): void {
  const area = triangles.reduce((sum, corners) => sum + triangleArea(points, corners), 0);
  const expected = areaOf(boundary);
  const edges = new Set(triangles.flatMap(([a, b, c]) => [`${a} ${b}`, `${b} ${c}`, `${c} ${a}`]));
  const isWhole = boundary.pieces.every(({ a, b }) => edges.has(`${a} ${b}`));
  if (isWhole && Math.abs(area - expected) <= 1e-9 * expected) return;
  throw fail('the inside could not be divided into triangles; change size a little.', 'NOT_MESHED');
}

/** Moves the points of the inside to the mean of their neighbours, unless a triangle would be turned over. */
function smooth(points: Point[], triangles: readonly Triangle[], first: number): void {
  const about = points.map((): Triangle[] => []);
  for (const corners of triangles) for (const node of corners) about[node]?.push(corners);
  for (let turn = 0; turn < 6; turn++) {
    for (let node = first; node < points.length; node++) {
      const others = new Set((about[node] ?? []).flat());
      others.delete(node);
      const before = pointOf(points, node);
      const mean = [0, 1].map(
        (d) => [...others].reduce((sum, i) => sum + (pointOf(points, i)[d] ?? 0), 0) / others.size,
      );
      const least = () => Math.min(...(about[node] ?? []).map((corners) => triangleArea(points, corners)));
      const area = least();
      points[node] = [mean[0] ?? 0, mean[1] ?? 0];
      if (least() < 0.5 * area) points[node] = before;
    }
  }
}

function quadsOf(
  vertices: readonly Point[],
  triangles: readonly Triangle[],
  boundary: Boundary,
  loops: readonly Loop[],
): QuadMesh {
  const points = [...vertices];
  const middles = new Map<string, number>();
  const key = (a: number, b: number) => `${Math.min(a, b)} ${Math.max(a, b)}`;
  const middleOf = (a: number, b: number) => {
    const known = middles.get(key(a, b));
    if (known !== undefined) return known;
    const [p, q] = [pointOf(vertices, a), pointOf(vertices, b)];
    points.push([0.5 * (p[0] + q[0]), 0.5 * (p[1] + q[1])]);
    middles.set(key(a, b), points.length - 1);
    return points.length - 1;
  };
  const sides = new Map<string, number[]>();
  const arcs = new Map<number, number[]>();
  const add = (name: string, nodes: readonly number[]) => sides.set(name, [...(sides.get(name) ?? []), ...nodes]);
  for (const { a, b, loop, edge } of boundary.pieces) {
    const middle = middleOf(a, b);
    points[middle] = onto(loops[loop], pointOf(points, middle));
    const halves = [a, middle, middle, b];
    add(loop === 0 ? 'outline' : `hole${loop}`, halves);
    if (loop === 0 && loops[0]?.kind === 'corners') add(`edge${edge + 1}`, halves);
    if (loops[loop]?.kind === 'circle') arcs.set(loop, [...(arcs.get(loop) ?? []), ...halves]);
  }
  const quads = triangles.flatMap(([a, b, c]) => {
    const [ab, bc, ca] = [middleOf(a, b), middleOf(b, c), middleOf(c, a)];
    points.push(centroid(points, [ab, bc, ca]));
    const centre = points.length - 1;
    return [a, ab, centre, ca, b, bc, centre, ab, c, ca, centre, bc];
  });
  return {
    points: Float64Array.from(points.flat()),
    quads: Int32Array.from(quads),
    sides: new Map([...sides].map(([name, nodes]) => [name, Int32Array.from(nodes)])),
    arcs: [...arcs].map(([loop, edges]) => ({ ...(loops[loop] as Omit<Arc, 'edges'>), edges: Int32Array.from(edges) })),
  };
}
