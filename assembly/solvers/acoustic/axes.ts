// Damped modes of a box whose walls react locally: complex κ with κ² + Σ μ_d(κ) = 0, where p ~ e^(κ c t).
//
// Variables separate. Along an axis, finite volumes give a complex symmetric tridiagonal matrix whose ends hold the walls,
// n κ p + d ∂p/∂n = 0 with p extrapolated over half a cell: order 2. Rayleigh's iteration follows one eigenvalue μ of each
// axis, Newton's method solves for κ, from walls that are rigid or open (t = 0) to those given (t = 1), then on grids finer
// by 3 and by 9. Modes that merge, or leave to infinity on the way, do not converge, and say so. Kuttruff, Room Acoustics
// (5th ed., 2009), chapter 3.
import '../../numerics/trigonometric';
import { allocateF64 } from '../../kernel';
import { get, set } from '../../numerics/vector';

/** Numbers of an axis: cells, spacing, then kind, real and imaginary part of the wall at each end. */
const AXIS: i32 = 8;
/** Of a wall: n = t β, d = 1 from a rigid one; n = 1, d = t ζ from an open one. */
const FROM_OPEN: f64 = 1;
/** Grids: the one given, and finer ones. */
export const GRIDS: i32 = 3;
const REFINEMENT: i32 = 3;
/** From t = 0 to 1. */
const STEPS: i32 = 24;
const MAX_NEWTON: i32 = 24;
/** Relative: of κ on the way, and in the end. */
const ROUGH: f64 = 1e-5;
const FINE: f64 = 1e-13;

export namespace Axes {
  export let count: i32 = 0;
  export let modes: i32 = 0;
  export let cells: i32 = 0;
  /** f64[count, AXIS]; f64[modes, count]: half-waves at t = 0. */
  export let sizes: usize = 0;
  export let starts: usize = 0;
  /** f64[modes, GRIDS, 2]: κ. f64[modes, GRIDS]: the last relative change of κ. */
  export let kappas: usize = 0;
  export let changes: usize = 0;
  /** f64[modes, 2]: the derivative of κ² + Σ μ, and f64[modes, cells, 2]: the shapes along each axis with Σ x² h = 1. */
  export let slopes: usize = 0;
  export let profiles: usize = 0;
}

/** One axis after the other, f64[9 cells, 2] each: the vector, its successor, and the eliminated diagonal. */
let x: usize = 0;
let y: usize = 0;
let pivots: usize = 0;
/** f64[axes, 2]: μ h². */
let m: usize = 0;
/** The derivative of μ by κ on an axis. */
let dRe: f64 = 0;
let dIm: f64 = 0;
let kRe: f64 = 0;
let kIm: f64 = 0;
/** The wall of an end over h, and its derivative by κ. */
let wRe: f64 = 0;
let wIm: f64 = 0;
let vRe: f64 = 0;
let vIm: f64 = 0;

/** @returns whether there was memory */
export function reserveAxes(axes: i32, modes: i32, cells: i32): bool {
  Axes.count = axes;
  Axes.modes = modes;
  Axes.cells = cells;
  const finest = cells * REFINEMENT * REFINEMENT;
  Axes.sizes = allocateF64(axes * AXIS);
  Axes.starts = allocateF64(modes * axes);
  Axes.kappas = allocateF64(modes * GRIDS * 2);
  Axes.changes = allocateF64(modes * GRIDS);
  Axes.slopes = allocateF64(modes * 2);
  Axes.profiles = allocateF64(modes * cells * 2);
  x = allocateF64(2 * finest);
  y = allocateF64(2 * finest);
  pivots = allocateF64(2 * finest);
  m = allocateF64(2 * axes);
  const hasResults = Axes.kappas && Axes.changes && Axes.slopes && Axes.profiles;
  return Axes.sizes !== 0 && Axes.starts !== 0 && hasResults !== 0 && x !== 0 && y !== 0 && pivots !== 0 && m !== 0;
}

function size(axis: i32, i: i32): f64 {
  return get(Axes.sizes, axis * AXIS + i);
}

