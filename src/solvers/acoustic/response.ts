// Response of a place to a source, as a sum of modes, and the nodal lines of a mode.

import { log } from '../../core/elementary.ts';
import type { Complex } from './lossy-box.ts';
import type { Mesh } from './mesh.ts';

const POINTS = 301;

export interface ResponseMode {
  readonly frequency: number;
  readonly source: number;
  readonly microphone: number;
}

/**
 * Level of the pressure from a source of constant volume acceleration, in dB below its largest value.
 *
 * @param decay  of amplitudes, 1/s
 */
export function responseOf(modes: readonly ResponseMode[], decay: number) {
  const top = 1.1 * Math.max(...modes.map(({ frequency }) => frequency));
  const frequencies = Float64Array.from({ length: POINTS }, (_, i) => (top * (i + 1)) / POINTS);
  const powers = frequencies.map((f) => {
    let [real, imaginary] = [0, 0];
    const w = 2 * Math.PI * f;
    for (const { frequency, source, microphone } of modes) {
      const own = 2 * Math.PI * frequency;
      const [a, b] = [(own - w) * (own + w), 2 * decay * w];
      const size = a * a + b * b;
      real += (source * microphone * a) / size;
      imaginary -= (source * microphone * b) / size;
    }
    return real * real + imaginary * imaginary;
  });
  return { frequencies, levels: levelsOf(powers) };
}

function levelsOf(powers: Float64Array): Float64Array {
  const largest = powers.reduce((most, power) => Math.max(most, power), 0);
  return powers.map((power) => (largest > 0 ? (10 * log(Math.max(power / largest, 1e-20))) / log(10) : 0));
}

/** Of (A + κ² + …) p = 1 at the source: residue/(κ − kappa), and its conjugate unless it is real. */
export interface Pole {
  readonly kappa: Complex;
  readonly residue: Complex;
  readonly isReal: boolean;
}

/** The same level with walls of impedances, at κ = iω/c, by the poles found. @param top  Hz */
export function dampedResponseOf(poles: readonly Pole[], top: number, speed: number) {
  const frequencies = Float64Array.from({ length: POINTS }, (_, i) => (top * (i + 1)) / POINTS);
  const powers = frequencies.map((f) => {
    const k = (2 * Math.PI * f) / speed;
    let [real, imaginary] = [0, 0];
    for (const { kappa, residue, isReal } of poles)
      for (const sign of isReal ? [1] : [1, -1]) {
        const [a, b] = [-kappa[0], k - sign * kappa[1]];
        const [c, d] = [residue[0], sign * residue[1]];
        const square = a * a + b * b;
        real += (c * a + d * b) / square;
        imaginary += (d * a - c * b) / square;
      }
    return real * real + imaginary * imaginary;
  });
  return { frequencies, levels: levelsOf(powers) };
}

/** Places between neighbours of opposite sign, on the first layer of cells. */
export function nodalPoints(mesh: Mesh, shape: Float64Array) {
  const [nx = 1, ny = 1] = mesh.counts;
  const centre = (d: number, k: number) => (mesh.origin[d] ?? 0) + (k + 0.5) * (mesh.spacings[d] ?? 1);
  const value = (i: number, j: number): number => {
    const cell = i < nx && j < ny ? (mesh.numbers[j * nx + i] ?? -1) : -1;
    return cell < 0 ? Number.NaN : (shape[cell] ?? Number.NaN);
  };
  const [xs, ys]: [number[], number[]] = [[], []];
  for (let j = 0; j < ny; j++)
    for (let i = 0; i < nx; i++) {
      const a = value(i, j);
      for (const [di, dj] of [
        [1, 0],
        [0, 1],
      ] as const) {
        const b = value(i + di, j + dj);
        if (!(a * b < 0)) continue;
        const share = a / (a - b);
        xs.push(centre(0, i + di * share));
        ys.push(centre(1, j + dj * share));
      }
    }
  return { xs, ys };
}

/** The first layer of cells as a picture with 1 as its largest magnitude; 0 outside. */
export function pictureOf(mesh: Mesh, shape: Float64Array) {
  const [nx = 1, ny = 1] = mesh.counts;
  const largest = shape.reduce((most, one) => Math.max(most, Math.abs(one)), 0);
  const first = Math.sign(shape[0] ?? 1) || 1;
  const data = new Float64Array(nx * ny);
  for (let k = 0; k < data.length; k++) {
    const cell = mesh.numbers[k] ?? -1;
    data[k] = cell < 0 ? 0 : (first * (shape[cell] ?? 0)) / largest;
  }
  const axis = (d: number) =>
    Array.from({ length: mesh.counts[d] ?? 1 }, (_, k) => (mesh.origin[d] ?? 0) + (k + 0.5) * (mesh.spacings[d] ?? 1));
  return { data, nx, ny, x: axis(0), y: axis(1) };
}
