// Static structure factor S(k) = <|Σ exp(i k · r)|²> / N over wave vectors that fit the box. Hansen & McDonald, Theory
// of Simple Liquids (4th ed.), §4.1.

import { cos, sin } from '../../core/elementary.ts';
import { at } from '../parts/arrays.ts';
import type { Problem } from './problem.ts';

/** Edges, face diagonals and body diagonals of the box, one of each pair of opposite vectors. */
const DIRECTIONS = [-1, 0, 1]
  .flatMap((x) => [-1, 0, 1].flatMap((y) => [-1, 0, 1].map((z) => [x, y, z] as const)))
  .slice(14);
/** Maximum k in units of 1 / sig, and of multiples of a direction. */
const MAX_WAVE_NUMBER = 25;
const MAX_MULTIPLES = 64;
/** Maximum terms of all sums together: about 3 ms. */
const MAX_TERMS = 1_000_000;
/** Wave numbers that differ by less are one. */
const SAME = 1e-9;

/** S at ascending wave numbers, averaged over vectors of equal length and over production frames. */
export function structureFactor(trajectory: Float64Array, problem: Problem): { k: Float64Array; s: Float64Array } {
  const { atoms, frames, histogramFrom } = problem;
  const vectors = wavesOf(problem);
  const terms = atoms * vectors.reduce((sum, { multiples }) => sum + multiples, 0);
  const production = frames - histogramFrom;
  const stride = Math.ceil(production / Math.max(1, Math.floor(MAX_TERMS / terms)));
  const waves: { k: number; s: number; count: number }[] = [];
  const sums = vectors.map(({ multiples }) => new Float64Array(multiples));
  let counted = 0;
  // Backwards, so that the last frame is always counted.
  for (let frame = frames - 1; frame >= histogramFrom; frame -= stride) {
    addFrame(trajectory.subarray(3 * atoms * frame, 3 * atoms * (frame + 1)), problem, vectors, sums);
    counted++;
  }
  for (const [index, { k, multiples }] of vectors.entries())
    for (let m = 1; m <= multiples; m++)
      waves.push({ k: m * k, s: at(sums[index] ?? [], m - 1) / (counted * atoms), count: 1 });
  waves.sort((a, b) => a.k - b.k);
  const merged: typeof waves = [];
  for (const wave of waves) {
    const before = merged.at(-1);
    if (before && wave.k - before.k <= SAME * wave.k) {
      before.s += wave.s;
      before.count++;
    } else merged.push({ ...wave });
  }
  return { k: Float64Array.from(merged, ({ k }) => k), s: Float64Array.from(merged, ({ s, count }) => s / count) };
}

interface Wave {
  readonly direction: readonly [number, number, number];
  readonly k: number;
  readonly multiples: number;
}

function wavesOf({ box, pair }: Problem): readonly Wave[] {
  return DIRECTIONS.flatMap((direction) => {
    const [x, y, z] = [direction[0] / box.x, direction[1] / box.y, direction[2] / box.z];
    const k = 2 * Math.PI * Math.sqrt(x * x + y * y + z * z);
    const multiples = Math.min(MAX_MULTIPLES, Math.floor(MAX_WAVE_NUMBER / (pair.sig * k)));
    return multiples > 0 ? [{ direction, k, multiples }] : [];
  });
}

/** Adds |Σ exp(i m k · r)|² of one frame; the powers of exp(i k · r) come from each other. */
function addFrame(
  positions: Float64Array,
  { box, atoms }: Problem,
  waves: readonly Wave[],
  sums: readonly Float64Array[],
): void {
  const edges = [box.x, box.y, box.z];
  const phases = positions.map((x, i) => {
    const turns = x / (edges[i % 3] ?? 1);
    return 2 * Math.PI * (turns - Math.floor(turns));
  });
  const cosines = phases.map(cos);
  const sines = phases.map(sin);
  const real = new Float64Array(atoms);
  const imaginary = new Float64Array(atoms);
  for (const [index, { direction, multiples }] of waves.entries()) {
    for (let i = 0; i < atoms; i++) {
      let c = 1;
      let s = 0;
      for (let d = 0; d < 3; d++) {
        const sign = direction[d] ?? 0;
        if (sign === 0) continue;
        const cd = cosines[3 * i + d] ?? 0;
        const sd = sign * (sines[3 * i + d] ?? 0);
        const next = c * cd - s * sd;
        s = c * sd + s * cd;
        c = next;
      }
      real[i] = c;
      imaginary[i] = s;
    }
    addMultiples(real, imaginary, sums[index] ?? new Float64Array(multiples));
  }
}

/** Multiples in the outer loop, so that the products of one atom do not wait for each other. */
function addMultiples(real: Float64Array, imaginary: Float64Array, sum: Float64Array): void {
  const re = Float64Array.from(real);
  const im = Float64Array.from(imaginary);
  for (let m = 0; m < sum.length; m++) {
    let totalRe = 0;
    let totalIm = 0;
    for (let i = 0; i < re.length; i++) {
      const a = re[i] ?? 0;
      const b = im[i] ?? 0;
      const c = real[i] ?? 0;
      const s = imaginary[i] ?? 0;
      totalRe += a;
      totalIm += b;
      re[i] = a * c - b * s;
      im[i] = a * s + b * c;
    }
    sum[m] = (sum[m] ?? 0) + totalRe * totalRe + totalIm * totalIm;
  }
}
