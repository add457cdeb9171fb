// Polygons: corners of a text, areas within rectangles, and lengths of lines inside.

import { parseReal } from '../../core/decimal.ts';
import { cos, sin } from '../../core/elementary.ts';
import { validationError } from '../parts/errors.ts';

export type Point = readonly [x: number, y: number];
export type Polygon = readonly Point[];

const MAX_CORNERS = 100;
const DISC_CORNERS = 192;

/** @throws DomainError VALIDATION_FAILED */
export function polygonOf(text: string): Polygon {
  const corners = text
    .split(/[;\n]/)
    .map((row) => row.trim())
    .filter((row) => row !== '')
    .map((row) => row.split(/[\s,]+/).map(parseReal));
  const isPlace = (one: readonly number[]) => one.length === 2 && one.every((x) => Math.abs(x) <= 1e4);
  const bad = corners.findIndex((one) => !isPlace(one));
  if (bad >= 0)
    throw validationError('outline', `outline: corner ${bad + 1} is not "x y" with numbers within ±10000 m.`);
  if (corners.length < 3 || corners.length > MAX_CORNERS)
    throw validationError('outline', `outline has ${corners.length} corners; 3 to ${MAX_CORNERS} are allowed.`);
  const polygon = corners.map(([x = 0, y = 0]): Point => [x, y]);
  // A ring may be closed by its first corner.
  if (polygon.length > 3 && isSame(polygon[0], polygon[polygon.length - 1])) polygon.pop();
  checkSimple(polygon);
  return polygon;
}

const isSame = (a: Point | undefined, b: Point | undefined) => a?.[0] === b?.[0] && a?.[1] === b?.[1];

/** @throws DomainError VALIDATION_FAILED  where edges have no length, fold back, cross or touch */
function checkSimple(polygon: Polygon): void {
  const count = polygon.length;
  const reject = (text: string) => validationError('outline', `outline: ${text}; a simple polygon is expected.`);
  for (let i = 0; i < count; i++)
    for (let j = i + 1; j < count; j++)
      if (isSame(polygon[i], polygon[j])) throw reject(`corners ${i + 1} and ${j + 1} are the same place`);
  for (let i = 0; i < count; i++) {
    const [[a, b], [, c]] = [edge(polygon, i), edge(polygon, (i + 1) % count)];
    if (turn(a, b, c) === 0 && along(a, b, c) < 0)
      throw reject(`the edges at corner ${((i + 1) % count) + 1} fold back`);
    for (let j = i + 2; j < count; j++)
      if ((j + 1) % count !== i && meets([a, b], edge(polygon, j)))
        throw reject(`edges ${i + 1} and ${j + 1} cross or touch`);
  }
}

const edge = (polygon: Polygon, i: number) =>
  [polygon[i] ?? [0, 0], polygon[(i + 1) % polygon.length] ?? [0, 0]] as const;

const turn = (a: Point, b: Point, c: Point) => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);

/** (b − a) · (c − b) */
const along = (a: Point, b: Point, c: Point) => (b[0] - a[0]) * (c[0] - b[0]) + (b[1] - a[1]) * (c[1] - b[1]);

/** Whether two edges without a common corner have a common place. */
function meets([a, b]: readonly [Point, Point], [c, d]: readonly [Point, Point]): boolean {
  const [p, q] = [turn(a, b, c) * turn(a, b, d), turn(c, d, a) * turn(c, d, b)];
  if (p > 0 || q > 0) return false;
  if (p < 0 && q < 0) return true;
  // One end lies on the other's line, or all on one line: then the rectangles about them tell.
  const overlaps = (axis: 0 | 1) =>
    Math.max(Math.min(a[axis], b[axis]), Math.min(c[axis], d[axis])) <=
    Math.min(Math.max(a[axis], b[axis]), Math.max(c[axis], d[axis]));
  return overlaps(0) && overlaps(1);
}

/** Twice the area, positive if the corners run counter-clockwise. */
function signedArea(polygon: Polygon): number {
  const [origin = [0, 0]] = polygon;
  return polygon.reduce((sum, a, i) => sum + turn(origin, a, polygon[(i + 1) % polygon.length] ?? origin), 0);
}

/** The angle inside of corner i, as a part of π. */
export function cornerAngle(polygon: Polygon, i: number): number {
  const count = polygon.length;
  const [[a, b], [, c]] = [edge(polygon, (i + count - 1) % count), edge(polygon, i)];
  const sign = signedArea(polygon) < 0 ? -1 : 1;
  return 1 - angleOf(along(a, b, c), sign * turn(a, b, c)) / Math.PI;
}

/** The angle of (x, y) in (−π, π]. */
function angleOf(x: number, y: number): number {
  // tan(φ/4) by halving twice; then the series of the arctangent, whose argument is below 0.42.
  const size = Math.sqrt(x * x + y * y);
  if (y === 0) return x < 0 ? Math.PI : 0;
  const half = x < 0 ? (size - x) / y : y / (size + x);
  const quarter = half / (1 + Math.sqrt(1 + half * half));
  const eighth = quarter / (1 + Math.sqrt(1 + quarter * quarter));
  let [sum, power] = [0, eighth];
  for (let k = 1; k < 60; k += 2) {
    sum += power / k;
    power *= -eighth * eighth;
  }
  return 8 * sum;
}

/**
 * A polygon whose open edges are moved outwards, so that cells that they cut count as whole. At a corner with an edge that
 * stays, the edges are prolonged to their new crossing.
 */
