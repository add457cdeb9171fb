// Allocation of many arrays: whether one of them found no memory is asked once, at the end.
//
// Called through a reference, as the compiler would otherwise copy the allocation into each of its sixty callers, and
// make the module a third larger.
import { allocate } from '../../kernel';

let isShort = false;
let allocator: (bytes: i32) => usize = none;

function none(bytes: i32): usize {
  isShort = bytes >= 0;
  return 0;
}

function some(bytes: i32): usize {
  const at = allocate(<usize>bytes);
  if (at === 0) isShort = true;
  return at;
}

export function beginMemory(): void {
  isShort = false;
  allocator = some;
}

/** Whether every array since the beginning was allocated. */
export function hasMemory(): bool {
  return !isShort;
}

export function take(bytes: i32): usize {
  return allocator(bytes);
}

/** f64[n], zeroed. */
export function takeF64(n: i32): usize {
  return allocator(n << 3);
}

/** i32[n], zeroed. */
export function takeI32(n: i32): usize {
  return allocator(n << 2);
}
