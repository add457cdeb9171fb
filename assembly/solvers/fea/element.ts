// The four-node quadrilateral: stiffness, thermal load and stress at its 2 × 2 Gauss points.
//
// Strain and stress have the components xx, yy, xy (shear angle) and zz; of a body of revolution, x is the radius and zz
// the hoop. Three elements:
//   full          the bilinear element; locks in bending and where the volume cannot change
//   B-bar         the volume change is that of the mean over the element (Hughes 1980)
//   incompatible  two more shapes for each direction, 1 − ξ² and 1 − η², condensed out (Taylor, Beresford & Wilson 1976);
//                 their mean strain is taken out, so that a constant strain is exact (Wilson & Ibrahimbegovic 1990)
// Hughes, The Finite Element Method (2000), §3.8, §4.4 and §4.5.
import { get, set } from '../../numerics/vector';

export const PLANE_STRESS: i32 = 0;
export const PLANE_STRAIN: i32 = 1;
export const AXISYMMETRIC: i32 = 2;
export const FULL: i32 = 0;
export const B_BAR: i32 = 1;
export const INCOMPATIBLE: i32 = 2;

export namespace Material {
  export let state: i32 = 0;
  export let element: i32 = 0;
  export let expansion: f64 = 0;
  export let thickness: f64 = 1;
  /** σxx = c11 εxx + c12 (εyy + εzz), τ = shear · γ; plane stress has no εzz. */
  export let c11: f64 = 0;
  export let c12: f64 = 0;
  export let shear: f64 = 0;
}

const GAUSS: f64 = 0.5773502691896257;
const TWO_PI: f64 = 6.283185307179586;

// By Gauss point: B f64[4, 8], G f64[4, 4], weight, strain that heat causes.
const B: usize = memory.data(4 * 32 * 8, 16);
const G: usize = memory.data(4 * 16 * 8, 16);
const WEIGHT: usize = memory.data(4 * 8, 16);
const HOT: usize = memory.data(4 * 8, 16);
const SHAPE: usize = memory.data(4 * 8, 16);
const MEAN: usize = memory.data(16 * 8, 16);
/** D times a column. */
const COLUMN: usize = memory.data(4 * 8, 16);
// Condensation: K_aa f64[4, 4], K_au f64[4, 8] with the thermal load of the modes in a ninth column.
const KAA: usize = memory.data(16 * 8, 16);
const KAU: usize = memory.data(4 * 9 * 8, 16);
const MODES: usize = memory.data(4 * 8, 16);

export function setMaterial(young: f64, poisson: f64): void {
  const lame = (young * poisson) / ((1 + poisson) * (1 - 2 * poisson));
  Material.shear = (0.5 * young) / (1 + poisson);
  const isPlaneStress = Material.state === PLANE_STRESS;
  Material.c11 = isPlaneStress ? young / (1 - poisson * poisson) : lame + 2 * Material.shear;
  Material.c12 = isPlaneStress ? poisson * Material.c11 : lame;
}

/** Sign of the ξ of node or Gauss point i, counted anticlockwise from (−1, −1). */
function xiOf(i: i32): f64 {
  return i === 1 || i === 2 ? 1 : -1;
}

function etaOf(i: i32): f64 {
  return i >= 2 ? 1 : -1;
}

/** to[4] = D times the strain in `from`, whose components are `stride` apart. */
function stressOf(from: usize, stride: i32, to: usize): void {
  const xx = get(from, 0);
  const yy = get(from, stride);
  const xy = get(from, 2 * stride);
  const zz = Material.state === PLANE_STRESS ? 0 : get(from, 3 * stride);
  const c11 = Material.c11;
  const c12 = Material.c12;
  set(to, 0, c11 * xx + c12 * (yy + zz));
  set(to, 1, c11 * yy + c12 * (xx + zz));
  set(to, 2, Material.shear * xy);
  set(to, 3, Material.state === PLANE_STRESS ? 0 : c11 * zz + c12 * (xx + yy));
}

/**
 * Fills the tables of the Gauss points.
 *
 * @param xy  f64[4, 2], corners anticlockwise; @param heat  f64[4], temperature rise of the corners
 * @returns false if the element is turned over or degenerate at a Gauss point, or reaches below the axis
 */