export function withoutEdges(polygon: Polygon, isOpen: readonly boolean[], distance: number): Polygon {
  const sign = signedArea(polygon) < 0 ? -1 : 1;
  const count = polygon.length;
  const lines = polygon.map((_, i) => {
    const [a, b] = edge(polygon, i);
    const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
    const scale = isOpen[i] === true ? (sign * distance) / Math.sqrt(dx * dx + dy * dy) : 0;
    return { at: [a[0] + scale * dy, a[1] - scale * dx] as const, dx, dy, move: [scale * dy, -scale * dx] as const };
  });
  return polygon.flatMap((corner, i): Point[] => {
    const [before, behind] = [lines[(i + count - 1) % count], lines[i]];
    if (before === undefined || behind === undefined) return [corner];
    const cross = before.dx * behind.dy - before.dy * behind.dx;
    const size = Math.sqrt(
      (before.dx * before.dx + before.dy * before.dy) * (behind.dx * behind.dx + behind.dy * behind.dy),
    );
    if (Math.abs(cross) < 0.2 * size)
      return [before, behind].map(({ move }): Point => [corner[0] + move[0], corner[1] + move[1]]);
    const t = ((behind.at[0] - before.at[0]) * behind.dy - (behind.at[1] - before.at[1]) * behind.dx) / cross;
    return [[before.at[0] + t * before.dx, before.at[1] + t * before.dy]];
  });
}

/** Part of a length within which places on an edge, or at its ends, count as met. */
const ROUNDED = 1e-9;

/** How far from a place, along an axis by at most `reach`, the first of these edges is met; undefined if none is. */
export function distanceTo(
  polygon: Polygon,
  chosen: readonly boolean[],
  from: Point,
  axis: 0 | 1,
  reach: number,
): number | undefined {
  const other = (1 - axis) as 0 | 1;
  let nearest: number | undefined;
  for (let i = 0; i < polygon.length; i++) {
    if (chosen[i] !== true) continue;
    const [a, b] = edge(polygon, i);
    const width = b[other] - a[other];
    if (width === 0 || (from[other] - a[other]) * (from[other] - b[other]) > ROUNDED * width * width) continue;
    const at = a[axis] + ((from[other] - a[other]) / (b[other] - a[other])) * (b[axis] - a[axis]);
    const share = (at - from[axis]) / reach;
    if (share >= -ROUNDED && share <= 1 + ROUNDED && (nearest === undefined || share < nearest)) nearest = share;
  }
  return nearest === undefined ? undefined : Math.max(0, nearest) * Math.abs(reach);
}

/** A regular polygon with the area of the disc: its frequencies differ by less than 1e-6. */
export function discOf(diameter: number): Polygon {
  const angle = (2 * Math.PI) / DISC_CORNERS;
  const radius = 0.5 * diameter * Math.sqrt(angle / sin(angle));
  return Array.from(
    { length: DISC_CORNERS },
    (_, i): Point => [
      0.5 * diameter + radius * cos((i + 0.5) * angle),
      0.5 * diameter + radius * sin((i + 0.5) * angle),
    ],
  );
}

export function areaOf(polygon: Polygon): number {
  let sum = 0;
  const [origin = [0, 0]] = polygon;
  for (let i = 0; i < polygon.length; i++) {
    const [a, b] = edge(polygon, i);
    sum += (a[0] - origin[0]) * (b[1] - origin[1]) - (b[0] - origin[0]) * (a[1] - origin[1]);
  }
  return 0.5 * Math.abs(sum);
}

export function perimeterOf(polygon: Polygon): number {
  return polygon.reduce((sum, _, i) => {
    const [a, b] = edge(polygon, i);
    return sum + Math.sqrt((b[0] - a[0]) * (b[0] - a[0]) + (b[1] - a[1]) * (b[1] - a[1]));
  }, 0);
}

/** The part of a polygon between two lines across an axis (0: x, 1: y); parts are joined along the lines. */
export const stripOf = (polygon: Polygon, axis: 0 | 1, low: number, high: number): Polygon =>
  halfOf(halfOf(polygon, axis, low, 1), axis, high, -1);

function halfOf(polygon: Polygon, axis: 0 | 1, limit: number, sign: number): Polygon {
  const kept: Point[] = [];
  for (let i = 0; i < polygon.length; i++) {
    const [a, b] = edge(polygon, i);
    const [u, v] = [sign * (a[axis] - limit), sign * (b[axis] - limit)];
    if (u >= 0) kept.push(a);
    if (u * v < 0) {
      const t = u / (u - v);
      const other = a[(1 - axis) as 0 | 1] + t * (b[(1 - axis) as 0 | 1] - a[(1 - axis) as 0 | 1]);
      kept.push(axis === 0 ? [limit, other] : [other, limit]);
    }
  }
  return kept;
}

/** Where the line across an axis enters and leaves the polygon, rising. */
export function crossingsOf(polygon: Polygon, axis: 0 | 1, at: number): readonly number[] {
  const found: number[] = [];
  for (let i = 0; i < polygon.length; i++) {
    const [a, b] = edge(polygon, i);
    if (a[axis] <= at === b[axis] <= at) continue;
    const other = (1 - axis) as 0 | 1;
    found.push(a[other] + ((at - a[axis]) / (b[axis] - a[axis])) * (b[other] - a[other]));
  }
  return found.sort((p, q) => p - q);
}
