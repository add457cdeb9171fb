// The Hamiltonians: Kepler's problem, the oscillator, the pendulum, and T(p) + V(q) as expressions.
//
//   kepler      ½ |p|² − μ / |q|, in a plane
//   oscillator  ½ p² + ½ ω² q²
//   pendulum    ½ p² − λ cos q
//
// Calls in inner loops: the machine, for expressions.
import { evaluate, FAILURE_NONE, failure, STACK_VALUES } from '../../expression/machine';
import { allocate, allocateF64 } from '../../kernel';
import { get, set } from '../../numerics/vector';

export const KEPLER: i32 = 0;
export const OSCILLATOR: i32 = 1;
export const PENDULUM: i32 = 2;
export const EXPRESSIONS: i32 = 3;

/** Degrees of freedom, and the length of the state q, p. */
export let degrees: i32 = 1;
export let states: i32 = 2;

/** Programs: T, V, then the slopes of T by each p and of V by each q: i32[2 + 2 degrees, 2], begins in code and pool. */
export let programs: usize = 0;
export let code: usize = 0;
export let pool: usize = 0;

let system: i32 = KEPLER;
let parameter: f64 = 1;
let stack: usize = 0;
let slots: usize = 0;
let moved: usize = 0;

/** @returns whether there is memory */
export function allocateHamiltonian(kind: i32, dimension: i32, codeWords: i32, poolValues: i32): bool {
  system = kind;
  degrees = dimension;
  states = 2 * dimension;
  programs = allocate(((<usize>(2 + 2 * dimension)) << 3) + 8);
  code = allocate(((<usize>codeWords) << 2) + 8);
  pool = allocateF64(poolValues + 1);
  stack = allocateF64(STACK_VALUES);
  slots = allocateF64(states);
  moved = allocateF64(states);
  return programs !== 0 && code !== 0 && pool !== 0 && stack !== 0 && slots !== 0 && moved !== 0;
}

/** μ, ω² or λ. */
export function setParameter(value: f64): void {
  parameter = value;
}

function program(i: i32): f64 {
  const row = programs + ((<usize>i) << 3);
  const codeAt = code + ((<usize>load<i32>(row)) << 2);
  const poolAt = pool + ((<usize>load<i32>(row, 4)) << 3);
  const value = evaluate(codeAt, poolAt, slots, stack);
  return failure() === FAILURE_NONE ? value : NaN;
}

/** −V'(q) */
export function force(q: usize, out: usize): void {
  if (system === KEPLER) {
    const x = get(q, 0);
    const y = get(q, 1);
    const r2 = x * x + y * y;
    const w = -parameter / (r2 * Math.sqrt(r2));
    set(out, 0, w * x);
    set(out, 1, w * y);
  } else if (system === OSCILLATOR) set(out, 0, -parameter * get(q, 0));
  else if (system === PENDULUM) set(out, 0, -parameter * Math.sin(get(q, 0)));
  else {
    for (let i = 0; i < degrees; i++) set(slots, i, get(q, i));
    for (let i = 0; i < degrees; i++) set(out, i, -program(2 + degrees + i));
  }
}

/** T'(p) */
export function velocity(p: usize, out: usize): void {
  for (let i = 0; i < degrees; i++) set(out, i, get(p, i));
  if (system !== EXPRESSIONS) return;
  for (let i = 0; i < degrees; i++) set(slots, degrees + i, get(p, i));
  for (let i = 0; i < degrees; i++) set(out, i, program(2 + i));
}

/** Kinetic energy of the last `energy`. */
export let kinetic: f64 = 0;

/** @param y  f64[states]: q, p */
export function energy(y: usize): f64 {
  if (system === EXPRESSIONS) {
    for (let i = 0; i < states; i++) set(slots, i, get(y, i));
    kinetic = program(0);
    return kinetic + program(1);
  }
  let sum: f64 = 0;
  for (let i = degrees; i < states; i++) sum += get(y, i) * get(y, i);
  kinetic = 0.5 * sum;
  const x = get(y, 0);
  if (system === OSCILLATOR) return kinetic + 0.5 * parameter * x * x;
  if (system === PENDULUM) return kinetic - parameter * Math.cos(x);
  return kinetic - parameter / Math.sqrt(x * x + get(y, 1) * get(y, 1));
}

/** q₁ p₂ − q₂ p₁ in a plane, else 0. */
export function angularMomentum(y: usize): f64 {
  return degrees === 2 ? get(y, 0) * get(y, 3) - get(y, 1) * get(y, 2) : 0;
}

/** q' = T'(p), p' = −V'(q) at the state y. */
export function derivatives(_t: f64, y: usize, dydt: usize): void {
  const bytes = (<usize>degrees) << 3;
  velocity(y + bytes, dydt);
  force(y, dydt + bytes);
}

/** The same at the state y + c. */
export function splitDerivatives(t: f64, y: usize, c: usize, dydt: usize): void {
  for (let i = 0; i < states; i++) set(moved, i, get(y, i) + get(c, i));
  derivatives(t, moved, dydt);
}

let reachQ: f64 = 0;
let reachP: f64 = 0;

export function clearReach(): void {
  reachQ = 0;
  reachP = 0;
}

/** What errors are measured by: of Kepler's problem the distance and speed of now, else the largest so far. */
export function sizes(y: usize, slopes: usize, out: usize): void {
  let q2: f64 = 0;
  let p2: f64 = 0;
  let a2: f64 = 0;
  for (let i = 0; i < degrees; i++) {
    q2 += get(y, i) * get(y, i);
    p2 += get(y, degrees + i) * get(y, degrees + i);
    a2 += get(slopes, degrees + i) * get(slopes, degrees + i);
  }
  const isLocal = system === KEPLER;
  reachQ = isLocal ? Math.sqrt(q2) : Math.max(reachQ, Math.sqrt(q2));
  reachP = isLocal ? Math.sqrt(p2) : Math.max(reachP, Math.sqrt(p2));
  const a = Math.sqrt(a2);
  const sizeQ = Math.max(1e-280, reachQ > 0 ? reachQ : Math.max(a, reachP));
  const sizeP = Math.max(1e-280, Math.max(reachP, Math.sqrt(a * sizeQ)));
  for (let i = 0; i < degrees; i++) {
    set(out, i, sizeQ);
    set(out, degrees + i, sizeP);
  }
}
