// Updates of links: heat bath, Metropolis and over-relaxation, link by link in the order of memory.
//
// The weight of a link U is exp(beta Re tr(U A)) with A the sum of its staples; A = k V with V in the group. So U = X V†,
// where Re X has the weight exp(beta k Re X). SU(2): Kennedy & Pendleton, Phys. Lett. B 156 (1985) 393; below beta k = 1,
// where that rejects too much, Creutz, Phys. Rev. D 21 (1980) 2308. U(1): Best & Fisher, Appl. Statist. 28 (1979) 152.
//
// The random numbers of a first attempt come in rows of 64 links; those of further attempts are drawn one by one from
// streams of their own, so that each attempt has its own numbers.
import { allocateF64 } from '../../kernel';
import { logPair } from '../../numerics/logarithm';
import { uniformPair } from '../../numerics/random';
import { uniformRow } from '../../numerics/random-row';
import { normalQuantileRow } from '../../numerics/special/normal-row';
import { get, set } from '../../numerics/vector';
import { above, below, Lattice, LINK, linkAt, SU2, storeLink, U1, Z2 } from './lattice';

export namespace Update {
  export let beta: f64 = 0;
  export let isMetropolis: bool = false;
  /** Width of the proposals of Metropolis. */
  export let width: f64 = 1;
  export let accepted: f64 = 0;
  export let proposed: f64 = 0;
  /** Σ of both sides of the identity of Schwinger and Dyson over the links of a sweep. */
  export let mean: f64 = 0;
  export let spread: f64 = 0;
  export let rows: usize = 0;
  /** The weight of a flip of Z2 by k = 0 to 7, exp(−2 beta k), and k tanh(beta k). */
  export let flips: usize = 0;
  export let magnetisations: usize = 0;
}

const ROW = 64;
const HITS = 3;
/** Streams: three rows of the heat bath, its further attempts, and two rows of each hit of Metropolis. */
const RETRIES: u32 = 3;
const PROPOSALS: u32 = 4;
/** The chance of so many rejections is below 10⁻¹². */
const MAX_TRIES: u64 = 60;
/** Below this beta k the method of Creutz accepts more. */
const WEAK: f64 = 1;
/** Below this beta k an angle is drawn evenly and accepted by its weight. */
const EVEN: f64 = 1e-3;

const PAIR: usize = memory.data(32, 16);

/** The sum of staples, and its length. */
let a0: f64 = 0;
let a1: f64 = 0;
let a2: f64 = 0;
let a3: f64 = 0;
/** The drawn element. */
let x0: f64 = 0;
let x1: f64 = 0;
let x2: f64 = 0;
let x3: f64 = 0;

export function allocateUpdate(): bool {
  Update.rows = allocateF64(2 * ROW * max<i32>(3, 2 * HITS));
  Update.flips = allocateF64(8);
  Update.magnetisations = allocateF64(8);
  return Update.rows !== 0 && Update.flips !== 0 && Update.magnetisations !== 0;
}

export function startUpdate(): void {
  Update.width = 1 / Math.sqrt(1 + Update.beta);
  a1 = 0;
  a2 = 0;
  a3 = 0;
  for (let k = 0; k < 8; k++) {
    const flip = Math.exp(-2 * Update.beta * <f64>k);
    set(Update.flips, k, flip);
    set(Update.magnetisations, k, (<f64>k * (1 - flip)) / (1 + flip));
  }
}

function sumStaples(site: i32, mu: i32): void {
  if (Lattice.group === Z2) sumSigns(site, mu);
  else if (Lattice.group === U1) sumPhases(site, mu);
  else sumQuaternions(site, mu);
}

