// The system of equations as functions of t and the states: derivatives, algebraic values, events, invariants.
import { assertSame, compiledRows, compiledStep } from '../../expression/compiled';
import { combine } from '../../numerics/ode/combination';
import { DORMAND_PRINCE_STAGES, STAGE_TIMES, STAGE_WEIGHTS } from '../../numerics/ode/dormand-prince';
import { copyValues, get, set } from '../../numerics/vector';
import {
  algebraicEnd,
  assignmentEnd,
  derivativeEnd,
  eventEnd,
  fixedEnd,
  invariantCount,
  invariantEnd,
  n,
  neededEnd,
  varyingCount,
} from './layout';
import { assertAssigned, assertCollected, assign, collect, programValue, targetOf } from './programs';

/** The machine checks the first and then every so many compiled right-hand sides and steps. */
const CHECK_INTERVAL: i32 = 1024;
let callsToCheck: i32 = 1;
let stepsToCheck: i32 = 1;

let slots: usize = 0;
let pool: usize = 0;
let evaluations: f64 = 0;

/** First, minimum and maximum value of an invariant. */
export enum InvariantColumn {
  first,
  minimum,
  maximum,
}

export const INVARIANT_COLUMNS: i32 = InvariantColumn.maximum + 1;

/** f64[invariants, 3] */
let invariants: usize = 0;

/**
 * @param invariantsAddress  f64[invariants, 3]
 * @param programs      number of programs; those after the invariants are initial values of states
 */
export function initSystem(slotsAddress: usize, poolAddress: usize, invariantsAddress: usize, programs: i32): void {
  slots = slotsAddress;
  pool = poolAddress;
  callsToCheck = 1;
  stepsToCheck = 1;
  invariants = invariantsAddress;
  evaluations = 0;
  assign(0, fixedEnd, slots);
  assign(invariantEnd, programs, slots);
}

export function evaluationCount(): f64 {
  return evaluations;
}

function setState(t: f64, y: usize): void {
  set(slots, 0, t);
  copyValues(slots + 8, y, n);
}

/** The right-hand side, as the integrators call it. */
export function derivatives(t: f64, y: usize, dydt: usize): void {
  setState(t, y);
  if (compiledRows(pool, slots, dydt, 1) === 0) {
    assign(fixedEnd, neededEnd, slots);
    collect(algebraicEnd, derivativeEnd, slots, dydt);
  } else if (--callsToCheck === 0) {
    callsToCheck = CHECK_INTERVAL;
    assertAssigned(fixedEnd, neededEnd, slots);
    assertCollected(algebraicEnd, derivativeEnd, slots, dydt);
  }
  evaluations += 1;
}

/** A compiled step of Dormand and Prince's method. @param k  f64[8, n] @returns whether it is done */
export function stepByModule(t: f64, y: usize, k: usize, h: f64, out: usize): bool {
  if (!compiledStep(pool, slots, k, y, out, STAGE_TIMES, STAGE_WEIGHTS, t, h)) return false;
  if (--stepsToCheck === 0) {
    stepsToCheck = CHECK_INTERVAL;
    assertStages(t, y, k, h, out);
  }
  evaluations += <f64>(DORMAND_PRINCE_STAGES - 1);
  return true;
}

/** Compares the slopes of a compiled step with the machine's at the same arguments, and the arguments of the last two. */
function assertStages(t: f64, y: usize, k: usize, h: f64, out: usize): void {
  let row = STAGE_WEIGHTS;
  for (let s = 1; s < DORMAND_PRINCE_STAGES; s++) {
    const argument = slots + 8;
    combine(y, h, row, k, s, n, argument);
    row += (<usize>s) << 3;
    const expected = s === DORMAND_PRINCE_STAGES - 1 ? out : k + ((<usize>(DORMAND_PRINCE_STAGES * n)) << 3);
    for (let i = 0; s >= DORMAND_PRINCE_STAGES - 2 && i < n; i++) {
      if (isFinite(get(argument, i))) assertSame(get(expected, i), get(argument, i));
    }
    set(slots, 0, t + get(STAGE_TIMES, s - 1) * h);
    assign(fixedEnd, neededEnd, slots);
    assertCollected(algebraicEnd, derivativeEnd, slots, k + ((<usize>(s * n)) << 3));
  }
}

/** Sets the slots, with all algebraic values, at (t, y). */
export function evaluateAlgebraic(t: f64, y: usize): void {
  setState(t, y);
  assign(fixedEnd, algebraicEnd, slots);
}

/** Writes states and varying algebraic values to out[n + varying]. */
export function writeValues(t: f64, y: usize, out: usize): void {
  evaluateAlgebraic(t, y);
  const bytes = (<usize>n) << 3;
  memory.copy(out, y, bytes);
  memory.copy(out + bytes, slots + ((<usize>(1 + n + fixedEnd)) << 3), (<usize>varyingCount()) << 3);
}

/** Writes all slots before the constants to out[1 + n + algebraic]. */
export function writeFinal(t: f64, y: usize, out: usize): void {
  evaluateAlgebraic(t, y);
  memory.copy(out, slots, (<usize>(1 + n + algebraicEnd)) << 3);
}

/** Writes the values of all event functions at (t, y) to out. */
export function eventValues(t: f64, y: usize, out: usize): void {
  evaluateAlgebraic(t, y);
  collect(derivativeEnd, eventEnd, slots, out);
}

export function eventValue(event: i32, t: f64, y: usize): f64 {
  evaluateAlgebraic(t, y);
  return programValue(derivativeEnd + event, slots);
}

/** Applies `count` assignments from `from` on to y, all computed from the old values. @param scratch  f64[n] */
export function assignStates(t: f64, y: usize, from: i32, count: i32, scratch: usize): void {
  evaluateAlgebraic(t, y);
  collect(eventEnd + from, eventEnd + from + count, slots, scratch);
  for (let i = 0; i < count; i++) set(y, targetOf(eventEnd + from + i) - 1, get(scratch, i));
}

/** Updates first, minimum and maximum of the invariants. */
export function updateInvariants(t: f64, y: usize, isFirst: bool): void {
  const count = invariantCount();
  if (count === 0) return;
  evaluateAlgebraic(t, y);
  for (let i = 0; i < count; i++) {
    const value = programValue(assignmentEnd + i, slots);
    const row = invariants + ((<usize>(INVARIANT_COLUMNS * i)) << 3);
    if (isFirst) {
      set(row, InvariantColumn.first, value);
      set(row, InvariantColumn.minimum, value);
      set(row, InvariantColumn.maximum, value);
    } else {
      set(row, InvariantColumn.minimum, Math.min(get(row, InvariantColumn.minimum), value));
      set(row, InvariantColumn.maximum, Math.max(get(row, InvariantColumn.maximum), value));
    }
  }
}
