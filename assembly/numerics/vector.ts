// Raw f64 vectors: an address and an index. The caller guarantees the bounds; `reserve` sets the sizes.

export function get(v: usize, i: i32): f64 {
  return load<f64>(v + ((<usize>i) << 3));
}

export function set(v: usize, i: i32, value: f64): void {
  store<f64>(v + ((<usize>i) << 3), value);
}

/** to[i] = from[i], i < n. A loop: memory.copy calls the engine, which takes longer for a few values. */
export function copyValues(to: usize, from: usize, n: i32): void {
  for (let i = 0; i < n; i++) set(to, i, get(from, i));
}
