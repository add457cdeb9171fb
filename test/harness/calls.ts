// Two loops over memory: one is tight, one calls a function that cannot be inlined.

function factorial(x: f64): f64 {
  return x < 2 ? 1 : x * factorial(x - 1);
}

export function tight(v: usize, n: i32): void {
  for (let i = 0; i < n; i++) store<f64>(v + ((<usize>i) << 3), <f64>i);
}

export function calling(v: usize, n: i32): void {
  for (let i = 0; i < n; i++) store<f64>(v + ((<usize>i) << 3), factorial(<f64>i));
}
