// erf(x) = 2/√π ∫_0^x exp(-t²) dt and erfc(x) = 1 - erf(x).
//
// Below 1/2, erf is x times a rational function of x². Above, everything goes through
// erfcx(x) = exp(x²) erfc(x), which is smooth and never small; the intervals are Cody's (1969,
// Math. Comp. 23, 631-637). The tail stays accurate because x² includes its rounding error.
// Relative error below 1e-15 for both, erfc down to 1e-308; erfc(x) is 0 from x = 27.3 on.
import { quotient } from './rational';

// erf(√s) / √s for 0 <= s <= 1/4; relative error 2.2e-17.
// biome-ignore format: one coefficient of P and one of Q per line
const CENTRE: usize = memory.data<f64>([
  6.531467556826209e-05, 0.000351664760844424,
  0.0011119471600087368, 0.00829908642055792,
  0.04003497179910085, 0.08580312323456346,
  0.13273781588833677, 0.4509691597993683,
  1.1283791670955126, 1.0,
], 16);

// erfcx(x) for 1/2 <= x <= 4; relative error 3.7e-17.
// biome-ignore format: one coefficient of P and one of Q per line
const SHOULDER: usize = memory.data<f64>([
  7.717156040324074e-12, 0.001001500488257476,
  0.0005650357192797929, 0.015078507849364011,
  0.008507148284926528, 0.10885591901594882,
  0.06113266718281179, 0.4826543258529566,
  0.26805730002461975, 1.4209517972817745,
  0.7713805373133161, 2.821473401738902,
  1.462233575755, 3.667925028857504,
  1.7125909086890725, 2.84097007489991,
  0.9999999999409119, 1.0,
], 16);

// x erfcx(x) as a function of 1/x² for x >= 4; relative error 5.0e-17.
// biome-ignore format: one coefficient of P and one of Q per line
const TAIL: usize = memory.data<f64>([
  18.095246277415878, 98.69148790962296,
  163.46982688872464, 422.8422415580095,
  207.73316396976765, 431.8975866930351,
  82.56060104009619, 156.55214259205042,
  12.0931637682907, 21.93457469073778,
  0.5641895835477563, 1.0,
], 16);

export function erf(x: f64): f64 {
  const size = Math.abs(x);
  if (size < 0.5) return x * quotient(CENTRE, 4, x * x);
  if (size > 6) return isNaN(x) ? x : Math.sign(x); // 1 - erf(6) = 2e-17
  return Math.sign(x) * (1 - gaussian(size, 1) * scaledComplement(size));
}

export function erfc(x: f64): f64 {
  const size = Math.abs(x);
  if (size < 0.5) return 1 - x * quotient(CENTRE, 4, x * x);
  const tail = size > 28 ? 0 : gaussian(size, 1) * scaledComplement(size);
  return x > 0 ? tail : isNaN(x) ? x : 2 - tail;
}

/** erfcx(x) = exp(x²) erfc(x) for x >= 1/2. */
export function scaledComplement(x: f64): f64 {
  return x < 4 ? quotient(SHOULDER, 8, x) : quotient(TAIL, 5, 1 / (x * x)) / x;
}

/**
 * exp(-factor x²) to a few roundings, where exp of the rounded square would lose as many digits as x² has
 * before the decimal point.
 *
 * @param factor  1 or 1/2: multiplying by it must be exact
 */
export function gaussian(x: f64, factor: f64): f64 {
  if (Math.abs(x) > 40) return 0;
  const square = x * x;
  const high = reinterpret<f64>(reinterpret<u64>(x) & 0xffff_ffff_f800_0000); // 26 bits, so high * high is exact
  const low = x - high;
  const roundingError = high * high - square + 2 * high * low + low * low; // x² = square + lost exactly (Dekker 1971)
  return Math.exp(-factor * square) * (1 - factor * roundingError);
}
