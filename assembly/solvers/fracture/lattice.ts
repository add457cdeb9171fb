// The lattice of points, its bonds, the notches that cut them, and the damage.
//
// Units: spacing 1, Young's modulus 1. Points lie at the middle of square cells; a bar is one column. A bond of length ξ
// resists its elongation with the stiffness β / |ξ|, where β is the part of the farther cell inside of the horizon. The
// constant is set so that the lattice has the plane-stress modulus 9/8 of lateral constraint (ν = 1/3), or 1 for a
// bar. Bonds near sides are stiffened by what their ends lack of a whole neighbourhood (volume method). Rows of grips
// continue the body beyond both ends, unless these are free.
import { allocateF64 } from '../../kernel';
import { get, set } from '../../numerics/vector';

export let columns: i32 = 0;
export let rows: i32 = 0;
export let reach: i32 = 0;
/** Rows of grips beyond each end. */
export let grips: i32 = 0;
export let points: i32 = 0;
/** Neighbours of a point in one half of the plane. */
export let offsets: i32 = 0;
/** f64[offsets, 5]: steps along x and y, length, stiffness, unused. */
export let stencil: usize = 0;
/** f64[offsets, points]: stiffness of the bond of a point to its neighbour, before any loss and now. */
export let initial: usize = 0;
export let weights: usize = 0;
/** f64[2, points]: displacements along x and y, with room for one pair of lanes more. */
export let u: usize = 0;
let whole: usize = 0;

/** @returns whether there is room */
export function reserveLattice(width: i32, height: i32, horizon: f64, hasGrips: bool): bool {
  columns = width;
  rows = height;
  reach = <i32>Math.ceil(horizon + 0.5) - 1;
  grips = hasGrips ? reach : 0;
  points = columns * (rows + 2 * grips);
  stencil = allocateF64(5 * (2 * reach + 1) * (reach + 1));
  if (!stencil) return false;
  offsets = makeStencil(horizon);
  whole = allocateF64(points);
  initial = allocateF64(points * offsets);
  weights = allocateF64(points * offsets);
  u = allocateF64(2 * points + 2);
  return !!(whole && initial && weights && u);
}

/** Half of the neighbours: steps along x and y, length, β / length; scaled to the modulus. @returns their number */
function makeStencil(horizon: f64): i32 {
  let count = 0;
  let modulus: f64 = 0;
  for (let dj = 0; dj <= reach; dj++)
    for (let di = columns === 1 ? 0 : -reach; di <= (columns === 1 ? 0 : reach); di++) {
      if (dj === 0 && di <= 0) continue;
      const length = Math.sqrt(<f64>(di * di + dj * dj));
      const part = Math.min(1, horizon + 0.5 - length);
      if (part <= 0) continue;
      const at = stencil + ((<usize>(5 * count)) << 3);
      set(at, 0, <f64>di);
      set(at, 1, <f64>dj);
      set(at, 2, length);
      set(at, 3, part / length);
      const ey = <f64>dj / length;
      modulus += part * length * ey * ey * ey * ey;
      count++;
    }
  const constant = (columns === 1 ? 1.0 : 1.125) / modulus;
  for (let o = 0; o < count; o++) {
    const at = stencil + ((<usize>(5 * o)) << 3);
    set(at, 3, get(at, 3) * constant);
  }
  return count;
}

export function isGrip(row: i32): bool {
  return row < grips || row >= grips + rows;
}

/**
 * Makes all bonds whole, then cuts those across notches.
 *
 * @param notch    length of the level notch at half height from the left side; 0: none
 * @param notches  f64[count, 4]: ends of straight notches, from the lower left corner of the body
 */
