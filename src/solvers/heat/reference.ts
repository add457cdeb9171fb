// Reference solutions: the exact solution of the heat equation, and the exact solution of the difference equations
// for a single mode.
//
// The exact solution is the Fourier series of the initial profile, each term decaying by exp(−α (nπ/L)² t).
// Carslaw & Jaeger, Conduction of Heat in Solids (2nd ed.), chapter III.

import { exp } from '../../core/elementary.ts';
import { type Axis, cosPi, type Place, sinPi, standardDeviation } from './axis.ts';

/** Terms below e^−40 of the first are smaller than the rounding of the sum. */
const NEGLIGIBLE = 40;

/** exp(−(nπ)² τ) */
const decay = (n: number, tau: number): number => exp(-(n * Math.PI) * (n * Math.PI) * tau);

/** Whether term n is significant relative to the first. */
const isSignificant = (n: number, tau: number): boolean => (n * n - 1) * Math.PI * Math.PI * tau <= NEGLIGIBLE;

/**
 * Exact temperature at a place of one axis.
 *
 * @param tau  α t / L², dimensionless
 */
export function exactAt(axis: Axis, place: Place, tau: number): number {
  const { halfWaves: k, isInsulated } = axis;
  const { a, b } = place;
  if (axis.mode === 'sine') {
    const amplitude = isInsulated ? cosPi(k * a, b) : sinPi(k * a, b);
    return amplitude * decay(k, tau);
  }
  if (axis.mode === 'gaussian') return exactHotSpot(axis, place, tau);
  // "1 where the mode is positive" is the mean of 1 and the square wave of the mode; with fixed ends the 1 decays too.
  if (isInsulated) return 0.5 * (1 + squareWave(2 * k * a + b, 2 * b, k * k * tau));
  return 0.5 * (squareWave(a, b, tau) + squareWave(k * a, b, k * k * tau));
}

/** The decayed square wave sign(sin πξ) at ξ = a / b, period 2: Σ over odd n of 4/(πn) sin(nπξ) exp(−(nπ)² τ). */
function squareWave(a: number, b: number, tau: number): number {
  const phase = a % (2 * b);
  const sign = phase < b ? 1 : -1;
  const offset = phase % b;
  if (offset === 0) return 0;
  // Before the influence of the jump arrives (erfc √40 < 1e-18) the wave is still ±1; afterwards a few terms suffice.
  const distance = Math.min(offset, b - offset) / b;
  if (distance * distance > 4 * NEGLIGIBLE * tau) return sign;
  let sum = 0;
  for (let n = 1; isSignificant(n, tau); n += 2) {
    sum += (4 / (Math.PI * n)) * sinPi(n * offset, b) * decay(n, tau);
  }
  return sign * sum;
}

/** The series of a periodic Gaussian: its coefficients are Gaussian too, and time increases its width. */
function exactHotSpot(axis: Axis, { a, b }: Place, tau: number): number {
  const { isInsulated } = axis;
  const sigma = standardDeviation(axis);
  const width = 0.5 * sigma * sigma + tau;
  const mean = sigma * Math.sqrt(2 * Math.PI);
  let sum = isInsulated ? mean : 0;
  for (let n = 1; isSignificant(n, width); n++) {
    const shape = isInsulated ? cosPi(n, 2) * cosPi(n * a, b) : sinPi(n, 2) * sinPi(n * a, b);
    if (shape !== 0) sum += 2 * mean * shape * decay(n, width);
  }
  return sum;
}

/** One Fourier term of the initial profile, as the operator CHE17 writes it: amplitude · sin(k (x + shift)). */
export function leadingFourierTerm(axis: Axis): { amplitude: number; waveNumber: number; shift: number } {
  const { mode, halfWaves, isInsulated } = axis;
  // A hot spot in the middle of an insulated rod is even about it: its first decaying term has two half-waves.
  const k = mode !== 'gaussian' ? halfWaves : isInsulated ? 2 : 1;
  const waveNumber = (k * Math.PI) / axis.length;
  const shift = isInsulated ? axis.length / (2 * k) : 0;
  return { amplitude: amplitudeOf(axis, k), waveNumber, shift };
}

function amplitudeOf(axis: Axis, k: number): number {
  if (axis.mode === 'sine') return 1;
  if (axis.mode === 'gaussian') {
    const sigma = standardDeviation(axis);
    const phase = axis.isInsulated ? cosPi(k, 2) : 1;
    return 2 * sigma * Math.sqrt(2 * Math.PI) * phase * decay(k, 0.5 * sigma * sigma);
  }
  // Half the square wave of the mode, plus half of the projection of 1 on the mode.
  const common = !axis.isInsulated && k % 2 === 1 ? 2 / (Math.PI * k) : 0;
  return 2 / Math.PI + common;
}

/**
 * The factor by which one step multiplies the sine mode on the grid, exactly: its difference quotient is
 * −(4/h²) sin²(kπ/2N) times the mode, between fixed and between insulated ends.
 *
 * @param axes  each with its ratio r = α Δt / h²
 */
export function discreteFactor(axes: readonly { axis: Axis; r: number }[], isImplicit: boolean): number {
  const decays = axes.map(({ axis, r }) => {
    const s = sinPi(axis.halfWaves, 2 * axis.cells);
    return 4 * r * s * s;
  });
  if (!isImplicit) return decays.reduce((factor, rate) => factor - rate, 1);
  return decays.reduce((factor, rate) => (factor * (1 - rate / 2)) / (1 + rate / 2), 1);
}

/** x^n by repeated squaring, for integer n >= 0. */
export function power(x: number, n: number): number {
  let result = 1;
  for (let square = x, exponent = n; exponent > 0; exponent = Math.floor(exponent / 2), square *= square) {
    if (exponent % 2 === 1) result *= square;
  }
  return result;
}
