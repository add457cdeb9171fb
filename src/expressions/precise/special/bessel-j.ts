// J_n(x) of whole order in double-double, by quadrature everywhere, where the kernel has series, expansions and recurrences.
//
// Three integrals, all by the trapezoidal rule: Bessel's own, (1/π) ∫ cos(n θ - x sin θ) dθ, which is right in absolute
// terms; for n well above x, where J_n is tiny, the same on the path through the saddle point; and for large x Hankel's
// representation of H_n = J_n + i Y_n, which does not oscillate as long as n³ is small against x² (NIST Digital Library of
// Mathematical Functions, §10.9.2, §10.9.17; Watson, A Treatise on the Theory of Bessel Functions, §6.12). Error below 1e-20:
// relative for n >= x; beyond, a part of the amplitude √(2/(πx)).

import { log as logOfDouble } from '../../../core/elementary.ts';
import { HALF_PI, PI } from '../constants.ts';
import {
  add,
  addNumber,
  type DoubleDouble,
  divide,
  divideByNumber,
  exactly,
  multiply,
  multiplyByNumber,
  negative,
  ONE,
  scale,
  square,
  squareRoot,
  subtract,
  ZERO,
} from '../double-double.ts';
import { exp, multiplyByExp } from '../exponential.ts';
import { log } from '../logarithm.ts';
import { hypotenuse } from '../power.ts';
import { type SineCosine, sineCosine } from '../trigonometric.ts';
import { ofWholeOrder } from './bessel.ts';
import { saddleIntegral } from './saddle-integral.ts';

export const besselJ = (n: DoubleDouble, x: DoubleDouble) => ofWholeOrder(n, x, false, ofPositive);

const FAR = 25;
/** Hankel's integral loses about n³/(8x²) powers of e. */
const CANCELLING = 160;
/** -ln of J_n(x) from which on it is taken relative to its own size. */
const DEEP = 12;

function ofPositive(n: number, x: DoubleDouble): DoubleDouble {
  if (x.high === 0) return n === 0 ? ONE : ZERO;
  if (x.high === Number.POSITIVE_INFINITY) return ZERO;
  if (x.high >= Math.max(FAR, n) && n * n * n <= CANCELLING * x.high * x.high) return byHankel(n, x);
  if (n > x.high) {
    const r = squareRoot(multiply(subtract(exactly(n), x), add(exactly(n), x)));
    // a with cosh a = n/x, as a difference, because the quotient may overflow
    const a = subtract(log(add(exactly(n), r)), log(x));
    const exponent = subtract(r, multiplyByNumber(a, n));
    if (exponent.high < -DEEP) return multiplyByExp(saddleIntegral(n, r), exponent);
  }
  return byBessel(n, x);
}

/**
 * Half a period is enough by symmetry, and a quarter with cos nθ cos(x sin θ) for even n and sin nθ sin(x sin θ) for odd
 * ones. The angles are turned on from point to point.
 */
function byBessel(n: number, x: DoubleDouble): DoubleDouble {
  const quarter = Math.ceil((n + firstNegligible(x.high)) / 4);
  const isOdd = n % 2 === 1;
  const step = divideByNumber(HALF_PI, quarter);
  const [turn, manyTurns] = [sineCosine(step), sineCosine(multiplyByNumber(step, n))];
  let [angle, multiple] = [ZERO_ANGLE, ZERO_ANGLE];
  let sum = ZERO;
  for (let j = 0; j <= quarter; j++) {
    const across = sineCosine(multiply(x, angle.sine));
    const value = isOdd ? multiply(multiple.sine, across.sine) : multiply(multiple.cosine, across.cosine);
    sum = add(sum, j === 0 || j === quarter ? scale(value, -1) : value);
    angle = turned(angle, turn);
    multiple = turned(multiple, manyTurns);
  }
  return divideByNumber(sum, quarter);
}

const ZERO_ANGLE: SineCosine = { sine: ZERO, cosine: ONE };

