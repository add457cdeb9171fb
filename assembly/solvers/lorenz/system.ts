// Right sides: Lorenz's and Rössler's equations and expressions of one's own, with their variational equations.
//
//   Lorenz   x' = σ (y − x)   y' = x (ρ − z) − y   z' = x y − β z
//   Rössler  x' = −y − z      y' = x + a y         z' = b + z (x − c)
//
// Beside the states x the variational system carries n vectors v' = J(x) v and the integral of the trace of J, by which
// volumes grow: n + n² + 1 numbers. Expressions run on the machine (expression/machine.ts), one program for each
// slope and for each element of J that is not 0; J is their derivative in symbols, so it has no differences of its own.
//
// Calls in inner loops: the machine, for expressions of one's own.
import { evaluate, FAILURE_NONE, failure, STACK_VALUES } from '../../expression/machine';
import { allocate, allocateF64 } from '../../kernel';
import { copyValues, get, set } from '../../numerics/vector';

export const LORENZ: i32 = 0;
export const ROSSLER: i32 = 1;
export const EXPRESSIONS: i32 = 2;

/** States. */
export let n: i32 = 3;
/** Programs, i32[count, 3]: offsets in code and pool, and the element of J (row by row), for slopes the state. */
export let programs: usize = 0;
export let code: usize = 0;
export let pool: usize = 0;
/** f64[n, n], ∂f/∂x row by row, of the last `jacobian`. */
export let matrix: usize = 0;

let model: i32 = LORENZ;
let programCount: i32 = 0;
let p: f64 = 0;
let q: f64 = 0;
let r: f64 = 0;
let stack: usize = 0;
let slots: usize = 0;

export function allocateSystem(kind: i32, states: i32, count: i32, codeWords: i32, poolValues: i32): bool {
  model = kind;
  n = states;
  programCount = count;
  programs = allocate((<usize>(3 * count)) << 2);
  code = allocate((<usize>codeWords) << 2);
  pool = allocateF64(poolValues);
  stack = allocateF64(STACK_VALUES);
  slots = allocateF64(states);
  matrix = allocateF64(states * states);
  return !!(programs && code && pool && stack && slots && matrix);
}

/** σ, ρ, β or a, b, c. */
export function setConstants(first: f64, second: f64, third: f64): void {
  p = first;
  q = second;
  r = third;
}

/** Numbers of the variational system: states, vectors, integral of the trace. */
export function variationalCount(): i32 {
  return n + n * n + 1;
}

/** x' = f(x). */
export function slopes(_t: f64, x: usize, out: usize): void {
  if (model === LORENZ) {
    lorenz(x, out);
  } else if (model === ROSSLER) {
    set(out, 0, -get(x, 1) - get(x, 2));
    set(out, 1, get(x, 0) + p * get(x, 1));
    set(out, 2, q + get(x, 2) * (get(x, 0) - r));
  } else {
    copyValues(slots, x, n);
    for (let i = 0; i < n; i++) set(out, i, run(i));
  }
}

/** Fills `matrix` with ∂f/∂x. @returns its trace */
export function jacobian(x: usize): f64 {
  if (model === LORENZ) {
    set(matrix, 0, -p);
    set(matrix, 1, p);
    set(matrix, 3, q - get(x, 2));
    set(matrix, 4, -1);
    set(matrix, 5, -get(x, 0));
    set(matrix, 6, get(x, 1));
    set(matrix, 7, get(x, 0));
    set(matrix, 8, -r);
  } else if (model === ROSSLER) {
    set(matrix, 1, -1);
    set(matrix, 2, -1);
    set(matrix, 3, 1);
    set(matrix, 4, p);
    set(matrix, 6, get(x, 2));
    set(matrix, 8, get(x, 0) - r);
  } else {
    copyValues(slots, x, n);
    for (let i = n; i < programCount; i++) set(matrix, load<i32>(programs + <usize>i * 12, 8), run(i));
  }
  let trace: f64 = 0;
  for (let i = 0; i < n; i++) trace += get(matrix, i * n + i);
  return trace;
}

/** States, vectors and the integral of the trace, as the integrators call it. */
export function variational(t: f64, y: usize, out: usize): void {
  if (model === LORENZ) {
    lorenzVariational(y, out);
    return;
  }
  slopes(t, y, out);
  set(out, n + n * n, jacobian(y));
  const bytes = (<usize>n) << 3;
  let v = y;
  let slope = out;
  for (let k = 0; k < n; k++) {
    v += bytes;
    slope += bytes;
    let row = matrix;
    for (let i = 0; i < n; i++) {
      let sum: f64 = 0;
      for (let j = 0; j < n; j++) sum += get(row, j) * get(v, j);
      set(slope, i, sum);
      row += bytes;
    }
  }
}

/** Two solutions beside each other. */
export function twoSlopes(t: f64, y: usize, out: usize): void {
  const bytes = (<usize>n) << 3;
  slopes(t, y, out);
  slopes(t, y + bytes, out + bytes);
}

function lorenz(x: usize, out: usize): void {
  const a = get(x, 0);
  const b = get(x, 1);
  const c = get(x, 2);
  set(out, 0, p * (b - a));
  set(out, 1, a * (q - c) - b);
  set(out, 2, a * b - r * c);
}

function lorenzVariational(y: usize, out: usize): void {
  lorenz(y, out);
  const x = get(y, 0);
  const b = get(y, 1);
  const lift = q - get(y, 2);
  for (let k: usize = 24; k <= 72; k += 24) {
    const u = load<f64>(y + k);
    const v = load<f64>(y + k, 8);
    const w = load<f64>(y + k, 16);
    store<f64>(out + k, p * (v - u));
    store<f64>(out + k, lift * u - v - x * w, 8);
    store<f64>(out + k, b * u + x * v - r * w, 16);
  }
  set(out, 12, -p - 1 - r);
}

/** NaN where the machine fails. */
function run(program: i32): f64 {
  const at = programs + <usize>program * 12;
  const value = evaluate(code + ((<usize>load<i32>(at)) << 2), pool + ((<usize>load<i32>(at, 4)) << 3), slots, stack);
  return failure() === FAILURE_NONE ? value : NaN;
}
