// The beam element of Hermite: cubic across, linear along its axis, with four Gauss points.
//
// Stiffness, foundation and axial force may vary inside the element; they are given at the Gauss points, which integrate
// polynomials up to degree 7. The geometric stiffness is the consistent one, ∫ N w' w'. With exact integration the
// Rayleigh quotient bounds every eigenvalue from above, and its error is of order h⁴. Przemieniecki, Theory of Matrix
// Structural Analysis (1968), §5.6 and §15.1.
import { get, set } from '../../numerics/vector';

/** Numbers of an element: length, cosine, sine, E A, then E I, foundation, fixed and varied compression at four points. */
export const RECORD: i32 = 20;
/** Entries of the stiffness and of the geometric stiffness of an element in the axes of the frame. */
export const MATRICES: i32 = 72;

const LENGTH: i32 = 0;
const COSINE: i32 = 1;
const SINE: i32 = 2;
const AXIAL: i32 = 3;
const BENDING: i32 = 4;
const FOUNDATION: i32 = 8;
const HELD: i32 = 12;
const VARIED: i32 = 16;

/** Gauss–Legendre on (0, 1). */
function point(g: i32): f64 {
  const t = g === 0 || g === 3 ? 0.8611363115940526 : 0.33998104358485626;
  return 0.5 + (g < 2 ? -0.5 : 0.5) * t;
}

function weight(g: i32): f64 {
  return g === 0 || g === 3 ? 0.17392742256872692 : 0.32607257743127305;
}

const value = memory.data(4 * 8, 16);
const slope = memory.data(4 * 8, 16);
const curvature = memory.data(4 * 8, 16);
const local = memory.data(6 * 8, 16);
const turned = memory.data(36 * 8, 16);
const cornered = memory.data(36 * 8, 16);

/** Shape functions of (w1, θ1, w2, θ2) at x = ξ L, with their derivatives by x. */
function shapes(xi: f64, length: f64): void {
  set(value, 0, 1 - xi * xi * (3 - 2 * xi));
  set(value, 1, length * xi * (1 - xi) * (1 - xi));
  set(value, 2, xi * xi * (3 - 2 * xi));
  set(value, 3, length * xi * xi * (xi - 1));
  set(slope, 0, (6 * xi * (xi - 1)) / length);
  set(slope, 1, (1 - xi) * (1 - 3 * xi));
  set(slope, 2, (6 * xi * (1 - xi)) / length);
  set(slope, 3, xi * (3 * xi - 2));
  set(curvature, 0, (12 * xi - 6) / (length * length));
  set(curvature, 1, (6 * xi - 4) / length);
  set(curvature, 2, (6 - 12 * xi) / (length * length));
  set(curvature, 3, (6 * xi - 2) / length);
}

/** Place of w1, θ1, w2, θ2 among u1, w1, θ1, u2, w2, θ2. */
function across(i: i32): i32 {
  return i < 2 ? i + 1 : i + 2;
}

/** @param record  f64[RECORD]; @param matrices  f64[MATRICES], out: stiffness, then geometric stiffness */
export function elementMatrices(record: usize, matrices: usize): void {
  const length = get(record, LENGTH);
  memory.fill(matrices, 0, (<usize>MATRICES) << 3);
  const geometric = matrices + (36 << 3);
  const axial = get(record, AXIAL) / length;
  set(matrices, 0, axial);
  set(matrices, 3, -axial);
  set(matrices, 18, -axial);
  set(matrices, 21, axial);
  for (let g = 0; g < 4; g++) {
    shapes(point(g), length);
    const w = weight(g) * length;
    const bending = w * get(record, BENDING + g);
    const foundation = w * get(record, FOUNDATION + g);
    const held = w * get(record, HELD + g);
    const varied = w * get(record, VARIED + g);
    for (let i = 0; i < 4; i++) {
      for (let j = 0; j <= i; j++) {
        const k = 6 * across(i) + across(j);
        const slopes = get(slope, i) * get(slope, j);
        const stiffness =
          bending * get(curvature, i) * get(curvature, j) + foundation * get(value, i) * get(value, j) - held * slopes;
        set(matrices, k, get(matrices, k) + stiffness);
        set(geometric, k, get(geometric, k) + varied * slopes);
      }
    }
  }
  for (let i = 1; i < 4; i++) {
    for (let j = 0; j < i; j++) {
      const k = 6 * across(i) + across(j);
      const mirrored = 6 * across(j) + across(i);
      set(matrices, mirrored, get(matrices, k));
      set(geometric, mirrored, get(geometric, k));
    }
  }
  const c = get(record, COSINE);
  const s = get(record, SINE);
  if (c === 1 && s === 0) return;
  turn(matrices, c, s);
  turn(geometric, c, s);
}

/** A = Tᵀ A T with T the turn into the axes of the element. */
function turn(a: usize, c: f64, s: f64): void {
  for (let i = 0; i < 6; i++) {
    for (let e = 0; e < 2; e++) {
      const k = 6 * i + 3 * e;
      set(turned, k, c * get(a, k) - s * get(a, k + 1));
      set(turned, k + 1, s * get(a, k) + c * get(a, k + 1));
      set(turned, k + 2, get(a, k + 2));
    }
  }
  for (let j = 0; j < 6; j++) {
    for (let e = 0; e < 2; e++) {
      const k = 18 * e + j;
      set(cornered, k, c * get(turned, k) - s * get(turned, k + 6));
      set(cornered, k + 6, s * get(turned, k) + c * get(turned, k + 6));
      set(cornered, k + 12, get(turned, k + 12));
    }
  }
  memory.copy(a, cornered, 36 << 3);
}

/**
 * The strain energy, less the work of the held compression, and the work of the varied one, twice each. Curvatures are
 * taken from differences of displacements: they lose far fewer digits than the products with the matrix.
 */
export namespace Energy {
  export let strain: f64 = 0;
  export let work: f64 = 0;
}

/** Adds the energies of an element. @param x  f64[6]: displacements of its ends in the axes of the frame */
export function addEnergy(record: usize, x: usize): void {
  const length = get(record, LENGTH);
  const c = get(record, COSINE);
  const s = get(record, SINE);
  for (let e = 0; e < 2; e++) {
    set(local, 3 * e, c * get(x, 3 * e) + s * get(x, 3 * e + 1));
    set(local, 3 * e + 1, c * get(x, 3 * e + 1) - s * get(x, 3 * e));
    set(local, 3 * e + 2, get(x, 3 * e + 2));
  }
  const w1 = get(local, 1);
  const a1 = get(local, 2);
  const w2 = get(local, 4);
  const a2 = get(local, 5);
  // Rotations against the chord.
  const chord = (w2 - w1) / length;
  const b1 = a1 - chord;
  const b2 = a2 - chord;
  const stretch = get(local, 3) - get(local, 0);
  Energy.strain += ((get(record, AXIAL) * stretch) / length) * stretch;
  for (let g = 0; g < 4; g++) {
    const xi = point(g);
    const w = weight(g) * length;
    const bend = ((6 * xi - 4) * b1 + (6 * xi - 2) * b2) / length;
    const tilt = chord + (1 - xi) * (1 - 3 * xi) * b1 + xi * (3 * xi - 2) * b2;
    const moved = w1 + xi * (w2 - w1) + length * xi * (1 - xi) * ((1 - xi) * b1 - xi * b2);
    Energy.strain +=
      w * (get(record, BENDING + g) * bend * bend + get(record, FOUNDATION + g) * moved * moved) -
      w * get(record, HELD + g) * tilt * tilt;
    Energy.work += w * get(record, VARIED + g) * tilt * tilt;
  }
}
