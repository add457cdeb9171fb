// Fluxes through a row of faces, two at a time.
//
// The depths beside a face are those above the higher of the two beds: h⁻ = max(0, h_L − max(0, Δz)), h⁺ = max(0, h_R −
// max(0, −Δz)). With speeds S_L <= 0 <= S_R the flux of any quantity w is (S_R f_L − S_L f_R + S_L S_R (w_R − w_L)) / (S_R −
// S_L); S_R = −S_L = α is Lax and Friedrichs' and Rusanov's. What each cell loses of its momentum is kept less its own
// pressure ½ g (h±)², so that water at rest changes by nothing at all. The momentum along a face goes with the water.
//
// Calls in inner loops: none.

let isHll = false;
let gravity: f64 = 0;

export function configure(scheme: i32, g: f64): void {
  isHll = scheme === 2;
  gravity = g;
}

/** Where the results of a row of faces go. */
export let mass: usize = 0;
export let before: usize = 0;
export let behind: usize = 0;
export let cross: usize = 0;

export function target(toMass: usize, toBefore: usize, toBehind: usize, toCross: usize): void {
  mass = toMass;
  before = toBefore;
  behind = toBehind;
  cross = toCross;
}

/**
 * @param count     faces; one more may be written
 * @param step      bytes from the cell before a face to the one behind it
 * @param h, n, c   of the cells before the faces: depth, velocity through the face, speed of waves
 * @param along     velocity along the face; 0 if there is none
 * @param jump      Δz of the faces
 * @param alpha     the speed of all faces, or 0 for that of the cells
 */
export function fluxRow(
  count: i32,
  step: usize,
  h: usize,
  n: usize,
  c: usize,
  along: usize,
  jump: usize,
  alpha: f64,
): void {
  if (isHll) hllRow(count, step, h, n, c, jump);
  else symmetricRow(count, step, h, n, c, jump, alpha);
  if (along !== 0) crossRow(count, step, along);
}

function symmetricRow(count: i32, step: usize, h: usize, n: usize, c: usize, jump: usize, alpha: f64): void {
  const zero = f64x2.splat(0);
  const half = f64x2.splat(0.5);
  const quarter = f64x2.splat(0.25 * gravity);
  const floor = f64x2.splat(alpha);
  const isLocal = alpha === 0;
  let toMass = mass;
  let toBefore = before;
  let toBehind = behind;
  const stop = toMass + ((<usize>count) << 3);
  while (toMass < stop) {
    const dz = v128.load(jump);
    const hl = f64x2.pmax(zero, f64x2.sub(v128.load(h), f64x2.pmax(zero, dz)));
    const hr = f64x2.pmax(zero, f64x2.sub(v128.load(h + step), f64x2.pmax(zero, f64x2.neg(dz))));
    const nl = v128.load(n);
    const nr = v128.load(n + step);
    const a = isLocal
      ? f64x2.pmax(f64x2.add(f64x2.abs(nl), v128.load(c)), f64x2.add(f64x2.abs(nr), v128.load(c + step)))
      : floor;
    const ql = f64x2.mul(hl, nl);
    const qr = f64x2.mul(hr, nr);
    const difference = f64x2.sub(hr, hl);
    v128.store(toMass, f64x2.mul(half, f64x2.sub(f64x2.add(ql, qr), f64x2.mul(a, difference))));
    const inertia = f64x2.mul(
      half,
      f64x2.sub(f64x2.add(f64x2.mul(ql, nl), f64x2.mul(qr, nr)), f64x2.mul(a, f64x2.sub(qr, ql))),
    );
    const pressure = f64x2.mul(quarter, f64x2.mul(difference, f64x2.add(hr, hl)));
    v128.store(toBefore, f64x2.add(inertia, pressure));
    v128.store(toBehind, f64x2.sub(inertia, pressure));
    toMass += 16;
    toBefore += 16;
    toBehind += 16;
    jump += 16;
    h += 16;
    n += 16;
    c += 16;
  }
}

function hllRow(count: i32, step: usize, h: usize, n: usize, c: usize, jump: usize): void {
  const zero = f64x2.splat(0);
  const tiny = f64x2.splat(f64.MIN_NORMAL_VALUE);
  const halfGravity = f64x2.splat(0.5 * gravity);
  let toMass = mass;
  let toBefore = before;
  let toBehind = behind;
  const stop = toMass + ((<usize>count) << 3);
  while (toMass < stop) {
    const dz = v128.load(jump);
    const hl = f64x2.pmax(zero, f64x2.sub(v128.load(h), f64x2.pmax(zero, dz)));
    const hr = f64x2.pmax(zero, f64x2.sub(v128.load(h + step), f64x2.pmax(zero, f64x2.neg(dz))));
    const nl = v128.load(n);
    const nr = v128.load(n + step);
    const cl = v128.load(c);
    const cr = v128.load(c + step);
    const low = f64x2.pmin(zero, f64x2.pmin(f64x2.sub(nl, cl), f64x2.sub(nr, cr)));
    const high = f64x2.pmax(zero, f64x2.pmax(f64x2.add(nl, cl), f64x2.add(nr, cr)));
    const width = f64x2.pmax(tiny, f64x2.sub(high, low));
    const ql = f64x2.mul(hl, nl);
    const qr = f64x2.mul(hr, nr);
    const both = f64x2.mul(low, high);
    const difference = f64x2.sub(hr, hl);
    v128.store(
      toMass,
      f64x2.div(f64x2.add(f64x2.sub(f64x2.mul(high, ql), f64x2.mul(low, qr)), f64x2.mul(both, difference)), width),
    );
    const inertia = f64x2.add(
      f64x2.sub(f64x2.mul(high, f64x2.mul(ql, nl)), f64x2.mul(low, f64x2.mul(qr, nr))),
      f64x2.mul(both, f64x2.sub(qr, ql)),
    );
    const pressure = f64x2.mul(halfGravity, f64x2.mul(difference, f64x2.add(hr, hl)));
    v128.store(toBefore, f64x2.div(f64x2.sub(inertia, f64x2.mul(low, pressure)), width));
    v128.store(toBehind, f64x2.div(f64x2.sub(inertia, f64x2.mul(high, pressure)), width));
    toMass += 16;
    toBefore += 16;
    toBehind += 16;
    jump += 16;
    h += 16;
    n += 16;
    c += 16;
  }
}

/** The momentum along the faces is that of the cell which the water leaves. */
function crossRow(count: i32, step: usize, along: usize): void {
  const half = f64x2.splat(0.5);
  let toMass = mass;
  let toCross = cross;
  const stop = toMass + ((<usize>count) << 3);
  while (toMass < stop) {
    const flow = v128.load(toMass);
    const l = v128.load(along);
    const r = v128.load(along + step);
    const mean = f64x2.mul(flow, f64x2.add(l, r));
    const lean = f64x2.mul(f64x2.abs(flow), f64x2.sub(r, l));
    v128.store(toCross, f64x2.mul(half, f64x2.sub(mean, lean)));
    toMass += 16;
    toCross += 16;
    along += 16;
  }
}
