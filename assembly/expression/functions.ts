// The functions that an expression may call. A new one is a number in opcodes.ts and a line here.
//
// All mathematics is AssemblyScript's own (fdlibm and ARM optimized-routines algorithms), so that every engine gives the
// same bits. Outside its domain a function gives NaN, at a pole an infinity; nothing traps.
import '../numerics/trigonometric';
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
      return Math.atan2(x, y); // atan2(y, x), as everywhere
    default:
      return NaN;
  }
}