/** Whether the axes are what `reserveAxes` has room for, with passive walls. */
export function areAxesLegal(): bool {
  let sum: f64 = 0;
  for (let d = 0; d < Axes.count; d++) {
    const cells = size(d, 0);
    if (!(cells >= 2 && Math.floor(cells) === cells && size(d, 1) > 0 && isFinite(size(d, 1)))) return false;
    sum += cells;
    for (let end = 0; end < 2; end++) {
      const kind = size(d, 2 + 3 * end);
      if (kind !== 0 && kind !== FROM_OPEN) return false;
      if (!(size(d, 3 + 3 * end) >= 0 && isFinite(size(d, 3 + 3 * end)) && isFinite(size(d, 4 + 3 * end))))
        return false;
    }
  }
  for (let i = 0; i < Axes.modes * Axes.count; i++) {
    const k = get(Axes.starts, i);
    if (!(k >= 0 && k <= 1e6)) return false;
  }
  return sum === <f64>Axes.cells;
}

/** One mode: followed on the grid given, refined on the others. */
export function followMode(mode: i32): void {
  let isDecay = true;
  kRe = 0;
  kIm = 0;
  let sum: f64 = 0;
  let offset = 0;
  for (let d = 0; d < Axes.count; d++) {
    const k = get(Axes.starts, mode * Axes.count + d);
    if (k > 0) isDecay = false;
    sum += begin(d, k, offset);
    offset += <i32>size(d, 0);
  }
  kIm = Math.sqrt(sum);
  for (let s = 1; s <= STEPS; s++) {
    const t = <f64>s / STEPS;
    // The constant pressure between rigid walls has κ = 0 twice: one of the two decays, by the mean of the walls. It grows
    // with t; Newton's method from its last value would meet a slope of 0 on the way.
    if (isDecay && s === 1) guessDecay(t);
    if (isDecay && s > 1) {
      kRe *= t / (t - 1.0 / STEPS);
      kIm *= t / (t - 1.0 / STEPS);
    }
    set(Axes.changes, mode * GRIDS, newton(t, 1, s === STEPS ? FINE : ROUGH));
  }
  saveKappa(mode, 0);
  saveProfiles(mode);
  let factor = 1;
  for (let grid = 1; grid < GRIDS; grid++) {
    refine(factor);
    factor *= REFINEMENT;
    set(Axes.changes, mode * GRIDS + grid, newton(1, factor, FINE));
    saveKappa(mode, grid);
  }
}

function saveKappa(mode: i32, grid: i32): void {
  set(Axes.kappas, (mode * GRIDS + grid) * 2, kRe);
  set(Axes.kappas, (mode * GRIDS + grid) * 2 + 1, kIm);
}

/** The shape of k half-waves. @returns its μ */
function begin(d: i32, k: f64, offset: i32): f64 {
  const n = <i32>size(d, 0);
  const h = size(d, 1);
  const isSine = size(d, 2) === FROM_OPEN;
  for (let j = 0; j < n; j++) {
    const angle = (Math.PI * k * (<f64>j + 0.5)) / n;
    set(x, 2 * (offset + j), isSine ? Math.sin(angle) : Math.cos(angle));
    set(x, 2 * (offset + j) + 1, 0);
  }
  const half = Math.sin((0.5 * Math.PI * k) / n);
  set(m, 2 * d, 4 * half * half);
  set(m, 2 * d + 1, 0);
  return (4 * half * half) / (h * h);
}

function guessDecay(t: f64): void {
  for (let d = 0; d < Axes.count; d++) {
    const length = size(d, 0) * size(d, 1);
    for (let end = 0; end < 2; end++) {
      kRe -= (t * size(d, 3 + 3 * end)) / length;
      kIm -= (t * size(d, 4 + 3 * end)) / length;
    }
  }
}

/** h times what the wall adds to the diagonal: n κ h / (d + n κ h/2), and the derivative of it over h. */
function wall(d: i32, end: i32, t: f64, h: f64): void {
  const kind = size(d, 2 + 3 * end);
  const re = t * size(d, 3 + 3 * end);
  const im = t * size(d, 4 + 3 * end);
  const isOpen = kind === FROM_OPEN;
  const nRe = isOpen ? 1 : re;
  const nIm = isOpen ? 0 : im;
  const eRe = isOpen ? re : 1;
  const eIm = isOpen ? im : 0;
  const aRe = h * (nRe * kRe - nIm * kIm);
  const aIm = h * (nRe * kIm + nIm * kRe);
  const bRe = eRe + 0.5 * aRe;
  const bIm = eIm + 0.5 * aIm;
  const square = bRe * bRe + bIm * bIm;
  const inRe = bRe / square;
  const inIm = -bIm / square;
  wRe = aRe * inRe - aIm * inIm;
  wIm = aRe * inIm + aIm * inRe;
  // n d / (d + n κ h/2)²
  const pRe = nRe * eRe - nIm * eIm;
  const pIm = nRe * eIm + nIm * eRe;
  const qRe = inRe * inRe - inIm * inIm;
  const qIm = 2 * inRe * inIm;
  vRe = pRe * qRe - pIm * qIm;
  vIm = pRe * qIm + pIm * qRe;
}

