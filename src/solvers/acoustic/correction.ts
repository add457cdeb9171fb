// Modes of a box: those of equal frequency parted by axes, and frequencies corrected by the modified equation.
//
// Along an axis of equal cells with walls on faces, the continuous operator is A + h² A²/12 + h⁴ A³/90 + h⁶ A⁴/560 + … of the
// discrete one (the series of (2/h asin(h√A/2))²). Its mean in a mode, up to this term, leaves an error of order 8.

import type { Ends, Mesh } from './mesh.ts';

const SERIES = [1, 1 / 12, 1 / 90, 1 / 560] as const;
/** Relative distance of values that count as equal. */
const EQUAL = 1e-8;

export interface BoxMode {
  /** Corrected, 1/m². */
  readonly lambda: number;
  /** The last term of the series, 1/m². */
  readonly lastTerm: number;
  /** On the grid. */
  readonly onGrid: number;
  /** Half-waves along each axis. */
  readonly halfWaves: readonly number[];
  readonly shape: Float64Array;
}

/** @param shapes  f64[modes, cells] with xᵀ M x = 1 */
export function boxModes(mesh: Mesh, ends: Ends, lambdas: Float64Array, shapes: Float64Array): BoxMode[] {
  const n = mesh.volumes.length;
  const vectors = Array.from(lambdas, (_, k) => shapes.slice(k * n, (k + 1) * n));
  for (let from = 0; from < vectors.length; ) {
    let to = from + 1;
    const base = lambdas[from] ?? 0;
    while (to < vectors.length && (lambdas[to] ?? 0) - base <= EQUAL * base) to++;
    if (to > from + 1) part(mesh, ends, vectors, from, to);
    from = to;
  }
  return vectors.map((shape, k) => correct(mesh, ends, lambdas[k] ?? 0, shape)).sort((a, b) => a.lambda - b.lambda);
}

/** to = A from along an axis, over the volume of a cell. */
function along({ counts, spacings }: Mesh, ends: Ends, d: number, from: Float64Array): Float64Array {
  const to = new Float64Array(from.length);
  let stride = 1;
  for (let k = 0; k < d; k++) stride *= counts[k] ?? 1;
  const count = counts[d] ?? 1;
  const scale = 1 / ((spacings[d] ?? 1) * (spacings[d] ?? 1));
  const [first, last] = ends[d] ?? [false, false];
  for (let i = 0; i < from.length; i++) {
    const [k, x] = [Math.floor(i / stride) % count, from[i] ?? 0];
    const before = k > 0 ? x - (from[i - stride] ?? 0) : first ? 2 * x : 0;
    const behind = k < count - 1 ? x - (from[i + stride] ?? 0) : last ? 2 * x : 0;
    to[i] = scale * (before + behind);
  }
  return to;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}

function correct(mesh: Mesh, ends: Ends, onGrid: number, shape: Float64Array): BoxMode {
  const square = dot(shape, shape);
  let [lambda, lastTerm] = [0, 0];
  const halfWaves = mesh.counts.map((count, d) => {
    const h = mesh.spacings[d] ?? 1;
    const once = along(mesh, ends, d, shape);
    const twice = along(mesh, ends, d, once);
    const moments = [dot(shape, once), dot(once, once), dot(once, twice), dot(twice, twice)];
    let [sum, power, term] = [0, 1, 0];
    moments.forEach((moment, k) => {
      term = ((SERIES[k] ?? 0) * power * moment) / square;
      sum += term;
      power *= h * h;
    });
    lambda += sum;
    lastTerm += term;
    return Math.round((2 * Math.sqrt(Math.max(0, sum)) * count * h) / Math.PI) / 2;
  });
  return { lambda, lastTerm, onGrid, halfWaves, shape };
}

/** Rotates vectors of one value until their mean of a weighted sum of axes is diagonal (Jacobi). */
function part(mesh: Mesh, ends: Ends, vectors: Float64Array[], from: number, to: number): void {
  const images = (x: Float64Array) => {
    const sum = along(mesh, ends, 0, x);
    for (const [d, weight] of [
      [1, 0.618],
      [2, 0.271],
    ] as const)
      if (d < mesh.counts.length)
        along(mesh, ends, d, x).forEach((y, i) => {
          sum[i] = (sum[i] ?? 0) + weight * y;
        });
    return sum;
  };
  for (let sweep = 0; sweep < 8; sweep++)
    for (let i = from; i < to; i++)
      for (let j = i + 1; j < to; j++) {
        const [x, y] = [vectors[i] ?? new Float64Array(), vectors[j] ?? new Float64Array()];
        const [ax, ay] = [images(x), images(y)];
        const off = dot(x, ay);
        const difference = dot(y, ay) - dot(x, ax);
        if (Math.abs(off) <= 1e-14 * (dot(x, ax) + dot(y, ay))) continue;
        const ratio = difference / (2 * off);
        const t = (ratio < 0 ? -1 : 1) / (Math.abs(ratio) + Math.sqrt(1 + ratio * ratio));
        const cosine = 1 / Math.sqrt(1 + t * t);
        const sine = t * cosine;
        vectors[i] = x.map((one, k) => cosine * one - sine * (y[k] ?? 0));
        vectors[j] = y.map((one, k) => sine * (x[k] ?? 0) + cosine * one);
      }
}
