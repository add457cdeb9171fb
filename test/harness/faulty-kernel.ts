// Kernel with selectable faults, for the tests of the runners.
import {
  allocateF64,
  INFO_OK,
  INFO_OUT_OF_MEMORY,
  parameter,
  resetArena,
  resetControl,
  setDone,
  setStatistic,
} from '../../assembly/kernel';
import { illegal } from '../../assembly/parameters';

export { abi, control } from '../../assembly/kernel';

/**
 * mode: 0 counts, 1 loops forever, 2 traps, 3 exhausts memory, 4 rejects the mode, 5 finishes after three steps; length
 * of the view; additions per step, which set the duration of a step.
 */
export enum Parameter {
  mode,
  length,
  additions,
}

/** field f64[length], in and out: its first value is the sum. */
export enum View {
  field,
}

/** The sum of all additions, and the runs of this instance. */
export enum Statistic {
  sum,
  runs,
}

const LOOP_FOREVER: i32 = 1;
const TRAP: i32 = 2;
const EXHAUST_MEMORY: i32 = 3;
const REFUSE: i32 = 4;
const FINISH_EARLY: i32 = 5;

let field: usize = 0;
let length: i32 = 0;
let done: f64 = 0;
let runs: f64 = 0;

export function reserve(): i32 {
  resetControl();
  resetArena();
  done = 0;
  length = <i32>parameter(Parameter.length);
  field = allocateF64(length);
  if (field === 0) return INFO_OUT_OF_MEMORY;
  if (<i32>parameter(Parameter.mode) === REFUSE) return illegal(Parameter.mode);
  return INFO_OK;
}

export function start(): i32 {
  setStatistic(Statistic.runs, ++runs);
  return INFO_OK;
}

export function advance(steps: i32): i32 {
  const mode = <i32>parameter(Parameter.mode);
  const additions = <i32>parameter(Parameter.additions);
  if (mode === LOOP_FOREVER) loopForever();
  if (mode === TRAP) unreachable();
  if (mode === EXHAUST_MEMORY) {
    for (;;) if (allocateF64(1 << 20) === 0) return INFO_OUT_OF_MEMORY;
  }
  if (mode === FINISH_EARLY) steps = min(steps, 3 - <i32>done);
  let sum = load<f64>(field);
  for (let step = 0; step < steps; step++) {
    for (let i = 0; i < additions; i++) sum += 1;
  }
  store<f64>(field, sum);
  done += steps;
  setDone(done);
  setStatistic(Statistic.sum, sum);
  return INFO_OK;
}

/** Never returns; the store prevents the compiler from removing the loop. */
function loopForever(): void {
  for (;;) store<f64>(field, load<f64>(field) + 1);
}

export function view(i: i32): usize {
  return i === View.field ? field : 0;
}

export function extent(i: i32): i32 {
  return i === View.field ? length : 0;
}
