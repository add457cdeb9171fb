// L(x) = coth x - 1/x, the mean alignment of a classical dipole (Langevin 1905).
//
// Below 1 a rational function of x² replaces the difference of two large numbers; above,
// coth x = 1 + 2/(e^2x - 1), whose terms do not cancel. Relative error below 1e-15.
import { quotient } from './rational';

// L(√s) / √s for 0 <= s <= 1; relative error 5.6e-17.
// biome-ignore format: one coefficient of P and one of Q per line
const CENTRE: usize = memory.data<f64>([
  1.5102300496531705e-09, 8.338603552003848e-08,
  2.173889700239442e-06, 3.919462024857759e-05,
  0.00044150579494675076, 0.004329705717493488,
  0.0245497511870757, 0.14031592022789377,
  0.3333333333333333, 1.0,
], 16);

export function langevin(x: f64): f64 {
  const size = Math.abs(x);
  if (size < 1) return x * quotient(CENTRE, 4, x * x);
  const value = 1 - 1 / size + 2 / Math.expm1(2 * size);
  return x < 0 ? -value : value;
}
