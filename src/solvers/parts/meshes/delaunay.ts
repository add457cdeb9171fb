// Delaunay triangles of points in the plane, a point at a time (Bowyer 1981, Watson 1981).
//
// O(n²) in the worst case; for coarse meshes. Four points on a circle may be divided either way.

import type { Point } from './outline.ts';

type Triangle = readonly [number, number, number];

interface Placed {
  readonly corners: Triangle;
  /** The circle through the corners. */
  readonly x: number;
  readonly y: number;
  readonly square: number;
}

/** Relative: a point on a circle is taken as outside. */
const ON_CIRCLE = 1e-12;

/** Triangles of the convex hull, each anticlockwise. */
export function delaunay(points: readonly Point[]): readonly Triangle[] {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const [left, right, bottom, top] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const size = 50 * Math.max(right - left, top - bottom);
  const [mx, my] = [0.5 * (left + right), 0.5 * (bottom + top)];
  const n = points.length;
  // A triangle about all points.
  const all: readonly Point[] = [
    ...points,
    [mx - 2 * size, my - size],
    [mx + 2 * size, my - size],
    [mx, my + 2 * size],
  ];
  let triangles: Placed[] = [placed(all, [n, n + 1, n + 2])];
  for (const [i, [x, y]] of points.entries()) {
    const edges = new Map<string, readonly [number, number]>();
    const kept: Placed[] = [];
    for (const triangle of triangles) {
      const [dx, dy] = [x - triangle.x, y - triangle.y];
      if (dx * dx + dy * dy >= triangle.square * (1 - ON_CIRCLE)) {
        kept.push(triangle);
        continue;
      }
      const [a, b, c] = triangle.corners;
      for (const [from, to] of [
        [a, b],
        [b, c],
        [c, a],
      ] as const) {
        // An edge inside of the hole occurs in both directions.
        if (!edges.delete(`${to} ${from}`)) edges.set(`${from} ${to}`, [from, to]);
      }
    }
    for (const [from, to] of edges.values()) kept.push(placed(all, [from, to, i]));
    triangles = kept;
  }
  return triangles.map(({ corners }) => corners).filter((corners) => corners.every((node) => node < n));
}

function placed(points: readonly Point[], corners: Triangle): Placed {
  const [a = [0, 0], b = [0, 0], c = [0, 0]] = corners.map((node) => points[node] ?? ([0, 0] as const));
  const [bx, by, cx, cy] = [b[0] - a[0], b[1] - a[1], c[0] - a[0], c[1] - a[1]];
  const twice = 2 * (bx * cy - by * cx);
  const [b2, c2] = [bx * bx + by * by, cx * cx + cy * cy];
  const x = (cy * b2 - by * c2) / twice;
  const y = (bx * c2 - cx * b2) / twice;
  return { corners, x: a[0] + x, y: a[1] + y, square: x * x + y * y };
}
