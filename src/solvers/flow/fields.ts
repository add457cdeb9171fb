// Numbers of a velocity field on the faces of a grid: at places, on the middle lines, and its streamfunction.

import { at } from '../parts/arrays.ts';
import { interpolateByQuotients } from '../parts/interpolation.ts';
import type { Level } from './problem.ts';

export interface Velocity {
  readonly level: Level;
  /** f64[rows, columns + 1] and f64[rows + 1, columns]. */
  readonly u: Float64Array;
  readonly v: Float64Array;
}

/** Speed in the middle of each cell. */
export function speedOf({ level: { columns, rows }, u, v }: Velocity): Float64Array {
  return Float64Array.from({ length: columns * rows }, (_, k) => {
    const [i, j] = [k % columns, Math.floor(k / columns)];
    const a = 0.5 * (at(u, k + j) + at(u, k + j + 1));
    const b = 0.5 * (at(v, j * columns + i) + at(v, (j + 1) * columns + i));
    return Math.sqrt(a * a + b * b);
  });
}

/** ∂v/∂x − ∂u/∂y in the middle of each cell, by differences over two cells and one-sided beside the sides. */
export function vorticityOf({ level: { columns, rows, h }, u, v }: Velocity): Float64Array {
  const uAt = (i: number, j: number) => 0.5 * (at(u, j * (columns + 1) + i) + at(u, j * (columns + 1) + i + 1));
  const vAt = (i: number, j: number) => 0.5 * (at(v, j * columns + i) + at(v, (j + 1) * columns + i));
  return Float64Array.from({ length: columns * rows }, (_, k) => {
    const [i, j] = [k % columns, Math.floor(k / columns)];
    const [left, right] = [Math.max(i - 1, 0), Math.min(i + 1, columns - 1)];
    const [low, high] = [Math.max(j - 1, 0), Math.min(j + 1, rows - 1)];
    return (vAt(right, j) - vAt(left, j)) / ((right - left) * h) - (uAt(i, high) - uAt(i, low)) / ((high - low) * h);
  });
}

/** The streamfunction at the corners of cells, 0 on the lower side: u = ∂ψ/∂y, v = −∂ψ/∂x. Shape [rows + 1, columns + 1]. */
export function streamfunctionOf({ level: { columns, rows, h }, u }: Velocity): Float64Array {
  const psi = new Float64Array((rows + 1) * (columns + 1));
  for (let j = 0; j < rows; j++)
    for (let i = 0; i <= columns; i++) {
      const k = j * (columns + 1) + i;
      psi[k + columns + 1] = at(psi, k) + h * at(u, k);
    }
  return psi;
}

/** A line of values at places. */
interface Profile {
  readonly places: Float64Array;
  readonly values: Float64Array;
}

/** u on the vertical through the middle, between the walls' velocities. */
export function verticalProfile({ level: { columns, rows, h }, u }: Velocity, lid: number): Profile {
  const line = (j: number) => middleOf(columns + 1, (i) => at(u, j * (columns + 1) + i));
  return profileOf(rows, h, 0, lid, line);
}

/** v on the horizontal through the middle. */
export function horizontalProfile({ level: { columns, rows, h }, v }: Velocity): Profile {
  const line = (i: number) => middleOf(rows + 1, (j) => at(v, j * columns + i));
  return profileOf(columns, h, 0, 0, line);
}

function profileOf(cells: number, h: number, first: number, last: number, line: (i: number) => number): Profile {
  const inner = Array.from({ length: cells }, (_, i) => i);
  return {
    places: Float64Array.from([0, ...inner.map((i) => (i + 0.5) * h), cells * h]),
    values: Float64Array.from([first, ...inner.map(line), last]),
  };
}

/** The middle of nodes 0 to count − 1: a node, or cubic between two. */
function middleOf(count: number, value: (i: number) => number): number {
  const half = (count - 1) / 2;
  if (Number.isInteger(half)) return value(half);
  const i = Math.floor(half);
  return (9 * (value(i) + value(i + 1)) - (value(i - 1) + value(i + 2))) / 16;
}

