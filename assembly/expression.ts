// The expression kernel: one program over many rows of slots.
//
// One step is one row. A value may be infinite or NaN; a failure of the machine (expression/machine.ts)
// stops the run with INFO_CAPACITY, and `done` holds the row. A linked module (expression/compiled.ts)
// evaluates blocks of rows.
//
// Compressed size: at most 24 kB, because an operator's page loads it before the first value. Most of it is the machine
// and the functions that it calls.
//
// Calls in inner loops: each row runs the interpreter, which calls sin, exp and similar functions.
import { assertSame, compiledRows, unlink } from './expression/compiled';
import { evaluate, FAILURE_NONE, failure, STACK_VALUES } from './expression/machine';
import {
  allocate,
  allocateF64,
  INFO_CAPACITY,
  INFO_OK,
  INFO_OUT_OF_MEMORY,
  parameter,
  resetArena,
  resetControl,
  setDone,
  setStatistic,
} from './kernel';
import { illegal, isIntegerBetween } from './parameters';

export { link } from './expression/compiled';
export * from './expression/elementary';
export { abi, control } from './kernel';

/** Lengths of the arrays; `slots` is the number of slots in a row. */
export enum Parameter {
  codeWords,
  poolValues,
  slots,
  rows,
}

/** In: code i32[codeWords], pool f64[poolValues], slots f64[rows, slots]. Out: values f64[rows]. */
export enum View {
  code,
  pool,
  slots,
  values,
}

/** failure: why the machine stopped, FAILURE_… of expression/machine.ts. */
export enum Statistic {
  failure,
}

/** Maximum length of one array: far above any use, low enough that byte counts fit an i32. */
const MAX_ELEMENTS: f64 = 16_777_216;

let codeWords: i32 = 0;
let poolValues: i32 = 0;
let slotCount: i32 = 0;
let rows: i32 = 0;
let row: i32 = 0;

let code: usize = 0;
let pool: usize = 0;
let slots: usize = 0;
let values: usize = 0;
let stack: usize = 0;

/** @returns info: 0; -i if parameter i is not an integer in range; 3 if out of memory */
export function reserve(): i32 {
  resetControl();
  resetArena();
  unlink();
  if (!isIntegerBetween(parameter(Parameter.codeWords), 1, MAX_ELEMENTS)) return illegal(Parameter.codeWords);
  if (!isIntegerBetween(parameter(Parameter.poolValues), 0, MAX_ELEMENTS)) return illegal(Parameter.poolValues);
  if (!isIntegerBetween(parameter(Parameter.slots), 0, MAX_ELEMENTS)) return illegal(Parameter.slots);
  if (!isIntegerBetween(parameter(Parameter.rows), 1, MAX_ELEMENTS)) return illegal(Parameter.rows);
  if (parameter(Parameter.slots) * parameter(Parameter.rows) > MAX_ELEMENTS) return illegal(Parameter.rows);
  codeWords = <i32>parameter(Parameter.codeWords);
  poolValues = <i32>parameter(Parameter.poolValues);
  slotCount = <i32>parameter(Parameter.slots);
  rows = <i32>parameter(Parameter.rows);

  stack = allocateF64(STACK_VALUES);
  code = allocate((<usize>codeWords) << 2);
  pool = allocateF64(poolValues);
  slots = allocateF64(slotCount * rows);
  values = allocateF64(rows);
  return stack && code && pool && slots && values ? INFO_OK : INFO_OUT_OF_MEMORY;
}

/** @returns info: 0 */
export function start(): i32 {
  row = 0;
  return INFO_OK;
}

/**
 * Evaluate the next `steps` rows.
 *
 * @returns info: 0; 4 if the machine failed on row `done`, with the failure code in its statistic
 */
export function advance(steps: i32): i32 {
  const stride = (<usize>slotCount) << 3;
  const end = row + min(steps, rows - row);
  while (row < end) {
    const first = row;
    row += compiledRows(pool, slots + <usize>row * stride, values + ((<usize>row) << 3), end - row);
    // The machine checks the first row of every block, and evaluates the rows that the module leaves.
    const isCheck = row > first;
    const at = isCheck ? first : row;
    const value = evaluate(code, pool, slots + <usize>at * stride, stack);
    if (isCheck) {
      assertSame(load<f64>(values + ((<usize>at) << 3)), value);
      continue;
    }
    if (failure() !== FAILURE_NONE) {
      setDone(<f64>row);
      setStatistic(Statistic.failure, <f64>failure());
      return INFO_CAPACITY;
    }
    store<f64>(values + ((<usize>row) << 3), value);
    row++;
  }
  setDone(<f64>row);
  return INFO_OK;
}

export function view(i: i32): usize {
  if (i === View.code) return code;
  if (i === View.pool) return pool;
  if (i === View.slots) return slots;
  return i === View.values ? values : 0;
}

export function extent(i: i32): i32 {
  if (i === View.code) return codeWords;
  if (i === View.pool) return poolValues;
  if (i === View.slots) return slotCount * rows;
  return i === View.values ? rows : 0;
}
