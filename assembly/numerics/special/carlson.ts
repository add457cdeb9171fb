// Carlson's symmetric elliptic integral of the first kind, R_F(x, y, z) = ½ ∫₀^∞ dt / √((t + x)(t + y)(t + z)).
//
// By duplication, each step of which brings the arguments four times closer together, and the series about their mean
// (Carlson, Numer. Algorithms 10 (1995) 13, doi:10.1007/BF02198293; NIST Digital Library of Mathematical Functions,
// §19.36(i)). Arguments are not negative and at most one is 0; or y and z are conjugates. Relative error below 1e-15.

/** Of the mean: the series then errs by its sixth power. */
const TOLERANCE: f64 = 1e-3;
/** Arguments whose ratio is 1e300 take about 500. */
const MAX_STEPS: i32 = 600;

export function carlsonRF(x: f64, y: f64, z: f64): f64 {
  for (let step = 0; step < MAX_STEPS; step++) {
    const mean = (x + y + z) / 3;
    const dx = (mean - x) / mean;
    const dy = (mean - y) / mean;
    const dz = (mean - z) / mean;
    if (Math.max(Math.abs(dx), Math.max(Math.abs(dy), Math.abs(dz))) < TOLERANCE) {
      return series(mean, dx * dy - dz * dz, dx * dy * dz);
    }
    const p = Math.sqrt(x);
    const q = Math.sqrt(y);
    const r = Math.sqrt(z);
    const shift = p * q + p * r + q * r;
    x = 0.25 * (x + shift);
    y = 0.25 * (y + shift);
    z = 0.25 * (z + shift);
  }
  return NaN;
}

/** R_F(x, re + i im, re − i im). */
export function carlsonPair(x: f64, re: f64, im: f64): f64 {
  for (let step = 0; step < MAX_STEPS; step++) {
    const mean = (x + 2 * re) / 3;
    const size = Math.sqrt(re * re + im * im);
    const dx = (mean - x) / mean;
    const dre = (mean - re) / mean;
    const dim = im / mean;
    if (mean > 0 && Math.max(Math.abs(dx), Math.max(Math.abs(dre), Math.abs(dim))) < TOLERANCE) {
      const square = dre * dre + dim * dim;
      return series(mean, 2 * dx * dre + square, dx * square);
    }
    // |y| + Re y, without its cancellation; √y + √z is twice the real part of √y.
    const sum = re >= 0 ? size + re : (im * im) / (size - re);
    const shift = 2 * Math.sqrt(x) * Math.sqrt(0.5 * sum);
    x = 0.25 * (x + shift + size);
    re = 0.25 * (shift + sum);
    im = 0.25 * im;
  }
  return NaN;
}

/** About the mean, from the second and third elementary symmetric sums of the deviations. */
function series(mean: f64, second: f64, third: f64): f64 {
  const terms = 1 - second / 10 + third / 14 + (second * second) / 24 - (3 * second * third) / 44;
  return terms / Math.sqrt(mean);
}
