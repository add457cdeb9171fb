// Modes of a box whose walls have impedances, from the transcendental equation of each axis.
//
// p = Π (d₀ cos q x + n₀ κ sin(q x)/q) ends with (A₀ d₁ + A₁ d₀) cos z + (A₀ A₁ − z² d₀ d₁) sin(z)/z = 0, where z = q L and
// A = n κ L, and κ² + Σ q² = 0. Newton's method for all q² and κ at once, from t = 0 (rigid or open walls) to 1. Kuttruff,
// Room Acoustics (5th ed., 2009), chapter 3.

import { cos, cosh, exp, expm1, sin } from '../../core/elementary.ts';
import type { Wall } from './walls.ts';

export type Complex = readonly [re: number, im: number];

const STEPS = 60;
const MAX_ITERATIONS = 40;
/** Relative, of κ. */
const TOLERANCE = 1e-14;

const plus = (a: Complex, b: Complex): Complex => [a[0] + b[0], a[1] + b[1]];
const times = (a: Complex, b: Complex): Complex => [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]];
const scaled = (s: number, a: Complex): Complex => [s * a[0], s * a[1]];
const minus = (a: Complex, b: Complex): Complex => [a[0] - b[0], a[1] - b[1]];
export const sizeOf = ([re, im]: Complex) => Math.sqrt(re * re + im * im);

export function over([a, b]: Complex, [c, d]: Complex): Complex {
  const square = c * c + d * d;
  return [(a * c + b * d) / square, (b * c - a * d) / square];
}

function root([a, b]: Complex): Complex {
  const size = sizeOf([a, b]);
  const re = Math.sqrt(Math.max(0, 0.5 * (size + a)));
  const im = Math.sqrt(Math.max(0, 0.5 * (size - a)));
  return [re, b < 0 ? -im : im];
}

/** cos z, sin(z)/z and the derivative of the latter by Z = z². */
function circular(square: Complex): readonly [Complex, Complex, Complex] {
  if (sizeOf(square) < 1e-3) {
    const series = (terms: readonly number[]) =>
      terms.reduceRight<Complex>((sum, term) => plus([term, 0], times(square, sum)), [0, 0]);
    return [
      series([1, -1 / 2, 1 / 24, -1 / 720, 1 / 40320]),
      series([1, -1 / 6, 1 / 120, -1 / 5040, 1 / 362880]),
      series([-1 / 6, 1 / 60, -1 / 1680, 1 / 90720]),
    ];
  }
  const z = root(square);
  const [a, b] = z;
  const sinh = Math.abs(b) < 1 ? 0.5 * (expm1(b) - expm1(-b)) : 0.5 * (exp(b) - exp(-b));
  const cosine: Complex = [cos(a) * cosh(b), -sin(a) * sinh];
  const ratio = over([sin(a) * cosh(b), cos(a) * sinh], z);
  return [cosine, ratio, over(minus(cosine, ratio), scaled(2, square))];
}

/** n and d of a wall. */
const coefficients = ({ isFromOpen, re, im }: Wall, t: number): readonly [Complex, Complex] =>
  isFromOpen
    ? [
        [1, 0],
        [t * re, t * im],
      ]
    : [
        [t * re, t * im],
        [1, 0],
      ];

/** The equation of an axis, and its derivatives by Z and by κ. */
function equation([first, last]: readonly [Wall, Wall], length: number, t: number, kappa: Complex, square: Complex) {
  const [[n0, d0], [n1, d1]] = [coefficients(first, t), coefficients(last, t)];
  const [a0, a1] = [scaled(length, n0), scaled(length, n1)];
  const [A0, A1] = [times(a0, kappa), times(a1, kappa)];
  const [cosine, ratio, slope] = circular(square);
  const mixed = plus(times(A0, d1), times(A1, d0));
  const both = times(d0, d1);
  const rest = minus(times(A0, A1), times(square, both));
  return {
    value: plus(times(mixed, cosine), times(rest, ratio)),
    bySquare: minus(plus(scaled(-0.5, times(mixed, ratio)), times(rest, slope)), times(both, ratio)),
    byKappa: plus(times(plus(times(a0, d1), times(a1, d0)), cosine), times(plus(times(a0, A1), times(A0, a1)), ratio)),
  };
}

/**
 * κ of the mode that has these half-waves at t = 0; undefined if it is lost on the way.
 *
 * @param walls  by axis, at both ends
 */
export function lossyMode(
  walls: readonly (readonly [Wall, Wall])[],
  lengths: readonly number[],
  halfWaves: readonly number[],
): Complex | undefined {
  let squares = halfWaves.map((k): Complex => [Math.PI * k * (Math.PI * k), 0]);
  const start = squares.reduce((sum, [z], d) => sum + z / ((lengths[d] ?? 1) * (lengths[d] ?? 1)), 0);
  let kappa: Complex = [0, Math.sqrt(start)];
  if (start === 0) {
    // One of the two at κ = 0 decays, by the mean of the walls.
    const sums = walls.map(([a, b]): Complex => scaled(1 / STEPS, [a.re + b.re, a.im + b.im]));
    kappa = sums.reduce((sum, one, d) => minus(sum, scaled(1 / (lengths[d] ?? 1), one)), kappa);
    squares = sums.map((one, d) => scaled(lengths[d] ?? 1, times(kappa, one)));
  }
  for (let s = 1; s <= STEPS; s++) {
    if (start === 0 && s > 1) {
      // It grows with t: from its last value Newton's method would meet a slope of 0.
      const ratio = s / (s - 1);
      kappa = scaled(ratio, kappa);
      squares = squares.map((square) => scaled(ratio * ratio, square));
    }
    let change = Number.POSITIVE_INFINITY;
    const tolerance = s === STEPS ? TOLERANCE : 1e-6;
    for (let i = 0; i < MAX_ITERATIONS && change > tolerance; i++) {
      let [value, slope] = [times(kappa, kappa), scaled(2, kappa)];
      const parts = walls.map((pair, d) => {
        const length = lengths[d] ?? 1;
        const square = squares[d] ?? [0, 0];
        const one = equation(pair, length, s / STEPS, kappa, square);
        const [step, byKappa] = [over(one.value, one.bySquare), over(one.byKappa, one.bySquare)];
        const scale = 1 / (length * length);
        value = plus(value, scaled(scale, minus(square, step)));
        slope = minus(slope, scaled(scale, byKappa));
        return { square, step, byKappa };
      });
      const delta = scaled(-1, over(value, slope));
      kappa = plus(kappa, delta);
      squares = parts.map(({ square, step, byKappa }) => minus(minus(square, step), times(byKappa, delta)));
      change = sizeOf(delta) / sizeOf(kappa);
    }
    if (!(change <= 1e-6)) return undefined;
    if (s === STEPS && change > 1e-10) return undefined;
  }
  return kappa;
}
