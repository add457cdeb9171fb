// Functions that an expression may call. A new function needs a number in opcodes.ts and a case here.
//
// Elementary functions are AssemblyScript's own (fdlibm and ARM optimized-routines algorithms), the others are in
// numerics/special, so that every engine gives the same bits. Outside its domain a function gives NaN, at a pole an
// infinity. None traps.
import '../numerics/trigonometric';
import { besselI } from '../numerics/special/bessel-i';
import { besselJ } from '../numerics/special/bessel-j';
import { besselK } from '../numerics/special/bessel-k';
import { choose } from '../numerics/special/binomial';
import { ellipticE, ellipticK } from '../numerics/special/elliptic';
import { erf, erfc } from '../numerics/special/error-function';
import { exponentialIntegral } from '../numerics/special/exponential-integral';
import { factorial, gamma, logGamma } from '../numerics/special/gamma';
import { lambertW } from '../numerics/special/lambert-w';
import { langevin } from '../numerics/special/langevin';
import { normalDensity, normalDistribution, normalQuantile } from '../numerics/special/normal';
import { zeta } from '../numerics/special/zeta';
import * as op from './opcodes';

export function unary(operation: i32, x: f64): f64 {
  switch (operation) {
    case op.SQRT:
      return Math.sqrt(x);
    case op.CBRT:
      return Math.cbrt(x);
    case op.ABS:
      return Math.abs(x);
    case op.SIGN:
      return Math.sign(x);
    case op.FLOOR:
      return Math.floor(x);
    case op.CEIL:
      return Math.ceil(x);
    case op.ROUND:
      return Math.round(x); // halves go up: round(-2.5) = -2
    case op.EXP:
      return Math.exp(x);
    case op.EXPM1:
      return Math.expm1(x);
    case op.LOG:
      return Math.log(x);
    case op.LOG1P:
      return Math.log1p(x);
    case op.LOG10:
      return Math.log10(x);
    case op.LOG2:
      return Math.log2(x);
    case op.SIN:
      return Math.sin(x);
    case op.COS:
      return Math.cos(x);
    case op.TAN:
      return Math.tan(x);
    case op.ASIN:
      return Math.asin(x);
    case op.ACOS:
      return Math.acos(x);
    case op.ATAN:
      return Math.atan(x);
    case op.SINH:
      return Math.sinh(x);
    case op.COSH:
      return Math.cosh(x);
    case op.TANH:
      return Math.tanh(x);
    case op.ASINH:
      return Math.asinh(x);
    case op.ACOSH:
      return Math.acosh(x);
    case op.ATANH:
      return Math.atanh(x);
    case op.SINC:
      return x === 0 ? 1 : Math.sin(x) / x; // unnormalised: zeros at multiples of pi
    case op.ERF:
      return erf(x);
    case op.ERFC:
      return erfc(x);
    case op.NORMCDF:
      return normalDistribution(x);
    case op.NORMPDF:
      return normalDensity(x);
    case op.NORMINV:
      return normalQuantile(x);
    case op.GAMMA:
      return gamma(x);
    case op.LGAMMA:
      return logGamma(x);
    case op.FACTORIAL:
      return factorial(x);
    case op.ELLIPK:
      return ellipticK(x);
    case op.ELLIPE:
      return ellipticE(x);
    case op.EXPINT1:
      return exponentialIntegral(x);
    case op.ZETA:
      return zeta(x);
    case op.LANGEVIN:
      return langevin(x);
    default:
      return NaN;
  }
}

export function binary(operation: i32, x: f64, y: f64): f64 {
  switch (operation) {
    case op.MIN:
      return Math.min(x, y);
    case op.MAX:
      return Math.max(x, y);
    case op.HYPOT:
      return Math.hypot(x, y);
    case op.ATAN2:
      return Math.atan2(x, y); // atan2(y, x), as in C
    case op.CHOOSE:
      return choose(x, y);
    case op.BESSELJ:
      return besselJ(x, y);
    case op.BESSELI:
      return besselI(x, y);
    case op.BESSELK:
      return besselK(x, y);
    case op.LAMBERTW:
      return lambertW(x, y);
    default:
      return NaN;
  }
}
