// American options on a binomial lattice whose levels have equal variance and whose nodes follow the forward.
//
// X = F_k exp((2 j − k) √h) at node j of level k, so the probability of a rise is the same everywhere and lies in (0, 1) for
// every rate and volatility. The last step is Black's formula, which makes the error smooth in 1 / levels: two lattices
// extrapolate it (Broadie & Detemple, Review of Financial Studies 9 (1996) 1211, doi:10.1093/rfs/9.4.1211).
import { allocateF64 } from '../../kernel';
import { normalDistribution } from '../../numerics/special/normal';

/** Of each level: the forward, the dividends to come, and the discount factor to today. */
export const LEVEL_COLUMNS: i32 = 3;

export namespace Lattice {
  export let levels: i32 = 0;
  export let table: usize = 0;
  export let phi: f64 = 1;
  export let strike: f64 = 0;
  /** Variance of a level. */
  export let step: f64 = 0;
  export let level: i32 = 0;
}

let values: usize = 0;
let powers: usize = 0;
let rise: f64 = 0.5;

export function allocateLattice(): bool {
  Lattice.table = allocateF64((Lattice.levels + 1) * LEVEL_COLUMNS);
  values = allocateF64(Lattice.levels + 1);
  powers = allocateF64(2 * Lattice.levels + 1);
  return Lattice.table !== 0 && values !== 0 && powers !== 0;
}

function at(level: i32, column: i32): f64 {
  return load<f64>(Lattice.table + ((<usize>(level * LEVEL_COLUMNS + column)) << 3));
}

/** exp(m √h) at index m + levels. */
function power(m: i32): f64 {
  return load<f64>(powers + ((<usize>(m + Lattice.levels)) << 3));
}

export function startLattice(): void {
  const root = Math.sqrt(Lattice.step);
  for (let m = -Lattice.levels; m <= Lattice.levels; m++)
    store<f64>(powers + ((<usize>(m + Lattice.levels)) << 3), Math.exp(<f64>m * root));
  const up = Math.exp(root);
  const down = 1 / up;
  rise = up > down ? (1 - down) / (up - down) : 0.5;
  // The value at the end of the last step is known in closed form one level before.
  Lattice.level = Lattice.levels - 1;
  const growth = at(Lattice.levels, 0) / at(Lattice.level, 0);
  const discount = at(Lattice.levels, 2) / at(Lattice.level, 2);
  const target = Lattice.strike - at(Lattice.levels, 1);
  for (let j = 0; j <= Lattice.level; j++) {
    const x = at(Lattice.level, 0) * power(2 * j - Lattice.level);
    store<f64>(values + ((<usize>j) << 3), Math.max(discount * black(x * growth, target), exercise(x, Lattice.level)));
  }
}

function exercise(x: f64, level: i32): f64 {
  return Lattice.phi * (x + at(level, 1) - Lattice.strike);
}

function black(forward: f64, strike: f64): f64 {
  const phi = Lattice.phi;
  if (!(Lattice.step > 0) || strike <= 0) return Math.max(0, phi * (forward - strike));
  const root = Math.sqrt(Lattice.step);
  const d = Math.log(forward / strike) / root + 0.5 * root;
  return phi * (forward * normalDistribution(phi * d) - strike * normalDistribution(phi * (d - root)));
}

/** One level back; nothing at level 0. */
export function stepLattice(): void {
  const level = Lattice.level - 1;
  if (level < 0) return;
  const discount = at(level + 1, 2) / at(level, 2);
  const up = discount * rise;
  const down = discount * (1 - rise);
  const forward = Lattice.phi * at(level, 0);
  const owed = Lattice.phi * (at(level, 1) - Lattice.strike);
  let node = powers + ((<usize>(Lattice.levels - level)) << 3);
  let value = values;
  for (let j = 0; j <= level; j++, node += 16, value += 8) {
    const held = down * load<f64>(value) + up * load<f64>(value, 8);
    const now = forward * load<f64>(node) + owed;
    store<f64>(value, max<f64>(held, now));
  }
  Lattice.level = level;
}

export function latticePrice(): f64 {
  return load<f64>(values);
}
