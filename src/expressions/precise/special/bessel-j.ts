// J_n(x) of whole order in double-double, by quadrature everywhere, where the kernel uses series, expansions and
// recurrences.
//
// Three integrals, all by the trapezoidal rule: Bessel's own, (1/π) ∫ cos(n θ - x sin θ) dθ, which is right in absolute
// terms; for n well above x, where J_n is tiny, the same on the path through the saddle point; and for large x Hankel's
// representation of H_n = J_n + i Y_n, which does not oscillate as long as n³ is small against x² (NIST Digital Library
// of Mathematical Functions, §10.9.2, §10.9.17; Watson, A Treatise on the Theory of Bessel Functions, §6.12). Error
// below 1e-20: relative for n >= x; beyond, a part of the amplitude √(2/(πx)).

import { log as logOfDouble } from '../../../core/elementary.ts';
import { HALF_PI, PI } from '../constants.ts';
import type { DoubleDouble } from '../double-double.ts';
import * as dd from '../double-double.ts';
import { exp, multiplyByExp } from '../exponential.ts';
import { log } from '../logarithm.ts';
import { hypotenuse } from '../power.ts';
import { type SineCosine, sineCosine } from '../trigonometric.ts';
import { ofWholeOrder } from './bessel.ts';
import { saddleIntegral } from './saddle-integral.ts';

export const besselJ = (n: DoubleDouble, x: DoubleDouble) => ofWholeOrder(n, x, false, ofPositive);

const FAR = 25;
/** Hankel's integral loses about n³/(8x²) powers of e. */
const MAX_CANCELLATION = 160;
/** Where -ln J_n(x) exceeds this, the saddle-point integral gives it with relative accuracy. */
const MIN_DEPTH = 12;

function ofPositive(n: number, x: DoubleDouble): DoubleDouble {
  if (x.high === 0) return n === 0 ? dd.ONE : dd.ZERO;
  if (x.high === Number.POSITIVE_INFINITY) return dd.ZERO;
  if (x.high >= Math.max(FAR, n) && n * n * n <= MAX_CANCELLATION * x.high * x.high) return byHankel(n, x);
  if (n > x.high) {
    const r = dd.squareRoot(dd.multiply(dd.subtract(dd.exactly(n), x), dd.add(dd.exactly(n), x)));
    // a with cosh a = n/x, as a difference, because the quotient may overflow
    const a = dd.subtract(log(dd.add(dd.exactly(n), r)), log(x));
    const exponent = dd.subtract(r, dd.multiplyByNumber(a, n));
    if (exponent.high < -MIN_DEPTH) return multiplyByExp(saddleIntegral(n, r), exponent);
  }
  return byBessel(n, x);
}

/**
 * Half a period is enough by symmetry, and a quarter with cos nθ cos(x sin θ) for even n and sin nθ sin(x sin θ) for
 * odd ones. The angles are rotated from point to point.
 */
function byBessel(n: number, x: DoubleDouble): DoubleDouble {
  const quarter = Math.ceil((n + firstNegligible(x.high)) / 4);
  const isOdd = n % 2 === 1;
  const step = dd.divideByNumber(HALF_PI, quarter);
  const [rotation, multipleRotation] = [sineCosine(step), sineCosine(dd.multiplyByNumber(step, n))];
  let [angle, multiple] = [ZERO_ANGLE, ZERO_ANGLE];
  let sum = dd.ZERO;
  for (let j = 0; j <= quarter; j++) {
    const across = sineCosine(dd.multiply(x, angle.sine));
    const value = isOdd ? dd.multiply(multiple.sine, across.sine) : dd.multiply(multiple.cosine, across.cosine);
    sum = dd.add(sum, j === 0 || j === quarter ? dd.scale(value, -1) : value);
    angle = rotated(angle, rotation);
    multiple = rotated(multiple, multipleRotation);
  }
  return dd.divideByNumber(sum, quarter);
}

const ZERO_ANGLE: SineCosine = { sine: dd.ZERO, cosine: dd.ONE };

/** The angle that is the sum of both. */
const rotated = (a: SineCosine, b: SineCosine): SineCosine => ({
  sine: dd.add(dd.multiply(a.sine, b.cosine), dd.multiply(a.cosine, b.sine)),
  cosine: dd.subtract(dd.multiply(a.cosine, b.cosine), dd.multiply(a.sine, b.sine)),
});

