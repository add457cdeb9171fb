// Two loops over memory: one without calls, one that calls a function that cannot be inlined.

function factorial(x: f64): f64 {
  return x < 2 ? 1 : x * factorial(x - 1);
}

export function withoutCall(v: usize, n: i32): void {
  for (let i = 0; i < n; i++) store<f64>(v + ((<usize>i) << 3), <f64>i);
}

export function withCall(v: usize, n: i32): void {
  for (let i = 0; i < n; i++) store<f64>(v + ((<usize>i) << 3), factorial(<f64>i));
}
