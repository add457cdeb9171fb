// One step of a line without flow across it and without friction: fluxes, update and new velocities in one sweep, two
// cells at a time and in place. The operations are those of flux.ts and step.ts in their order, so the bits are equal too,
// but each number is read and written once a step: the arrays of 3,200 cells do not fit into the nearest cache.
//
// The faces left of a pair of cells are in registers; those right of it need the next pair, which is not yet changed.
//
// Level water at rest beside an end does not change, to the last bit and whatever the step: between two such cells every
// flux is +0. A sweep leaves out what lies beyond the last cell of it that has a moving neighbour, so that a dam break
// costs what its waves have reached.
//
// Calls in inner loops: none.
import { get, set } from '../../numerics/vector';
import * as grid from './grid';

/** 0, 1 and a tiny number in both lanes: folded into the loop as literals, they would be built anew in each turn. */
const CONSTANTS: usize = memory.data(16 * 3, 16);

/** Largest |u| + c of a cell, infinite if one is not finite; depths that were lifted to 0; mass through the end faces. */
export let fastest: f64 = 0;
export let lifted: f64 = 0;
export let westMass: f64 = 0;
export let eastMass: f64 = 0;

/** Cells of level water at rest from each end, at most: what a wave has reached once is swept from then on. */
let stillWest: i32 = 0;
let stillEast: i32 = 0;

/** Looks for still water; between periodic sides there is no end. */
export function findStill(): void {
  const isRound = grid.west === grid.PERIODIC;
  stillWest = 0;
  while (!isRound && stillWest < grid.columns && isStill(stillWest, 0, stillWest)) stillWest++;
  const last = grid.columns - 1;
  stillEast = 0;
  while (!isRound && stillEast < grid.columns && isStill(last - stillEast, last, grid.columns - stillEast)) stillEast++;
}

/** Whether cell i rests with the depth of cell `end`, behind a face without a jump; −0 is another number. */
function isStill(i: i32, end: i32, face: i32): bool {
  const depth = get(grid.h, end);
  const isLevel = bitsOf(grid.h, i) === bitsOf(grid.h, end) && bitsOf(grid.h, end) >= 0 && isFinite(depth);
  return isLevel && bitsOf(grid.q, i) === 0 && bitsOf(grid.u, i) === 0 && get(grid.jumpX, face) === 0;
}

function bitsOf(field: usize, i: i32): i64 {
  return load<i64>(field + ((<usize>i) << 3));
}

/** The array of c holds |u| + c, which is all that the symmetric fluxes read. */
export function addSpeeds(): void {
  for (let i = 0; i < grid.columns; i++) set(grid.c, i, Math.abs(get(grid.u, i)) + get(grid.c, i));
  grid.fillHalo();
}

function fillConstants(): void {
  v128.store(CONSTANTS, f64x2.splat(0));
  v128.store(CONSTANTS, f64x2.splat(1), 16);
  v128.store(CONSTANTS, f64x2.splat(f64.MIN_NORMAL_VALUE), 32);
}

/** NaN is lost in the largest, not in the sum. */
function finish(taken: v128, most: v128, all: v128): void {
  lifted = f64x2.extract_lane(taken, 0) + f64x2.extract_lane(taken, 1);
  fastest = Math.max(f64x2.extract_lane(most, 0), f64x2.extract_lane(most, 1));
  if (!isFinite(f64x2.extract_lane(all, 0) + f64x2.extract_lane(all, 1))) fastest = f64.POSITIVE_INFINITY;
}

/**
 * @param isHll     else by Lax and Friedrichs or Rusanov, which need `addSpeeds` before the first step
 * @param ratio     −dt/dx
 * @param dryDepth  below which water rests
 * @param alpha     the speed of all faces, or 0 for that of the cells
 */