function sumQuaternions(site: i32, mu: i32): void {
  let s0: f64 = 0;
  let s1: f64 = 0;
  let s2: f64 = 0;
  let s3: f64 = 0;
  const next = above(site, mu);
  for (let nu = 0; nu < Lattice.dim; nu++) {
    if (nu === mu) continue;
    // In front: p (q r)†.
    let q = linkAt(site, nu);
    let r = linkAt(above(site, nu), mu);
    let p = linkAt(next, nu);
    let q0 = load<f64>(q);
    let q1 = load<f64>(q, 8);
    let q2 = load<f64>(q, 16);
    let q3 = load<f64>(q, 24);
    let r0 = load<f64>(r);
    let r1 = load<f64>(r, 8);
    let r2 = load<f64>(r, 16);
    let r3 = load<f64>(r, 24);
    let w0 = q0 * r0 - q1 * r1 - q2 * r2 - q3 * r3;
    let w1 = q0 * r1 + q1 * r0 + q2 * r3 - q3 * r2;
    let w2 = q0 * r2 - q1 * r3 + q2 * r0 + q3 * r1;
    let w3 = q0 * r3 + q1 * r2 - q2 * r1 + q3 * r0;
    let p0 = load<f64>(p);
    let p1 = load<f64>(p, 8);
    let p2 = load<f64>(p, 16);
    let p3 = load<f64>(p, 24);
    s0 += p0 * w0 + p1 * w1 + p2 * w2 + p3 * w3;
    s1 += p1 * w0 - p0 * w1 - p2 * w3 + p3 * w2;
    s2 += p2 * w0 - p0 * w2 - p3 * w1 + p1 * w3;
    s3 += p3 * w0 - p0 * w3 - p1 * w2 + p2 * w1;
    // Behind: (r p)† q.
    const before = below(site, nu);
    q = linkAt(before, nu);
    r = linkAt(before, mu);
    p = linkAt(above(before, mu), nu);
    r0 = load<f64>(r);
    r1 = load<f64>(r, 8);
    r2 = load<f64>(r, 16);
    r3 = load<f64>(r, 24);
    p0 = load<f64>(p);
    p1 = load<f64>(p, 8);
    p2 = load<f64>(p, 16);
    p3 = load<f64>(p, 24);
    w0 = r0 * p0 - r1 * p1 - r2 * p2 - r3 * p3;
    w1 = r0 * p1 + r1 * p0 + r2 * p3 - r3 * p2;
    w2 = r0 * p2 - r1 * p3 + r2 * p0 + r3 * p1;
    w3 = r0 * p3 + r1 * p2 - r2 * p1 + r3 * p0;
    q0 = load<f64>(q);
    q1 = load<f64>(q, 8);
    q2 = load<f64>(q, 16);
    q3 = load<f64>(q, 24);
    s0 += w0 * q0 + w1 * q1 + w2 * q2 + w3 * q3;
    s1 += w0 * q1 - w1 * q0 - w2 * q3 + w3 * q2;
    s2 += w0 * q2 - w2 * q0 - w3 * q1 + w1 * q3;
    s3 += w0 * q3 - w3 * q0 - w1 * q2 + w2 * q1;
  }
  a0 = s0;
  a1 = s1;
  a2 = s2;
  a3 = s3;
}

/** Staples of signs; `a1`, `a2` and `a3` stay 0. */
function sumSigns(site: i32, mu: i32): void {
  let sum: f64 = 0;
  const next = above(site, mu);
  for (let nu = 0; nu < Lattice.dim; nu++) {
    if (nu === mu) continue;
    const before = below(site, nu);
    const side = load<f64>(linkAt(site, nu)) * load<f64>(linkAt(above(site, nu), mu));
    const sideBefore = load<f64>(linkAt(before, nu)) * load<f64>(linkAt(before, mu));
    sum += load<f64>(linkAt(next, nu)) * side;
    sum += load<f64>(linkAt(above(before, mu), nu)) * sideBefore;
  }
  a0 = sum;
}

