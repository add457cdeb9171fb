// The number of zeros a second way: the principle of the argument (Backlund). N(T) = θ(T)/π + 1 + S(T), where π S(T) is the
// argument of ζ, followed from 4 + iT, where it is small, to 1/2 + iT. ζ by Euler–Maclaurin summation; Edwards (1974), §6.4–6.6.

import { cos, exp, log, sin } from '../../core/elementary.ts';
import { at } from '../parts/arrays.ts';
import { smoothCount } from './gram.ts';

/** Below it there is no zero: the first is at 14.13. */
const FIRST = 14;
const START = 4;
/** Places on the way, closer towards 1/2; doubled until the argument turns by little between two of them. */
const MIN_STEPS = 64;
const MAX_STEPS = 256;
/** Beyond them, only where the sums are short: near a zero ζ turns within its distance. */
const MORE_STEPS = 4096;
const MORE_TERMS = 2e8;
const MAX_TANGENT = 0.5;
/** B_2j / (2j)! */
const BERNOULLI = [
  0.08333333333333333, -0.001388888888888889, 3.306878306878307e-5, -8.267195767195768e-7, 2.08767569878681e-8,
  -5.284190138687493e-10, 1.3382536530684679e-11, -3.3896802963225827e-13, 8.586062056277845e-15,
  -2.174868698558062e-16, 5.5090028283602295e-18, -1.3954464685812522e-19,
];

/** N(T), not rounded to a whole number; undefined if a zero is too close to T to follow the argument. */
export function countByArgument(t: number): number | undefined {
  if (t < FIRST) return 0;
  const isShort = (steps: number) => steps <= MAX_STEPS || (steps <= MORE_STEPS && steps * t <= MORE_TERMS);
  for (let steps = MIN_STEPS; isShort(steps); steps *= 2) {
    const argument = argumentOf(zetaOnTheWay(t, steps));
    if (argument !== undefined) return smoothCount(t) + argument / Math.PI;
  }
  return undefined;
}

interface Complex {
  readonly re: Float64Array;
  readonly im: Float64Array;
}

/** ζ(1/2 + 7/2 (j/steps)² + it) by j from 0 to `steps`. */
function zetaOnTheWay(t: number, steps: number): Complex {
  const last = Math.floor(t / 2) + 12;
  const [re, im] = [new Float64Array(steps + 1), new Float64Array(steps + 1)];
  const span = START - 0.5;
  for (let n = 1; n < last; n++) {
    const ln = log(n);
    const [c, s] = [cos(t * ln), -sin(t * ln)];
    // n^(−σ_j): the ratios of neighbours have a constant ratio.
    const first = exp((-span * ln) / (steps * steps));
    const square = first * first;
    let ratio = first;
    let power = 1 / Math.sqrt(n);
    for (let j = 0; j <= steps; j++) {
      re[j] = at(re, j) + power * c;
      im[j] = at(im, j) + power * s;
      power *= ratio;
      ratio *= square;
    }
  }
  for (let j = 0; j <= steps; j++) addTail(re, im, j, 0.5 + span * (j / steps) * (j / steps), t, last);
  return { re, im };
}

/** N^(−s) (N/(s − 1) + 1/2 + Σ B_2j/(2j)! s (s + 1) … (s + 2j − 2) N^(1−2j)), for s = σ + it. */
function addTail(re: Float64Array, im: Float64Array, i: number, sigma: number, t: number, n: number): void {
  const size = (sigma - 1) * (sigma - 1) + t * t;
  let [x, y] = [0, 0];
  for (let j = BERNOULLI.length; j > 0; j--) {
    const c = at(BERNOULLI, j - 1) + x;
    const [a, b] = [sigma + 2 * j - 3, sigma + 2 * j - 2];
    const [p, q] = j > 1 ? [(a * b - t * t) / (n * n), (t * (a + b)) / (n * n)] : [sigma / n, t / n];
    [x, y] = [p * c - q * y, p * y + q * c];
  }
  x += 0.5 + (n * (sigma - 1)) / size;
  y -= (n * t) / size;
  const ln = log(n);
  const power = exp(-sigma * ln);
  const [c, s] = [power * cos(t * ln), -power * sin(t * ln)];
  re[i] = at(re, i) + (x * c - y * s);
  im[i] = at(im, i) + (x * s + y * c);
}

/** The argument at the first place, followed from the last. */
function argumentOf({ re, im }: Complex): number | undefined {
  let argument = 0;
  let [x, y] = [1, 0];
  for (let j = re.length - 1; j >= 0; j--) {
    const [a, b] = [at(re, j), at(im, j)];
    const tangent = (b * x - a * y) / (a * x + b * y);
    if (!(a * x + b * y > 0 && Math.abs(tangent) < MAX_TANGENT)) return undefined;
    argument += arctangent(tangent);
    [x, y] = [a, b];
  }
  return argument;
}

/** For |x| below 1/2, to 1e-9. */
function arctangent(x: number): number {
  const s = x * x;
  let sum = 0;
  for (let k = 12; k >= 0; k--) sum = 1 / (2 * k + 1) - s * sum;
  return x * sum;
}
