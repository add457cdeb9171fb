// Lennard-Jones forces over a half neighbour list, two partners at a time.
//
//   phi(r) = 4 eps ((sig / r)^12 - (sig / r)^6) for r < rc, and 0 beyond
//
// Three treatments of the cutoff. `truncated` and `shifted` have the same force, -phi', and both conserve
// the sum of phi(r) - phi(rc); they report different energies. `force-shifted` also takes the force to
// zero, phi(r) - phi(rc) - (r - rc) phi'(rc), so that only its slope jumps (Toxvaerd & Dyre, J. Chem. Phys.
// 134 (2011) 081102, doi:10.1063/1.3558787).
//
// Partners in the list but beyond rc are computed and masked: a branch per pair costs more.

import { highs, laneSum, lows, splat } from '../simd';
import { FORCE, LINE, lines, listStarts } from './neighbours';

// Coefficients, read before the loop (see simd.ts), and the results of a call: energy, virial, pairs.
const TABLE: usize = memory.data(12 * 8, 16);
const ONE: usize = TABLE;
const RC2: usize = TABLE + 8;
const FORCE_12: usize = TABLE + 16; // 48 eps sig^12
const FORCE_6: usize = TABLE + 24; // 24 eps sig^6
const ENERGY_12: usize = TABLE + 32; // 4 eps sig^12
const ENERGY_6: usize = TABLE + 40; // 4 eps sig^6
const ENERGY_CUTOFF: usize = TABLE + 48; // phi(rc)
const FORCE_CUTOFF: usize = TABLE + 56; // -phi'(rc)
const RC: usize = TABLE + 64;
const ENERGY: usize = TABLE + 72;
const VIRIAL: usize = TABLE + 80;
const INSIDE: usize = TABLE + 88;

export function setLennardJones(eps: f64, sig: f64, rc: f64): void {
  const s2 = (sig / rc) * (sig / rc);
  const s6 = s2 * s2 * s2;
  const sig3 = sig * sig * sig;
  const sig6 = sig3 * sig3;
  store<f64>(ONE, 1);
  store<f64>(RC2, rc * rc);
  store<f64>(FORCE_12, 48 * eps * sig6 * sig6);
  store<f64>(FORCE_6, 24 * eps * sig6);
  store<f64>(ENERGY_12, 4 * eps * sig6 * sig6);
  store<f64>(ENERGY_6, 4 * eps * sig6);
  store<f64>(ENERGY_CUTOFF, 4 * eps * s6 * (s6 - 1));
  store<f64>(FORCE_CUTOFF, (24 * eps * s6 * (2 * s6 - 1)) / rc);
  store<f64>(RC, rc);
}

/** The sum over pairs inside rc of the energy that the forces conserve. Valid after a call with Tally. */
export function pairEnergy(): f64 {
  return load<f64>(ENERGY);
}

/** The sum of r · f over pairs inside rc. Valid after a call with Tally. */
export function pairVirial(): f64 {
  return load<f64>(VIRIAL);
}

/** Number of pairs inside rc. Valid after a call with Tally. */
export function pairsInside(): f64 {
  return load<f64>(INSIDE);
}

/**
 * Adds the pair forces to the lines of atoms 0 … n - 1 and of their ghosts.
 *
 * The two flags are types, so that each combination is compiled separately: f64 means true, i32 false.
 *
 * @typeParam Tally         also sum energy, virial and pairs
 * @typeParam ForceShifted  the force goes to zero at rc
 */