/** Staples of phases; `a2` and `a3` stay 0. */
function sumPhases(site: i32, mu: i32): void {
  let s0: f64 = 0;
  let s1: f64 = 0;
  const next = above(site, mu);
  for (let nu = 0; nu < Lattice.dim; nu++) {
    if (nu === mu) continue;
    // In front: p (q r)†.
    let q = linkAt(site, nu);
    let r = linkAt(above(site, nu), mu);
    let p = linkAt(next, nu);
    let w0 = load<f64>(q) * load<f64>(r) - load<f64>(q, 8) * load<f64>(r, 8);
    let w1 = load<f64>(q) * load<f64>(r, 8) + load<f64>(q, 8) * load<f64>(r);
    s0 += load<f64>(p) * w0 + load<f64>(p, 8) * w1;
    s1 += load<f64>(p, 8) * w0 - load<f64>(p) * w1;
    // Behind: (r p)† q.
    const before = below(site, nu);
    q = linkAt(before, nu);
    r = linkAt(before, mu);
    p = linkAt(above(before, mu), nu);
    w0 = load<f64>(r) * load<f64>(p) - load<f64>(r, 8) * load<f64>(p, 8);
    w1 = load<f64>(r) * load<f64>(p, 8) + load<f64>(r, 8) * load<f64>(p);
    s0 += w0 * load<f64>(q) + w1 * load<f64>(q, 8);
    s1 += w0 * load<f64>(q, 8) - w1 * load<f64>(q);
  }
  a0 = s0;
  a1 = s1;
}

/** Updates all links once. @param sweep  counts the random numbers */
export function updateLinks(sweep: i32): void {
  Update.mean = 0;
  Update.spread = 0;
  const links = Lattice.sites * Lattice.dim;
  const rows = (links + ROW - 1) / ROW;
  let link = 0;
  for (let row = 0; row < rows; row++) {
    const index = (<u64>sweep * <u64>rows + <u64>row) * ROW;
    if (Update.isMetropolis) drawProposals(index);
    else drawRows(index);
    const count = min<i32>(ROW, links - link);
    for (let i = 0; i < count; i++) {
      const site = link / Lattice.dim;
      const mu = link - site * Lattice.dim;
      sumStaples(site, mu);
      const k = Math.sqrt(a0 * a0 + a1 * a1 + a2 * a2 + a3 * a3);
      const at = linkAt(site, mu);
      const real = Update.isMetropolis ? hitLink(at, i) : bathLink(at, i, k, index + <u64>i);
      addIdentity(k, real);
      link++;
    }
  }
}

/**
 * The identity of Schwinger and Dyson: N <f> = beta <k² − f²> for f = Re tr(U A), with N = 3 for SU(2) and 1 for U(1); for
 * Z2 <f> = <k tanh(beta k)>.
 */
function addIdentity(k: f64, f: f64): void {
  if (Lattice.group === Z2) {
    Update.mean += f;
    Update.spread += get(Update.magnetisations, <i32>k);
    return;
  }
  Update.mean += Lattice.group === SU2 ? 3 * f : f;
  Update.spread += Update.beta * (k * k - f * f);
}

function drawRows(index: u64): void {
  const rows = Update.rows;
  uniformRow(rows, ROW, 0 + Lattice.stream, index);
  if (Lattice.group !== SU2) return;
  uniformRow(rows + 2 * ROW * 8, ROW, 1 + Lattice.stream, index);
  uniformRow(rows + 4 * ROW * 8, ROW, 2 + Lattice.stream, index);
  // Columns: exponential, u, and four normals. The first becomes a gamma deviate of shape 3/2.
  normalQuantileRow(rows + 2 * ROW * 8, 4 * ROW);
  const half = f64x2.splat(0.5);
  for (let i: usize = 0; i < <usize>(ROW * 8); i += 16) {
    const normal = v128.load(rows + 2 * ROW * 8 + i);
    const square = f64x2.mul(f64x2.mul(normal, normal), half);
    v128.store(rows + i, f64x2.sub(square, logPair(v128.load(rows + i))));
  }
}

/** Draws a link by the heat bath. @returns Re tr(U A) */
function bathLink(at: usize, i: i32, k: f64, index: u64): f64 {
  if (Lattice.group === Z2) {
    x0 = get(Update.rows, i) * (1 + get(Update.flips, <i32>k)) < 1 ? 1 : -1;
    store<f64>(at, a0 < 0 ? -x0 : x0);
    return k * x0;
  }
  if (Lattice.group === SU2) drawQuaternion(i, Update.beta * k, index);
  else drawPhase(i, Update.beta * k, index);
  // X V†
  const isZero = k === 0;
  const scale = isZero ? 0 : 1 / k;
  const v0 = isZero ? 1 : a0 * scale;
  const v1 = a1 * scale;
  const v2 = a2 * scale;
  const v3 = a3 * scale;
  store<f64>(at, x0 * v0 + x1 * v1 + x2 * v2 + x3 * v3);
  store<f64>(at, x1 * v0 - x0 * v1 - x2 * v3 + x3 * v2, 8);
  store<f64>(at, x2 * v0 - x0 * v2 - x3 * v1 + x1 * v3, 16);
  store<f64>(at, x3 * v0 - x0 * v3 - x1 * v2 + x2 * v1, 24);
  return k * x0;
}

