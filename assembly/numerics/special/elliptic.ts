// Complete elliptic integrals of the first and second kind as functions of the parameter m = k²:
// K(m) = ∫ (1 - m sin²θ)^(-1/2) dθ and E(m) = ∫ (1 - m sin²θ)^(1/2) dθ over 0 <= θ <= π/2.
//
// Both are special cases of one integral, computed by arithmetic-geometric means with additions of positive numbers
// only (cel2 of Bulirsch 1965, Numer. Math. 7, 78-90), so E is accurate near m = 1. A negative m is transformed to m/(m
// - 1), between 0 and 1 (NIST Digital Library of Mathematical Functions, §19.7.2). Relative error below 1e-15 for all m
// <= 1. K(1) = ∞, E(1) = 1; above 1, NaN.

export function ellipticK(m: f64): f64 {
  const complement = 1 - m;
  if (complement === 0) return Infinity;
  return complement > 1 ? complete(1 / complement, 1) / Math.sqrt(complement) : complete(complement, 1);
}

export function ellipticE(m: f64): f64 {
  const complement = 1 - m;
  if (complement === 0) return 1;
  const inverse = 1 / complement;
  return complement > 1 ? complete(inverse, inverse) * Math.sqrt(complement) : complete(complement, complement);
}

/** Stops when quotients differ by less than this; the remaining error is its square. */
const TOLERANCE: f64 = 1e-8;
/** The most extreme parameter takes 13 iterations. */
const MAX_ITERATIONS: i32 = 20;

/**
 * ∫ (cos²θ + b sin²θ) (cos²θ + complement sin²θ)^(-1/2) dθ over 0 <= θ <= π/2.
 *
 * @param complement  1 - m, at most 1; NaN below 0
 */
function complete(complement: f64, b: f64): f64 {
  let k = Math.sqrt(complement);
  let mean: f64 = 1;
  let a = 1 + b;
  let c: f64 = 1;
  for (let iteration = 0; iteration < MAX_ITERATIONS; iteration++) {
    b = 2 * (c * k + b);
    c = a;
    const previous = mean;
    mean += k;
    a += b / mean;
    if (!(Math.abs(previous - k) > TOLERANCE * previous)) break;
    k = 2 * Math.sqrt(k * previous);
  }
  return (0.25 * Math.PI * a) / mean;
}
