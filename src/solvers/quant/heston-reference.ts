// Prices under Heston's variance by Gauss–Legendre panels along the real axis, the second way of its solutions.
//
// Call: Attari, Option pricing using Fourier transforms: a numerically efficient simplification (2004); digital:
// Gil-Pelaez, Biometrika 38 (1951) 481. Contour, nodes and characteristic function differ from those of the kernel.

import { cos, exp, log, sin } from '../../core/elementary.ts';
import type { Terms } from './black.ts';
import { characteristicExponent, type Heston } from './heston.ts';

/** Error of the panels and of the Taylor series, beside √(F K): against 30 digits. */
export const HESTON_REFERENCE_ERROR = 1e-10;

const INVERSE_PI = 0.3183098861837907;
/** Panels end where the integrand is this small. */
const NEGLIGIBLE = 1e-15;
const MAX_PANELS = 2000;
/** Turns of a panel, in radians. */
const TURN = 8;
const FIRST = 0.05;
/** One value of the characteristic function: measured. */
const EXPONENT_NS = 40_000;

/** Nodes and weights of Gauss and Legendre on (−1, 1), sixteen points (Abramowitz & Stegun, table 25.4). */
const GAUSS = [
  [0.09501250983763744, 0.1894506104550685],
  [0.2816035507792589, 0.1826034150449236],
  [0.45801677765722737, 0.16915651939500254],
  [0.6178762444026438, 0.14959598881657674],
  [0.755404408355003, 0.12462897125553388],
  [0.8656312023878318, 0.09515851168249279],
  [0.9445750230732325, 0.062253523938647894],
  [0.9894009349916499, 0.027152459411754096],
].flatMap(([x = 0, w = 0]) => [[-x, w] as const, [x, w] as const]);

/** Estimated nanoseconds. @param cut  where the characteristic function is negligible */
export function hestonCostNs({ forward, strike, variance }: Terms, cut: number): number {
  const panels = cut / widthOf(log(forward / strike), variance) + log(1 + cut / FIRST) / log(2);
  return 2 * GAUSS.length * Math.min(MAX_PANELS, panels + 2) * EXPONENT_NS;
}

const widthOf = (k: number, variance: number): number => TURN / (Math.abs(k) + 4 * Math.sqrt(variance));

/** The price of a European option, or of one unit if it ends in the money. */
export function hestonPrice(heston: Heston, T: number, terms: Terms, isDigital: boolean): number {
  const { phi, forward, strike, variance, discount } = terms;
  if (!(variance > 0)) {
    const gain = phi * (forward - strike);
    return discount * (isDigital ? Number(gain > 0) : Math.max(0, gain));
  }
  const k = log(forward / strike);
  const width = widthOf(k, variance);
  let [sum, from] = [0, 0];
  for (let panel = 0; panel < MAX_PANELS; panel++) {
    const half = 0.5 * Math.min(width, Math.max(FIRST, from));
    let largest = 0;
    for (const [x, weight] of GAUSS) {
      const u = from + half * (1 + x);
      const { re, im } = characteristicExponent(heston, T, { re: u, im: 0 });
      const size = exp(re);
      // exp(i u k) φ
      const [a, b] = [size * cos(im + u * k), size * sin(im + u * k)];
      const value = isDigital ? b / u : (a + b / u) / (1 + u * u);
      sum += weight * half * value;
      largest = Math.max(largest, size / (isDigital ? u : 1 + u * u));
    }
    from += 2 * half;
    if (largest < NEGLIGIBLE) break;
  }
  if (isDigital) return discount * (0.5 + phi * INVERSE_PI * sum);
  const call = forward - strike * (0.5 + INVERSE_PI * sum);
  return discount * Math.max(0, phi > 0 ? call : call - (forward - strike));
}
