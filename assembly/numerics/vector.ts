// Raw f64 vectors: an address and an index. The caller guarantees the bounds; `reserve` sets the sizes.

export function get(v: usize, i: i32): f64 {
  return load<f64>(v + ((<usize>i) << 3));
}

export function set(v: usize, i: i32, value: f64): void {
  store<f64>(v + ((<usize>i) << 3), value);
}
