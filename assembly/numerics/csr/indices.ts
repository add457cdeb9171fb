// Raw i32 vectors: an address and an index. The caller guarantees the bounds; `reserve` sets the sizes.
import { allocate } from '../../kernel';

export function getIndex(v: usize, i: i32): i32 {
  return load<i32>(v + ((<usize>i) << 2));
}

export function setIndex(v: usize, i: i32, value: i32): void {
  store<i32>(v + ((<usize>i) << 2), value);
}

/** i32[n], zeroed; at least one element, so that 0 means that there is no memory. */
export function allocateIndices(n: i32): usize {
  return allocate((<usize>max(n, 1)) << 2);
}