/** Newton's method for κ² + Σ μ_d(κ) = 0. @returns the last relative change */
function newton(t: f64, factor: i32, tolerance: f64): f64 {
  let relative: f64 = Infinity;
  for (let i = 0; i < MAX_NEWTON; i++) {
    let fRe = kRe * kRe - kIm * kIm;
    let fIm = 2 * kRe * kIm;
    let gRe = 2 * kRe;
    let gIm = 2 * kIm;
    let offset = 0;
    for (let d = 0; d < Axes.count; d++) {
      const n = <i32>size(d, 0) * factor;
      const h = size(d, 1) / factor;
      rayleigh(d, offset, n, h, t);
      fRe += get(m, 2 * d) / (h * h);
      fIm += get(m, 2 * d + 1) / (h * h);
      gRe += dRe;
      gIm += dIm;
      offset += n;
    }
    slopeRe = gRe;
    slopeIm = gIm;
    const square = gRe * gRe + gIm * gIm;
    const sRe = (fRe * gRe + fIm * gIm) / square;
    const sIm = (fIm * gRe - fRe * gIm) / square;
    kRe -= sRe;
    kIm -= sIm;
    relative = Math.sqrt((sRe * sRe + sIm * sIm) / (kRe * kRe + kIm * kIm));
    if (!(relative > tolerance)) break;
  }
  return relative;
}

let slopeRe: f64 = 0;
let slopeIm: f64 = 0;

/** Two steps of Rayleigh's iteration on an axis: x, μ h² and dμ/dκ at the present κ. */
function rayleigh(d: i32, offset: i32, n: i32, h: f64, t: f64): void {
  wall(d, 0, t, h);
  const firstRe = wRe;
  const firstIm = wIm;
  const firstSlopeRe = vRe;
  const firstSlopeIm = vIm;
  wall(d, 1, t, h);
  const v = x + ((<usize>offset) << 4);
  const z = y + ((<usize>offset) << 4);
  const p = pivots + ((<usize>offset) << 4);
  for (let i = 0; i < 2; i++) {
    eliminate(v, z, p, n, get(m, 2 * d), get(m, 2 * d + 1), firstRe, firstIm, wRe, wIm);
    // The quotient by sums of squares, without conjugation.
    let largest: f64 = 0;
    for (let j = 0; j < 2 * n; j++) largest = Math.max(largest, Math.abs(get(z, j)));
    const scale = 1 / largest;
    let aRe: f64 = 0;
    let aIm: f64 = 0;
    let bRe: f64 = 0;
    let bIm: f64 = 0;
    let lastRe: f64 = 0;
    let lastIm: f64 = 0;
    for (let j = 0; j < n; j++) {
      const re = scale * get(z, 2 * j);
      const im = scale * get(z, 2 * j + 1);
      set(v, 2 * j, re);
      set(v, 2 * j + 1, im);
      bRe += re * re - im * im;
      bIm += 2 * re * im;
      if (j > 0) {
        const ue = re - lastRe;
        const ui = im - lastIm;
        aRe += ue * ue - ui * ui;
        aIm += 2 * ue * ui;
      }
      lastRe = re;
      lastIm = im;
    }
    const headRe = get(v, 0) * get(v, 0) - get(v, 1) * get(v, 1);
    const headIm = 2 * get(v, 0) * get(v, 1);
    const tailRe = lastRe * lastRe - lastIm * lastIm;
    const tailIm = 2 * lastRe * lastIm;
    aRe += firstRe * headRe - firstIm * headIm + wRe * tailRe - wIm * tailIm;
    aIm += firstRe * headIm + firstIm * headRe + wRe * tailIm + wIm * tailRe;
    const square = bRe * bRe + bIm * bIm;
    set(m, 2 * d, (aRe * bRe + aIm * bIm) / square);
    set(m, 2 * d + 1, (aIm * bRe - aRe * bIm) / square);
    const cRe = firstSlopeRe * headRe - firstSlopeIm * headIm + vRe * tailRe - vIm * tailIm;
    const cIm = firstSlopeRe * headIm + firstSlopeIm * headRe + vRe * tailIm + vIm * tailRe;
    dRe = (cRe * bRe + cIm * bIm) / (square * h);
    dIm = (cIm * bRe - cRe * bIm) / (square * h);
  }
}