/** The extremum nearest to a place of a grid, by a parabola through three nodes. @param sign 1 for the smallest */
function vertex(before: number, here: number, after: number): { readonly shift: number; readonly value: number } {
  const curvature = before - 2 * here + after;
  if (curvature === 0) return { shift: 0, value: here };
  const shift = Math.min(0.5, Math.max(-0.5, (0.5 * (before - after)) / curvature));
  return { shift, value: here + 0.5 * shift * (after - before) + 0.5 * shift * shift * curvature };
}

/** The smallest inner value of a profile, without the walls. @param sign  −1 for the largest */
export function extremeOf({ values }: Profile, sign: 1 | -1): number {
  let found = 2;
  for (let i = 2; i < values.length - 2; i++) if (sign * at(values, i) < sign * at(values, found)) found = i;
  return vertex(at(values, found - 1), at(values, found), at(values, found + 1)).value;
}

/** Value of a profile at a place. */
export const valueAt = ({ places, values }: Profile, place: number): number =>
  interpolateByQuotients(places, values, place);

/** The centre of the main vortex: the smallest streamfunction inside, by parabolas. Places in metres. */
export function vortexOf({ level: { columns, rows, h } }: Velocity, psi: Float64Array) {
  const width = columns + 1;
  let found = width + 1;
  for (let j = 1; j < rows; j++)
    for (let i = 1; i < columns; i++) if (at(psi, j * width + i) < at(psi, found)) found = j * width + i;
  const across = vertex(at(psi, found - 1), at(psi, found), at(psi, found + 1));
  const along = vertex(at(psi, found - width), at(psi, found), at(psi, found + width));
  return {
    psi: across.value + along.value - at(psi, found),
    x: ((found % width) + across.shift) * h,
    y: (Math.floor(found / width) + along.shift) * h,
  };
}

/** Places along an axis at which states of different grids are compared. */
const SAMPLES = 12;

/** Mean magnitude of the difference of two velocities, at fixed places of the rectangle. */
export function meanChange(a: Velocity, b: Velocity): number {
  let sum = 0;
  for (let n = 0; n < SAMPLES; n++)
    for (let m = 0; m < SAMPLES; m++) {
      const [s, t] = [(m + 0.5) / SAMPLES, (n + 0.5) / SAMPLES];
      const [p, q] = [velocityAt(a, s, t), velocityAt(b, s, t)];
      sum += Math.abs(p[0] - q[0]) + Math.abs(p[1] - q[1]);
    }
  return sum / (SAMPLES * SAMPLES);
}

/** Bicubic at a fraction of both sides. */
function velocityAt({ level: { columns, rows }, u, v }: Velocity, s: number, t: number): readonly [number, number] {
  return [
    cubic(u, columns + 1, rows, s * columns, t * rows - 0.5),
    cubic(v, columns, rows + 1, s * columns - 0.5, t * rows),
  ];
}

function cubic(values: Float64Array, columns: number, rows: number, x: number, y: number): number {
  const [i, wx] = weightsAt(x, columns);
  const [j, wy] = weightsAt(y, rows);
  return wy.reduce(
    (sum, b, n) => sum + b * wx.reduce((line, a, m) => line + a * at(values, (j + n) * columns + i + m), 0),
    0,
  );
}

/** The first of four nodes about x, and their weights. */
function weightsAt(x: number, count: number): readonly [number, readonly number[]] {
  const first = Math.min(Math.max(Math.floor(x) - 1, 0), count - 4);
  const s = x - first - 1;
  return [
    first,
    [
      (-s * (s - 1) * (s - 2)) / 6,
      ((s + 1) * (s - 1) * (s - 2)) / 2,
      (-(s + 1) * s * (s - 2)) / 2,
      ((s + 1) * s * (s - 1)) / 6,
    ],
  ];
}
