// Exports AssemblyScript's mathematical functions as compiled into the kernels.

export function sin(x: f64): f64 {
  return Math.sin(x);
}

export function cos(x: f64): f64 {
  return Math.cos(x);
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

export function cosh(x: f64): f64 {
  return Math.cosh(x);
}
