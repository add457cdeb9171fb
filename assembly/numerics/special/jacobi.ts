// Jacobi's elliptic functions sn, cn and dn of a real argument, by descending Landen transformations.
//
// A transformation takes the modulus k to k₁ = (1 − k')/(1 + k') and the argument u to u/(1 + k₁), until k is negligible
// and the functions are sin, cos and 1; then back (NIST Digital Library of Mathematical Functions, §22.7(i)). All sums
// on the way back are of positive numbers, and while sn is small, cn and dn are taken from it anew, since the way back
// doubles their errors. So each function is accurate relative to itself but for the rounding of its argument.
//
// The modulus is given by m = k² and 1 − m, since either may be tiny; m is 0 to 1, both included. The quarter period is
// K(m) = π/2 (1 + k₁)(1 + k₂)…; it is infinite for 1 − m = 0, where sn is tanh, and cn and dn are sech.
import { get, set } from '../vector';

/** Below this, its square is lost in rounding. */
const NEGLIGIBLE: f64 = 1e-9;
/** The smallest positive 1 − m takes 14. */
const MAX_LEVELS: i32 = 24;

/** k and 1 − k of each level below the first. */
const MODULI: usize = memory.data(2 * MAX_LEVELS * 8, 8);

/** Transformations of the last parameter: each leaves about two roundings. */
export let levels: i32 = 0;
let scale: f64 = 1;
let modulus: f64 = 0;
let isLimit = false;

/** The functions at the last argument, and the quarter period of the last parameter. */
export namespace Jacobi {
  export let sn: f64 = 0;
  export let cn: f64 = 1;
  export let dn: f64 = 1;
  export let quarter: f64 = 0;
}

/** @param complement  1 − m */
export function setParameter(m: f64, complement: f64): void {
  let k = Math.sqrt(m);
  modulus = k;
  let c = Math.sqrt(complement);
  levels = 0;
  scale = 1;
  isLimit = complement === 0;
  if (isLimit) {
    Jacobi.quarter = Infinity;
    return;
  }
  while (k > NEGLIGIBLE && levels < MAX_LEVELS) {
    const sum = 1 + c;
    k = (k / sum) * (k / sum);
    set(MODULI, 2 * levels, k);
    set(MODULI, 2 * levels + 1, (2 * c) / sum);
    scale *= 1 + k;
    c = (2 * Math.sqrt(c)) / sum;
    levels++;
    // The complement of the new k, which k itself says more exactly where it is small.
    if (k < 0.5) c = Math.sqrt((1 - k) * (1 + k));
  }
  Jacobi.quarter = 0.5 * Math.PI * scale;
}

/** Sets `Jacobi` to the functions of u. */
export function jacobi(u: f64): void {
  if (isLimit) {
    Jacobi.sn = Math.tanh(u);
    Jacobi.cn = 1 / Math.cosh(u);
    Jacobi.dn = Jacobi.cn;
    return;
  }
  const angle = u / scale;
  let s = Math.sin(angle);
  let c = Math.cos(angle);
  let d: f64 = 1;
  for (let i = levels - 1; i >= 0; i--) {
    const k = get(MODULI, 2 * i);
    const denominator = 1 + k * s * s;
    const next = (c * d) / denominator;
    // 1 − k s² without its cancellation.
    d = (get(MODULI, 2 * i + 1) + k * c * c) / denominator;
    s = ((1 + k) * s) / denominator;
    c = next;
    if (s * s < 0.5) {
      const above = s * (i > 0 ? get(MODULI, 2 * i - 2) : modulus);
      const size = Math.sqrt((1 - s) * (1 + s));
      c = c < 0 ? -size : size;
      d = Math.sqrt((1 - above) * (1 + above));
    }
  }
  Jacobi.sn = s;
  Jacobi.cn = c;
  Jacobi.dn = d;
}
