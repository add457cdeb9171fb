// Programs over one vector of slots: each reads any slot and gives one value.
//
// The slots are t, the states, the algebraic values, then what stays constant. A row of the table is i32[3]: where the
// program's code and its constants begin, and the slot that its value belongs to.
import { evaluate, FAILURE_NONE, failure } from '../../expression/machine';
import { get, set } from '../../numerics/vector';

let code: usize = 0;
let pool: usize = 0;
let table: usize = 0;
let stack: usize = 0;

/** Why the machine gave up, or FAILURE_NONE, and in which program. */
let fault: i32 = FAILURE_NONE;
let faultAt: i32 = 0;

const ROW: usize = 12;

export function usePrograms(codeAt: usize, poolAt: usize, tableAt: usize, stackAt: usize): void {
  code = codeAt;
  pool = poolAt;
  table = tableAt;
  stack = stackAt;
  fault = FAILURE_NONE;
  faultAt = 0;
}

export function programFault(): i32 {
  return fault;
}

export function faultyProgram(): i32 {
  return faultAt;
}

export function targetOf(program: i32): i32 {
  return load<i32>(table + <usize>program * ROW, 8);
}

/** The value of one program; NaN with `programFault()` set if the machine gave up. */
export function programValue(program: i32, slots: usize): f64 {
  const row = table + <usize>program * ROW;
  const value = evaluate(code + ((<usize>load<i32>(row)) << 2), pool + ((<usize>load<i32>(row, 4)) << 3), slots, stack);
  if (failure() !== FAILURE_NONE && fault === FAILURE_NONE) {
    fault = failure();
    faultAt = program;
  }
  return value;
}

/** Programs `from` … `to` − 1, in order, each into its own slot. */
export function assign(from: i32, to: i32, slots: usize): void {
  for (let program = from; program < to; program++) set(slots, targetOf(program), programValue(program, slots));
}

/** Programs `from` … `to` − 1 into out[0] … */
export function collect(from: i32, to: i32, slots: usize, out: usize): void {
  for (let program = from; program < to; program++) set(out, program - from, programValue(program, slots));
}

/** Index of the first of n values that is not finite, or −1. */
export function firstNonFinite(values: usize, n: i32): i32 {
  for (let i = 0; i < n; i++) if (!isFinite(get(values, i))) return i;
  return -1;
}
