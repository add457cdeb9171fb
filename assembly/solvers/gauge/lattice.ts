// A periodic lattice of 2 to 4 directions with a unit quaternion on each link.
//
// Z2 is (±1, 0, 0, 0) and U(1) is (cos, sin, 0, 0), so one product serves all three groups. Time is the last direction
// and the slowest index.
import { allocate, allocateF64 } from '../../kernel';
import { normalPair, uniformPair } from '../../numerics/random';

export const Z2 = 0;
export const U1 = 1;
export const SU2 = 2;

/** Bytes of a link. */
export const LINK: usize = 32;

export namespace Lattice {
  export let group: i32 = 0;
  export let dim: i32 = 2;
  export let size: i32 = 2;
  export let time: i32 = 2;
  export let sites: i32 = 4;
  /** Bytes of the links of a site. */
  export let stride: usize = 64;
  /** f64[sites][dim][4] */
  export let links: usize = 0;
  /** i32[sites][dim]: the site after and the one before along a direction. */
  export let up: usize = 0;
  export let down: usize = 0;
  /** Streams of random numbers begin here. */
  export let stream: u32 = 0;
}

const PAIR: usize = memory.data(32, 16);

export function allocateLattice(): bool {
  Lattice.sites = Lattice.time;
  for (let mu = 1; mu < Lattice.dim; mu++) Lattice.sites *= Lattice.size;
  Lattice.stride = LINK * <usize>Lattice.dim;
  Lattice.links = allocateF64(Lattice.sites * Lattice.dim * 4);
  Lattice.up = allocate((<usize>(Lattice.sites * Lattice.dim)) << 2);
  Lattice.down = allocate((<usize>(Lattice.sites * Lattice.dim)) << 2);
  return Lattice.links !== 0 && Lattice.up !== 0 && Lattice.down !== 0;
}

export function linkAt(site: i32, mu: i32): usize {
  return Lattice.links + <usize>site * Lattice.stride + <usize>mu * LINK;
}

/** The next site along a direction. */
export function above(site: i32, mu: i32): i32 {
  return load<i32>(Lattice.up + ((<usize>(site * Lattice.dim + mu)) << 2));
}

/** The site before along a direction. */
export function below(site: i32, mu: i32): i32 {
  return load<i32>(Lattice.down + ((<usize>(site * Lattice.dim + mu)) << 2));
}

export function fillNeighbours(): void {
  for (let site = 0; site < Lattice.sites; site++) {
    let step = 1;
    for (let mu = 0; mu < Lattice.dim; mu++) {
      const length = mu === Lattice.dim - 1 ? Lattice.time : Lattice.size;
      const x = (site / step) % length;
      const at = (<usize>(site * Lattice.dim + mu)) << 2;
      store<i32>(Lattice.up + at, site + (x === length - 1 ? (1 - length) * step : step));
      store<i32>(Lattice.down + at, site + (x === 0 ? (length - 1) * step : -step));
      step *= length;
    }
  }
}

/** An element of the group with the uniform measure, to f64[4]. */
export function randomElement(out: usize, stream: u32, index: u64): void {
  if (Lattice.group === SU2) {
    normalPair(PAIR, stream, index << 1);
    normalPair(PAIR + 16, stream, (index << 1) + 1);
    const a = load<f64>(PAIR);
    const b = load<f64>(PAIR, 8);
    const c = load<f64>(PAIR, 16);
    const d = load<f64>(PAIR, 24);
    const scale = 1 / Math.sqrt(a * a + b * b + c * c + d * d);
    storeLink(out, a * scale, b * scale, c * scale, d * scale);
    return;
  }
  uniformPair(PAIR, stream, index);
  const u = load<f64>(PAIR);
  if (Lattice.group === U1) storeLink(out, Math.cos(2 * Math.PI * u), Math.sin(2 * Math.PI * u), 0, 0);
  else storeLink(out, u < 0.5 ? 1 : -1, 0, 0, 0);
}

/** All links 1, or random. */
export function startLinks(isHot: bool, stream: u32): void {
  for (let i = 0; i < Lattice.sites * Lattice.dim; i++) {
    const at = Lattice.links + <usize>i * LINK;
    if (isHot) randomElement(at, stream, <u64>i);
    else storeLink(at, 1, 0, 0, 0);
  }
}

export function storeLink(at: usize, a: f64, b: f64, c: f64, d: f64): void {
  store<f64>(at, a);
  store<f64>(at, b, 8);
  store<f64>(at, c, 16);
  store<f64>(at, d, 24);
}

/** out = p q; `out` may be p or q. */
export function multiply(out: usize, p: usize, q: usize): void {
  const p0 = load<f64>(p);
  const p1 = load<f64>(p, 8);
  const p2 = load<f64>(p, 16);
  const p3 = load<f64>(p, 24);
  const q0 = load<f64>(q);
  const q1 = load<f64>(q, 8);
  const q2 = load<f64>(q, 16);
  const q3 = load<f64>(q, 24);
  store<f64>(out, p0 * q0 - p1 * q1 - p2 * q2 - p3 * q3);
  store<f64>(out, p0 * q1 + p1 * q0 + p2 * q3 - p3 * q2, 8);
  store<f64>(out, p0 * q2 - p1 * q3 + p2 * q0 + p3 * q1, 16);
  store<f64>(out, p0 * q3 + p1 * q2 - p2 * q1 + p3 * q0, 24);
}

export function dot(p: usize, q: usize): f64 {
  const head = load<f64>(p) * load<f64>(q) + load<f64>(p, 8) * load<f64>(q, 8);
  return head + load<f64>(p, 16) * load<f64>(q, 16) + load<f64>(p, 24) * load<f64>(q, 24);
}
