// Functions that a compiled expression imports from its kernel, under the names of the expression language.
//
// They are the machine's own (functions.ts), so a compiled expression has the bits of the machine. A kernel that
// re-exports them all can be linked; src/kernels/compiled-expressions.ts lists the names and imports no others.
import '../numerics/trigonometric';

export { besselI as besseli } from '../numerics/special/bessel-i';
export { besselJ as besselj } from '../numerics/special/bessel-j';
export { besselK as besselk } from '../numerics/special/bessel-k';
export { choose } from '../numerics/special/binomial';
export { ellipticE as ellipe, ellipticK as ellipk } from '../numerics/special/elliptic';
export { erf, erfc } from '../numerics/special/error-function';
export { exponentialIntegral as expint1 } from '../numerics/special/exponential-integral';
export { factorial, gamma, logGamma as lgamma } from '../numerics/special/gamma';
export { lambertW as lambertw } from '../numerics/special/lambert-w';
export { langevin } from '../numerics/special/langevin';
export {
  normalDensity as normpdf,
  normalDistribution as normcdf,
  normalQuantile as norminv,
} from '../numerics/special/normal';
export { zeta } from '../numerics/special/zeta';

export function pow(x: f64, y: f64): f64 {
  return x ** y;
}

export function cbrt(x: f64): f64 {
  return Math.cbrt(x);
}

export function sign(x: f64): f64 {
  return Math.sign(x);
}

export function round(x: f64): f64 {
  return Math.round(x);
}

export function exp(x: f64): f64 {
  return Math.exp(x);
}

export function expm1(x: f64): f64 {
  return Math.expm1(x);
}

export function log(x: f64): f64 {
  return Math.log(x);
}

export function log1p(x: f64): f64 {
  return Math.log1p(x);
}

export function log10(x: f64): f64 {
  return Math.log10(x);
}

export function log2(x: f64): f64 {
  return Math.log2(x);
}

export function sin(x: f64): f64 {
  return Math.sin(x);
}

export function cos(x: f64): f64 {
  return Math.cos(x);
}

export function tan(x: f64): f64 {
  return Math.tan(x);
}

export function asin(x: f64): f64 {
  return Math.asin(x);
}

export function acos(x: f64): f64 {
  return Math.acos(x);
}

export function atan(x: f64): f64 {
  return Math.atan(x);
}

export function sinh(x: f64): f64 {
  return Math.sinh(x);
}

export function cosh(x: f64): f64 {
  return Math.cosh(x);
}

export function tanh(x: f64): f64 {
  return Math.tanh(x);
}

export function asinh(x: f64): f64 {
  return Math.asinh(x);
}

export function acosh(x: f64): f64 {
  return Math.acosh(x);
}

export function atanh(x: f64): f64 {
  return Math.atanh(x);
}

/** Unnormalised: zeros at multiples of pi. */
export function sinc(x: f64): f64 {
  return x === 0 ? 1 : Math.sin(x) / x;
}

export function hypot(x: f64, y: f64): f64 {
  return Math.hypot(x, y);
}

/** The arguments are y, x, as in C. */
export function atan2(x: f64, y: f64): f64 {
  return Math.atan2(x, y);
}