export function pairForces<Tally, ForceShifted>(n: i32): void {
  const one = splat(ONE);
  const rc2 = splat(RC2);
  const force12 = splat(FORCE_12);
  const force6 = splat(FORCE_6);
  const energy12 = splat(ENERGY_12);
  const energy6 = splat(ENERGY_6);
  const energyCutoff = splat(ENERGY_CUTOFF);
  const forceCutoff = splat(FORCE_CUTOFF);
  const rc = splat(RC);
  const base = lines;
  let energy = f64x2.splat(0);
  let virial = f64x2.splat(0);
  let inside = f64x2.splat(0);

  let listStart = listStarts;
  let partner = load<usize>(listStart);
  for (let line = base, last = base + <usize>n * LINE; line < last; line += LINE) {
    listStart += sizeof<usize>();
    const end = load<usize>(listStart);
    const xi = v128.load_splat<f64>(line);
    const yi = v128.load_splat<f64>(line, 8);
    const zi = v128.load_splat<f64>(line, 16);
    let fxi = f64x2.splat(0);
    let fyi = f64x2.splat(0);
    let fzi = f64x2.splat(0);
    while (partner < end) {
      const a = base + load<u32>(partner);
      const b = base + load<u32>(partner, 4);
      partner += 8;
      const xyA = v128.load(a);
      const xyB = v128.load(b);
      const dx = f64x2.sub(xi, lows(xyA, xyB));
      const dy = f64x2.sub(yi, highs(xyA, xyB));
      const dz = f64x2.sub(zi, v128.load_lane<f64>(b, v128.load_zero<f64>(a, 16), 1, 16));
      const r2 = f64x2.add(f64x2.add(f64x2.mul(dx, dx), f64x2.mul(dy, dy)), f64x2.mul(dz, dz));
      const near = f64x2.lt(r2, rc2);
      const w2 = f64x2.div(one, r2);
      const w6 = f64x2.mul(f64x2.mul(w2, w2), w2);

      // f / r, so that the force is this times the separation.
      let f = f64x2.mul(f64x2.mul(w6, w2), f64x2.sub(f64x2.mul(force12, w6), force6));
      if (isFloat<ForceShifted>()) f = f64x2.sub(f, f64x2.mul(forceCutoff, f64x2.mul(w2, f64x2.sqrt(r2))));
      f = v128.and(f, near);
      if (isFloat<Tally>()) {
        let e = f64x2.sub(f64x2.mul(w6, f64x2.sub(f64x2.mul(energy12, w6), energy6)), energyCutoff);
        if (isFloat<ForceShifted>()) e = f64x2.add(e, f64x2.mul(forceCutoff, f64x2.sub(f64x2.sqrt(r2), rc)));
        energy = f64x2.add(energy, v128.and(e, near));
        virial = f64x2.add(virial, f64x2.mul(f, r2));
        inside = f64x2.add(inside, v128.and(one, near));
      }

      const fx = f64x2.mul(f, dx);
      const fy = f64x2.mul(f, dy);
      const fz = f64x2.mul(f, dz);
      fxi = f64x2.add(fxi, fx);
      fyi = f64x2.add(fyi, fy);
      fzi = f64x2.add(fzi, fz);
      // Two partners are distinct lines, or both the dummy line, whose forces are never read.
      v128.store(a, f64x2.sub(v128.load(a, FORCE), lows(fx, fy)), FORCE);
      v128.store(b, f64x2.sub(v128.load(b, FORCE), highs(fx, fy)), FORCE);
      const fzAB = v128.load_lane<f64>(b, v128.load_zero<f64>(a, FORCE + 16), 1, FORCE + 16);
      const remaining = f64x2.sub(fzAB, fz);
      v128.store_lane<f64>(a, remaining, 0, FORCE + 16);
      v128.store_lane<f64>(b, remaining, 1, FORCE + 16);
    }
    store<f64>(line, load<f64>(line, FORCE) + laneSum(fxi), FORCE);
    store<f64>(line, load<f64>(line, FORCE + 8) + laneSum(fyi), FORCE + 8);
    store<f64>(line, load<f64>(line, FORCE + 16) + laneSum(fzi), FORCE + 16);
  }
  if (isFloat<Tally>()) {
    store<f64>(ENERGY, laneSum(energy));
    store<f64>(VIRIAL, laneSum(virial));
    store<f64>(INSIDE, laneSum(inside));
  }
}
