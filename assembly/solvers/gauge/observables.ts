// Measurements after a sweep: plaquettes, the Polyakov loop, Wilson loops, and two checks of the links.
import { allocate, allocateF64 } from '../../kernel';
import { get, set } from '../../numerics/vector';
import { above, dot, Lattice, LINK, linkAt, multiply, randomElement, storeLink, U1, Z2 } from './lattice';

export namespace Observables {
  export let spacelike: f64 = 0;
  export let timelike: f64 = 0;
  export let plaquette: f64 = 0;
  export let polyakovRe: f64 = 0;
  export let polyakovIm: f64 = 0;
  /** Largest side of the Wilson loops, 0 for none. */
  export let side: i32 = 0;
  /** f64[side][dim][sites][4]: products of links along a direction; i32[side][dim][sites]: where they end. */
  export let lines: usize = 0;
  export let ends: usize = 0;
}

const A: usize = memory.data(32, 16);
const B: usize = memory.data(32, 16);
const C: usize = memory.data(32, 16);

export function allocateObservables(): bool {
  const count = Observables.side * Lattice.dim * Lattice.sites;
  if (count === 0) return true;
  Observables.lines = allocateF64(4 * count);
  Observables.ends = allocate((<usize>count) << 2);
  return Observables.lines !== 0 && Observables.ends !== 0;
}

function plaquetteAt(site: i32, mu: i32, nu: i32): f64 {
  const p = linkAt(site, mu);
  const q = linkAt(above(site, mu), nu);
  const r = linkAt(site, nu);
  const s = linkAt(above(site, nu), mu);
  if (Lattice.group === Z2) return load<f64>(p) * load<f64>(q) * (load<f64>(r) * load<f64>(s));
  multiply(A, p, q);
  multiply(B, r, s);
  return dot(A, B);
}

/** Mean plaquettes: of planes without time, with time, and of all. */
export function measurePlaquettes(): void {
  const time = Lattice.dim - 1;
  let spacelike: f64 = 0;
  let timelike: f64 = 0;
  for (let site = 0; site < Lattice.sites; site++) {
    for (let nu = 1; nu < Lattice.dim; nu++) {
      for (let mu = 0; mu < nu; mu++) {
        const one = plaquetteAt(site, mu, nu);
        if (nu === time) timelike += one;
        else spacelike += one;
      }
    }
  }
  const planes = <f64>((time * (time - 1)) >> 1);
  const sites = <f64>Lattice.sites;
  Observables.plaquette = (spacelike + timelike) / (sites * (planes + <f64>time));
  Observables.spacelike = planes > 0 ? spacelike / (sites * planes) : 0;
  Observables.timelike = timelike / (sites * <f64>time);
}

/** The mean over space of the product of the links along time: its trace, or a complex number for U(1). */
export function measurePolyakov(): void {
  const time = Lattice.dim - 1;
  const space = Lattice.sites / Lattice.time;
  let re: f64 = 0;
  let im: f64 = 0;
  for (let start = 0; start < space; start++) {
    memory.copy(A, linkAt(start, time), LINK);
    for (let t = 1; t < Lattice.time; t++) multiply(A, A, linkAt(start + t * space, time));
    re += load<f64>(A);
    im += load<f64>(A, 8);
  }
  Observables.polyakovRe = re / <f64>space;
  Observables.polyakovIm = Lattice.group === U1 ? im / <f64>space : 0;
}

function lineIndex(length: i32, mu: i32, site: i32): i32 {
  return ((length - 1) * Lattice.dim + mu) * Lattice.sites + site;
}

function lineAt(index: i32): usize {
  return Observables.lines + <usize>index * LINK;
}

function endAt(index: i32): i32 {
  return load<i32>(Observables.ends + ((<usize>index) << 2));
}

function buildLines(): void {
  for (let mu = 0; mu < Lattice.dim; mu++) {
    for (let site = 0; site < Lattice.sites; site++) {
      const first = lineIndex(1, mu, site);
      memory.copy(lineAt(first), linkAt(site, mu), LINK);
      store<i32>(Observables.ends + ((<usize>first) << 2), above(site, mu));
    }
    for (let length = 2; length <= Observables.side; length++) {
      for (let site = 0; site < Lattice.sites; site++) {
        const before = lineIndex(length - 1, mu, site);
        const index = lineIndex(length, mu, site);
        const end = endAt(before);
        multiply(lineAt(index), lineAt(before), linkAt(end, mu));
        store<i32>(Observables.ends + ((<usize>index) << 2), above(end, mu));
      }
    }
  }
}

/** Adds up the loop of `r` links along mu and `t` along nu over all sites. */
function loopSum(mu: i32, r: i32, nu: i32, t: i32): f64 {
  let sum: f64 = 0;
  for (let site = 0; site < Lattice.sites; site++) {
    const along = lineIndex(r, mu, site);
    const across = lineIndex(t, nu, site);
    multiply(A, lineAt(along), lineAt(lineIndex(t, nu, endAt(along))));
    multiply(B, lineAt(across), lineAt(lineIndex(r, mu, endAt(across))));
    sum += dot(A, B);
  }
  return sum;
}

/**
 * Mean Wilson loops to f64[side][side], r along space and t along time. On a lattice with equal sides all planes count,
 * in both orientations.
 */
export function measureLoops(out: usize): void {
  const side = Observables.side;
  const time = Lattice.dim - 1;
  const isSymmetric = Lattice.size === Lattice.time;
  buildLines();
  for (let i = 0; i < side * side; i++) set(out, i, 0);
  const planes = isSymmetric ? Lattice.dim * time : time;
  const scale = 1 / (<f64>planes * <f64>Lattice.sites);
  for (let nu = 1; nu < Lattice.dim; nu++) {
    if (!isSymmetric && nu < time) continue;
    for (let mu = 0; mu < nu; mu++) {
      for (let r = 1; r <= side; r++) {
        for (let t = 1; t <= side; t++) {
          const mean = loopSum(mu, r, nu, t) * scale;
          const at = (r - 1) * side + t - 1;
          set(out, at, get(out, at) + mean);
          const turned = (t - 1) * side + r - 1;
          if (isSymmetric) set(out, turned, get(out, turned) + mean);
        }
      }
    }
  }
}

/** max | |U|² − 1 | over all links. */
export function unitarityDefect(): f64 {
  let largest: f64 = 0;
  for (let i = 0; i < Lattice.sites * Lattice.dim; i++) {
    const at = Lattice.links + <usize>i * LINK;
    largest = Math.max(largest, Math.abs(dot(at, at) - 1));
  }
  return largest;
}

/** Turns all links by one random element of the group at each site, which changes no closed loop. */
export function transformGauge(stream: u32): void {
  for (let site = 0; site < Lattice.sites; site++) {
    randomElement(C, stream, <u64>site);
    for (let mu = 0; mu < Lattice.dim; mu++) {
      const leaving = linkAt(site, mu);
      multiply(leaving, C, leaving);
    }
    storeLink(C, load<f64>(C), -load<f64>(C, 8), -load<f64>(C, 16), -load<f64>(C, 24));
    for (let mu = 0; mu < Lattice.dim; mu++) {
      const before = load<i32>(Lattice.down + ((<usize>(site * Lattice.dim + mu)) << 2));
      const entering = linkAt(before, mu);
      multiply(entering, entering, C);
    }
  }
}
