// State of a run: the window, the evaluation of Z in it, and the brackets of zeros found so far.
import { allocate } from '../../kernel';
import { EULER_BELOW, hardyZ, hardyZError, MAX_EULER_BELOW } from '../../numerics/special/hardy-z';

export namespace Window {
  export let tMin: f64 = 0;
  export let tMax: f64 = 0;
  /** C0 … of the Riemann–Siegel formula: how many. */
  export let corrections: i32 = 5;
  /** Evaluations of Z. */
  export let evaluations: f64 = 0;
}

/** Z(t) in the search, where its sign matters. */
export function searched(t: f64): f64 {
  Window.evaluations += 1;
  return hardyZ(t, Window.corrections, EULER_BELOW);
}

/** The sign of a value of `searched`: 1, −1, or 0 if the error allows both. */
export function signOf(z: f64, t: f64): i32 {
  const error = hardyZError(t, Window.corrections, EULER_BELOW);
  return z > error ? 1 : z < -error ? -1 : 0;
}

/** Z(t) where its value matters. */
export function refined(t: f64): f64 {
  Window.evaluations += 1;
  return hardyZ(t, Window.corrections, MAX_EULER_BELOW);
}

/** A bound of the error of `refined`. */
export function refinedError(t: f64): f64 {
  return hardyZError(t, Window.corrections, MAX_EULER_BELOW);
}

/** Brackets by rising t: rows of three, an interval at whose ends the signs of Z are opposite, and the zero in it or 0. */
export namespace Brackets {
  export let count: i32 = 0;
  export let capacity: i32 = 0;
  export let rows: usize = 0;
  /** Whether one more did not fit. */
  export let isFull: bool = false;
}

export function allocateBrackets(capacity: i32): bool {
  Brackets.capacity = capacity;
  Brackets.count = 0;
  Brackets.isFull = false;
  Brackets.rows = allocate(<usize>capacity * 24);
  return Brackets.rows !== 0;
}

export function addBracket(low: f64, high: f64): void {
  if (Brackets.count === Brackets.capacity) {
    Brackets.isFull = true;
    return;
  }
  setBracket(Brackets.count++, low, 0, high);
}

export function setBracket(i: i32, low: f64, zero: f64, high: f64): void {
  const row = Brackets.rows + <usize>i * 24;
  store<f64>(row, low);
  store<f64>(row, zero, 8);
  store<f64>(row, high, 16);
}

export function lowOf(i: i32): f64 {
  return load<f64>(Brackets.rows + <usize>i * 24);
}

export function highOf(i: i32): f64 {
  return load<f64>(Brackets.rows + <usize>i * 24, 16);
}
