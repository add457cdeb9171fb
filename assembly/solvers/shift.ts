// The pulse as a rotating pair (sin, cos): at each step turned by the same angle, and by nothing else.
//
// A second way to the sines of a clock series: after the start no sine is taken. Each turn rounds by a few units in the
// last place of 1, which add up; exact otherwise. Fails where a parameter is not finite.
import { allocateF64, INFO_OK, INFO_OUT_OF_MEMORY, parameter, resetArena, resetControl, setDone } from '../kernel';
import { set } from '../numerics/vector';
import { illegal, isIntegerBetween } from '../parameters';

export { abi, control } from '../kernel';

/** phase of the first step and turn from one step to the next, in rad; alpha; steps ≥ 1. */
export enum Parameter {
  phase,
  turn,
  alpha,
  steps,
}

/** modulation f64[steps]: 1 + α sin of the angle at each step. */
export enum View {
  modulation,
}

const MAX_STEPS: f64 = 100_000;

let steps: i32 = 0;
let done: i32 = 0;
let alpha: f64 = 0;
let sine: f64 = 0;
let cosine: f64 = 1;
let turnSine: f64 = 0;
let turnCosine: f64 = 1;
let modulation: usize = 0;

/** @returns −i if parameter i, counted from 1, is illegal, INFO_OUT_OF_MEMORY, or 0 */
export function reserve(): i32 {
  resetControl();
  resetArena();
  for (let i: i32 = Parameter.phase; i <= Parameter.alpha; i++) if (!isFinite(parameter(i))) return illegal(i);
  if (!isIntegerBetween(parameter(Parameter.steps), 1, MAX_STEPS)) return illegal(Parameter.steps);
  steps = <i32>parameter(Parameter.steps);
  alpha = parameter(Parameter.alpha);
  modulation = allocateF64(steps);
  return modulation ? INFO_OK : INFO_OUT_OF_MEMORY;
}

export function start(): i32 {
  done = 0;
  sine = Math.sin(parameter(Parameter.phase));
  cosine = Math.cos(parameter(Parameter.phase));
  turnSine = Math.sin(parameter(Parameter.turn));
  turnCosine = Math.cos(parameter(Parameter.turn));
  return INFO_OK;
}

export function advance(count: i32): i32 {
  for (let i = 0; i < count && done < steps; i++) {
    set(modulation, done++, 1 + alpha * sine);
    const next = sine * turnCosine + cosine * turnSine;
    cosine = cosine * turnCosine - sine * turnSine;
    sine = next;
  }
  setDone(done);
  return INFO_OK;
}

export function view(i: i32): usize {
  return i === View.modulation ? modulation : 0;
}

export function extent(i: i32): i32 {
  return i === View.modulation ? steps : 0;
}
