// The expression kernel: one program over many rows of slots.
//
// One step is one row. A value may be infinite or NaN; a failure of the machine (expression/machine.ts)
// stops the run with INFO_CAPACITY, and `done` holds the row. A linked module (expression/compiled.ts)
// evaluates blocks of rows. With `sources`, the rows are drawn instead of given (expression/samples.ts).
//
// Compressed size: at most 24 kB, because an operator's page loads it before the first value. Most of it is the machine
// and the functions that it calls.
//
// Calls in inner loops: each row runs the interpreter, which calls sin, exp and similar functions.
import { assertSame, compiledRows, unlink } from './expression/compiled';
import { evaluate, FAILURE_NONE, failure, STACK_VALUES } from './expression/machine';
import { drawRow, LIMIT_COLUMNS } from './expression/samples';
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
import { seedRandom } from './numerics/random';
import { illegal, isIntegerBetween } from './parameters';

export { link } from './expression/compiled';
export * from './expression/elementary';
export { abi, control } from './kernel';

/**
 * Lengths of the arrays; `slots` is the number of slots in a row. `sources` is 0 for given rows; otherwise the rows are
 * drawn, from this many independent deviates each, with the key `seed`.
 */
export enum Parameter {
  codeWords,
  poolValues,
  slots,
  rows,
  sources,
  seed,
}

/**
 * In: code i32[codeWords], pool f64[poolValues], slots f64[rows, slots]; for drawn rows slots f64[slots], the centers,
 * with factors f64[slots, sources] and limits f64[slots, 3]. Out: values f64[rows].
 */
export enum View {
  code,
  pool,
  slots,
  values,
  factors,
  limits,
}

/**
 * failure: why the machine stopped, FAILURE_… of expression/machine.ts. outside: number of drawn rows that leave a limit;
 * their value is NaN.
 */
export enum Statistic {
  failure,
  outside,
}

/** Maximum length of one array: far above any use, low enough that byte counts fit an i32. */
const MAX_ELEMENTS: f64 = 16_777_216;
const MAX_SOURCES: f64 = 64;
const MAX_SEED: f64 = 9_007_199_254_740_992;
/** Drawn rows that are held at a time. */
const BLOCK_ROWS: i32 = 1024;

let codeWords: i32 = 0;
let poolValues: i32 = 0;
let slotCount: i32 = 0;
let rows: i32 = 0;
let row: i32 = 0;
let sources: i32 = 0;
let outside: f64 = 0;

let code: usize = 0;
let pool: usize = 0;
let slots: usize = 0;
let values: usize = 0;
let stack: usize = 0;
let factors: usize = 0;
let limits: usize = 0;
let deviates: usize = 0;
/** f64[BLOCK_ROWS, slots]; whether each of these rows is within its limits, u8[BLOCK_ROWS]. */
let drawn: usize = 0;
let isWithin: usize = 0;

