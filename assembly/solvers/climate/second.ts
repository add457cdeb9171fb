// Rates of change of order 2: linear states in cells, limited, whose ends are what the fluxes see (MUSCL).
//
// Depth, level, and velocities are linear in a cell; the bed at its ends is the level there less the depth there. The
// depths beside a face are those above the higher of its two beds, as in flux.ts, and a cell loses besides g (h⁺ + h⁻)/2
// (z⁺ − z⁻) of its momentum, z the level at its ends: water at rest changes by nothing at all, beside islands too. A limited
// slope never leaves the range of the neighbours, so no end is below 0; with dt (|u| + c)/dx <= ½ depths stay at or above 0.
// van Leer, J. Comput. Phys. 32 (1979) 101; Audusse et al., SIAM J. Sci. Comput. 25 (2004) 2050.
//
// Calls in inner loops: none.
import { allocate } from '../../kernel';
import { get, set } from '../../numerics/vector';
import * as grid from './grid';

let gravity: f64 = 0;
let isHll = false;
let isVanLeer = false;

/** Heights of the bed and levels, with a halo. */
let bed: usize = 0;
let level: usize = 0;
/** Changes of h, q and r a second. */
export let rateH: usize = 0;
export let rateQ: usize = 0;
export let rateR: usize = 0;
/** Mass, own part of the momentum before and behind, momentum along, of a row of faces. */
export let fluxes: usize = 0;
/** Bytes of one row of states or fluxes. */
let part: usize = 0;

// States at the low and the high ends of a row of cells: depth, level, velocity through and along the face.
let low: usize = 0;
let high: usize = 0;
let highBefore: usize = 0;
let lowFirst: usize = 0;

export function configure(g: f64, scheme: i32, limiter: i32): void {
  gravity = g;
  isHll = scheme === 2;
  isVanLeer = limiter === 1;
}

export function allocateSecond(): bool {
  part = ((<usize>(grid.columns + 8)) << 3) & ~15;
  bed = grid.allocateField();
  level = grid.allocateField();
  rateH = grid.allocateField();
  rateQ = grid.allocateField();
  rateR = grid.allocateField();
  fluxes = allocate(4 * part);
  // One number before the first cell of each row of states.
  low = allocate(4 * part + 16) + 16;
  high = allocate(4 * part + 16) + 16;
  highBefore = allocate(4 * part + 16) + 16;
  lowFirst = allocate(4 * part + 16) + 16;
  return !!(
    bed &&
    level &&
    rateH &&
    rateQ &&
    rateR &&
    fluxes &&
    low > 16 &&
    high > 16 &&
    highBefore > 16 &&
    lowFirst > 16
  );
}

export function setBed(heights: usize): void {
  const bytes = (<usize>grid.columns) << 3;
  for (let j = 0; j < grid.rows; j++) memory.copy(bed + <usize>j * grid.stride, heights + <usize>j * bytes, bytes);
}

/** Half the slope of a cell that differs by a from the one before and by b from the one behind, lane by lane. */
function halfSlope(a: v128, b: v128): v128 {
  const zero = f64x2.splat(0);
  if (isVanLeer) {
    const product = f64x2.pmax(zero, f64x2.mul(a, b));
    const isMonotone = f64x2.gt(product, zero);
    return f64x2.div(product, v128.bitselect(f64x2.add(a, b), f64x2.splat(1), isMonotone));
  }
  const rise = f64x2.pmax(zero, f64x2.pmin(a, b));
  const fall = f64x2.pmin(zero, f64x2.pmax(a, b));
  return f64x2.mul(f64x2.splat(0.5), f64x2.add(rise, fall));
}

/** The ends of a row of cells of a field. @param step  bytes from a cell to the next across the faces */
function ends(field: usize, step: usize, toLow: usize, toHigh: usize): void {
  const stop = field + ((<usize>grid.columns) << 3);
  for (; field < stop; field += 16, toLow += 16, toHigh += 16) {
    const here = v128.load(field);
    const slope = halfSlope(f64x2.sub(here, v128.load(field - step)), f64x2.sub(v128.load(field + step), here));
    v128.store(toLow, f64x2.sub(here, slope));
    v128.store(toHigh, f64x2.add(here, slope));
  }
}

function reconstruct(at: usize, step: usize, through: usize, along: usize): void {
  ends(grid.h + at, step, low, high);
  ends(level + at, step, low + part, high + part);
  ends(through + at, step, low + 2 * part, high + 2 * part);
  if (grid.hasCross) ends(along + at, step, low + 3 * part, high + 3 * part);
}

