// Contour lines of a map: the crossings of a level along the edges of cells, joined to polylines.
//
// Each line is given as many points as the others, evenly by number, so that all are rows of one array.

import { at } from '../parts/arrays.ts';

export interface Lines {
  /** f64[count, points] each. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly count: number;
}

const POINTS = 160;
/** Lines of a picture beside the path; shorter ones are left out. */
const MAX_LINES = 24;
const LEVELS = 9;

type Point = readonly [x: number, y: number];

/**
 * @param heights  f64[size, size], rows upwards
 * @param path  drawn first
 */
export function contourLines(
  heights: Float64Array,
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  path: readonly Point[],
): Lines {
  const [low, high] = [
    heights.reduce((min, h) => Math.min(min, h), Number.POSITIVE_INFINITY),
    heights.reduce((max, h) => Math.max(max, h), Number.NEGATIVE_INFINITY),
  ];
  const lines: (readonly Point[])[] = [];
  for (let k = 1; k <= LEVELS && high > low; k++)
    lines.push(...linesAt(heights, x, y, low + ((high - low) * k) / (LEVELS + 1)));
  lines.sort((a, b) => b.length - a.length);
  const all = [path, ...lines.slice(0, MAX_LINES)].map(resampled);
  return {
    x: Float64Array.from(all.flatMap((line) => line.map(([one]) => one))),
    y: Float64Array.from(all.flatMap((line) => line.map(([, one]) => one))),
    count: all.length,
  };
}

/** Points at even places of the list, straight between two of them. */
function resampled(line: readonly Point[]): readonly Point[] {
  const last = line.length - 1;
  return Array.from({ length: POINTS }, (_, i): Point => {
    const place = (i * last) / (POINTS - 1);
    const k = Math.min(Math.floor(place), Math.max(0, last - 1));
    const [a = [0, 0], b = a] = [line[k], line[Math.min(k + 1, last)]];
    const part = place - k;
    return [a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1])];
  });
}

/** Follows a level from cell to cell; each edge of the grid is crossed at most once. */
function linesAt(heights: Float64Array, x: ArrayLike<number>, y: ArrayLike<number>, level: number): Point[][] {
  const n = x.length;
  const height = (i: number, j: number) => at(heights, i * n + j) - level;
  // Edge 2 (i n + j) goes from (i, j) to the right, the next one upwards.
  const crossing = (edge: number): Point => {
    const [cell, isUp] = [edge >> 1, edge % 2 === 1];
    const [i, j] = [Math.floor(cell / n), cell % n];
    const a = height(i, j);
    const b = isUp ? height(i + 1, j) : height(i, j + 1);
    const part = a / (a - b);
    return isUp
      ? [at(x, j), at(y, i) + part * (at(y, i + 1) - at(y, i))]
      : [at(x, j) + part * (at(x, j + 1) - at(x, j)), at(y, i)];
  };
  const next = new Map<number, number[]>();
  const link = (a: number, b: number) => {
    next.set(a, [...(next.get(a) ?? []), b]);
    next.set(b, [...(next.get(b) ?? []), a]);
  };
  for (let i = 0; i < n - 1; i++) {
    for (let j = 0; j < n - 1; j++) {
      const cell = i * n + j;
      const sides = [2 * cell, 2 * (cell + 1) + 1, 2 * (cell + n), 2 * cell + 1];
      const corners = [height(i, j), height(i, j + 1), height(i + 1, j + 1), height(i + 1, j)].map((one) => one > 0);
      const crossed = sides.filter((_, k) => corners[k] !== corners[(k + 1) % 4]);
      const [a, b, c, d] = crossed;
      if (a !== undefined && b !== undefined) link(a, b);
      if (c !== undefined && d !== undefined) link(c, d);
    }
  }
  const seen = new Set<number>();
  const follow = (start: number): Point[] => {
    const line: Point[] = [];
    let edge: number | undefined = start;
    while (edge !== undefined) {
      seen.add(edge);
      line.push(crossing(edge));
      edge = next.get(edge)?.find((one) => !seen.has(one));
    }
    return line;
  };
  const lines: Point[][] = [];
  const ends = [...next].filter(([, neighbours]) => neighbours.length === 1).map(([edge]) => edge);
  for (const start of [...ends, ...next.keys()]) {
    if (seen.has(start)) continue;
    const line = follow(start);
    const first = line[0];
    if (first !== undefined && next.get(start)?.length === 2) line.push(first);
    if (line.length > 2) lines.push(line);
  }
  return lines;
}