/** A quaternion with weight sqrt(1 − x0²) exp(b x0), its other parts in any direction. */
function drawQuaternion(i: i32, b: f64, index: u64): void {
  const rows = Update.rows;
  // 1 − x0
  let y: f64 = 3;
  if (b >= WEAK) {
    y = get(rows, i) / b;
    let u = get(rows, ROW + i);
    let tries: u64 = 0;
    while (u * u > 1 - 0.5 * y && tries < MAX_TRIES) {
      const counter = (index * MAX_TRIES + tries) << 1;
      uniformPair(PAIR, RETRIES + Lattice.stream, counter);
      uniformPair(PAIR + 16, RETRIES + Lattice.stream, counter + 1);
      const cosine = Math.cos(2 * Math.PI * load<f64>(PAIR, 8));
      y = -(Math.log(load<f64>(PAIR)) + cosine * cosine * Math.log(load<f64>(PAIR, 16))) / b;
      u = load<f64>(PAIR, 24);
      tries++;
    }
  } else {
    const rest = Math.exp(-2 * b);
    for (let tries: u64 = 0; tries < MAX_TRIES; tries++) {
      uniformPair(PAIR, RETRIES + Lattice.stream, (index * MAX_TRIES + tries) << 1);
      const u = load<f64>(PAIR);
      y = b < 1e-8 ? 2 * u : -Math.log(1 - u * (1 - rest)) / b;
      const accept = load<f64>(PAIR, 8);
      if (accept * accept <= y * (2 - y)) break;
    }
  }
  y = min<f64>(2, y);
  x0 = 1 - y;
  const n1 = get(rows, 3 * ROW + i);
  const n2 = get(rows, 4 * ROW + i);
  const n3 = get(rows, 5 * ROW + i);
  const scale = Math.sqrt((y * (2 - y)) / (n1 * n1 + n2 * n2 + n3 * n3));
  x1 = n1 * scale;
  x2 = n2 * scale;
  x3 = n3 * scale;
}

/** A phase with weight exp(b cos). */
function drawPhase(i: i32, b: f64, index: u64): void {
  let u = get(Update.rows, i);
  let accept = get(Update.rows, ROW + i);
  const tau = 1 + Math.sqrt(1 + 4 * b * b);
  const rho = (tau - Math.sqrt(2 * tau)) / (2 * b);
  const r = (1 + rho * rho) / (2 * rho);
  for (let tries: u64 = 0; tries < MAX_TRIES; tries++) {
    const z = Math.cos(2 * Math.PI * u);
    if (b < EVEN) {
      x0 = z;
      if (accept <= Math.exp(b * (z - 1))) break;
    } else {
      x0 = max<f64>(-1, min<f64>(1, (1 + r * z) / (r + z)));
      const c = b * (r - x0);
      if (accept <= c * (2 - c) || Math.log(c / accept) + 1 - c >= 0) break;
    }
    uniformPair(PAIR, RETRIES + Lattice.stream, index * MAX_TRIES + tries);
    u = load<f64>(PAIR);
    accept = load<f64>(PAIR, 8);
  }
  x1 = Math.sqrt((1 - x0) * (1 + x0));
  if (u > 0.5) x1 = -x1;
  x2 = 0;
  x3 = 0;
}

function drawProposals(index: u64): void {
  for (let row: u32 = 0; row < 2 * HITS; row++)
    uniformRow(Update.rows + <usize>row * (2 * ROW * 8), ROW, PROPOSALS + row + Lattice.stream, index);
}

