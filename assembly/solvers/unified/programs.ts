// Programs over one vector of slots: each reads any slots and returns one value.
//
// The slots are t, the states, the algebraic values, then the constants. A row of the table is i32[3]: offset of the
// program's code, offset of its constants, and target slot of its value.
import { assertSame } from '../../expression/compiled';
import { evaluate, FAILURE_NONE, failure } from '../../expression/machine';
import { get, set } from '../../numerics/vector';

let code: usize = 0;
let pool: usize = 0;
let table: usize = 0;
let stack: usize = 0;

/** First failure of the machine, or FAILURE_NONE, and the program that failed. */
let failureCode: i32 = FAILURE_NONE;
let failedProgram: i32 = 0;

const ROW: usize = 12;

export function initPrograms(codeAddress: usize, poolAddress: usize, tableAddress: usize, stackAddress: usize): void {
  code = codeAddress;
  pool = poolAddress;
  table = tableAddress;
  stack = stackAddress;
  failureCode = FAILURE_NONE;
  failedProgram = 0;
}

export function programFailure(): i32 {
  return failureCode;
}

export function failingProgram(): i32 {
  return failedProgram;
}

export function targetOf(program: i32): i32 {
  return load<i32>(table + <usize>program * ROW, 8);
}

/** The value of one program; NaN with `programFailure()` set if the machine failed. */
export function programValue(program: i32, slots: usize): f64 {
  const row = table + <usize>program * ROW;
  const value = evaluate(code + ((<usize>load<i32>(row)) << 2), pool + ((<usize>load<i32>(row, 4)) << 3), slots, stack);
  if (failure() !== FAILURE_NONE && failureCode === FAILURE_NONE) {
    failureCode = failure();
    failedProgram = program;
  }
  return value;
}

/** Evaluates programs `from` … `to` − 1, in order, each into its target slot. */
export function assign(from: i32, to: i32, slots: usize): void {
  for (let program = from; program < to; program++) set(slots, targetOf(program), programValue(program, slots));
}

/** Evaluates programs `from` … `to` − 1 into out[0] … */
export function collect(from: i32, to: i32, slots: usize, out: usize): void {
  for (let program = from; program < to; program++) set(out, program - from, programValue(program, slots));
}

/** Compares the values of programs `from` … `to` − 1 in their target slots with those of the machine. */
export function assertAssigned(from: i32, to: i32, slots: usize): void {
  for (let program = from; program < to; program++) {
    assertSame(get(slots, targetOf(program)), programValue(program, slots));
  }
}

/** Compares out[0] … with the values of programs `from` … `to` − 1 of the machine. */
export function assertCollected(from: i32, to: i32, slots: usize, out: usize): void {
  for (let program = from; program < to; program++) {
    assertSame(get(out, program - from), programValue(program, slots));
  }
}

/** Index of the first of n values that is not finite, or −1. */
export function firstNonFinite(values: usize, n: i32): i32 {
  for (let i = 0; i < n; i++) if (!isFinite(get(values, i))) return i;
  return -1;
}