/** The angle that is the sum of both. */
const turned = (a: SineCosine, b: SineCosine): SineCosine => ({
  sine: add(multiply(a.sine, b.cosine), multiply(a.cosine, b.sine)),
  cosine: subtract(multiply(a.cosine, b.cosine), multiply(a.sine, b.sine)),
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

/** Part of the sum of all weights. */
const NEGLIGIBLE = 1e-36;

/** The weight is nearly a Gaussian of variance ¼ (n > 0) or ½ (n = 0) around √n, and turns by √(n³)/x a unit of length. */
const stepFor = (n: number, x: number) => (n * n * n <= x * x ? 1 / 4 : 1 / 8);

/**
 * √(2/(πx)) (Re A cos ω - Im A sin ω) with ω = x - nπ/2 - π/4, where A is the mean of (1 + i u²/(2x))^(n - ½) under the weight
 * e^(-u²) u^(2n) on u > 0: that of t = u² in Hankel's integral, by one sum divided by another.
 */
function byHankel(n: number, x: DoubleDouble): DoubleDouble {
  const middle = Math.sqrt(n);
  const doubled = scale(x, 1);
  let [real, imaginary, weights] = [ZERO, ZERO, ZERO];
  const step = stepFor(n, x.high);
  const first = Math.max(0, Math.floor((middle - 7) / step));
  for (let j = first; ; j++) {
    const t = j * step * (j * step);
    const weight = weightAt(n, t);
    const factor = complexPower(n, divide(exactly(t), doubled));
    const size = Math.abs(factor.real.high) + Math.abs(factor.imaginary.high);
    if (t > n && weight.high * size < NEGLIGIBLE * weights.high) break;
    real = add(real, multiply(weight, factor.real));
    imaginary = add(imaginary, multiply(weight, factor.imaginary));
    weights = add(weights, weight);
  }
  const { sine, cosine } = sineCosine(x);
  // √2 (cos ω, sin ω) for n = 0, then turned back by n right angles.
  const c = add(sine, cosine);
  const s = subtract(sine, cosine);
  const turns = n % 4;
  const along = turns === 0 ? c : turns === 1 ? s : turns === 2 ? negative(c) : negative(s);
  const across = turns === 0 ? s : turns === 1 ? negative(c) : turns === 2 ? negative(s) : c;
  const wave = subtract(multiply(real, along), multiply(imaginary, across));
  return divide(wave, multiply(weights, squareRoot(multiply(PI, x))));
}

/** e^(n - t) (t/n)^n, and half of 1 at the end of the axis, t = 0. */
function weightAt(n: number, t: number): DoubleDouble {
  if (n === 0) return t === 0 ? scale(ONE, -1) : exp(exactly(-t));
  if (t === 0) return ZERO;
  const relative = divide(exactly(t), exactly(n));
  return exp(addNumber(multiplyByNumber(log(relative), n), n - t));
}

interface Complex {
  readonly real: DoubleDouble;
  readonly imaginary: DoubleDouble;
}

/** (1 + iz)^(n - ½) */
function complexPower(n: number, z: DoubleDouble): Complex {
  const base: Complex = { real: ONE, imaginary: z };
  // 1/√(1 + iz) = √((1 - iz)/|1 + iz|²), whose real part is the larger one.
  const size = hypotenuse(ONE, z);
  const real = squareRoot(scale(divide(addNumber(size, 1), square(size)), -1));
  const imaginary = divide(negative(z), scale(multiply(square(size), real), 1));
  let value: Complex = { real, imaginary };
  let factor = base;
  for (let left = n; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) value = product(value, factor);
    factor = product(factor, factor);
  }
  return value;
}

const product = (a: Complex, b: Complex): Complex => ({
  real: subtract(multiply(a.real, b.real), multiply(a.imaginary, b.imaginary)),
  imaginary: add(multiply(a.real, b.imaginary), multiply(a.imaginary, b.real)),
});