/** Some hits of Metropolis with proposals that a group element and its inverse share. @returns Re tr(U A) */
function hitLink(at: usize, i: i32): f64 {
  let u0 = load<f64>(at);
  let u1 = load<f64>(at, 8);
  let u2 = load<f64>(at, 16);
  let u3 = load<f64>(at, 24);
  let before = u0 * a0 - u1 * a1 - u2 * a2 - u3 * a3;
  const hits = Lattice.group === Z2 ? 1 : HITS;
  for (let hit = 0; hit < hits; hit++) {
    const rows = Update.rows + <usize>hit * (4 * ROW * 8);
    let p0: f64 = -1;
    let p1: f64 = 0;
    let p2: f64 = 0;
    let p3: f64 = 0;
    if (Lattice.group !== Z2) {
      p0 = 1;
      p1 = Update.width * (2 * get(rows, ROW + i) - 1);
      if (Lattice.group === SU2) {
        p2 = Update.width * (2 * get(rows, 2 * ROW + i) - 1);
        p3 = Update.width * (2 * get(rows, 3 * ROW + i) - 1);
        const scale = 1 / Math.sqrt(1 + p1 * p1 + p2 * p2 + p3 * p3);
        p0 = scale;
        p1 *= scale;
        p2 *= scale;
        p3 *= scale;
      } else {
        // Half the angle has the tangent p1.
        const scale = 1 / (1 + p1 * p1);
        p0 = (1 - p1 * p1) * scale;
        p1 = 2 * p1 * scale;
      }
    }
    const w0 = p0 * u0 - p1 * u1 - p2 * u2 - p3 * u3;
    const w1 = p0 * u1 + p1 * u0 + p2 * u3 - p3 * u2;
    const w2 = p0 * u2 - p1 * u3 + p2 * u0 + p3 * u1;
    const w3 = p0 * u3 + p1 * u2 - p2 * u1 + p3 * u0;
    const after = w0 * a0 - w1 * a1 - w2 * a2 - w3 * a3;
    Update.proposed += 1;
    if (after < before && get(rows, i) > Math.exp(Update.beta * (after - before))) continue;
    Update.accepted += 1;
    before = after;
    u0 = w0;
    u1 = w1;
    u2 = w2;
    u3 = w3;
  }
  storeUnit(at, u0, u1, u2, u3);
  return before;
}

/** Stores a quaternion whose length has drifted from 1 by rounding. */
function storeUnit(at: usize, b0: f64, b1: f64, b2: f64, b3: f64): void {
  const scale = 1.5 - 0.5 * (b0 * b0 + b1 * b1 + b2 * b2 + b3 * b3);
  storeLink(at, b0 * scale, b1 * scale, b2 * scale, b3 * scale);
}

/** Accepts half of the proposals: for the sweeps that are left out. */
export function tuneWidth(): void {
  if (Update.proposed > 0) {
    const factor: f64 = Update.accepted < 0.5 * Update.proposed ? 0.9 : 1.1;
    Update.width = max<f64>(1e-6, min<f64>(10, Update.width * factor));
  }
  Update.accepted = 0;
  Update.proposed = 0;
}

/** Turns each link to the other element with the same action: U' = V† U† V†. A spin of Z2 without a field flips. */
export function relaxLinks(): void {
  for (let site = 0; site < Lattice.sites; site++) {
    for (let mu = 0; mu < Lattice.dim; mu++) {
      sumStaples(site, mu);
      const squares = a0 * a0 + a1 * a1 + a2 * a2 + a3 * a3;
      const at = Lattice.links + <usize>site * Lattice.stride + <usize>mu * LINK;
      const u0 = load<f64>(at);
      const u1 = load<f64>(at, 8);
      const u2 = load<f64>(at, 16);
      const u3 = load<f64>(at, 24);
      if (squares === 0) {
        storeLink(at, -u0, -u1, -u2, -u3);
        continue;
      }
      // V† U† V† = 2 (U · V†) V† − U, with U · V† = Re tr(U A) / k.
      const part = (2 * (u0 * a0 - u1 * a1 - u2 * a2 - u3 * a3)) / squares;
      storeUnit(at, part * a0 - u0, -part * a1 - u1, -part * a2 - u2, -part * a3 - u3);
    }
  }
}
