// Kernel with selectable faults, for the tests of the runners.
//
//   parameter 1  mode: 0 counts, 1 loops forever, 2 traps, 3 exhausts memory, 4 rejects parameter 1,
//                5 finishes after three steps
//   parameter 2  length of view 0
//   parameter 3  additions per step, which set the duration of a step
//   statistic 0  the sum of all additions; statistic 1: runs of this instance
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

export { abi, control } from '../../assembly/kernel';

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
  length = <i32>parameter(2);
  field = allocateF64(length);
  if (field === 0) return INFO_OUT_OF_MEMORY;
  if (<i32>parameter(1) === REFUSE) return -1;
  return INFO_OK;
}

export function start(): i32 {
  setStatistic(1, ++runs);
  return INFO_OK;
}

export function advance(steps: i32): i32 {
  const mode = <i32>parameter(1);
  const additions = <i32>parameter(3);
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
  setStatistic(0, sum);
  return INFO_OK;
}

/** Never returns; the store prevents the compiler from removing the loop. */
function loopForever(): void {
  for (;;) store<f64>(field, load<f64>(field) + 1);
}

export function view(i: i32): usize {
  return i === 0 ? field : 0;
}

export function extent(i: i32): i32 {
  return i === 0 ? length : 0;
}