/** An order m above which J_m(x) < e^-80: by Debye, -ln J_m(x) is about m α - √(m² - x²) with cosh α = m/x. */
function firstNegligible(x: number): number {
  let m = Math.ceil(x) + 8;
  for (;;) {
    const root = Math.sqrt((m - x) * (m + x));
    if (m * logOfDouble((m + root) / x) - root > 80) return m;
    m += 8;
  }
}

/** Relative to the sum of all weights. */
const NEGLIGIBLE = 1e-36;

/**
 * The weight is nearly a Gaussian of variance ¼ (n > 0) or ½ (n = 0) around √n, and turns by √(n³)/x a unit of length.
 */
const stepFor = (n: number, x: number) => (n * n * n <= x * x ? 1 / 4 : 1 / 8);

/**
 * √(2/(πx)) (Re A cos ω - Im A sin ω) with ω = x - nπ/2 - π/4, where A is the mean of (1 + i u²/(2x))^(n - ½) under the
 * weight e^(-u²) u^(2n) on u > 0: that of t = u² in Hankel's integral, by one sum divided by another.
 */
function byHankel(n: number, x: DoubleDouble): DoubleDouble {
  const middle = Math.sqrt(n);
  const doubled = dd.scale(x, 1);
  let [real, imaginary, weights] = [dd.ZERO, dd.ZERO, dd.ZERO];
  const step = stepFor(n, x.high);
  const first = Math.max(0, Math.floor((middle - 7) / step));
  for (let j = first; ; j++) {
    const t = j * step * (j * step);
    const weight = weightAt(n, t);
    const factor = complexPower(n, dd.divide(dd.exactly(t), doubled));
    const size = Math.abs(factor.real.high) + Math.abs(factor.imaginary.high);
    if (t > n && weight.high * size < NEGLIGIBLE * weights.high) break;
    real = dd.add(real, dd.multiply(weight, factor.real));
    imaginary = dd.add(imaginary, dd.multiply(weight, factor.imaginary));
    weights = dd.add(weights, weight);
  }
  const { sine, cosine } = sineCosine(x);
  // √2 (cos ω, sin ω) for n = 0, then rotated back by n right angles.
  const c = dd.add(sine, cosine);
  const s = dd.subtract(sine, cosine);
  const quadrant = n % 4;
  const along = quadrant === 0 ? c : quadrant === 1 ? s : quadrant === 2 ? dd.negative(c) : dd.negative(s);
  const across = quadrant === 0 ? s : quadrant === 1 ? dd.negative(c) : quadrant === 2 ? dd.negative(s) : c;
  const wave = dd.subtract(dd.multiply(real, along), dd.multiply(imaginary, across));
  return dd.divide(wave, dd.multiply(weights, dd.squareRoot(dd.multiply(PI, x))));
}

/** e^(n - t) (t/n)^n, and half of 1 at the end of the axis, t = 0. */
function weightAt(n: number, t: number): DoubleDouble {
  if (n === 0) return t === 0 ? dd.scale(dd.ONE, -1) : exp(dd.exactly(-t));
  if (t === 0) return dd.ZERO;
  const relative = dd.divide(dd.exactly(t), dd.exactly(n));
  return exp(dd.addNumber(dd.multiplyByNumber(log(relative), n), n - t));
}

interface Complex {
  readonly real: DoubleDouble;
  readonly imaginary: DoubleDouble;
}

/** (1 + iz)^(n - ½) */
function complexPower(n: number, z: DoubleDouble): Complex {
  const base: Complex = { real: dd.ONE, imaginary: z };
  // 1/√(1 + iz) = √((1 - iz)/|1 + iz|²), whose real part is the larger one.
  const size = hypotenuse(dd.ONE, z);
  const real = dd.squareRoot(dd.scale(dd.divide(dd.addNumber(size, 1), dd.square(size)), -1));
  const imaginary = dd.divide(dd.negative(z), dd.scale(dd.multiply(dd.square(size), real), 1));
  let value: Complex = { real, imaginary };
  let factor = base;
  for (let left = n; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) value = product(value, factor);
    factor = product(factor, factor);
  }
  return value;
}

const product = (a: Complex, b: Complex): Complex => ({
  real: dd.subtract(dd.multiply(a.real, b.real), dd.multiply(a.imaginary, b.imaginary)),
  imaginary: dd.add(dd.multiply(a.real, b.imaginary), dd.multiply(a.imaginary, b.real)),
});
