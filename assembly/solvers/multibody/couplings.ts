// Weighted couplings C_k of the field: expressions in phi, dphi and t, run by the expression machine.
//
// Calls in inner loops: the machine.
import { evaluate, FAILURE_NONE, failure, STACK_VALUES } from '../../expression/machine';
import { allocate, allocateF64 } from '../../kernel';
import { get, set } from '../../numerics/vector';

/** Slots of an expression: phi, dphi, t. */
const SLOTS: i32 = 3;

/** f64[count]; i32[count, 2], where each expression begins in code and pool. */
export let weights: usize = 0;
export let programs: usize = 0;
export let code: usize = 0;
export let pool: usize = 0;
export let count: i32 = 0;

let stack: usize = 0;
let slots: usize = 0;

/** @returns whether there is memory */
export function allocateCouplings(couplings: i32, codeWords: i32, poolValues: i32): bool {
  count = couplings;
  weights = allocateF64(couplings + 1);
  programs = allocate(((<usize>couplings) << 3) + 8);
  code = allocate(((<usize>codeWords) << 2) + 8);
  pool = allocateF64(poolValues + 1);
  stack = allocateF64(STACK_VALUES);
  slots = allocateF64(SLOTS);
  return weights !== 0 && programs !== 0 && code !== 0 && pool !== 0 && stack !== 0 && slots !== 0;
}

/** Σ w_k C_k(phi, dphi, t); NaN where an expression has no value. */
export function couplingForce(phi: f64, dphi: f64, t: f64): f64 {
  let sum: f64 = 0;
  set(slots, 0, phi);
  set(slots, 1, dphi);
  set(slots, 2, t);
  for (let k = 0; k < count; k++) {
    const row = programs + ((<usize>k) << 3);
    const codeAt = code + ((<usize>load<i32>(row)) << 2);
    const poolAt = pool + ((<usize>load<i32>(row, 4)) << 3);
    sum += get(weights, k) * evaluate(codeAt, poolAt, slots, stack);
    if (failure() !== FAILURE_NONE) return NaN;
  }
  return sum;
}