/** @returns info: 0; -i if parameter i is not an integer in range; 3 if out of memory */
export function reserve(): i32 {
  resetControl();
  resetArena();
  unlink();
  if (!isIntegerBetween(parameter(Parameter.codeWords), 1, MAX_ELEMENTS)) return illegal(Parameter.codeWords);
  if (!isIntegerBetween(parameter(Parameter.poolValues), 0, MAX_ELEMENTS)) return illegal(Parameter.poolValues);
  if (!isIntegerBetween(parameter(Parameter.slots), 0, MAX_ELEMENTS)) return illegal(Parameter.slots);
  if (!isIntegerBetween(parameter(Parameter.rows), 1, MAX_ELEMENTS)) return illegal(Parameter.rows);
  if (!isIntegerBetween(parameter(Parameter.sources), 0, MAX_SOURCES)) return illegal(Parameter.sources);
  if (!isIntegerBetween(parameter(Parameter.seed), 0, MAX_SEED)) return illegal(Parameter.seed);
  if (parameter(Parameter.slots) * parameter(Parameter.rows) > MAX_ELEMENTS) return illegal(Parameter.rows);
  codeWords = <i32>parameter(Parameter.codeWords);
  poolValues = <i32>parameter(Parameter.poolValues);
  slotCount = <i32>parameter(Parameter.slots);
  rows = <i32>parameter(Parameter.rows);
  sources = <i32>parameter(Parameter.sources);

  stack = allocateF64(STACK_VALUES);
  code = allocate((<usize>codeWords) << 2);
  pool = allocateF64(poolValues);
  slots = allocateF64(sources > 0 ? slotCount : slotCount * rows);
  values = allocateF64(rows);
  if (!(stack && code && pool && slots && values)) return INFO_OUT_OF_MEMORY;
  if (sources === 0) return INFO_OK;
  factors = allocateF64(slotCount * sources);
  limits = allocateF64(slotCount * LIMIT_COLUMNS);
  deviates = allocateF64(sources);
  drawn = allocateF64(slotCount * BLOCK_ROWS);
  isWithin = allocate(BLOCK_ROWS);
  return factors && limits && deviates && drawn && isWithin ? INFO_OK : INFO_OUT_OF_MEMORY;
}

/** @returns info: 0 */
export function start(): i32 {
  row = 0;
  outside = 0;
  if (sources > 0) seedRandom(parameter(Parameter.seed));
  return INFO_OK;
}

/**
 * Evaluate the next `steps` rows.
 *
 * @returns info: 0; 4 if the machine failed on row `done`, with the failure code in its statistic
 */
export function advance(steps: i32): i32 {
  const end = row + min(steps, rows - row);
  if (sources === 0) return evaluateTo(end, slots, 0);
  let info = INFO_OK;
  while (row < end && info === INFO_OK) info = evaluateDrawn(min(row + BLOCK_ROWS, end));
  return info;
}

/**
 * Evaluate the rows up to `end`.
 *
 * @param from   address of row `first` of the slots
 * @returns as advance
 */
function evaluateTo(end: i32, from: usize, first: i32): i32 {
  const stride = (<usize>slotCount) << 3;
  while (row < end) {
    const before = row;
    row += compiledRows(pool, from + <usize>(row - first) * stride, values + ((<usize>row) << 3), end - row);
    // The machine checks the first row of every block, and evaluates the rows that the module leaves.
    const isCheck = row > before;
    const at = isCheck ? before : row;
    const value = evaluate(code, pool, from + <usize>(at - first) * stride, stack);
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

/** Draw and evaluate the rows up to `end`, at most BLOCK_ROWS. @returns as advance */
function evaluateDrawn(end: i32): i32 {
  const first = row;
  const stride = (<usize>slotCount) << 3;
  for (let at = first; at < end; at++) {
    const out = drawn + <usize>(at - first) * stride;
    store<u8>(isWithin + <usize>(at - first), drawRow(out, slots, factors, limits, deviates, slotCount, sources, at));
  }
  const info = evaluateTo(end, drawn, first);
  for (let at = first; at < row; at++) {
    if (load<u8>(isWithin + <usize>(at - first))) continue;
    store<f64>(values + ((<usize>at) << 3), NaN);
    outside++;
  }
  setStatistic(Statistic.outside, outside);
  return info;
}

export function view(i: i32): usize {
  if (i === View.code) return code;
  if (i === View.pool) return pool;
  if (i === View.slots) return slots;
  if (i === View.values) return values;
  if (sources === 0) return 0;
  if (i === View.factors) return factors;
  return i === View.limits ? limits : 0;
}

export function extent(i: i32): i32 {
  if (i === View.code) return codeWords;
  if (i === View.pool) return poolValues;
  if (i === View.slots) return sources > 0 ? slotCount : slotCount * rows;
  if (i === View.values) return rows;
  if (sources === 0) return 0;
  if (i === View.factors) return slotCount * sources;
  return i === View.limits ? slotCount * LIMIT_COLUMNS : 0;
}
