// Functions that a compiled expression imports from its kernel: the frequent ones by name, the others by opcode.
//
// They are the machine's own (functions.ts), so a compiled expression has the bits of the machine. A kernel that
// re-exports them all can be linked; the gate scripts/gates/compiled-expressions.ts lists the names. They are few,
// because engines inline much more in a module with many small functions: 47 exports made the interpreter's loop 1.7
// times as slow.
export { binary, unary } from './functions';

export function pow(x: f64, y: f64): f64 {
  return x ** y;
}

export function exp(x: f64): f64 {
  return Math.exp(x);
}

export function log(x: f64): f64 {
  return Math.log(x);
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
