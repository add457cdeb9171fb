// The ABI of every kernel: one control block, seven functions, and the names of what it reads and writes.
//
//   abi()             the version of this ABI
//   control()         address of the control block (below)
//   reserve()         read the parameters, check them, allocate everything; info
//   start()           set the initial state from parameters and input views; info
//   advance(steps)    run at most that many steps, then return; info
//   view(i)           address of array i; extent(i): its length in elements
//
// A host writes the parameters, calls reserve, writes the input views, calls start, calls advance
// until `done` reaches the required number of steps, and reads the output views and statistics.
// How steps are grouped into calls of advance never changes a bit of the result. A long step may take many calls:
// `done` is then a fraction that rises with each. advance returns early where work of another cost begins.
//
// info follows LAPACK: 0 success, -i parameter i (counted from 1) is illegal, > 0 an outcome.
//
// An entry exports the positions, counted from 0, as enums, so that every module describes itself:
//
//   Parameter        of `parameter`; info is -1 - i, see `illegal` in parameters.ts
//   View             of `view` and `extent`
//   Statistic        of `setStatistic`
//   <Record>Column   of the columns of a row-major record that the kernel writes: HistoryColumn, EventColumn
//
// The module carries each member as an i32 global, "Parameter.steps". Hosts know names only.

export const ABI_VERSION: i32 = 2;

export const INFO_OK: i32 = 0;
export const INFO_NOT_CONVERGED: i32 = 1;
export const INFO_NON_FINITE: i32 = 2;
export const INFO_OUT_OF_MEMORY: i32 = 3;
/** A structure of fixed capacity overflowed (a neighbour list, a stack): an outcome of the case, not a defect. */
export const INFO_CAPACITY: i32 = 4;

const PARAMETERS: usize = 64;
const STATISTICS: usize = 64;

// Control block: f64 done, f64 reserved, f64 parameters[64], f64 statistics[64].
const BLOCK: usize = memory.data(16 + (64 + 64) * 8, 16);

export function abi(): i32 {
  return ABI_VERSION;
}

export function control(): usize {
  return BLOCK;
}

/** Publishes the number of steps done so far to the host. */
export function setDone(steps: f64): void {
  store<f64>(BLOCK, steps);
}

/** Parameter i, a member of the kernel's `Parameter`. */
export function parameter(i: i32): f64 {
  return load<f64>(BLOCK + 16 + ((<usize>i) << 3));
}

/** Publishes statistic i, a member of the kernel's `Statistic`. */
export function setStatistic(i: i32, value: f64): void {
  store<f64>(BLOCK + 16 + PARAMETERS * 8 + ((<usize>i) << 3), value);
}

export function statistic(i: i32): f64 {
  return load<f64>(BLOCK + 16 + PARAMETERS * 8 + ((<usize>i) << 3));
}

/** Clears the results of a previous run from the control block. `reserve` calls it first. */
export function resetControl(): void {
  setDone(0);
  memory.fill(BLOCK + 16 + PARAMETERS * 8, 0, STATISTICS * 8);
}

// The arena: `reserve` allocates everything a run needs, nothing is freed, and the next run starts again at the
// bottom. So a reused instance neither leaks nor fragments.
let arenaTop: usize = __heap_base;
/** Memory from here on has never been allocated and is zero. Clearing what nobody used would take a long call of its pages. */
let untouched: usize = __heap_base;

/** Discards all allocations of an earlier run. */
export function resetArena(): void {
  arenaTop = (__heap_base + 63) & ~63;
}

/**
 * Allocates `bytes` of zeroed memory, aligned to a 64-byte cache line.
 *
 * @returns the address, or 0 if the instance's maximum memory is exhausted
 */
export function allocate(bytes: usize): usize {
  const address = arenaTop;
  const end = (address + bytes + 63) & ~63;
  if (end < address) return 0;
  const available = (<usize>memory.size()) << 16;
  if (end > available) {
    const pages = (end - available + 0xffff) >>> 16;
    if (memory.grow(<i32>pages) < 0) return 0;
  }
  if (address < untouched) memory.fill(address, 0, min(end, untouched) - address);
  untouched = max(untouched, end);
  arenaTop = end;
  return address;
}

/** f64[n], zeroed. */
export function allocateF64(n: i32): usize {
  return allocate((<usize>n) << 3);
}
