// E1(x) = ∫_x^∞ exp(-t)/t dt for x > 0.
//
// Up to 1 the entire part (E1(x) + ln x + γ)/x is approximated by a rational function to all digits; above, x e^x E1(x)
// as a function of 1/x, on either side of 4 (the intervals are Cody and Thacher's, 1968, Math. Comp. 22, 641-649).
// Relative error below 2e-15. E1(0) = ∞; below 0 the function is complex, and the result is NaN.
import { quotient } from './rational';

// (E1(x) + ln x + γ) / x for 0 <= x <= 1; relative error 1.9e-17.
// biome-ignore format: one coefficient of P and one of Q per line
const NEAR: usize = memory.data<f64>([
  -5.87399764272561e-08, 1.1535047752928504e-05,
  6.724841138829529e-05, 0.0004465682396202601,
  0.0014527217324703503, 0.007851536125282521,
  0.027823694660741766, 0.07721220529929639,
  0.16977626477644392, 0.4197762647764439,
  1.0, 1.0,
], 16);

// x e^x E1(x) as a function of 1/x for 1 <= x <= 4; relative error 8.1e-18.
// biome-ignore format: one coefficient of P and one of Q per line
const MIDDLE: usize = memory.data<f64>([
  0.011215985114638009, 0.7219001285652432,
  2.645934855635638, 19.22800015610971,
  40.90895055382592, 138.9293647144074,
  184.16903130801273, 399.81670614122726,
  330.3315360149095, 534.4818040683836,
  267.1381891372058, 354.0814876928957,
  100.89539684682016, 116.843914078531,
  16.94833572389735, 17.948329514484644,
  0.9999998943943722, 1.0,
], 16);

// The same for x >= 4; relative error 2.6e-17.
// biome-ignore format: one coefficient of P and one of Q per line
const FAR: usize = memory.data<f64>([
  121.75681446295299, 3097.6331915197466,
  8628.229356155802, 34315.713904196826,
  49503.87423426586, 109115.72754955693,
  91098.44186535153, 147223.75494304218,
  73821.43934475, 99201.59963676396,
  30168.662362441806, 36105.03780004824,
  6583.441397415797, 7309.636624926429,
  767.7598612560959, 811.3244949998772,
  44.56463374377375, 45.56463374377373,
  1.0, 1.0,
], 16);

const EULER: f64 = 0.5772156649015329;

export function exponentialIntegral(x: f64): f64 {
  if (!(x >= 0)) return NaN;
  if (x <= 1) return x * quotient(NEAR, 5, x) - EULER - Math.log(x);
  if (x > 745) return 0;
  const t = 1 / x;
  return t * Math.exp(-x) * (x < 4 ? quotient(MIDDLE, 8, t) : quotient(FAR, 9, t));
}