/** State k of one row as state l of another; beyond a wall the velocity through it turns round. */
function copyState(from: usize, k: i32, to: usize, l: i32, isMirror: bool): void {
  for (let i: usize = 0; i < 4; i++) {
    const value = get(from + i * part, k);
    set(to + i * part, l, isMirror && i === 2 ? -value : value);
  }
}

/** Fluxes of faces with the states before them at `left` and behind them at `right`. @param alpha  0 for local speeds */
function faces(count: i32, left: usize, right: usize, alpha: f64): void {
  const zero = f64x2.splat(0);
  const tiny = f64x2.splat(f64.MIN_NORMAL_VALUE);
  const g = f64x2.splat(gravity);
  const half = f64x2.splat(0.5);
  const halfGravity = f64x2.splat(0.5 * gravity);
  const floor = f64x2.splat(alpha);
  const stop = fluxes + ((<usize>count) << 3);
  for (let to = fluxes; to < stop; to += 16, left += 16, right += 16) {
    const levelL = v128.load(left + part);
    const levelR = v128.load(right + part);
    const bedL = f64x2.sub(levelL, f64x2.pmax(zero, v128.load(left)));
    const bedR = f64x2.sub(levelR, f64x2.pmax(zero, v128.load(right)));
    // All depths are differences of a level and a bed, so that equal levels give equal depths whatever was rounded.
    const fullL = f64x2.pmax(zero, f64x2.sub(levelL, bedL));
    const fullR = f64x2.pmax(zero, f64x2.sub(levelR, bedR));
    const top = f64x2.pmax(bedL, bedR);
    const hl = f64x2.pmax(zero, f64x2.sub(levelL, top));
    const hr = f64x2.pmax(zero, f64x2.sub(levelR, top));
    const nl = v128.load(left + 2 * part);
    const nr = v128.load(right + 2 * part);
    const cl = f64x2.sqrt(f64x2.mul(g, fullL));
    const cr = f64x2.sqrt(f64x2.mul(g, fullR));
    let lowest: v128;
    let highest: v128;
    if (isHll) {
      lowest = f64x2.pmin(zero, f64x2.pmin(f64x2.sub(nl, cl), f64x2.sub(nr, cr)));
      highest = f64x2.pmax(zero, f64x2.pmax(f64x2.add(nl, cl), f64x2.add(nr, cr)));
    } else {
      const speeds = f64x2.pmax(f64x2.add(f64x2.abs(nl), cl), f64x2.add(f64x2.abs(nr), cr));
      highest = f64x2.pmax(floor, speeds);
      lowest = f64x2.neg(highest);
    }
    const perWidth = f64x2.div(f64x2.splat(1), f64x2.pmax(tiny, f64x2.sub(highest, lowest)));
    const ql = f64x2.mul(hl, nl);
    const qr = f64x2.mul(hr, nr);
    const both = f64x2.mul(lowest, highest);
    const difference = f64x2.sub(hr, hl);
    const flow = f64x2.add(f64x2.sub(f64x2.mul(highest, ql), f64x2.mul(lowest, qr)), f64x2.mul(both, difference));
    const mass = f64x2.mul(flow, perWidth);
    const inertia = f64x2.add(
      f64x2.sub(f64x2.mul(highest, f64x2.mul(ql, nl)), f64x2.mul(lowest, f64x2.mul(qr, nr))),
      f64x2.mul(both, f64x2.sub(qr, ql)),
    );
    const pressure = f64x2.mul(halfGravity, f64x2.mul(difference, f64x2.add(hr, hl)));
    v128.store(to, mass);
    v128.store(to + part, f64x2.mul(f64x2.sub(inertia, f64x2.mul(lowest, pressure)), perWidth));
    v128.store(to + 2 * part, f64x2.mul(f64x2.sub(inertia, f64x2.mul(highest, pressure)), perWidth));
    if (!grid.hasCross) continue;
    const tl = v128.load(left + 3 * part);
    const tr = v128.load(right + 3 * part);
    const lean = f64x2.mul(f64x2.abs(mass), f64x2.sub(tr, tl));
    v128.store(to + 3 * part, f64x2.mul(half, f64x2.sub(f64x2.mul(mass, f64x2.add(tl, tr)), lean)));
  }
}

/** Adds factor (from + …) to a row of rates. */
function addTo(row: usize, factor: f64, from: usize): void {
  const times = f64x2.splat(factor);
  const stop = row + ((<usize>grid.columns) << 3);
  for (; row < stop; row += 16, from += 16)
    v128.store(row, f64x2.add(v128.load(row), f64x2.mul(times, v128.load(from))));
}