function prepare(xy: usize, heat: usize): bool {
  memory.fill(B, 0, 4 * 32 * 8);
  memory.fill(G, 0, 4 * 16 * 8);
  for (let g = 0; g < 4; g++) {
    const xi = GAUSS * xiOf(g);
    const eta = GAUSS * etaOf(g);
    let a: f64 = 0;
    let b: f64 = 0;
    let c: f64 = 0;
    let d: f64 = 0;
    let r: f64 = 0;
    let rise: f64 = 0;
    for (let i = 0; i < 4; i++) {
      const x = get(xy, 2 * i);
      const y = get(xy, 2 * i + 1);
      const byXi = 0.25 * xiOf(i) * (1 + eta * etaOf(i));
      const byEta = 0.25 * etaOf(i) * (1 + xi * xiOf(i));
      a += byXi * x;
      b += byXi * y;
      c += byEta * x;
      d += byEta * y;
      const shape = 0.25 * (1 + xi * xiOf(i)) * (1 + eta * etaOf(i));
      set(SHAPE, i, shape);
      r += shape * x;
      rise += shape * get(heat, i);
    }
    const det = a * d - b * c;
    if (!(det > 0)) return false;
    const isRound = Material.state === AXISYMMETRIC;
    if (isRound && !(r > 0)) return false;
    set(WEIGHT, g, det * (isRound ? TWO_PI * r : Material.thickness));
    set(HOT, g, Material.expansion * rise);
    const base = B + <usize>(g * 32 * 8);
    for (let i = 0; i < 4; i++) {
      const byXi = 0.25 * xiOf(i) * (1 + eta * etaOf(i));
      const byEta = 0.25 * etaOf(i) * (1 + xi * xiOf(i));
      const byX = (d * byXi - b * byEta) / det;
      const byY = (a * byEta - c * byXi) / det;
      set(base, 2 * i, byX);
      set(base, 8 + 2 * i + 1, byY);
      set(base, 16 + 2 * i, byY);
      set(base, 16 + 2 * i + 1, byX);
      if (isRound) set(base, 24 + 2 * i, get(SHAPE, i) / r);
    }
    if (Material.element !== INCOMPATIBLE) continue;
    const modes = G + <usize>(g * 16 * 8);
    for (let m = 0; m < 2; m++) {
      // ∂(1 − ξ²)/∂ξ = −2 ξ, and of 1 − η² likewise.
      const byX = m === 0 ? (-2 * xi * d) / det : (2 * eta * b) / det;
      const byY = m === 0 ? (2 * xi * c) / det : (-2 * eta * a) / det;
      set(modes, 2 * m, byX);
      set(modes, 4 + 2 * m + 1, byY);
      set(modes, 8 + 2 * m, byY);
      set(modes, 8 + 2 * m + 1, byX);
      if (isRound) set(modes, 12 + 2 * m, (1 - (m === 0 ? xi * xi : eta * eta)) / r);
    }
  }
  if (Material.element === INCOMPATIBLE) removeMean();
  if (Material.element === B_BAR) averageVolume();
  return true;
}

/** Takes the mean of each entry of G over the element out of it. */
function removeMean(): void {
  const volume = get(WEIGHT, 0) + get(WEIGHT, 1) + get(WEIGHT, 2) + get(WEIGHT, 3);
  for (let k = 0; k < 16; k++) {
    let sum: f64 = 0;
    for (let g = 0; g < 4; g++) sum += get(WEIGHT, g) * get(G, g * 16 + k);
    set(MEAN, k, sum / volume);
  }
  for (let g = 0; g < 4; g++) for (let k = 0; k < 16; k++) set(G, g * 16 + k, get(G, g * 16 + k) - get(MEAN, k));
}

function volumeChange(g: i32, j: i32): f64 {
  return get(B, g * 32 + j) + get(B, g * 32 + 8 + j) + get(B, g * 32 + 24 + j);
}

function averageVolume(): void {
  const volume = get(WEIGHT, 0) + get(WEIGHT, 1) + get(WEIGHT, 2) + get(WEIGHT, 3);
  for (let j = 0; j < 8; j++) {
    let sum: f64 = 0;
    for (let g = 0; g < 4; g++) sum += get(WEIGHT, g) * volumeChange(g, j);
    const mean = sum / volume;
    for (let g = 0; g < 4; g++) {
      const part = (mean - volumeChange(g, j)) / 3;
      set(B, g * 32 + j, get(B, g * 32 + j) + part);
      set(B, g * 32 + 8 + j, get(B, g * 32 + 8 + j) + part);
      set(B, g * 32 + 24 + j, get(B, g * 32 + 24 + j) + part);
    }
  }
}

/**
 * @param k  f64[8, 8]: the stiffness; @param f  f64[8]: the load of the heat
 * @returns false as `prepare`
 */