/** Solves (T − m) z = v by elimination without exchanges; T has −1 beside its diagonal. */
function eliminate(
  v: usize,
  z: usize,
  p: usize,
  n: i32,
  mr: f64,
  mi: f64,
  firstRe: f64,
  firstIm: f64,
  lastRe: f64,
  lastIm: f64,
): void {
  // p: the reciprocal of each pivot; z: the right side.
  let re: f64 = 0;
  let im: f64 = 0;
  let fRe: f64 = 0;
  let fIm: f64 = 0;
  for (let j = 0; j < n; j++) {
    let dr = (j === 0 ? 1 + firstRe : j === n - 1 ? 1 + lastRe : 2) - mr - re;
    const di = (j === 0 ? firstIm : j === n - 1 ? lastIm : 0) - mi - im;
    let square = dr * dr + di * di;
    if (!(square > 1e-60)) {
      dr = 1e-30;
      square = 1e-60;
    }
    re = dr / square;
    im = -di / square;
    store<f64>(p, re, 0);
    store<f64>(p, im, 8);
    const gRe = load<f64>(v, 0) + fRe;
    const gIm = load<f64>(v, 8) + fIm;
    fRe = re * gRe - im * gIm;
    fIm = re * gIm + im * gRe;
    store<f64>(z, fRe, 0);
    store<f64>(z, fIm, 8);
    p += 16;
    v += 16;
    z += 16;
  }
  z -= 16;
  p -= 16;
  let bRe = load<f64>(z, 0);
  let bIm = load<f64>(z, 8);
  for (let j = n - 2; j >= 0; j--) {
    z -= 16;
    p -= 16;
    const qRe = load<f64>(p, 0);
    const qIm = load<f64>(p, 8);
    const nRe = load<f64>(z, 0) + qRe * bRe - qIm * bIm;
    const nIm = load<f64>(z, 8) + qRe * bIm + qIm * bRe;
    store<f64>(z, nRe, 0);
    store<f64>(z, nIm, 8);
    bRe = nRe;
    bIm = nIm;
  }
}

/** From a grid to one finer by 3: each value thrice, and μ h² divided. From the last axis on, since rows move up. */
function refine(factor: i32): void {
  let offset = Axes.cells * factor;
  for (let d = Axes.count - 1; d >= 0; d--) {
    const n = <i32>size(d, 0) * factor;
    offset -= n;
    for (let j = n - 1; j >= 0; j--) {
      const re = get(x, 2 * (offset + j));
      const im = get(x, 2 * (offset + j) + 1);
      for (let k = 0; k < REFINEMENT; k++) {
        set(x, 2 * (REFINEMENT * (offset + j) + k), re);
        set(x, 2 * (REFINEMENT * (offset + j) + k) + 1, im);
      }
    }
    set(m, 2 * d, get(m, 2 * d) / (REFINEMENT * REFINEMENT));
    set(m, 2 * d + 1, get(m, 2 * d + 1) / (REFINEMENT * REFINEMENT));
  }
}

/** The shapes of the grid given with Σ x² h = 1, and the derivative of the equation for κ. */
function saveProfiles(mode: i32): void {
  set(Axes.slopes, 2 * mode, slopeRe);
  set(Axes.slopes, 2 * mode + 1, slopeIm);
  let offset = 0;
  for (let d = 0; d < Axes.count; d++) {
    const n = <i32>size(d, 0);
    let bRe: f64 = 0;
    let bIm: f64 = 0;
    for (let j = offset; j < offset + n; j++) {
      const re = get(x, 2 * j);
      const im = get(x, 2 * j + 1);
      bRe += size(d, 1) * (re * re - im * im);
      bIm += size(d, 1) * 2 * re * im;
    }
    // 1/√(bRe + i bIm), the root with a real part that is not negative.
    const length = Math.sqrt(bRe * bRe + bIm * bIm);
    const rootRe = Math.sqrt(Math.max(0, 0.5 * (length + bRe)));
    const rootIm =
      bIm < 0 ? -Math.sqrt(Math.max(0, 0.5 * (length - bRe))) : Math.sqrt(Math.max(0, 0.5 * (length - bRe)));
    const sRe = rootRe / length;
    const sIm = -rootIm / length;
    for (let j = offset; j < offset + n; j++) {
      const re = get(x, 2 * j);
      const im = get(x, 2 * j + 1);
      const to = 2 * (mode * Axes.cells + j);
      set(Axes.profiles, to, sRe * re - sIm * im);
      set(Axes.profiles, to + 1, sRe * im + sIm * re);
    }
    offset += n;
  }
}