/** What the water in a row of cells does to itself: factor g/2 (h⁺ + h⁻) (z⁺ − z⁻). */
function addOwn(row: usize, factor: f64): void {
  const times = f64x2.splat(0.5 * gravity * factor);
  const stop = row + ((<usize>grid.columns) << 3);
  let down = low;
  let up = high;
  for (; row < stop; row += 16, down += 16, up += 16) {
    const depth = f64x2.add(v128.load(up), v128.load(down));
    const rise = f64x2.sub(v128.load(up + part), v128.load(down + part));
    v128.store(row, f64x2.add(v128.load(row), f64x2.mul(times, f64x2.mul(depth, rise))));
  }
}

/** Levels and their halo. Call after the halo of the depths is filled. */
export function prepare(): void {
  for (let j = 0; j < grid.rows; j++) {
    const at = <usize>j * grid.stride;
    for (let i: usize = at; i < at + ((<usize>grid.columns) << 3); i += 16)
      v128.store(level + i, f64x2.add(v128.load(grid.h + i), v128.load(bed + i)));
  }
  grid.fillEnds(level, 1, 1);
  if (grid.rows > 1) grid.fillRows(level, 1, 1);
}

/** Sets the rates of row j by the fluxes along x, which remain in `fluxes`. */
export function ratesX(j: i32, perX: f64, alpha: f64): void {
  const at = <usize>j * grid.stride;
  const last = grid.columns - 1;
  reconstruct(at, 8, grid.u, grid.v);
  if (grid.west === grid.PERIODIC) {
    copyState(high, last, high, -1, false);
    copyState(low, 0, low, grid.columns, false);
  } else {
    copyState(low, 0, high, -1, grid.west === grid.WALL);
    copyState(high, last, low, grid.columns, grid.east === grid.WALL);
  }
  faces(grid.columns + 1, high - 8, low, alpha);
  setRow(at, -perX);
}

/** Rates of a row by the fluxes through its faces along x, and by what its water does to itself. */
function setRow(at: usize, factor: f64): void {
  const times = f64x2.splat(factor);
  const own = f64x2.splat(0.5 * gravity);
  const hasCross = grid.hasCross;
  const stop = at + ((<usize>grid.columns) << 3);
  let flux = fluxes;
  let down = low;
  let up = high;
  for (; at < stop; at += 16, flux += 16, down += 16, up += 16) {
    v128.store(rateH + at, f64x2.mul(times, f64x2.sub(v128.load(flux, 8), v128.load(flux))));
    const depth = f64x2.add(v128.load(up), v128.load(down));
    const rise = f64x2.sub(v128.load(up + part), v128.load(down + part));
    const passed = f64x2.sub(v128.load(flux + part, 8), v128.load(flux + 2 * part));
    v128.store(rateQ + at, f64x2.mul(times, f64x2.add(passed, f64x2.mul(own, f64x2.mul(depth, rise)))));
    if (!hasCross) continue;
    const across = flux + 3 * part;
    v128.store(rateR + at, f64x2.mul(times, f64x2.sub(v128.load(across, 8), v128.load(across))));
  }
}

/** Before the first of `ratesY`. */
export function startY(): void {
  if (grid.south !== grid.PERIODIC) return;
  reconstruct(<usize>(grid.rows - 1) * grid.stride, grid.stride, grid.v, grid.u);
  swapHigh();
}

function swapHigh(): void {
  const other = highBefore;
  highBefore = high;
  high = other;
}

/** Adds the fluxes along y through the faces below row j to the rates of both its sides, rising from 0 to rows. */
export function ratesY(j: i32, perY: f64, alpha: f64): void {
  const at = <usize>j * grid.stride;
  const isPeriodic = grid.south === grid.PERIODIC;
  if (j < grid.rows) {
    reconstruct(at, grid.stride, grid.v, grid.u);
    addOwn(rateR + at, -perY);
    if (j === 0 && isPeriodic) memory.copy(lowFirst, low, 4 * part);
    if (j === 0 && !isPeriodic) mirrorRow(low, highBefore, grid.south === grid.WALL);
  } else if (isPeriodic) memory.copy(low, lowFirst, 4 * part);
  else mirrorRow(highBefore, low, grid.north === grid.WALL);
  faces(grid.columns, highBefore, low, alpha);
  if (j > 0) {
    const before = at - grid.stride;
    addTo(rateH + before, -perY, fluxes);
    addTo(rateR + before, -perY, fluxes + part);
    addTo(rateQ + before, -perY, fluxes + 3 * part);
  }
  if (j < grid.rows) {
    addTo(rateH + at, perY, fluxes);
    addTo(rateR + at, perY, fluxes + 2 * part);
    addTo(rateQ + at, perY, fluxes + 3 * part);
    swapHigh();
  }
}

function mirrorRow(from: usize, to: usize, isMirror: bool): void {
  for (let i = 0; i < grid.columns; i++) copyState(from, i, to, i, isMirror);
}
