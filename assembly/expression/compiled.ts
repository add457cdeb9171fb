// Functions that the host compiled from the byte code of the current run and linked into the kernel's table.
//
// They only save time: they leave the bits of the machine, and any row that they leave undone goes to the machine.
// So a failure (a sum without valid bounds, a spent budget) needs no code here: the module stops before the row, and
// the machine reports the failure.

/** Maximum rows of one call: a function that is called often reaches the optimizing compiler, a long call never does. */
const BLOCK_ROWS: i32 = 1024;

/** Indices in the table, which has no function at 0. */
let entry: i32 = 0;
let stepEntry: i32 = 0;

/**
 * Links the functions at these indices of the table until the next `reserve`. The host calls it before `start`.
 *
 * @param step  whole steps of a system; 0 for none
 */
export function link(rows: i32, step: i32): void {
  entry = rows;
  stepEntry = step;
}

export function unlink(): void {
  entry = 0;
  stepEntry = 0;
}

/**
 * Evaluates rows from the first on, at most BLOCK_ROWS.
 *
 * @param pool   f64[], the constants
 * @param slots  f64[count, slots], row by row
 * @param out    f64[count], or f64[n] for the slopes of one row
 * @returns      the number of rows that are done; 0 without a linked module, or if the machine must do the first row
 */
export function compiledRows(pool: usize, slots: usize, out: usize, count: i32): i32 {
  if (entry === 0) return 0;
  return call_indirect<i32>(entry, pool, slots, out, min(count, BLOCK_ROWS));
}

/**
 * One step of Dormand and Prince's method, as `explicitStep` (numerics/ode/explicit.ts) does it.
 *
 * @returns whether it is done; if not, nothing is written
 */
export function compiledStep(
  pool: usize,
  slots: usize,
  k: usize,
  y: usize,
  out: usize,
  times: usize,
  weights: usize,
  t: f64,
  h: f64,
): bool {
  if (stepEntry === 0) return false;
  return call_indirect<i32>(stepEntry, pool, slots, k, y, out, times, weights, t, h) !== 0;
}

/** Stops the run where a compiled value has other bits than the machine's: a defect of the compiler. */
export function assertSame(compiled: f64, machine: f64): void {
  if (reinterpret<u64>(compiled) !== reinterpret<u64>(machine)) unreachable();
}