export function sweep(isHll: bool, ratio: f64, gravity: f64, dryDepth: f64, alpha: f64): void {
  fillConstants();
  const zero = v128.load(CONSTANTS);
  const one = v128.load(CONSTANTS, 16);
  const tiny = v128.load(CONSTANTS, 32);
  const weight = f64x2.splat(0.5 * gravity);
  const g = f64x2.splat(gravity);
  // Symmetric fluxes are twice what they are, and their half is here: the bits of halves before every sum.
  const perX = f64x2.splat(isHll ? ratio : 0.5 * ratio);
  const dry = f64x2.splat(dryDepth);
  const divisor = f64x2.pmax(dry, tiny);
  const isLocal = !isHll && alpha === 0;
  const hasBed = grid.hasBed;
  let a = f64x2.splat(alpha);
  let taken = zero;
  let most = zero;
  let all = zero;
  let mass = zero;
  let before = zero;
  let behind = zero;
  let massHere = zero;
  let beforeHere = zero;
  let behindHere = zero;
  // Pairs of cells of which one may change: not those whose neighbours on both sides are still too.
  const begin = stillWest > 0 ? (stillWest - 1) >> 1 : 0;
  const pairs = (grid.columns + 1) >> 1;
  const end = max(begin, stillEast > 0 ? (grid.columns - stillEast + 2) >> 1 : pairs);
  if (begin > 0) {
    most = restRate(0);
    all = most;
  }
  if (end < pairs) {
    const rate = restRate(grid.columns - 1);
    most = f64x2.pmax(most, rate);
    all = f64x2.add(all, rate);
  }
  // The first turn has no cells, only the faces of the first pair.
  const offset = ((<usize>begin) << 4) - 16;
  let h = grid.h + offset;
  let u = grid.u + offset;
  let c = grid.c + offset;
  let q = grid.q + offset;
  let jump = grid.jumpX + offset + 16;
  const first = h + 16;
  const stop = grid.h + ((<usize>min(grid.columns, 2 * end)) << 3);
  const last = grid.h + ((<usize>(grid.columns - 1)) << 3);
  for (; h < stop; h += 16, u += 16, c += 16, q += 16, jump += 16) {
    let hl = v128.load(h, 8);
    let hr = v128.load(h, 16);
    if (hasBed) {
      const dz = v128.load(jump);
      hl = f64x2.pmax(zero, f64x2.sub(hl, f64x2.pmax(zero, dz)));
      hr = f64x2.pmax(zero, f64x2.sub(hr, f64x2.pmax(zero, f64x2.neg(dz))));
    }
    const nl = v128.load(u, 8);
    const nr = v128.load(u, 16);
    const ql = f64x2.mul(hl, nl);
    const qr = f64x2.mul(hr, nr);
    const difference = f64x2.sub(hr, hl);
    const cl = v128.load(c, 8);
    const cr = v128.load(c, 16);
    if (isHll) {
      const low = f64x2.pmin(zero, f64x2.pmin(f64x2.sub(nl, cl), f64x2.sub(nr, cr)));
      const high = f64x2.pmax(zero, f64x2.pmax(f64x2.add(nl, cl), f64x2.add(nr, cr)));
      const width = f64x2.pmax(tiny, f64x2.sub(high, low));
      const both = f64x2.mul(low, high);
      mass = f64x2.add(f64x2.sub(f64x2.mul(high, ql), f64x2.mul(low, qr)), f64x2.mul(both, difference));
      mass = f64x2.div(mass, width);
      const inertia = f64x2.add(
        f64x2.sub(f64x2.mul(high, f64x2.mul(ql, nl)), f64x2.mul(low, f64x2.mul(qr, nr))),
        f64x2.mul(both, f64x2.sub(qr, ql)),
      );
      const pressure = f64x2.mul(weight, f64x2.mul(difference, f64x2.add(hr, hl)));
      before = f64x2.div(f64x2.sub(inertia, f64x2.mul(low, pressure)), width);
      behind = f64x2.div(f64x2.sub(inertia, f64x2.mul(high, pressure)), width);
    } else {
      if (isLocal) a = f64x2.pmax(cl, cr);
      mass = f64x2.sub(f64x2.add(ql, qr), f64x2.mul(a, difference));
      const flows = f64x2.add(f64x2.mul(ql, nl), f64x2.mul(qr, nr));
      const inertia = f64x2.sub(flows, f64x2.mul(a, f64x2.sub(qr, ql)));
      const pressure = f64x2.mul(weight, f64x2.mul(difference, f64x2.add(hr, hl)));
      before = f64x2.add(inertia, pressure);
      behind = f64x2.sub(inertia, pressure);
    }
    if (h >= first) {
      const massBeyond = v128.shuffle<f64>(massHere, mass, 1, 2);
      const beforeBeyond = v128.shuffle<f64>(beforeHere, before, 1, 2);
      const next = f64x2.add(v128.load(h), f64x2.mul(perX, f64x2.sub(massBeyond, massHere)));
      let kept = f64x2.pmax(next, zero);
      let lost = f64x2.sub(kept, next);
      if (h === last) {
        // The second lane is past the last cell, and counts for nothing.
        kept = f64x2.replace_lane(kept, 1, 0);
        lost = f64x2.replace_lane(lost, 1, 0);
        eastMass = f64x2.extract_lane(massHere, 1);
      }
      taken = f64x2.add(taken, lost);
      const added = f64x2.add(v128.load(q), f64x2.mul(perX, f64x2.sub(beforeBeyond, behindHere)));
      const flow = v128.and(added, f64x2.gt(kept, dry));
      const speed = f64x2.mul(flow, f64x2.div(one, f64x2.pmax(divisor, kept)));
      const wave = f64x2.sqrt(f64x2.mul(g, kept));
      const rate = f64x2.add(f64x2.abs(speed), wave);
      most = f64x2.pmax(most, rate);
      all = f64x2.add(all, rate);
      v128.store(h, kept);
      v128.store(q, flow);
      v128.store(u, speed);
      v128.store(c, isHll ? wave : rate);
    } else westMass = f64x2.extract_lane(mass, 0);
    massHere = mass;
    beforeHere = before;
    behindHere = behind;
  }
  if (!(grid.columns & 1)) eastMass = f64x2.extract_lane(massHere, 0);
  if (!isHll) {
    westMass *= 0.5;
    eastMass *= 0.5;
  }
  if (begin > 0) westMass = 0;
  if (end < pairs) eastMass = 0;
  finish(taken, most, all);
  shrinkStill();
}

/** |u| + c of a cell at rest. */
function restRate(i: i32): v128 {
  return f64x2.splat(get(grid.c, i));
}

/** Only the cell with a moving neighbour may have changed. */
function shrinkStill(): void {
  const last = grid.columns - 1;
  if (stillWest > 0 && !isStill(stillWest - 1, 0, 0)) stillWest--;
  if (stillEast > 0 && !isStill(last - stillEast + 1, last, grid.columns)) stillEast--;
}