export function stiffness(xy: usize, heat: usize, k: usize, f: usize): bool {
  if (!prepare(xy, heat)) return false;
  memory.fill(k, 0, 64 * 8);
  memory.fill(f, 0, 8 * 8);
  for (let g = 0; g < 4; g++) {
    const weight = get(WEIGHT, g);
    const b = B + <usize>(g * 32 * 8);
    for (let j = 0; j < 8; j++) {
      const column = b + ((<usize>j) << 3);
      stressOf(column, 8, COLUMN);
      const xx = weight * get(COLUMN, 0);
      const yy = weight * get(COLUMN, 1);
      const xy2 = weight * get(COLUMN, 2);
      const zz = weight * get(COLUMN, 3);
      for (let i = 0; i <= j; i++) {
        const sum = get(b, i) * xx + get(b, 8 + i) * yy + get(b, 16 + i) * xy2 + get(b, 24 + i) * zz;
        set(k, i * 8 + j, get(k, i * 8 + j) + sum);
      }
      set(f, j, get(f, j) + get(HOT, g) * (xx + yy + zz));
    }
  }
  for (let i = 0; i < 8; i++) for (let j = 0; j < i; j++) set(k, i * 8 + j, get(k, j * 8 + i));
  if (Material.element !== INCOMPATIBLE) return true;
  condense();
  for (let i = 0; i < 8; i++) {
    let load: f64 = 0;
    for (let m = 0; m < 4; m++) load += get(KAU, m * 9 + i) * get(KAU, m * 9 + 8);
    set(f, i, get(f, i) - load);
    for (let j = 0; j < 8; j++) {
      let sum: f64 = 0;
      for (let m = 0; m < 4; m++) sum += get(KAU, m * 9 + i) * get(KAU, m * 9 + j);
      set(k, i * 8 + j, get(k, i * 8 + j) - sum);
    }
  }
  return true;
}

/** K_aa = L Lᵀ in place, and K_au and the load of the modes become L⁻¹ times what they were. */
function condense(): void {
  memory.fill(KAA, 0, 16 * 8);
  memory.fill(KAU, 0, 36 * 8);
  for (let g = 0; g < 4; g++) {
    const weight = get(WEIGHT, g);
    const modes = G + <usize>(g * 16 * 8);
    for (let m = 0; m < 4; m++) {
      stressOf(modes + ((<usize>m) << 3), 4, COLUMN);
      const xx = weight * get(COLUMN, 0);
      const yy = weight * get(COLUMN, 1);
      const xy = weight * get(COLUMN, 2);
      const zz = weight * get(COLUMN, 3);
      for (let n = 0; n < 4; n++) {
        const sum = get(modes, n) * xx + get(modes, 4 + n) * yy + get(modes, 8 + n) * xy + get(modes, 12 + n) * zz;
        set(KAA, m * 4 + n, get(KAA, m * 4 + n) + sum);
      }
      const b = B + <usize>(g * 32 * 8);
      for (let j = 0; j < 8; j++) {
        const sum = get(b, j) * xx + get(b, 8 + j) * yy + get(b, 16 + j) * xy + get(b, 24 + j) * zz;
        set(KAU, m * 9 + j, get(KAU, m * 9 + j) + sum);
      }
      set(KAU, m * 9 + 8, get(KAU, m * 9 + 8) + get(HOT, g) * (xx + yy + zz));
    }
  }
  for (let m = 0; m < 4; m++) {
    for (let n = 0; n <= m; n++) {
      let sum = get(KAA, m * 4 + n);
      for (let p = 0; p < n; p++) sum -= get(KAA, m * 4 + p) * get(KAA, n * 4 + p);
      set(KAA, m * 4 + n, m === n ? Math.sqrt(sum) : sum / get(KAA, n * 4 + n));
    }
    for (let j = 0; j < 9; j++) {
      let sum = get(KAU, m * 9 + j);
      for (let p = 0; p < m; p++) sum -= get(KAA, m * 4 + p) * get(KAU, p * 9 + j);
      set(KAU, m * 9 + j, sum / get(KAA, m * 4 + m));
    }
  }
}

/**
 * Stress at the four Gauss points.
 *
 * @param u  f64[8]: displacements of the corners; @param to  f64[4, 4]: xx, yy, xy, zz of each point
 */
export function elementStress(xy: usize, heat: usize, u: usize, to: usize): void {
  prepare(xy, heat);
  memory.fill(MODES, 0, 4 * 8);
  if (Material.element === INCOMPATIBLE) {
    condense();
    for (let m = 3; m >= 0; m--) {
      let sum = get(KAU, m * 9 + 8);
      for (let j = 0; j < 8; j++) sum -= get(KAU, m * 9 + j) * get(u, j);
      for (let p = m + 1; p < 4; p++) sum -= get(KAA, p * 4 + m) * get(MODES, p);
      set(MODES, m, sum / get(KAA, m * 4 + m));
    }
  }
  for (let g = 0; g < 4; g++) {
    for (let row = 0; row < 4; row++) {
      let strain: f64 = row === 2 ? 0 : -get(HOT, g);
      for (let j = 0; j < 8; j++) strain += get(B, g * 32 + row * 8 + j) * get(u, j);
      for (let m = 0; m < 4; m++) strain += get(G, g * 16 + row * 4 + m) * get(MODES, m);
      set(MEAN, row, strain);
    }
    stressOf(MEAN, 1, to + <usize>(g * 4 * 8));
  }
}