export function makeBonds(notch: f64, notches: usize, count: i32): void {
  memory.fill(whole, 0, (<usize>points) << 3);
  memory.fill(initial, 0, (<usize>(points * offsets)) << 3);
  let bulk: f64 = 0;
  for (let o = 0; o < offsets; o++) bulk += 2 * get(stencil + ((<usize>(5 * o)) << 3), 3);
  // What neighbourhoods have; ends have grips, and these are whole as the rows beside them.
  for (let pass = 0; pass < 2; pass++)
    for (let o = 0; o < offsets; o++) {
      const at = stencil + ((<usize>(5 * o)) << 3);
      const di = <i32>get(at, 0);
      const dj = <i32>get(at, 1);
      for (let row = 0; row + dj < rows + 2 * grips; row++)
        for (let column = 0; column < columns; column++) {
          if (column + di < 0 || column + di >= columns) continue;
          const p = row * columns + column;
          const q = p + dj * columns + di;
          if (pass === 0) {
            set(whole, p, get(whole, p) + get(at, 3));
            set(whole, q, get(whole, q) + get(at, 3));
            continue;
          }
          if (isGrip(row) && isGrip(row + dj)) continue;
          const own = isGrip(row) ? get(whole, q) : get(whole, p);
          const other = isGrip(row + dj) ? get(whole, p) : get(whole, q);
          set(initial + ((<usize>(o * points)) << 3), p, (get(at, 3) * 2 * bulk) / (own + other));
        }
    }
  memory.copy(weights, initial, (<usize>(points * offsets)) << 3);
  cutLevel(notch);
  for (let k = 0; k < count; k++) cutSegment(notches + ((<usize>(4 * k)) << 3));
}

function cutLevel(notch: f64): void {
  const face = <f64>(grips + rows / 2) - 0.5;
  for (let o = 0; o < offsets; o++) {
    const at = stencil + ((<usize>(5 * o)) << 3);
    const dj = get(at, 1);
    for (let p = 0; p < points; p++) {
      const below = face - <f64>(p / columns);
      if (!(below > 0 && below < dj)) continue;
      const x = <f64>(p % columns) + 0.5 + (get(at, 0) * below) / dj;
      if (x <= notch) set(weights + ((<usize>(o * points)) << 3), p, 0);
    }
  }
}

/** Whether a is to the left of the way from b to c; a point on it counts as right. */
function isLeft(ax: f64, ay: f64, bx: f64, by: f64, cx: f64, cy: f64): bool {
  return (cx - bx) * (ay - by) - (cy - by) * (ax - bx) > 0;
}

function cutSegment(ends: usize): void {
  const ax = get(ends, 0);
  const ay = get(ends, 1);
  const bx = get(ends, 2);
  const by = get(ends, 3);
  for (let o = 0; o < offsets; o++) {
    const at = stencil + ((<usize>(5 * o)) << 3);
    for (let p = 0; p < points; p++) {
      const px = <f64>(p % columns) + 0.5;
      const py = <f64>(p / columns - grips) + 0.5;
      const qx = px + get(at, 0);
      const qy = py + get(at, 1);
      if (isLeft(px, py, ax, ay, bx, by) === isLeft(qx, qy, ax, ay, bx, by)) continue;
      if (isLeft(ax, ay, px, py, qx, qy) === isLeft(bx, by, px, py, qx, qy)) continue;
      set(weights + ((<usize>(o * points)) << 3), p, 0);
    }
  }
}

/** The largest sum of the stiffnesses of a point: the step 2 / √(2 sum) is the longest that is stable (Gershgorin). */
export function stiffest(): f64 {
  memory.fill(whole, 0, (<usize>points) << 3);
  for (let o = 0; o < offsets; o++) {
    const at = stencil + ((<usize>(5 * o)) << 3);
    const shift = <i32>get(at, 1) * columns + <i32>get(at, 0);
    const bonds = initial + ((<usize>(o * points)) << 3);
    for (let p = 0; p < points - shift; p++) {
      set(whole, p, get(whole, p) + get(bonds, p));
      set(whole, p + shift, get(whole, p + shift) + get(bonds, p));
    }
  }
  let most: f64 = 0;
  for (let p = 0; p < points; p++) if (!isGrip(p / columns)) most = Math.max(most, get(whole, p));
  return most;
}

/** Damage of a point: what its bonds have lost. */
export function damageOf(p: i32): f64 {
  let now: f64 = 0;
  let before: f64 = 0;
  for (let o = 0; o < offsets; o++) {
    const at = stencil + ((<usize>(5 * o)) << 3);
    const shift = <i32>get(at, 1) * columns + <i32>get(at, 0);
    const base = (<usize>(o * points)) << 3;
    now += get(weights + base, p);
    before += get(initial + base, p);
    if (p < shift) continue;
    now += get(weights + base, p - shift);
    before += get(initial + base, p - shift);
  }
  return before > 0 ? Math.max(0, 1 - now / before) : 0;
}
