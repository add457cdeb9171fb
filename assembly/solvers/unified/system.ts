// The system of equations as functions of t and the states: derivatives, algebraic values, events, invariants.
import { get, set } from '../../numerics/vector';
import {
  algebraicEnd,
  assignmentEnd,
  derivativeEnd,
  eventEnd,
  fixedEnd,
  invariantCount,
  invariantEnd,
  movingCount,
  n,
  neededEnd,
} from './layout';
import { assign, collect, programValue, targetOf } from './programs';

let slots: usize = 0;
let evaluations: f64 = 0;

/** An invariant's first, least and greatest value. */
let invariants: usize = 0;

/**
 * @param invariantsAt  f64[invariants, 3]
 * @param programs      of all; those behind the invariants give states their initial values
 */
export function useSystem(slotsAt: usize, invariantsAt: usize, programs: i32): void {
  slots = slotsAt;
  invariants = invariantsAt;
  evaluations = 0;
  assign(0, fixedEnd, slots);
  assign(invariantEnd, programs, slots);
}

export function evaluationCount(): f64 {
  return evaluations;
}

function place(t: f64, y: usize): void {
  set(slots, 0, t);
  memory.copy(slots + 8, y, (<usize>n) << 3);
}

/** The right side, as the integrators call it. */
export function derivatives(t: f64, y: usize, dydt: usize): void {
  place(t, y);
  assign(fixedEnd, neededEnd, slots);
  collect(algebraicEnd, derivativeEnd, slots, dydt);
  evaluations += 1;
}

/** The slots with all algebraic values at (t, y). */
export function settle(t: f64, y: usize): void {
  place(t, y);
  assign(fixedEnd, algebraicEnd, slots);
}

/** t, states and moving algebraic values into out[2 + n + moving], with h in the second place. */
export function sample(t: f64, h: f64, y: usize, out: usize): void {
  settle(t, y);
  const bytes = (<usize>n) << 3;
  set(out, 0, t);
  set(out, 1, h);
  memory.copy(out + 16, y, bytes);
  memory.copy(out + 16 + bytes, slots + ((<usize>(1 + n + fixedEnd)) << 3), (<usize>movingCount()) << 3);
}

/** All slots before the constants into out[1 + n + algebraic]. */
export function final(t: f64, y: usize, out: usize): void {
  settle(t, y);
  memory.copy(out, slots, (<usize>(1 + n + algebraicEnd)) << 3);
}

/** The left sides of all events at (t, y) into out. */
export function eventValues(t: f64, y: usize, out: usize): void {
  settle(t, y);
  collect(derivativeEnd, eventEnd, slots, out);
}

export function eventValue(event: i32, t: f64, y: usize): f64 {
  settle(t, y);
  return programValue(derivativeEnd + event, slots);
}

/** What assignments `from` … make of y, all from the values before; `fresh` is f64[n] of scratch. */
export function assignStates(t: f64, y: usize, from: i32, count: i32, fresh: usize): void {
  settle(t, y);
  collect(eventEnd + from, eventEnd + from + count, slots, fresh);
  for (let i = 0; i < count; i++) set(y, targetOf(eventEnd + from + i) - 1, get(fresh, i));
}

/** The extremes of the invariants, so far. */
export function watch(t: f64, y: usize, isFirst: bool): void {
  const count = invariantCount();
  if (count === 0) return;
  settle(t, y);
  for (let i = 0; i < count; i++) {
    const value = programValue(assignmentEnd + i, slots);
    const row = invariants + ((<usize>(3 * i)) << 3);
    if (isFirst) {
      set(row, 0, value);
      set(row, 1, value);
      set(row, 2, value);
    } else {
      set(row, 1, Math.min(get(row, 1), value));
      set(row, 2, Math.max(get(row, 2), value));
    }
  }
}
