// A fall with quadratic drag in closed form: φ'' = −g − c φ' |φ'| with g > 0 and c > 0.
//
// Upward the speed is a tangent, downward a hyperbolic tangent of the time.

/** The state at the last time. */
export namespace Fall {
  export let phi: f64 = 0;
  export let dphi: f64 = 0;
}

let terminal: f64 = 0;
let rate: f64 = 0;
let length: f64 = 0;
let dphi0: f64 = 0;
/** Time and place of the top, for a start upwards. */
let topTime: f64 = 0;
let top: f64 = 0;

export function setFall(g: f64, c: f64, phi: f64, dphi: f64): void {
  terminal = Math.sqrt(g / c);
  rate = Math.sqrt(g * c);
  length = 1 / c;
  dphi0 = dphi;
  topTime = dphi > 0 ? Math.atan(dphi / terminal) / rate : 0;
  top = phi + (dphi > 0 ? 0.5 * length * Math.log1p((dphi / terminal) * (dphi / terminal)) : 0);
}

export function fallAt(t: f64): void {
  if (dphi0 > 0 && t < topTime) {
    const left = rate * (topTime - t);
    Fall.dphi = terminal * Math.tan(left);
    Fall.phi = top + length * Math.log(Math.cos(left));
    return;
  }
  // Since the top, or from a start downwards whose speed may exceed the terminal one.
  const start = dphi0 > 0 ? 0 : -dphi0 / terminal;
  const s = rate * (t - topTime);
  const shrink = Math.exp(-2 * s);
  const sum = 0.5 * (1 + shrink + start * (1 - shrink));
  Fall.dphi = (-terminal * 0.5 * (1 - shrink + start * (1 + shrink))) / sum;
  Fall.phi = top - length * (s + Math.log(sum));
}
